/* Runs rounds and tells their checksum; see rounds.h. */
#include "rounds.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 1000000000 };

void rounds_parse(struct rounds *rounds, int argc, char **argv,
                  const char *usage)
{
    char *end = "";
    unsigned long count = rounds->count;
    if (argc > 1)
        count = strtoul(argv[1], &end, 10);
    if (count >= 1 && count <= LIMIT && !*end) {
        rounds->count = (uint32_t)count;
        return;
    }
    say(rounds->program, "%s: expected %s, ROUNDS 1..%d", argv[1], usage,
        LIMIT);
    exit(2);
}

int rounds_run(struct rounds *rounds, void (*kernel)(void *))
{
    rounds->states = calloc(corbel_harts(), rounds->state_size);
    if (!rounds->states) {
        say(rounds->program, "no memory for %u harts", corbel_harts());
        return 1;
    }
    corbel_work(rounds->count);
    corbel_roi_begin();
    corbel_launch(kernel, rounds);
    corbel_roi_end();
    free(rounds->states);
    printf("%s: %lu rounds, checksum %08lx\n", rounds->program,
           (unsigned long)rounds->count, (unsigned long)rounds->checksum);
    if (rounds->wrong)
        say(rounds->program, "%lu results are wrong",
            (unsigned long)rounds->wrong);
    return rounds->wrong != 0;
}
