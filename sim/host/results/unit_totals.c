/* Units of one tile follow each other in the chip's order, so the cores that
 * are summed up are side by side. */
#include "sim/host/results/unit_totals.h"
#include "sim/core/core_kind.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/results/group_totals.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the unit belong to the entry of the one before it? */
static bool joins(const struct unit *before, const struct unit *u)
{
    return before->tile == u->tile && before->kind == u->kind &&
           u->kind->core && !u->kind->core->few &&
           !strcmp(before->group, u->group);
}

/* TILE.GROUP, for free(). */
static char *joined_name(const struct unit *u)
{
    size_t size = strlen(u->tile->name) + strlen(u->group) + 2;
    char *name = heap_new(size, 1, "sums of statistics");
    snprintf(name, size, "%s.%s", u->tile->name, u->group);
    return name;
}

static void begin(struct entries *e, const struct unit *u)
{
    e->list[e->count++] = (struct entry){.name = heap_text(u->name),
                                         .group = u->group,
                                         .tile = u->tile->name,
                                         .kind = u->kind,
                                         .first = e->value_count};
    e->value_count += kind_value_count(u->kind);
}

/* One more unit of the entry. */
static void join(struct entry *entry, const struct unit *u)
{
    if (++entry->units == 2) {
        free(entry->name);
        entry->name = joined_name(u);
    }
    entry->accounts += totals_accounts(u);
}

struct entries *entries_new(const struct chip *chip)
{
    static const char what[] = "sums of statistics";
    unsigned units = chip_unit_count(chip);
    struct entries *e = heap_new(1, sizeof *e, what);
    e->list = heap_new(units + 1u, sizeof *e->list, what);
    e->first_of = heap_new(units + 1u, sizeof *e->first_of, what);
    for (unsigned i = 0; i < units; i++) {
        const struct unit *u = chip_unit_at(chip, i);
        if (!i || !joins(chip_unit_at(chip, i - 1), u))
            begin(e, u);
        join(&e->list[e->count - 1], u);
        e->first_of[i] = e->list[e->count - 1].first;
    }
    /* The three arrays of sums are one allocation, freed with the first. */
    e->now = heap_new(3 * (size_t)e->value_count + 1, sizeof *e->now, what);
    e->begun = e->now + e->value_count;
    e->region = e->begun + e->value_count;
    return e;
}

void entries_free(struct entries *e)
{
    if (!e)
        return;
    for (unsigned i = 0; i < e->count; i++)
        free(e->list[i].name);
    free(e->list);
    free(e->first_of);
    free(e->now);
    free(e);
}

void entries_take(struct entries *e, const struct chip *chip)
{
    totals_sum(chip, e->first_of, e->now, e->value_count);
}
