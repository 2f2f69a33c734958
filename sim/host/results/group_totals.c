/*
 * Sums statistics by group, keeps the sums at the borders of regions,
 * and checks that the buckets of each unit account for every cycle.
 */
#include "sim/host/results/group_totals.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observe/link_totals.h"
#include "sim/host/results/measured_chip.h"
#include "sim/host/results/unit_totals.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t totals_accounts(const struct unit *u)
{
    return u->kind->accounts ? u->kind->accounts(u) : 1;
}

/* The number of the unit's group, which is made if this is its first unit. The
 * search begins at the end, as units of a group mostly follow each other. */
static unsigned find_group(struct totals *t, const struct unit *u)
{
    for (unsigned i = t->group_count; i--;)
        if (t->groups[i].kind == u->kind &&
            !strcmp(t->groups[i].name, u->group))
            return i;
    t->groups[t->group_count] = (struct group){
        .name = u->group, .kind = u->kind, .first = t->value_count};
    t->value_count += kind_value_count(u->kind);
    return t->group_count++;
}

struct totals *totals_new(struct chip *chip, const struct links *links)
{
    unsigned units = chip_unit_count(chip);
    struct totals *t = heap_new(1, sizeof *t, "sums of statistics");
    t->groups = heap_new(units + 1u, sizeof *t->groups, "sums of statistics");
    t->group_of =
        heap_new(units + 1u, sizeof *t->group_of, "sums of statistics");
    t->first_of =
        heap_new(units + 1u, sizeof *t->first_of, "sums of statistics");
    for (unsigned i = 0; i < units; i++) {
        const struct unit *u = chip_unit_at(chip, i);
        t->group_of[i] = find_group(t, u);
        struct group *group = &t->groups[t->group_of[i]];
        group->units++;
        group->accounts += totals_accounts(u);
        t->first_of[i] = group->first;
    }
    t->links = links;
    t->sum_count =
        t->value_count +
        (links_watched(links) ? LINK_SUM_COUNT * links_classes(links) : 0);
    /* The three arrays of sums are one allocation, freed with the first. */
    t->now = heap_new(3 * (size_t)t->sum_count + 1, sizeof *t->now,
                      "sums of statistics");
    t->begun = t->now + t->sum_count;
    t->region = t->begun + t->sum_count;
    t->measured = measured_new(chip, t);
    return t;
}

/* The arrays of sums are one allocation. */
void totals_free(struct totals *t)
{
    if (!t)
        return;
    measured_free(t->measured);
    free(t->groups);
    free(t->group_of);
    free(t->first_of);
    free(t->now);
    free(t);
}

void totals_sum(const struct chip *chip, const unsigned *first_of,
                uint64_t *values, unsigned count)
{
    memset(values, 0, count * sizeof *values);
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit *u = chip_unit_at(chip, i);
        uint64_t *sums = &values[first_of[i]];
        struct kind_values v = KIND_VALUES(u->kind);
        while (kind_values_next(&v))
            sums[v.at] += stat_value_at(unit_stats(u), v.row, v.range);
    }
}

void totals_take(struct totals *t, const struct chip *chip, uint64_t now)
{
    totals_sum(chip, t->first_of, t->now, t->value_count);
    if (links_watched(t->links))
        links_take(t->links, chip, now, t->now + t->value_count);
}

/* Closing an account early changes nothing but when its cycles are booked. */
void totals_close(struct chip *chip, uint64_t now)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        struct unit *u = chip_unit_at(chip, i);
        if (u->kind->close)
            u->kind->close(u, now);
    }
}

/* Values are kept at the begin; at the end their growth is added. */
static void mark_border(bool begin, uint64_t *begun, uint64_t *region,
                        const uint64_t *now, unsigned count)
{
    for (unsigned v = 0; v < count; v++) {
        if (begin)
            begun[v] = now[v];
        else
            region[v] += now[v] - begun[v];
    }
}

void totals_region(struct host *host, bool begin)
{
    struct totals *t = host->tables.totals;
    struct entries *e = host->tables.entries;
    if (!t)
        return;
    totals_close(host->chip, host->now);
    totals_take(t, host->chip, host->now);
    entries_take(e, host->chip);
    mark_border(begin, t->begun, t->region, t->now, t->sum_count);
    mark_border(begin, e->begun, e->region, e->now, e->value_count);
}

uint64_t totals_in_region(const struct host *host, enum told told)
{
    const struct totals *t = host->tables.totals;
    uint64_t sum = 0;
    for (unsigned g = 0; g < t->group_count; g++) {
        const struct unit_kind *kind = t->groups[g].kind;
        unsigned v = kind_value_of(kind, kind->told[told]);
        if (v < kind_value_count(kind))
            sum += t->region[t->groups[g].first + v];
    }
    return sum;
}

/* Kinds say by `told` which of their counters it is; others have none. */
uint64_t totals_told(const struct chip *chip, enum told told)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit *u = chip_unit_at(chip, i);
        const uint32_t counter = u->kind->told[told];
        const struct stat_row row = {.offset = counter - 1};
        if (counter)
            sum += stat_value(unit_stats(u), &row);
    }
    return sum;
}

uint64_t totals_handed(const struct host *host)
{
    return host_is_timed(host) ? totals_told(host->chip, TOLD_WORK)
                               : host->machine.work_index;
}

/* Where no unit counts what is done: a hart has done what it got before the
 * last one that it got; in the end that is one beyond the work. */
uint64_t totals_finished(const struct host *host)
{
    uint64_t handed = totals_handed(host) - host->work.base;
    uint64_t done =
        host_is_timed(host) ? totals_told(host->chip, TOLD_DONE) : 0;
    if (!done && handed > host->harts)
        done = handed - host->harts;
    return done < host->work.total ? done : host->work.total;
}

bool totals_check(const struct chip *chip, uint64_t cycles, struct error *error)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit *u = chip_unit_at(chip, i);
        uint64_t sum = 0, expected = cycles * totals_accounts(u);
        for (unsigned b = 0; b < u->kind->bucket_count; b++)
            sum += stat_value(unit_stats(u), &u->kind->bucket_rows[b]);
        if (u->kind->bucket_count && sum != expected)
            return error_set(error,
                             "internal error: the buckets of %s sum to %" PRIu64
                             ", not to %" PRIu64,
                             u->name, sum, expected);
    }
    return true;
}
