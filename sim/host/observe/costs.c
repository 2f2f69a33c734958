/* Adds what the cores have counted up by instruction, line, function, stack. */
#include "sim/host/observe/costs.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observer.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/host/run/cores.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the profile of the program";

uint64_t costs_of(const struct costs *c, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (unsigned e = 0; e < c->profile->buckets; e++)
        sum += e == c->profile->idle ? 0 : counts[e];
    return sum;
}

uint64_t costs_misses(const struct costs *c, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (unsigned e = c->profile->hits + 1; e < c->profile->event_count; e++)
        sum += counts[e];
    return sum;
}

static void add_counts(const struct costs *c, uint64_t *to,
                       const uint64_t *counts)
{
    for (unsigned e = 0; e < c->profile->event_count; e++)
        to[e] += counts[e];
}

/* Places of which nothing was counted are not told. */
bool costs_any(const struct costs *c, unsigned place)
{
    uint64_t any = 0;
    for (unsigned e = 0; e < c->profile->event_count; e++)
        any |= c->places[(size_t)place * c->profile->event_count + e];
    return any;
}

static uint64_t *new_counts(const struct costs *c, size_t count)
{
    return heap_new(count * c->profile->event_count, sizeof(uint64_t), what);
}

/* ---- all harts together ---- */

static struct code_profile *profile_of(struct unit *u)
{
    const struct core_kind *core = u->kind->core;
    return core && core->profile ? core->profile(u) : NULL;
}

static bool costs_possible(const struct chip *chip)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        if (profile_of(chip_unit_at(chip, i)))
            return true;
    return false;
}

/* Events of two kinds of cores, or of warps of two widths, have no sum. */
static bool costs_alike(const struct host *host, struct error *error)
{
    struct unit *first = NULL;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        const struct code_profile *p = profile_of(u), *of = NULL;
        if (p && !first)
            first = u;
        if (p)
            of = profile_of(first);
        if (p && (first->kind != u->kind || of->lanes.warp != p->lanes.warp))
            return error_set(error,
                             "--profile: %s and %s of %s are of different "
                             "kinds, or their warps of different widths: their "
                             "costs cannot be summed",
                             first->name, u->name, host->arch.path);
    }
    return true;
}

/* An empty one whose events mean the same, for sums. */
static struct code_profile *new_like(const struct code_profile *p)
{
    struct code_profile *all = code_profile_new();
    memcpy(all->events, p->events, sizeof all->events);
    all->event_count = p->event_count;
    all->buckets = p->buckets;
    all->issued = p->issued;
    all->idle = p->idle;
    all->hits = p->hits;
    all->lanes = p->lanes;
    return all;
}

/* Several cores may share a profile. */
static struct code_profile *merge(const struct chip *chip)
{
    struct code_profile *all = NULL;
    const struct code_profile **met =
        heap_new(chip_unit_count(chip), sizeof *met, what);
    for (unsigned i = 0, count = 0; i < chip_unit_count(chip); i++) {
        const struct code_profile *p = profile_of(chip_unit_at(chip, i));
        unsigned m = 0;
        while (m < count && met[m] != p)
            m++;
        if (!p || m < count)
            continue;
        met[count++] = p;
        all = all ? all : new_like(p);
        code_profile_merge(all, p);
    }
    free(met);
    return all;
}

/* All addresses that a reader will hear of. */
static struct source *look_up(const struct host *host,
                              const struct code_profile *p)
{
    unsigned count = 0;
    uint64_t *addresses = heap_new(p->site_count + 2 * (size_t)p->call_count,
                                   sizeof *addresses, what);
    for (uint32_t i = 0; i < p->site_count; i++)
        addresses[count++] = p->sites[i].pc;
    for (uint32_t i = 1; i < p->call_count; i++) {
        addresses[count++] = p->calls[i].site;
        addresses[count++] = p->calls[i].entry;
    }
    struct source *s = source_new(host, addresses, count);
    free(addresses);
    return s;
}

/* Adds the costs by place in the source, and of all places together. */
static void add_places(struct costs *c)
{
    const struct code_profile *p = c->profile;
    c->totals = new_counts(c, 1);
    c->places = new_counts(c, c->source->place_count);
    for (uint32_t i = 0; i < p->site_count; i++) {
        const struct source_place *place =
            source_place(c->source, p->sites[i].pc);
        size_t number = (size_t)(place - c->source->places);
        const uint64_t *counts = &p->counts[(size_t)i * p->event_count];
        add_counts(c, &c->places[number * p->event_count], counts);
        add_counts(c, c->totals, counts);
    }
    c->cost = costs_of(c, c->totals);
}

/* ---- lines and functions ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const struct cost_line *x = a, *y = b;
    int order = compare(x->function, y->function);
    if (!order)
        order = compare(x->file, y->file);
    return order ? order : compare((uint64_t)x->line, (uint64_t)y->line);
}

/* Lines of all places, those of one line side by side, are made one each. */
static void join_lines(struct costs *c)
{
    unsigned count = 0;
    for (unsigned i = 0; i < c->line_count; i++) {
        struct cost_line *last = count ? &c->lines[count - 1] : NULL;
        if (last && !by_place(last, &c->lines[i])) {
            add_counts(c, last->counts, c->lines[i].counts);
            free(c->lines[i].counts);
        } else {
            c->lines[count++] = c->lines[i];
        }
    }
    c->line_count = count;
    for (unsigned i = 0; i < count; i++)
        c->lines[i].cost = costs_of(c, c->lines[i].counts);
}

static void add_lines(struct costs *c)
{
    const struct source *s = c->source;
    unsigned events = c->profile->event_count;
    c->lines = heap_new(s->place_count, sizeof *c->lines, what);
    for (unsigned i = 0; i < s->place_count; i++) {
        const struct source_frame *f = source_inner(s, &s->places[i]);
        if (!costs_any(c, i))
            continue;
        struct cost_line *line = &c->lines[c->line_count++];
        *line = (struct cost_line){f->function, f->file, f->line, 0,
                                   new_counts(c, 1)};
        add_counts(c, line->counts, &c->places[(size_t)i * events]);
    }
    qsort(c->lines, c->line_count, sizeof *c->lines, by_place);
    join_lines(c);
}

/* The most costly first; without cost, those that were idle most. Numbers in
 * source follow from the addresses of the program alone. */
static int by_cost(const void *a, const void *b)
{
    const struct cost_function *x = a, *y = b;
    int order = compare(y->cost, x->cost);
    return order ? order : compare(x->number, y->number);
}

/* Also those that have no lines of their own, as all of theirs are inlined. */
static void add_functions(struct costs *c)
{
    unsigned at = 0;
    c->function_count = c->source->function_count;
    c->functions = heap_new(c->function_count, sizeof *c->functions, what);
    for (unsigned i = 0; i < c->function_count; i++) {
        struct cost_function *f = &c->functions[i];
        *f = (struct cost_function){
            .number = i, .counts = new_counts(c, 1), .first = at};
        for (; at < c->line_count && c->lines[at].function == i; at++) {
            add_counts(c, f->counts, c->lines[at].counts);
            f->cost += c->lines[at].cost;
        }
        f->line_count = at - f->first;
    }
    qsort(c->functions, c->function_count, sizeof *c->functions, by_cost);
}

/* ---- stacks ---- */

/* Stacks while they are made. Siblings are in the order of their functions. */
struct growing {
    const struct costs *costs;
    struct growing_stack {
        unsigned function, child, sibling; /* 0: none */
        uint64_t cost;
    } * stacks;
    unsigned count, room;
    uint64_t *within; /* by function in source */
    uint64_t *seen;   /* by function: the site that it was met for last, + 1 */
};

/* Its number; 0 is the root, of no function. */
static unsigned new_stack(struct growing *g, unsigned function)
{
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->stacks = heap_resize(g->stacks, g->room, sizeof *g->stacks, what);
    }
    g->stacks[g->count] = (struct growing_stack){.function = function};
    return g->count++;
}

/* The stack of a function that is called from a stack, made if it is new. */
static unsigned child_of(struct growing *g, unsigned parent, unsigned function)
{
    unsigned before = 0, at = g->stacks[parent].child;
    for (; at && g->stacks[at].function < function; at = g->stacks[at].sibling)
        before = at;
    if (at && g->stacks[at].function == function)
        return at;
    unsigned made = new_stack(g, function);
    g->stacks[made].sibling = at;
    *(before ? &g->stacks[before].sibling : &g->stacks[parent].child) = made;
    return made;
}

/* The frames of an address below a stack; the cost counts once for each
 * function that is met. */
static unsigned descend(struct growing *g, unsigned stack, uint64_t pc,
                        uint32_t number, uint64_t cost)
{
    const struct source *s = g->costs->source;
    const struct source_place *place = source_place(s, pc);
    for (unsigned i = 0; i < place->count; i++) {
        unsigned function = s->frames[place->first + i].function;
        stack = child_of(g, stack, function);
        g->within[function] += g->seen[function] == number ? 0 : cost;
        g->seen[function] = number;
    }
    return stack;
}

/* The stack of an instruction: the calls that lead to it, the first one first.
 */
static void add_stack(struct growing *g, uint32_t site)
{
    const struct code_profile *p = g->costs->profile;
    const struct profile_site *s = &p->sites[site];
    uint64_t cost =
        costs_of(g->costs, &p->counts[(size_t)site * p->event_count]);
    uint32_t path[PROFILE_DEPTH_MAX], depth = 0;
    unsigned stack = 0;
    if (!cost)
        return;
    for (uint32_t call = s->call; call; call = p->calls[call].caller)
        path[depth++] = call;
    while (depth--)
        stack = descend(g, stack, p->calls[path[depth]].site, site + 1, cost);
    stack = descend(g, stack, s->pc, site + 1, cost);
    g->stacks[stack].cost += cost;
}

/* Copies a stack and those above it, in an order that follows from the program
 * alone. */
static void copy_stacks(struct costs *c, const struct growing *g, unsigned at,
                        unsigned parent)
{
    unsigned number = c->stack_count++;
    c->stacks[number] =
        (struct cost_stack){g->stacks[at].function, parent, g->stacks[at].cost};
    for (at = g->stacks[at].child; at; at = g->stacks[at].sibling)
        copy_stacks(c, g, at, number);
}

static void add_stacks(struct costs *c)
{
    unsigned functions = c->source->function_count;
    struct growing g = {.costs = c};
    g.within = heap_new(functions, sizeof *g.within, what);
    g.seen = heap_new(functions, sizeof *g.seen, what);
    new_stack(&g, 0); /* the root */
    for (uint32_t i = 0; i < c->profile->site_count; i++)
        add_stack(&g, i);
    c->stacks = heap_new(g.count, sizeof *c->stacks, what);
    copy_stacks(c, &g, 0, 0);
    for (unsigned i = 0; i < c->function_count; i++)
        c->functions[i].within = g.within[c->functions[i].number];
    free(g.stacks);
    free(g.within);
    free(g.seen);
}

/* ---- all of it ---- */

struct costs *costs_of_run(const struct host *host)
{
    return *observer_of(host, &costs_observer);
}

static struct costs *costs_new(const struct host *host)
{
    struct costs *c = heap_new(1, sizeof *c, what);
    c->profile = merge(host->chip);
    c->source = look_up(host, c->profile);
    add_places(c);
    add_lines(c);
    add_functions(c);
    add_stacks(c);
    return c;
}

static void costs_free(struct host *host)
{
    struct costs *c = costs_of_run(host);
    if (!c)
        return;
    for (unsigned i = 0; i < c->line_count; i++)
        free(c->lines[i].counts);
    for (unsigned i = 0; i < c->function_count; i++)
        free(c->functions[i].counts);
    code_profile_free(c->profile);
    source_free(c->source);
    free(c->totals);
    free(c->places);
    free(c->lines);
    free(c->functions);
    free(c->stacks);
    free(c);
}

static bool costs_check(const struct host *host, const struct costs *c,
                        struct error *error)
{
    for (unsigned e = 0; e < c->profile->event_count; e++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
            struct unit *u = chip_unit_at(host->chip, i);
            if (profile_of(u))
                sum += stat_value(unit_stats(u), c->profile->events[e]);
        }
        if (sum != c->totals[e])
            return error_set(error,
                             "internal error: the profile has %" PRIu64
                             " of %s, the harts %" PRIu64,
                             c->totals[e], c->profile->events[e]->name, sum);
    }
    return true;
}

static bool costs_arrive(struct host *host, struct error *error)
{
    host->machine.one_by_one |= host->options->profile;
    host->watched |= host->options->profile;
    return true;
}

static bool costs_built(struct host *host, struct error *error)
{
    if (!host->options->profile)
        return true;
    if (!costs_possible(host->chip))
        return error_set(error,
                         "--profile: %s has no thread processors, and the "
                         "programs of other cores cannot be profiled",
                         host->arch.path);
    return costs_alike(host, error);
}

static bool costs_end(struct host *host, struct error *error)
{
    if (!host->options->profile)
        return true;
    struct costs *c = costs_new(host);
    *observer_of(host, &costs_observer) = c;
    return costs_check(host, c, error);
}

static bool costs_write(struct host *host, const struct outcome *outcome,
                        struct error *error)
{
    return !costs_of_run(host) ||
           (output_file(host, PROFILE_TEXT, costs_write_text, error) &&
            output_file(host, PROFILE_JSON, costs_write_json, error) &&
            output_file(host, CALLGRIND, costs_write_callgrind, error));
}

static const struct option_row options[] = {
    {"profile", 0, NULL, "what lines and functions of the program cost",
     OPTION_OBSERVE, OPTION_OF_CYCLES, OPTION_FLAG,
     offsetof(struct options, profile),
     .more = "In profile.txt, profile.json and callgrind.out (profile.md)."},
    {NULL}};

static void identity(const struct options *o, FILE *to)
{
    fprintf(to, "--profile %d\n", o->profile);
}

const struct observer costs_observer = {
    .options = options,
    .identity = identity,
    .name = "profile",
    .arrive = costs_arrive,
    .built = costs_built,
    .end = costs_end,
    .write = costs_write,
    .free = costs_free,
};
