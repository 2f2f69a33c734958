/*
 * Idle time passed over. A channel without requests does the same in every
 * period of its refreshes: so two are run, and if they were alike, all times
 * that the channel knows are moved on by as many more as there is room for.
 * What lies in the past stays there, and what is to come keeps its distance.
 */
#include "sim/dram/channel.h"
#include <string.h>

/* Periods that are run before it is looked at: rows get closed, and what was
 * before is too old for any rule. */
#define SETTLING 4

static bool is_quiet(const struct channel *c)
{
    if (c->queues[READS].size || c->queues[WRITES].size || c->active_count ||
        c->chore_count || c->activating != NO_REQUEST)
        return false;
    for (uint32_t b = 0; b < c->env->rules->banks; b++)
        if (c->row[b] != NO_ROW)
            return false;
    return true;
}

/* All that happens up to and including a clock. */
static void run(struct channel *c, uint64_t clock)
{
    while (*c->due <= clock)
        channel_step(c, *c->due, clock);
}

static void move(uint64_t *clock, uint64_t by)
{
    if (*clock != DRAM_NEVER)
        *clock += by;
}

static void move_all(uint64_t *clocks, size_t count, uint64_t by)
{
    for (size_t i = 0; i < count; i++)
        move(&clocks[i], by);
}

static void move_timing(struct timing *t, uint64_t by)
{
    const struct timing_rules *r = t->rules;
    move_all(t->all, TIMING_COMMANDS * (1 + (size_t)t->groups + t->banks), by);
    for (uint32_t i = 0; i < r->history_count; i++)
        move_all(t->past[i].clocks, (size_t)r->banks * r->histories[i].depth,
                 by);
}

static void move_channel(struct channel *c, uint64_t by)
{
    uint64_t *const clocks[] = {c->due,
                                &c->plan.when,
                                &c->refresh_due,
                                &c->close_due,
                                &c->full_since[0],
                                &c->full_since[1],
                                &c->act2_deadline,
                                &c->in_step_until,
                                &c->synchronised.when};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        move(clocks[i], by);
    move_all(c->last_access, TIMING_BANKS, by);
    move_timing(&c->timing, by);
}

/* Adds what differs between two moments, `times` times more. */
static void repeat(struct dram_stats *s, const struct dram_stats *before,
                   const struct dram_stats *after, uint64_t times)
{
#define REPEAT(name, unit, meaning)                                            \
    s->name += (after->name - before->name) * times;
    DRAM_STATS(REPEAT)
#undef REPEAT
    for (unsigned i = 0; i < DRAM_COMMAND_COUNT; i++)
        s->commands[i] += (after->commands[i] - before->commands[i]) * times;
}

/* Is what two periods added the same? */
static bool alike(const struct dram_stats *first,
                  const struct dram_stats *second,
                  const struct dram_stats *third)
{
    struct dram_stats expected = *second;
    repeat(&expected, first, second, 1);
    return !memcmp(&expected, third, sizeof expected);
}

void channel_skip(struct channel *c, uint64_t clock)
{
    uint64_t period = chores_period(c);
    if (!period || c->refresh_due > clock ||
        (clock - c->refresh_due) / period < 2 * SETTLING)
        return;
    uint64_t at = c->refresh_due - 1 + SETTLING * period;
    struct dram_stats stats[3];
    for (unsigned i = 0; i < 3; i++) {
        run(c, at + i * period);
        stats[i] = c->stats;
    }
    at += 2 * period;
    if (!is_quiet(c) || !alike(&stats[0], &stats[1], &stats[2]))
        return;
    uint64_t times = (clock - at) / period;
    move_channel(c, times * period);
    repeat(&c->stats, &stats[1], &stats[2], times);
}
