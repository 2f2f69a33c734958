/* What is told of a result: a digest, a sum, so that its order does not matter;
 * and where it first differs from what a serial version has computed. */
#ifndef SAMPLES_RESULTS_H
#define SAMPLES_RESULTS_H

#include "chunks.h"
#include "numbers.h"
#include "random.h"
#include "say.h"

#include <stdatomic.h>
#include <stdbool.h>

struct digest {
    uint32_t word[2];
};

struct sum {
    const uint32_t *words;
    uint32_t count, seed;
    _Atomic uint32_t low, high;
};

static void sum_kernel(void *arg)
{
    struct sum *sum = arg;
    const uint32_t *words = sum->words;
    const uint32_t count = sum->count, seed = sum->seed;
    uint32_t low = 0, high = 0;
    bool has = false; /* most harts of a large chip have none */
    EACH_CHUNK(index, count)
    EACH_ITEM(i, index, count)
    {
        uint32_t mixed = random_word(words[i], random_word(seed, i));
        low += mixed;
        high += random_word(mixed, 0);
        has = true;
    }
    if (!has)
        return;
    atomic_fetch_add_explicit(&sum->low, low, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum->high, high, memory_order_relaxed);
}

/* Adds the words of a result. */
static inline void digest_add(struct digest *digest, const void *words,
                              uint32_t count)
{
    struct sum sum = {.words = words, .count = count, .seed = digest->word[0]};
    corbel_work(ceil_div(count, CHUNK_ITEMS));
    corbel_launch(sum_kernel, &sum);
    digest->word[0] = random_word(digest->word[0], sum.low);
    digest->word[1] = random_word(digest->word[1], sum.high);
}

/* A line on stdout. */
static inline void print_result(const char *name, const uint32_t size[NUMBERS],
                                const struct digest *digest)
{
    printf("%s", name);
    print_size(size, " ");
    printf(": %08lx%08lx\n", (unsigned long)digest->word[0],
           (unsigned long)digest->word[1]);
}

/* Says where they do, if they do. */
static inline bool words_differ(const char *program, const char *name,
                                const char *what, const void *words,
                                const void *expected, uint32_t count)
{
    const uint32_t *a = words, *b = expected;
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i]) {
            say(program, "%s: %s %lu is 0x%08lx, expected 0x%08lx", name, what,
                (unsigned long)i, (unsigned long)a[i], (unsigned long)b[i]);
            return true;
        }
    return false;
}

#endif
