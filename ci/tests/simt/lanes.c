/*
 * What single lanes of a warp do:
 *
 *   constant N     hart N stores to a constant, the others beside each other
 *
 *   lanes WAY N
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned n;
static const uint32_t table[4096] = {1, 2, 3, 4};
static volatile uint32_t words[4096];

static void constant(void *arg)
{
    unsigned h = corbel_hart();
    volatile uint32_t *at = h == n ? (volatile uint32_t *)table : words;
    at[h] = h;
}

static const struct way {
    const char *name;
    void (*kernel)(void *);
} ways[] = {{"constant", constant}};

int main(int argc, char **argv)
{
    n = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name)) {
            corbel_launch(ways[i].kernel, NULL);
            return 0;
        }
    fprintf(stderr, "lanes: expected a way and a number\n");
    return 2;
}
