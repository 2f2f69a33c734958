#include "sim/dram/channel_timing.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Groups that a unit of the level has, 0 for a bank. */
static uint16_t span_of(const struct dram_device *d, unsigned level)
{
    if (level == DRAM_BANK)
        return 0;
    uint32_t span = 1;
    for (unsigned l = level + 1; l < DRAM_BANK; l++)
        span *= d->units[l];
    return (uint16_t)span;
}

static uint8_t history_of(struct timing_rules *r, uint8_t command,
                          uint16_t span, uint8_t window)
{
    uint32_t i = 0;
    while (i < r->history_count &&
           (r->histories[i].command != command || r->histories[i].span != span))
        i++;
    struct timing_history *h = &r->histories[i];
    if (i == r->history_count) {
        *h = (struct timing_history){command, window, span};
        r->history_count++;
        r->remembered |= 1u << command;
    }
    if (h->depth < window)
        h->depth = window;
    return (uint8_t)i;
}

static bool matters(const struct dram_device *d, const struct dram_rule *rule,
                    unsigned preceding, const bool *used)
{
    return rule->preceding == preceding && used[rule->following] &&
           rule->cycles > 0 && (!rule->sibling || d->units[rule->level] > 1);
}

static void widen_to_scope(const struct timing_rules *r,
                           struct timing_effect *e)
{
    e->stride = 1;
    if (e->following != DRAM_PREA && e->following != DRAM_REFAB)
        return;
    e->stride = (uint16_t)r->scope_groups;
    if (e->span >= r->scope_groups)
        return;
    e->span = (uint16_t)r->scope_groups;
    e->sibling = false; /* the others are in the same scope */
    e->parent_span = 0;
}

/* Rules that differ in their cycles only count once, with the greatest. */
static void add_effect(struct timing_rules *r, uint32_t from, uint16_t *end,
                       const struct timing_effect *e)
{
    for (uint32_t i = from; i < *end; i++) {
        struct timing_effect *old = &r->effects[i];
        if (old->following == e->following && old->span == e->span &&
            old->sibling == e->sibling && old->window == e->window &&
            old->parent_span == e->parent_span &&
            (old->window == 1 || old->history == e->history)) {
            if (old->cycles < e->cycles)
                old->cycles = e->cycles;
            return;
        }
    }
    r->effects[(*end)++] = *e;
}

static enum timing_reach reach_of(const struct timing_rules *r,
                                  const struct timing_effect *e)
{
    if (e->window > 1 || e->sibling)
        return REACH_OTHER;
    if (!e->span)
        return REACH_BANKS;
    if (e->span == r->groups)
        return REACH_ALL;
    return e->span == 1 && e->stride == 1 ? REACH_GROUP : REACH_OTHER;
}

/* Where the clocks of that command begin, from a timing's first on. */
static uint16_t row_of(const struct timing_rules *r,
                       const struct timing_effect *e)
{
    uint32_t groups = TIMING_COMMANDS;
    uint32_t banks = groups + TIMING_COMMANDS * r->groups;
    if (e->reach == REACH_ALL)
        return e->following;
    return (uint16_t)(e->reach == REACH_BANKS
                          ? banks + e->following * r->banks
                          : groups + e->following * r->groups);
}

/* Nothing but the greatest clock counts, so their order is free. */
static void sort_effects(struct timing_rules *r, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++) {
        struct timing_effect e = r->effects[i];
        e.reach = (uint8_t)reach_of(r, &e);
        e.row = row_of(r, &e);
        uint32_t at = i;
        for (; at > from && r->effects[at - 1].reach > e.reach; at--)
            r->effects[at] = r->effects[at - 1];
        r->effects[at] = e;
    }
}

static void add_command(struct timing_rules *r, const struct dram_device *d,
                        unsigned command, const bool *used)
{
    uint16_t end = r->first[command];
    for (unsigned i = 0; used[command] && i < d->rule_count; i++) {
        const struct dram_rule *rule = &d->rules[i];
        if (!matters(d, rule, command, used))
            continue;
        struct timing_effect e = {
            .following = rule->following,
            .sibling = rule->sibling,
            .window = rule->window > 1 ? rule->window : 1,
            .span = span_of(d, rule->level),
            .cycles = (uint32_t)rule->cycles,
        };
        if (e.sibling)
            e.parent_span = span_of(d, rule->level - 1u);
        if (e.window > 1)
            e.history = history_of(r, (uint8_t)command, e.span, e.window);
        widen_to_scope(r, &e);
        add_effect(r, r->first[command], &end, &e);
    }
    sort_effects(r, r->first[command], end);
    r->first[command + 1] = end;
    while (end > r->first[command] && r->effects[end - 1].reach == REACH_OTHER)
        end--;
    r->others[command] = end;
}

static bool countable(const struct dram_device *d, struct error *error)
{
    uint64_t banks = 1;
    for (unsigned l = 0; l < DRAM_LEVELS; l++) {
        if (!d->units[l] || d->units[l] & (d->units[l] - 1))
            return error_set(error,
                             "%s: %u units at level %u of the tree, must be a "
                             "power of two",
                             d->name, d->units[l], l);
        banks *= d->units[l];
    }
    if (banks > TIMING_BANKS)
        return error_set(error, "%s: %llu banks in a channel, at most %u",
                         d->name, (unsigned long long)banks, TIMING_BANKS);
    return true;
}

static bool rules_ok(const struct dram_device *d, struct error *error)
{
    for (unsigned i = 0; i < d->rule_count; i++) {
        const struct dram_rule *r = &d->rules[i];
        if (r->level < DRAM_LEVELS && r->preceding < DRAM_COMMAND_COUNT &&
            r->following < DRAM_COMMAND_COUNT &&
            r->cycles <= DRAM_RULE_CYCLES_MOST &&
            !(r->sibling && (r->level == DRAM_CHANNEL ||
                             r->level == DRAM_BANK || r->window > 1)))
            continue;
        return error_set(error,
                         "%s: rule %u: level %u, preceding %u, following %u, "
                         "window %u, sibling %d or %d cycles not possible",
                         d->name, i, r->level, r->preceding, r->following,
                         r->window, r->sibling, r->cycles);
    }
    return true;
}

static void number_banks(struct timing_rules *r, const struct dram_device *d)
{
    for (uint32_t b = 0; b < r->banks; b++) {
        uint32_t rest = b;
        r->group_of[b] = (uint8_t)(b / r->banks_per_group);
        r->address[b].at[DRAM_ROW] = UINT32_MAX;
        r->address[b].at[DRAM_COLUMN] = UINT32_MAX;
        for (unsigned l = DRAM_BANK; l > DRAM_CHANNEL; l--) {
            r->address[b].at[l] = rest % d->units[l];
            rest /= d->units[l];
        }
    }
}

struct timing_rules *timing_rules_new(const struct dram_device *d,
                                      const bool *used, struct error *error)
{
    static_assert(DRAM_COMMAND_COUNT <= TIMING_COMMANDS, "rows too short");
    if (!countable(d, error) || !rules_ok(d, error))
        return NULL;
    struct timing_rules *r = heap_new(1, sizeof *r, "DRAM timing");
    r->effects = heap_new(d->rule_count + 1, sizeof *r->effects, "DRAM timing");
    r->histories =
        heap_new(d->rule_count + 1, sizeof *r->histories, "DRAM timing");
    r->groups = span_of(d, DRAM_CHANNEL);
    r->banks_per_group = d->units[DRAM_BANK];
    r->banks = r->groups * r->banks_per_group;
    r->scope_groups = span_of(d, d->refresh_scope);
    r->rank_groups = span_of(d, DRAM_RANK);
    number_banks(r, d);
    for (unsigned c = 0; c < DRAM_COMMAND_COUNT; c++)
        add_command(r, d, c, used);
    return r;
}

void timing_rules_free(struct timing_rules *r)
{
    if (!r)
        return;
    free(r->effects);
    free(r->histories);
    free(r);
}

static uint32_t clock_count(const struct timing_rules *r)
{
    return TIMING_COMMANDS * (1 + r->groups + r->banks);
}

/* At the border of a cache line. */
static uint64_t *clocks_new(uint32_t count)
{
    void *clocks = heap_lines(count, sizeof(uint64_t), "DRAM timing");
    return memset(clocks, 0, (size_t)count * sizeof(uint64_t));
}

void timing_init(struct timing *t, const struct timing_rules *r)
{
    t->rules = r;
    t->groups = r->groups;
    t->banks = r->banks;
    t->all = clocks_new(clock_count(r));
    t->group = t->all + TIMING_COMMANDS;
    t->bank = t->group + TIMING_COMMANDS * r->groups;
    t->past = heap_new(r->history_count + 1, sizeof *t->past, "DRAM timing");
    for (uint32_t i = 0; i < r->history_count; i++) {
        t->past[i].clocks = heap_new((size_t)r->banks * r->histories[i].depth,
                                     sizeof(uint64_t), "DRAM timing");
        t->past[i].count = heap_new(r->banks, sizeof(uint64_t), "DRAM timing");
    }
}

void timing_destroy(struct timing *t)
{
    for (uint32_t i = 0; t->rules && i < t->rules->history_count; i++) {
        free(t->past[i].clocks);
        free(t->past[i].count);
    }
    free(t->past);
    free(t->all);
}

void timing_state(struct timing *t, struct state *s)
{
    const struct timing_rules *r = t->rules;
    state_bytes(s, t->all, clock_count(r) * sizeof *t->all);
    state_rest(s, t->past, (r->history_count + 1) * sizeof *t->past);
    for (uint32_t i = 0; i < r->history_count; i++) {
        uint32_t clocks = r->banks * r->histories[i].depth;
        state_bytes(s, t->past[i].clocks, clocks * sizeof(uint64_t));
        state_bytes(s, t->past[i].count, r->banks * sizeof(uint64_t));
    }
}

struct timing_target timing_groups(const struct timing_rules *r, uint32_t group,
                                   uint32_t groups)
{
    return (struct timing_target){(uint16_t)group, (uint16_t)groups,
                                  (uint16_t)(group * r->banks_per_group),
                                  (uint16_t)(groups * r->banks_per_group), 1};
}

static inline uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t timing_ready_all(const struct timing *t, enum dram_command command,
                          const struct timing_target *at)
{
    uint64_t ready = t->all[command];
    for (uint32_t g = at->group; g < at->group + (uint32_t)at->groups; g++)
        ready = greater(ready, t->group[command * t->groups + g]);
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride)
        ready = greater(ready, t->bank[command * t->banks + b]);
    return ready;
}

static inline void delay(uint64_t *ready, uint64_t clock)
{
    *ready = greater(*ready, clock);
}

static inline void delay_range(struct timing *t, const struct timing_effect *e,
                               uint32_t from, uint32_t to, uint64_t ready)
{
    for (uint32_t g = from; g < to; g += e->stride)
        delay(&t->group[e->following * t->groups + g], ready);
}

/* Units of an effect's or history's level that a target lies in; spans are
 * powers of two. */
struct units {
    uint32_t first, count, stride;
};

static struct units units_of(uint16_t span, const struct timing_target *at)
{
    if (!span)
        return (struct units){at->bank, at->banks, at->stride};
    uint32_t first = at->group / span;
    return (struct units){first,
                          (at->group + at->groups - 1u) / span - first + 1, 1};
}

static __attribute__((noinline)) void remember(struct timing *t,
                                               unsigned command,
                                               const struct timing_target *at,
                                               uint64_t clock)
{
    for (uint32_t i = 0; i < t->rules->history_count; i++) {
        const struct timing_history *h = &t->rules->histories[i];
        if (h->command != command)
            continue;
        struct units u = units_of(h->span, at);
        for (uint32_t k = 0, n = u.first; k < u.count; k++, n += u.stride)
            t->past[i].clocks[n * h->depth + t->past[i].count[n]++ % h->depth] =
                clock;
    }
}

static void delay_window(struct timing *t, const struct timing_effect *e,
                         const struct timing_target *at)
{
    const struct timing_history *h = &t->rules->histories[e->history];
    const struct timing_past *past = &t->past[e->history];
    struct units u = units_of(h->span, at);
    for (uint32_t k = 0, n = u.first; k < u.count; k++, n += u.stride) {
        uint64_t count = past->count[n];
        if (count < e->window)
            continue;
        uint64_t nth =
            past->clocks[n * h->depth + (count - e->window) % h->depth];
        uint32_t group = h->span ? n * h->span : t->rules->group_of[n];
        uint32_t from = group & -(uint32_t)e->span;
        if (e->span == t->rules->groups)
            delay(&t->all[e->following], nth + e->cycles);
        else if (e->span)
            delay_range(t, e, from, from + e->span, nth + e->cycles);
        else
            delay(&t->bank[e->following * t->banks + n], nth + e->cycles);
    }
}

static void delay_siblings(struct timing *t, const struct timing_effect *e,
                           const struct timing_target *at, uint64_t ready)
{
    if (at->groups > e->span)
        return; /* it is about all units of the level */
    uint32_t from = at->group & -(uint32_t)e->span;
    uint32_t first = at->group & -(uint32_t)e->parent_span;
    delay_range(t, e, first, from, ready);
    delay_range(t, e, from + e->span, first + e->parent_span, ready);
}

static void delay_groups(struct timing *t, const struct timing_effect *e,
                         const struct timing_target *at, uint64_t ready)
{
    uint32_t mask = e->span - 1u, last = at->group + at->groups - 1u;
    delay_range(t, e, at->group & ~mask, (last | mask) + 1, ready);
}

static void delay_banks(struct timing *t, const struct timing_effect *e,
                        const struct timing_target *at, uint64_t ready)
{
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride)
        delay(&t->bank[e->following * t->banks + b], ready);
}

static void delay_target(struct timing *t, const struct timing_effect *e,
                         const struct timing_target *at, uint64_t clock)
{
    if (e->reach == REACH_ALL)
        delay(&t->all[e->following], clock + e->cycles);
    else if (e->reach == REACH_BANKS)
        delay_banks(t, e, at, clock + e->cycles);
    else if (e->window > 1)
        delay_window(t, e, at);
    else if (e->sibling)
        delay_siblings(t, e, at, clock + e->cycles);
    else
        delay_groups(t, e, at, clock + e->cycles);
}

static __attribute__((noinline)) void
delay_targets(struct timing *t, const struct timing_effect *e,
              const struct timing_effect *end, const struct timing_target *at,
              uint64_t clock)
{
    for (; e < end; e++)
        delay_target(t, e, at, clock);
}

/* Those that concern one clock, of a command that is about a bank; returns
 * the others. */
static inline const struct timing_effect *
delay_near(struct timing *t, enum dram_command command,
           const struct timing_target *at, uint64_t clock)
{
    const struct timing_rules *r = t->rules;
    const struct timing_effect *e = r->effects + r->first[command];
    const struct timing_effect *others = r->effects + r->others[command];
    uint64_t *const in[] = {[REACH_ALL] = t->all,
                            [REACH_BANKS] = t->all + at->bank,
                            [REACH_GROUP] = t->all + at->group};
    for (; e < others; e++)
        delay(&in[e->reach][e->row], clock + e->cycles);
    return e;
}

static __attribute__((noinline)) void issue_any(struct timing *t,
                                                enum dram_command command,
                                                const struct timing_target *at,
                                                uint64_t clock)
{
    const struct timing_rules *r = t->rules;
    const struct timing_effect *e = r->effects + r->first[command];
    if (r->remembered >> command & 1)
        remember(t, command, at, clock);
    if (at->banks == 1)
        e = delay_near(t, command, at, clock);
    delay_targets(t, e, r->effects + r->first[command + 1], at, clock);
}

/* Most commands are about a bank, most effects about one clock. */
void timing_issue(struct timing *t, enum dram_command command,
                  const struct timing_target *at, uint64_t clock)
{
    const struct timing_rules *r = t->rules;
    if (at->banks != 1 || r->remembered >> command & 1) {
        issue_any(t, command, at, clock);
        return;
    }
    const struct timing_effect *e = delay_near(t, command, at, clock);
    const struct timing_effect *end = r->effects + r->first[command + 1];
    if (e < end)
        delay_targets(t, e, end, at, clock);
}
