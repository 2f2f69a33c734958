/* Sizes of a benchmark on the command line: some numbers with commas between
 * them. */
#ifndef SAMPLES_NUMBERS_H
#define SAMPLES_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = 4 }; /* of a size, at most; the others are 0 */

static inline void print_size(const uint32_t size[NUMBERS], const char *before)
{
    for (unsigned i = 0; i < NUMBERS && size[i]; i++, before = ",")
        printf("%s%lu", before, (unsigned long)size[i]);
}

/* A number from least on, at *text, which moves behind it. */
static inline bool read_number(const char **text, uint32_t least, uint32_t most,
                               uint32_t *number)
{
    uint64_t n = 0;
    const char *p = *text;
    for (; *p >= '0' && *p <= '9' && n <= most; p++)
        n = 10 * n + (uint64_t)(*p - '0');
    bool read = p != *text && n >= least && n <= most;
    *text = p;
    *number = (uint32_t)n;
    return read;
}

static inline bool read_numbers(const char *text, const uint32_t most[NUMBERS],
                                uint32_t size[NUMBERS])
{
    for (unsigned i = 0; i < NUMBERS && most[i]; i++) {
        if (i && *text++ != ',')
            return false;
        if (!read_number(&text, 1, most[i], &size[i]))
            return false;
    }
    return !*text;
}

#endif
