/* Counts of events by instruction and call; numbers are given in the order in
 * which things come first. */
#include "sim/units/common/code_profile.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/isa/isa.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const what = "the profile of the program";

/* ---- tables ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    return h ^ h >> 31;
}

static uint64_t hash_call(const struct profile_call *c)
{
    return mix(mix(c->site, c->entry), c->caller);
}

static uint64_t hash_site(const struct profile_site *s)
{
    return mix(s->pc, s->call);
}

static bool same_call(const struct profile_call *a,
                      const struct profile_call *b)
{
    return a->site == b->site && a->entry == b->entry && a->caller == b->caller;
}

static bool same_site(const struct profile_site *a,
                      const struct profile_site *b)
{
    return a->pc == b->pc && a->call == b->call;
}

/* find_call, find_site: where the number of the key is, or is to be put. */
#define FIND(thing)                                                            \
    static uint32_t *find_##thing(const struct code_profile *p,                \
                                  const struct profile_##thing *key)           \
    {                                                                          \
        const struct profile_table *t = &p->thing##_table;                     \
        uint64_t i = hash_##thing(key);                                        \
        for (;; i++) {                                                         \
            uint32_t *number = &t->numbers[i & (t->room - 1)];                 \
            if (!*number || same_##thing(&p->thing##s[*number - 1], key))      \
                return number;                                                 \
        }                                                                      \
    }
FIND(call)
FIND(site)

/* list_calls, list_sites: the table anew, less than half full. */
#define LIST(thing)                                                            \
    static void list_##thing##s(struct code_profile *p)                        \
    {                                                                          \
        struct profile_table *t = &p->thing##_table;                           \
        free(t->numbers);                                                      \
        while (2 * p->thing##_count > t->room)                                 \
            t->room *= 2;                                                      \
        t->numbers = heap_new(t->room, sizeof *t->numbers, what);              \
        for (uint32_t i = 0; i < p->thing##_count; i++)                        \
            *find_##thing(p, &p->thing##s[i]) = i + 1;                         \
    }
LIST(call)
LIST(site)

/* add_call, add_site: a new one behind the others. */
#define ADD(thing)                                                             \
    static uint32_t add_##thing(struct code_profile *p,                        \
                                const struct profile_##thing *key)             \
    {                                                                          \
        struct profile_table *t = &p->thing##_table;                           \
        if (p->thing##_count == p->thing##_room)                               \
            grow_##thing##s(p);                                                \
        p->thing##s[p->thing##_count++] = *key;                                \
        if (2 * p->thing##_count > t->room)                                    \
            list_##thing##s(p);                                                \
        else                                                                   \
            *find_##thing(p, key) = p->thing##_count;                          \
        return p->thing##_count - 1;                                           \
    }

static void grow_calls(struct code_profile *p)
{
    p->call_room = p->call_room ? 2 * p->call_room : 64;
    p->calls = heap_resize(p->calls, p->call_room, sizeof *p->calls, what);
}

static void grow_sites(struct code_profile *p)
{
    p->site_room = p->site_room ? 2 * p->site_room : 256;
    p->sites = heap_resize(p->sites, p->site_room, sizeof *p->sites, what);
    p->counts = heap_resize(p->counts, p->site_room,
                            p->event_count * sizeof *p->counts, what);
}

ADD(call)
ADD(site)

/* ---- profiles ---- */

static void table_begin(struct profile_table *t)
{
    t->room = 64;
    t->numbers = heap_new(t->room, sizeof *t->numbers, what);
}

struct code_profile *code_profile_new(void)
{
    struct code_profile *p = heap_new(1, sizeof *p, what);
    table_begin(&p->call_table);
    table_begin(&p->site_table);
    add_call(p, &(struct profile_call){.site = 0});
    return p;
}

struct code_profile *code_profile_of(const struct stat_row *buckets,
                                     unsigned count, unsigned issued,
                                     unsigned idle)
{
    struct code_profile *p = code_profile_new();
    assert(count <= PROFILE_EVENTS_MAX);
    p->buckets = count;
    p->issued = issued;
    p->idle = idle;
    for (unsigned i = 0; i < count; i++)
        p->events[p->event_count++] = &buckets[i];
    return p;
}

void code_profile_events(struct code_profile *p, const struct stat_row *rows,
                         unsigned count, size_t from, size_t to)
{
    for (unsigned i = 0; i < count; i++)
        if (rows[i].offset >= from && rows[i].offset <= to) {
            assert(p->event_count < PROFILE_EVENTS_MAX);
            p->events[p->event_count++] = &rows[i];
        }
}

void code_profile_free(struct code_profile *p)
{
    if (!p)
        return;
    free(p->calls);
    free(p->sites);
    free(p->counts);
    free(p->call_table.numbers);
    free(p->site_table.numbers);
    free(p);
}

uint32_t code_profile_site(struct code_profile *p, uint32_t call, uint64_t pc,
                           uint32_t hint)
{
    const struct profile_site key = {.pc = pc, .call = call};
    if (hint < p->site_count) {
        uint32_t next = p->sites[hint].next;
        if (next < p->site_count && same_site(&p->sites[next], &key))
            return next;
    }
    uint32_t found = *find_site(p, &key);
    if (!found) {
        found = add_site(p, &key) + 1;
        memset(&p->counts[(uint64_t)(found - 1) * p->event_count], 0,
               p->event_count * sizeof *p->counts);
    }
    if (hint < p->site_count)
        p->sites[hint].next = found - 1;
    return found - 1;
}

/* ---- calls ---- */

/* The call that goes on, of the same function, among those that lead to a call;
 * `none` if there is none. */
static uint32_t runs_already(const struct code_profile *p, uint32_t caller,
                             uint64_t entry, uint32_t none)
{
    for (uint32_t c = caller; c; c = p->calls[c].caller)
        if (p->calls[c].entry == entry)
            return c;
    return none;
}

/* The number of a call made so often. */
static uint32_t enter(struct code_profile *p, uint32_t caller, uint64_t site,
                      uint64_t entry, uint64_t calls)
{
    struct profile_call key = {.site = site, .entry = entry, .caller = caller};
    uint32_t found = *find_call(p, &key);
    if (!found && p->call_count == PROFILE_CALLS_MAX)
        return caller;
    if (!found) {
        key.folded = runs_already(p, caller, entry, p->call_count);
        found = add_call(p, &key) + 1;
    }
    p->calls[found - 1].calls += calls;
    return p->calls[found - 1].folded;
}

void code_profile_call(struct code_profile *p, struct call_stack *stack,
                       uint64_t site, uint64_t entry, uint64_t back)
{
    if (stack->depth == PROFILE_DEPTH_MAX)
        return;
    if (stack->depth == stack->room) {
        stack->room = stack->room ? 2 * stack->room : 8;
        stack->frames = heap_resize(stack->frames, stack->room,
                                    sizeof *stack->frames, what);
    }
    stack->frames[stack->depth++] = (struct profile_frame){stack->call, back};
    stack->call = enter(p, stack->call, site, entry, 1);
}

void code_profile_return(struct call_stack *stack, uint64_t to, bool any)
{
    uint32_t depth = stack->depth;
    while (any && depth && stack->frames[depth - 1].back != to)
        depth--;
    if (!depth || stack->frames[depth - 1].back != to)
        return;
    stack->depth = depth - 1;
    stack->call = stack->frames[stack->depth].call;
}

/* The convention of RISC-V for predictors of returns: x1 and x5 hold addresses
 * to return to. */
static bool is_link(unsigned number)
{
    return number == 1 || number == 5;
}

/* From another register a jump returns if it leads to where the innermost call
 * was made. */
void code_profile_jump(struct code_profile *p, struct call_stack *stack,
                       const struct isa_insn *jump, uint64_t pc, uint64_t to,
                       uint64_t mask)
{
    bool calls = is_link(jump->rd);
    bool same = calls && jump->rd == jump->rs1;
    if (jump->reads & ~ISA_MARK && !same)
        code_profile_return(stack, to, is_link(jump->rs1));
    if (calls)
        code_profile_call(p, stack, pc, to, (pc + jump->len) & mask);
}

/* Calls are numbered after those that make them, so these are known. */
void code_profile_merge(struct code_profile *p, const struct code_profile *of)
{
    uint32_t *number = heap_new(of->call_count, sizeof *number, what);
    for (uint32_t i = 1; i < of->call_count; i++) {
        const struct profile_call *c = &of->calls[i];
        number[i] = enter(p, number[c->caller], c->site, c->entry, c->calls);
    }
    for (uint32_t i = 0; i < of->site_count; i++) {
        const struct profile_site *s = &of->sites[i];
        uint32_t site =
            code_profile_site(p, number[s->call], s->pc, UINT32_MAX);
        for (unsigned e = 0; e < p->event_count; e++)
            code_profile_add(p, site, e,
                             of->counts[(uint64_t)i * of->event_count + e]);
    }
    free(number);
}

/* ---- checkpoints ---- */

/* Calls are made in earlier ones, or are such again, and sites name what there
 * is. */
static bool is_whole(const struct code_profile *p)
{
    for (uint32_t i = 0; i < p->call_count; i++)
        if ((i && p->calls[i].caller >= i) || p->calls[i].folded > i)
            return false;
    for (uint32_t i = 0; i < p->site_count; i++)
        if (p->sites[i].call >= p->call_count ||
            p->sites[i].next >= p->site_count)
            return false;
    return p->call_count && p->call_count <= PROFILE_CALLS_MAX;
}

void code_profile_state(struct code_profile *p, struct state *s)
{
    uint32_t room = p->site_room;
    p->calls = state_array(s, p->calls, &p->call_count, &p->call_room,
                           sizeof *p->calls, what);
    p->sites = state_array(s, p->sites, &p->site_count, &p->site_room,
                           sizeof *p->sites, what);
    if (room != p->site_room)
        p->counts = heap_resize(p->counts, p->site_room,
                                p->event_count * sizeof *p->counts, what);
    state_bytes(s, p->counts,
                (size_t)p->site_count * p->event_count * sizeof *p->counts);
    state_fixed(s, p->counts);
    state_fixed(s, p->call_table.numbers); /* they follow from the rest */
    state_fixed(s, p->site_table.numbers);
    if (!s->loading || s->failed)
        return;
    if (!is_whole(p)) {
        state_fail(s, "%s names what it has not", what);
        return;
    }
    list_calls(p);
    list_sites(p);
}

void call_stack_state(struct call_stack *stack, const struct code_profile *p,
                      struct state *s)
{
    stack->frames = state_array(s, stack->frames, &stack->depth, &stack->room,
                                sizeof *stack->frames, what);
    state_number(s, &stack->call, p->call_count - 1, what);
    for (uint32_t i = 0; i < stack->depth; i++)
        if (stack->frames[i].call >= p->call_count)
            state_fail(s, "%s has a call that is none", what);
}
