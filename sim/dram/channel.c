/*
 * Which command a channel issues in which clock.
 *
 * A pick is the next command that may be issued and the clock from which on it
 * may: of several, the one that is ready first, and of those the oldest
 * request's. FR-FCFS asks in each clock for the oldest ready one, which is the
 * same as long as nothing comes between. So a pick for a later clock is kept
 * as a plan until a command, a new request or a chore changes its grounds.
 */
#include "sim/dram/channel.h"

/* Kinds of commands, for command buses of their own. */
enum { COLUMN_COMMANDS = 1, ROW_COMMANDS = 2, ALL_COMMANDS = 3 };

/* ---- requests ---- */

/* Write mode after the next look at the queues. */
static bool writes_next(const struct channel *c)
{
    uint32_t reads = c->queues[READS].size, writes = c->queues[WRITES].size;
    if (!c->writing)
        return writes > c->write_high || !reads;
    return writes >= c->write_low || !reads;
}

/* ---- candidates ---- */

static inline void consider(const struct channel *c, struct pick *best,
                            uint64_t when, uint16_t request,
                            enum dram_command command, enum source from)
{
    uint64_t age = c->pool[request].age;
    if (when > best->when || (when == best->when && age > best->age))
        return;
    best->when = when;
    best->age = age;
    best->request = request;
    best->command = (uint8_t)command;
    best->from = (uint8_t)from;
}

static inline uint64_t ready_in(const struct channel *c,
                                enum dram_command command, uint32_t bank)
{
    return timing_ready(&c->timing, command, c->env->rules->group_of[bank],
                        bank);
}

static enum dram_command next_command(const struct channel *c, uint16_t request)
{
    const struct request *r = &c->pool[request];
    uint32_t open = c->row[r->bank];
    if (open == c->links[request].row)
        return r->write ? DRAM_WR : DRAM_RD;
    return open == NO_ROW ? DRAM_ACT : DRAM_PRE;
}

static inline void pick_active(const struct channel *c, uint64_t clock,
                               unsigned kinds, struct pick *best)
{
    for (uint32_t i = 0; i < c->active_count; i++) {
        const struct request *r = &c->pool[c->active[i]];
        enum dram_command command = next_command(c, c->active[i]);
        bool column = command == DRAM_RD || command == DRAM_WR;
        bool possible = command != DRAM_ACT || c->activating == NO_REQUEST;
        if (possible && kinds & (column ? COLUMN_COMMANDS : ROW_COMMANDS))
            consider(c, best, later(clock, ready_in(c, command, r->bank)),
                     c->active[i], command, FROM_ACTIVE);
    }
    best->age = 0;
}

/*
 * A candidate of a queue as a number: in how many clocks it is ready, then its
 * age; NO_AGE: none. The least number is the one to pick, and is found without
 * branches, which no host would predict.
 */
#define AGE_BITS 40
_Static_assert((uint64_t)DRAM_RULE_CYCLES_MOST << AGE_BITS >> AGE_BITS ==
                   DRAM_RULE_CYCLES_MOST,
               "clocks fit above the age");

static inline uint64_t rank_of(uint64_t when, uint64_t clock, uint64_t age)
{
    return (when - clock) << AGE_BITS | age;
}

/* The best one so far: 2 * its bank, 1 more for a hit. */
struct choice {
    uint64_t rank;
    uint32_t which; /* UINT32_MAX: none of the queue */
};

/* Candidates of one kind, in those banks of the word; none of them is ready
 * before the command is allowed in the channel. */
static inline __attribute__((always_inline)) void
consider_kind(const struct channel *c, uint32_t word, uint64_t banks,
              enum dram_command command, bool hits, uint64_t clock,
              struct choice *best)
{
    const struct queue *q = &c->queues[c->writing];
    const struct timing *t = &c->timing;
    uint64_t ready = later(clock, t->all[command]);
    if (!banks || rank_of(ready, clock, 0) >= best->rank)
        return;
    const uint64_t *age = hits ? q->hit_age : q->other_age;
    const uint64_t *in_group = t->group + command * t->groups;
    const uint64_t *in_bank = t->bank + command * t->banks;
    const uint8_t *group_of = c->env->rules->group_of;
    for (uint64_t m = banks; m; m &= m - 1) {
        size_t bank = word * 64 + (size_t)__builtin_ctzll(m);
        uint64_t when = later(ready, in_group[group_of[bank]]);
        when = later(when, in_bank[bank]);
        uint64_t rank = rank_of(when, clock, age[bank]);
        bool better = rank < best->rank;
        best->rank = better ? rank : best->rank;
        best->which = better ? 2 * (uint32_t)bank + hits : best->which;
    }
}

/*
 * May the bank be opened or closed for the oldest request that wants another
 * row? While an ACT2 is outstanding no other row is opened.
 */
static bool may_change(const struct channel *c, uint32_t bank)
{
    const struct queue *q = &c->queues[c->writing];
    if (c->row[bank] == NO_ROW)
        return c->activating == NO_REQUEST;
    if (channel_is21(c) && channel_is_active(c, bank))
        return false;
    return c->scheduler != DRAM_ROW_HIT ||
           q->hit_age[bank] > q->other_age[bank];
}

static bool is_withheld(const struct channel *c, uint32_t bank)
{
    return chores_reserve(c, bank) ||
           (c->activating != NO_REQUEST && c->pool[c->activating].bank == bank);
}

/* Those of the banks for which that holds. */
static __attribute__((noinline)) uint64_t
banks_that(bool (*holds)(const struct channel *, uint32_t),
           const struct channel *c, uint32_t word, uint64_t banks)
{
    uint64_t those = 0;
    for (uint64_t m = banks; m; m &= m - 1)
        if (holds(c, word * 64 + (uint32_t)__builtin_ctzll(m)))
            those |= m & -m;
    return those;
}

/* What may be done in those banks of the word. */
static inline __attribute__((always_inline)) void
consider_banks(const struct channel *c, uint32_t word, uint64_t banks,
               uint64_t clock, unsigned kinds, struct choice *best)
{
    const struct queue *q = &c->queues[c->writing];
    uint64_t hits = q->hits[word] & banks, others = q->others[word] & banks;
    if (c->restrained || c->activating != NO_REQUEST)
        others = banks_that(may_change, c, word, others);
    if (kinds & COLUMN_COMMANDS)
        consider_kind(c, word, hits, c->writing ? DRAM_WR : DRAM_RD, true,
                      clock, best);
    if (kinds & ROW_COMMANDS) {
        consider_kind(c, word, others & c->open[word], DRAM_PRE, false, clock,
                      best);
        consider_kind(c, word, others & ~c->open[word], DRAM_ACT, false, clock,
                      best);
    }
}

/* The best so far has no age: it wins all ties. */
static inline struct choice choice_of(const struct pick *best, uint64_t clock)
{
    bool none = best->when == DRAM_NEVER;
    return (struct choice){none ? NO_AGE : rank_of(best->when, clock, 0),
                           UINT32_MAX};
}

static inline void pick_choice(const struct channel *c,
                               const struct choice *best, uint64_t clock,
                               struct pick *pick)
{
    pick->age = 0;
    if (best->which == UINT32_MAX)
        return;
    const struct queue_bank *b = &c->queues[c->writing].banks[best->which / 2];
    pick->when = clock + (best->rank >> AGE_BITS);
    pick->from = FROM_QUEUE;
    pick->request = best->which & 1 ? b->hit : b->other;
    pick->command = (uint8_t)next_command(c, pick->request);
}

static inline __attribute__((always_inline)) void
pick_queued(const struct channel *c, uint64_t clock, unsigned kinds,
            struct pick *pick)
{
    struct choice best = choice_of(pick, clock);
    uint32_t w = 0;
    do {
        uint64_t banks = UINT64_MAX;
        if (c->chore_count || c->activating != NO_REQUEST) {
            const struct queue *q = &c->queues[c->writing];
            banks = q->hits[w] | q->others[w];
            banks &= ~banks_that(is_withheld, c, w, banks);
        }
        consider_banks(c, w, banks, clock, kinds, &best);
    } while (++w < c->bank_words);
    pick_choice(c, &best, clock, pick);
}

/* Active requests first, then chores, then the queues. What comes later has to
 * be ready earlier: by their age of 0 the former win all ties. */
static inline __attribute__((always_inline)) void
choose(struct channel *c, uint64_t clock, unsigned kinds, struct pick *best)
{
    best->when = DRAM_NEVER;
    best->age = UINT64_MAX;
    pick_active(c, clock, kinds, best);
    if (best->when == clock)
        return;
    if (c->chore_count && kinds & ROW_COMMANDS) {
        chores_pick(c, clock, best);
        if (best->when == clock)
            return;
    }
    if (c->chore_count && chores_block(c))
        return;
    c->writing = writes_next(c);
    pick_queued(c, clock, kinds, best);
    if (c->row_policy == DRAM_TIMEOUT && kinds & ROW_COMMANDS)
        chores_timeout(c, clock, best);
}

/* ---- offers ---- */

/* Does the new request change more than what can be done in its bank? */
static bool turns(const struct channel *c)
{
    return writes_next(c) != c->writing || c->row_policy == DRAM_TIMEOUT;
}

static void look_again(struct channel *c, uint64_t state)
{
    c->planned = false;
    *c->due = sooner(*c->due, state + 1);
}

/*
 * The bank has another candidate. A plan is what would be chosen again but for
 * that one, which being the youngest has to be ready before it.
 */
static __attribute__((noinline)) void reconsider(struct channel *c,
                                                 uint64_t state, uint32_t bank)
{
    if (!c->planned || c->chore_count) {
        look_again(c, state);
        return;
    }
    struct choice best = choice_of(&c->plan, state + 1);
    consider_banks(c, bank / 64, UINT64_C(1) << bank % 64, state + 1,
                   ALL_COMMANDS, &best);
    pick_choice(c, &best, state + 1, &c->plan);
    *c->due = sooner(*c->due, c->plan.when);
}

static void answer(struct channel *c, uint64_t state, uint64_t tag, bool write)
{
    struct request r = {.tag = tag, .accept = state, .write = write};
    if (write) {
        r.outcome = DRAM_MERGED;
        c->stats.write_merged++;
        channel_complete(c, &r, 0, state);
    } else {
        r.outcome = DRAM_FORWARDED;
        c->stats.read_forwarded++;
        channel_complete(c, &r, 0, state + 1);
    }
}

static void enqueue(struct channel *c, uint64_t state, uint64_t tag, bool write,
                    struct dram_place at)
{
    uint16_t i = c->free[--c->free_count];
    c->pool[i] = (struct request){.age = c->ages++,
                                  .tag = tag,
                                  .accept = state,
                                  .column = at.column,
                                  .bank = (uint8_t)at.bank,
                                  .write = write,
                                  .outcome = NO_OUTCOME};
    c->links[i].row = at.row;
    struct queue *q = &c->queues[write];
    bool first_of_kind = queue_add(q, i, c->row[at.bank]);
    if (q->size == q->capacity)
        c->full_since[write] = state;
    if (turns(c))
        look_again(c, state);
    else if (write == c->writing && first_of_kind)
        reconsider(c, state, at.bank);
}

bool channel_offer(struct channel *c, uint64_t state, bool write,
                   struct dram_place at, uint64_t tag)
{
    if ((!write || c->merges) &&
        queue_writes(&c->queues[WRITES], at.bank, at.row, at.column)) {
        answer(c, state, tag, write);
        return true;
    }
    if (c->queues[write].size == c->queues[write].capacity)
        return false;
    enqueue(c, state, tag, write, at);
    return true;
}

/* ---- issue ---- */

/* With the closed policy of 2.1 the last access closes the row itself. */
static void upgrade(const struct channel *c, struct pick *p, uint64_t clock)
{
    if (c->row_policy != DRAM_CLOSED || !channel_is21(c) ||
        (p->command != DRAM_RD && p->command != DRAM_WR) ||
        c->accesses[p->at.bank] < c->env->policy.cap)
        return;
    uint8_t closing = p->command == DRAM_RD ? DRAM_RDA : DRAM_WRA;
    if (c->env->device->has[closing] &&
        timing_ready(&c->timing, closing, p->at.group, p->at.bank) <= clock)
        p->command = closing;
}

static void issue(struct channel *c, struct pick *p, uint64_t clock)
{
    if (p->request != NO_REQUEST &&
        (p->from == FROM_ACTIVE || p->from == FROM_QUEUE))
        p->at = timing_bank(c->env->rules, c->pool[p->request].bank);
    upgrade(c, p, clock);
    channel_issue(c, p, clock);
    c->planned = false;
}

/* In 2.0 a pick that would close a bank under an active request costs the
 * clock in which it was picked. */
static bool is_lost(const struct channel *c, const struct pick *p)
{
    if (channel_is21(c) || (p->command != DRAM_PRE && p->command != DRAM_PREA))
        return false;
    if (p->from == FROM_QUEUE)
        return channel_is_active(c, c->pool[p->request].bank);
    for (uint32_t i = 0; i < p->at.banks; i++)
        if (channel_is_active(c, p->at.bank + i * p->at.stride))
            return true;
    return false;
}

/* Each of the following returns the clock after this one in which something
 * can be issued if nothing new comes. */

static __attribute__((noinline)) uint64_t make_plan(struct channel *c,
                                                    uint64_t clock)
{
    choose(c, clock, ALL_COMMANDS, &c->plan);
    c->planned = true;
    return c->plan.when;
}

/* The next clock's plan is made at once if all that it depends on is known. */
static uint64_t step_single(struct channel *c, uint64_t clock, uint64_t limit)
{
    uint64_t when = c->planned ? c->plan.when : make_plan(c, clock);
    if (when > clock)
        return when;
    c->planned = false;
    if (!is_lost(c, &c->plan))
        issue(c, &c->plan, clock);
    if (clock >= limit || c->refresh_due == clock + 1 || c->closes_used)
        return clock + 1;
    return make_plan(c, clock + 1);
}

/* HBM: a column command and then a row command in the same clock. */
static uint64_t step_dual(struct channel *c, uint64_t clock)
{
    struct pick column, row;
    choose(c, clock, COLUMN_COMMANDS, &column);
    if (column.when == clock)
        issue(c, &column, clock);
    choose(c, clock, ROW_COMMANDS, &row);
    if (row.when == clock)
        issue(c, &row, clock);
    uint64_t next = sooner(column.when, row.when);
    return next == clock ? clock + 1 : next;
}

/* ---- LPDDR5: two-step activation, data clock that has to be in step ---- */

static uint64_t issue_act2(struct channel *c, uint64_t clock)
{
    struct pick p = {
        .request = c->activating, .command = DRAM_ACT2, .from = FROM_QUEUE};
    issue(c, &p, clock);
    return clock + 1;
}

static bool needs_sync(const struct channel *c, const struct pick *p,
                       uint64_t clock)
{
    return (p->command == DRAM_RD || p->command == DRAM_WR) &&
           clock >= c->in_step_until;
}

/* CAS takes this clock, its RD or WR the next. */
static uint64_t issue_sync(struct channel *c, const struct pick *p,
                           uint64_t clock)
{
    if (c->activating != NO_REQUEST && c->act2_deadline <= clock + 1)
        return issue_act2(c, clock);
    c->synchronised = *p;
    struct pick sync = *p;
    sync.command = p->command == DRAM_RD ? DRAM_CAS_RD : DRAM_CAS_WR;
    issue(c, &sync, clock);
    return clock + 1;
}

static uint64_t step_lpddr(struct channel *c, uint64_t clock)
{
    if (c->synchronised.when != DRAM_NEVER) {
        struct pick p = c->synchronised;
        p.at = timing_bank(c->env->rules, c->pool[p.request].bank);
        channel_issue(c, &p, clock);
        c->synchronised.when = DRAM_NEVER;
        return clock + 1;
    }
    if (c->activating != NO_REQUEST && c->act2_deadline <= clock)
        return issue_act2(c, clock);
    struct pick p;
    choose(c, clock, ALL_COMMANDS, &p);
    if (p.when > clock)
        return c->activating != NO_REQUEST ? issue_act2(c, clock) : p.when;
    if (needs_sync(c, &p, clock))
        return issue_sync(c, &p, clock);
    if (!is_lost(c, &p))
        issue(c, &p, clock);
    return clock + 1;
}

void channel_step(struct channel *c, uint64_t clock, uint64_t limit)
{
    if (clock == c->refresh_due || c->closes_used)
        chores_arise(c, clock);
    uint64_t next;
    if (c->stepping == STEP_SINGLE)
        next = step_single(c, clock, limit);
    else if (c->stepping == STEP_DUAL)
        next = step_dual(c, clock);
    else
        next = step_lpddr(c, clock);
    *c->due = sooner(sooner(next, c->refresh_due), c->close_due);
}
