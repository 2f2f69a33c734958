#include "sim/core/tally.h"
#include "sim/core/heap.h"
#include <stdlib.h>
#include <string.h>

#define WAYS 8 /* to a line */

static unsigned lines_for(unsigned members)
{
    return (members + WAYS - 1) / WAYS;
}

void tally_init(struct tally *t, unsigned places)
{
    size_t count = 0, level = places;
    do
        count += level = lines_for((unsigned)level);
    while (level > 1);
    size_t bytes = count * sizeof *t->lines;
    t->places = places;
    t->lines = memset(heap_lines(bytes, 1, "host threads"), 0, bytes);
}

void tally_free(struct tally *t)
{
    free(t->lines);
}

/* Adds a member; true if it is the first one. */
static bool add_member(struct tally_line *line)
{
    atomic_store_explicit(&line->left, ++line->members, memory_order_relaxed);
    return line->members == 1;
}

/* Adds it to each level: a line with members is a member of the next level. */
static void add_thread(struct tally *t, unsigned n)
{
    struct tally_line *level = t->lines;
    unsigned lines = lines_for(t->places);
    while (add_member(&level[n /= WAYS]) && lines > 1) {
        level += lines;
        lines = lines_for(lines);
    }
}

void tally_set(struct tally *t, bool (*takes_part)(void *context, unsigned n),
               void *context)
{
    struct tally_line *end = t->lines;
    unsigned lines = t->places;
    do
        end += lines = lines_for(lines);
    while (lines > 1);
    for (struct tally_line *line = t->lines; line < end; line++)
        line->members = 0;
    for (unsigned n = 0; n < t->places; n++)
        if (!takes_part || takes_part(context, n))
            add_thread(t, n);
}

bool tally_is_last(struct tally *t, unsigned n)
{
    struct tally_line *level = t->lines;
    for (unsigned lines = lines_for(t->places);; lines = lines_for(lines)) {
        struct tally_line *line = &level[n /= WAYS];
        if (atomic_fetch_sub_explicit(&line->left, 1, memory_order_acq_rel) > 1)
            return false;
        atomic_store_explicit(&line->left, line->members, memory_order_relaxed);
        if (lines == 1)
            return true;
        level += lines;
    }
}
