/*
 * Adds up the legs of requests over the levels that have served them, and
 * shares out to them the cycles in which harts and rays waited.
 *
 * How long a hart or a ray waits is counted by itself: several requests of one
 * overlap, and it does not wait for most of a store's time. So the cycles of
 * waiting are divided among the legs as the requests' own cycles are: what a
 * leg has of them is an estimate, while the legs themselves are exact.
 */
#include "sim/host/results/stall_stacks.h"
#include "sim/host/results/json_text.h"
#include "sim/report/by_size.h"
#include "sim/units/common/legs.h"
#include "sim/verdict/trip_ways.h"
#include <string.h>

static const char *const served_names[SERVED] = {
#define NAME(name, ...) #name,
    TRIP_SERVED_BY(NAME, )
#undef NAME
};

/* Requests of one kind; or, of that, those that one level has served. */
struct stack {
    uint64_t requests, cycles, legs[LEGS];
};

/* The rows of a kind of request lie side by side: those of each level are
 * requests, cycles, legs. */
static const uint64_t *served(const struct group *g, const uint64_t *values,
                              unsigned trip, unsigned level)
{
    unsigned first = kind_value_of(g->kind, 1 + (uint32_t)g->kind->trips);
    return &values[first + (trip * SERVED + level) * (LEGS + 2)];
}

static struct stack stack_at(const uint64_t *values)
{
    struct stack s = {.requests = values[0], .cycles = values[1]};
    memcpy(s.legs, values + 2, sizeof s.legs);
    return s;
}

static struct stack stack_of(const struct group *g, const uint64_t *values,
                             unsigned trip)
{
    struct stack sum = {0};
    for (unsigned level = 0; level < SERVED; level++) {
        struct stack s = stack_at(served(g, values, trip, level));
        sum.requests += s.requests;
        sum.cycles += s.cycles;
        for (unsigned leg = 0; leg < LEGS; leg++)
            sum.legs[leg] += s.legs[leg];
    }
    return sum;
}

/* The part of the cycles that is spent in a leg. */
static double share(const struct stack *s, unsigned leg)
{
    return s->cycles ? (double)s->legs[leg] / (double)s->cycles : 0;
}

/* ---- stats.json ---- */

static cJSON *add_stack(cJSON *to, const char *name, const struct stack *s)
{
    cJSON *stack = cJSON_AddObjectToObject(to, name);
    json_u64(stack, "requests", s->requests);
    json_u64(stack, "cycles", s->cycles);
    cJSON *legs = cJSON_AddObjectToObject(stack, "legs");
    for (unsigned leg = 0; leg < LEGS; leg++)
        if (s->legs[leg])
            json_u64(legs, ways_leg(leg), s->legs[leg]);
    return stack;
}

static void add_waits(cJSON *to, const struct group *g, const uint64_t *values,
                      uint32_t counter, const struct stack *s)
{
    unsigned v = kind_value_of(g->kind, counter);
    cJSON *waits = cJSON_AddObjectToObject(to, "waits");
    cJSON_AddStringToObject(waits, "counter", kind_value_row(g->kind, v)->name);
    json_u64(waits, "cycles", values[v]);
    cJSON *legs = cJSON_AddObjectToObject(waits, "legs");
    for (unsigned leg = 0; leg < LEGS; leg++)
        if (s->legs[leg])
            cJSON_AddNumberToObject(legs, ways_leg(leg),
                                    (double)values[v] * share(s, leg));
}

/* What people call legs, by the groups of the chip that they are at. */
static void add_called(cJSON *to, const struct measured *t,
                       const struct way *way, const struct stack *s)
{
    cJSON *called = cJSON_AddObjectToObject(to, "called");
    for (unsigned leg = 0; leg < LEGS; leg++) {
        char name[72];
        if (!s->legs[leg])
            continue;
        ways_name(t, way, SERVED_memory, leg, name, sizeof name);
        cJSON_AddStringToObject(called, ways_leg(leg), name);
    }
}

static void add_trip(cJSON *to, const struct measured *t, const struct way *way,
                     const struct group *g, const uint64_t *values,
                     unsigned trip)
{
    const struct trip_row *row = &g->kind->trip_rows[trip];
    struct stack all = stack_of(g, values, trip);
    if (!all.requests)
        return;
    cJSON *stack = add_stack(to, row->name, &all);
    cJSON_AddStringToObject(stack, "meaning", row->meaning);
    add_called(stack, t, way, &all);
    if (row->waits)
        add_waits(stack, g, values, row->waits, &all);
    cJSON *by = cJSON_AddObjectToObject(stack, "served");
    for (unsigned level = 0; level < SERVED; level++) {
        struct stack s = stack_at(served(g, values, trip, level));
        if (s.requests)
            add_stack(by, served_names[level], &s);
    }
}

void stacks_add(cJSON *to, const struct measured *t, unsigned group,
                const uint64_t *values)
{
    const struct group *g = &t->groups[group];
    const struct way way = t->units[group].way;
    cJSON *trips = cJSON_CreateObject();
    for (unsigned trip = 0; trip < g->kind->trip_count; trip++)
        add_trip(trips, t, &way, g, values, trip);
    if (cJSON_GetArraySize(trips))
        cJSON_AddItemToObject(to, "trips", trips);
    else
        cJSON_Delete(trips);
}

/* ---- for people ---- */

#define TOLD 6 /* legs, the longest first */

void stacks_print(FILE *out, const char *of, const struct measured *t,
                  unsigned group, const uint64_t *values)
{
    const struct group *g = &t->groups[group];
    const struct way way = t->units[group].way;
    for (unsigned trip = 0; trip < g->kind->trip_count; trip++) {
        const struct trip_row *row = &g->kind->trip_rows[trip];
        struct stack s = stack_of(g, values, trip);
        if (!s.requests || !row->waits)
            continue;
        fprintf(out, "%s%-*s %s: %.0f cycles", of, (int)(13 - strlen(of)),
                g->name, row->name, (double)s.cycles / (double)s.requests);
        unsigned leg = rank_next(s.legs, LEGS, LEGS);
        for (unsigned n = 0; n < TOLD && leg != LEGS; n++) {
            char name[72];
            ways_name(t, &way, SERVED_memory, leg, name, sizeof name);
            fprintf(out, "%s %.0f %% %s", n ? "," : ", of these",
                    100 * share(&s, leg), name);
            leg = rank_next(s.legs, LEGS, leg);
        }
        fputc('\n', out);
    }
}
