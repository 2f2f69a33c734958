/* The list of a verdict's parts, which loses no cycles when it is full. */
#include "sim/verdict/verdict.h"
#include <string.h>

static bool alike(const struct part *a, const struct part *b)
{
    return a->group == b->group && a->request == b->request &&
           !strcmp(a->name, b->name) && a->lever == b->lever &&
           a->slots == b->slots && a->coming == b->coming &&
           !memcmp(&a->beyond, &b->beyond, sizeof a->beyond) &&
           !memcmp(&a->near, &b->near, sizeof a->near);
}

void verdict_add_part(struct verdict *v, const struct part *part)
{
    struct part other = {.group = "harts",
                         .name = "other parts",
                         .lever = VERDICT_NONE,
                         .slots = VERDICT_NONE};
    if (part->cycles <= 0)
        return;
    v->busy += part->cycles;
    for (unsigned i = 0; i < v->part_count; i++)
        if (alike(&v->parts[i], part)) {
            v->parts[i].cycles += part->cycles;
            return;
        }
    if (v->part_count < VERDICT_PARTS - 1) {
        v->parts[v->part_count++] = *part;
        return;
    }
    other.cycles = part->cycles;
    if (v->part_count < VERDICT_PARTS)
        v->parts[v->part_count++] = other;
    else
        v->parts[VERDICT_PARTS - 1].cycles += part->cycles;
}
