/* What the two ways to tell a verdict share: its lines and the words in them.
 */
#ifndef SIM_VERDICT_WORDS_H
#define SIM_VERDICT_WORDS_H

#include "sim/verdict/verdict_tell.h"

enum { VERDICT_LINES = 12 };

struct verdict_lines {
    char text[VERDICT_LINES][400];
    unsigned count;
};
void verdict_make_lines(struct verdict_lines *l, const struct verdict *v);

/* The share of the cycles in which a place is used, all taken or has a queue.
 */
double verdict_load(const struct lever *l);
/* A change as -s takes it, where a parameter does it; else in words. */
void verdict_name_change(const struct verdict *v, const struct change *c,
                         char *text, size_t size);

#endif
