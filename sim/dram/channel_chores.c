/*
 * Refresh, and closing rows for the row policy. What is due stands in a queue
 * of chores, whose head is served before requests that are not active yet.
 *
 * A refresh of all banks blocks the channel until it is issued, as in the
 * reference. A refresh of single banks only keeps its banks free.
 */
#include "sim/dram/channel.h"
#include <string.h>

/* NULL without room: only a device whose refreshes take longer than their
 * interval gets there, and leaves some out. */
static struct chore *add_chore(struct channel *c, enum dram_command command,
                               struct timing_target at)
{
    if (c->chore_count == MOST_CHORES)
        return NULL;
    uint32_t tail = (c->chore_head + c->chore_count++) % MOST_CHORES;
    c->chores[tail] =
        (struct chore){(uint8_t)command, at, UINT32_MAX, UINT32_MAX};
    c->planned = false;
    return &c->chores[tail];
}

static bool by_bank(const struct channel *c)
{
    return c->env->policy.refresh == DRAM_REFRESH_BANK;
}

static uint32_t turns(const struct channel *c)
{
    const struct timing_rules *r = c->env->rules;
    return c->env->device->has[DRAM_REFPB]
               ? r->scope_groups * r->banks_per_group
               : r->banks_per_group;
}

/* In this time all banks are refreshed once, each turn in its part of it. */
uint64_t chores_period(const struct channel *c)
{
    uint64_t interval = c->env->device->refresh_interval;
    if (c->env->policy.refresh == DRAM_REFRESH_OFF)
        return 0;
    return by_bank(c) && interval < turns(c) ? turns(c) : interval;
}

/* From the refresh before to that of the turn. */
static uint64_t refresh_step(const struct channel *c)
{
    uint64_t period = chores_period(c), turn = c->refresh_turn, n = turns(c);
    return by_bank(c) ? (turn + 1) * period / n - turn * period / n : period;
}

void chores_init(struct channel *c)
{
    c->close_due = DRAM_NEVER;
    c->refresh_due = c->env->policy.refresh == DRAM_REFRESH_OFF
                         ? DRAM_NEVER
                         : refresh_step(c);
}

/* One bank in turn, or all of that number (DDR5). */
static void refresh_bank(struct channel *c, uint32_t first_group)
{
    const struct timing_rules *r = c->env->rules;
    uint32_t first = first_group * r->banks_per_group + c->refresh_turn;
    if (c->env->device->has[DRAM_REFPB]) {
        add_chore(c, DRAM_REFPB, timing_bank(r, first));
        return;
    }
    struct timing_target at = timing_groups(r, first_group, r->rank_groups);
    at.bank = (uint16_t)first;
    at.banks = (uint16_t)r->rank_groups;
    at.stride = (uint16_t)r->banks_per_group;
    add_chore(c, DRAM_REFSB, at);
}

static void refresh(struct channel *c)
{
    const struct timing_rules *r = c->env->rules;
    bool same_bank = by_bank(c) && !c->env->device->has[DRAM_REFPB];
    uint32_t step = same_bank ? r->rank_groups : r->scope_groups;
    for (uint32_t g = 0; g < r->groups; g += step)
        if (by_bank(c))
            refresh_bank(c, g);
        else
            add_chore(c, DRAM_REFAB, timing_groups(r, g, step));
    c->refresh_turn = (c->refresh_turn + 1) % turns(c);
    c->refresh_due += refresh_step(c);
}

static bool row_is_used_up(const struct channel *c, uint32_t bank)
{
    return c->accesses[bank] >= c->env->policy.cap && !c->close_asked[bank];
}

/* In 2.1 a row that has been used up and was not closed by RDA or WRA is
 * closed by a chore that arises when its PRE may be issued. */
static void close_used_rows(struct channel *c, uint64_t clock)
{
    c->close_due = DRAM_NEVER;
    for (uint32_t b = 0; b < c->env->rules->banks; b++) {
        if (!row_is_used_up(c, b))
            continue;
        struct timing_target at = timing_bank(c->env->rules, b);
        uint64_t ready = timing_ready(&c->timing, DRAM_PRE, at.group, b);
        if (ready > clock) {
            c->close_due = sooner(c->close_due, ready);
            continue;
        }
        add_chore(c, DRAM_PRE, at);
        c->close_asked[b] = true;
    }
}

void chores_arise(struct channel *c, uint64_t clock)
{
    if (clock == c->refresh_due)
        refresh(c);
    if (c->closes_used)
        close_used_rows(c, clock);
}

bool chores_block(const struct channel *c)
{
    uint8_t command = c->chores[c->chore_head].command;
    return command != DRAM_REFPB && command != DRAM_REFSB;
}

static bool covers(const struct timing_target *at, uint32_t bank)
{
    uint32_t end = at->bank + (at->banks - 1u) * at->stride;
    return bank >= at->bank && bank <= end &&
           (bank - at->bank) % at->stride == 0;
}

bool chores_reserve(const struct channel *c, uint32_t bank)
{
    return c->chore_count && covers(&c->chores[c->chore_head].at, bank);
}

static uint32_t first_open(const struct channel *c,
                           const struct timing_target *at)
{
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride)
        if (c->row[b] != NO_ROW)
            return b;
    return UINT32_MAX;
}

static bool touches_active(const struct channel *c,
                           const struct timing_target *at)
{
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride)
        if (channel_is_active(c, b))
            return true;
    return false;
}

/* A bank has to be closed to be refreshed. */
static void prepare(const struct channel *c, struct pick *p)
{
    uint32_t open = first_open(c, &p->at);
    if (p->command == DRAM_PRE || open == UINT32_MAX)
        return;
    if (p->command == DRAM_REFAB && c->env->device->has[DRAM_PREA]) {
        p->command = DRAM_PREA;
    } else {
        p->command = DRAM_PRE;
        p->at = timing_bank(c->env->rules, open);
    }
}

/* May its command not be issued until something else is? */
static bool is_stuck(const struct channel *c, const struct pick *p)
{
    bool closes = p->command == DRAM_PRE || p->command == DRAM_PREA;
    bool waits = channel_is21(c) || !chores_block(c);
    return (closes && waits && touches_active(c, &p->at)) ||
           (c->activating != NO_REQUEST &&
            covers(&p->at, c->pool[c->activating].bank));
}

void chores_pick(const struct channel *c, uint64_t clock, struct pick *best)
{
    const struct chore *head = &c->chores[c->chore_head];
    struct pick p = {.request = NO_REQUEST,
                     .command = head->command,
                     .from = FROM_CHORES,
                     .at = head->at};
    prepare(c, &p);
    if (is_stuck(c, &p))
        return;
    p.when = later(clock, timing_ready_all(&c->timing, p.command, &p.at));
    if (p.when < best->when)
        *best = p;
}

/* In 2.0 a used up row is closed by a chore that arises at once. */
static void ask_close(struct channel *c, uint16_t request)
{
    const struct request *r = &c->pool[request];
    struct chore *close =
        add_chore(c, DRAM_PRE, timing_bank(c->env->rules, r->bank));
    if (close) {
        close->row = c->links[request].row;
        close->column = r->column;
    }
    c->accesses[r->bank] = 0;
}

static void count_access(struct channel *c, uint16_t request, uint64_t clock)
{
    uint32_t bank = c->pool[request].bank;
    c->last_access[bank] = clock;
    c->accesses[bank]++;
    if (c->env->policy.row_policy == DRAM_CLOSED && !channel_is21(c) &&
        c->accesses[bank] >= c->env->policy.cap)
        ask_close(c, request);
}

static void forget_accesses(struct channel *c, const struct timing_target *at)
{
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride) {
        c->accesses[b] = 0;
        c->close_asked[b] = false;
    }
}

void chores_note(struct channel *c, const struct pick *p, uint64_t clock)
{
    switch (p->command) {
    case DRAM_RD:
    case DRAM_WR:
        count_access(c, p->request, clock);
        break;
    case DRAM_ACT:
        c->last_access[p->at.bank] = clock;
        break;
    case DRAM_PRE:
    case DRAM_PREA:
    case DRAM_RDA:
    case DRAM_WRA:
    case DRAM_REFAB:
    case DRAM_REFPB:
    case DRAM_REFSB:
        forget_accesses(c, &p->at);
        break;
    default:
        break;
    }
}

static bool is_idle(const struct channel *c, uint32_t bank)
{
    return c->row[bank] != NO_ROW && !channel_is_active(c, bank) &&
           c->queues[READS].banks[bank].hit == NO_REQUEST &&
           c->queues[WRITES].banks[bank].hit == NO_REQUEST;
}

void chores_timeout(const struct channel *c, uint64_t clock, struct pick *best)
{
    for (uint32_t b = 0; b < c->env->rules->banks; b++) {
        if (!is_idle(c, b))
            continue;
        struct pick p = {.request = NO_REQUEST,
                         .command = DRAM_PRE,
                         .from = FROM_TIMEOUT,
                         .at = timing_bank(c->env->rules, b)};
        p.when = timing_ready(&c->timing, DRAM_PRE, p.at.group, b);
        p.when = later(p.when, c->last_access[b] + c->env->policy.timeout);
        p.when = later(p.when, clock);
        if (p.when < best->when)
            *best = p;
    }
}
