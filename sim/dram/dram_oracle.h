/*
 * What must hold of every run of dram_bench.h, checked by brute force against
 * the list of commands, independently of the controller's own bookkeeping; and
 * the policies under which tests run.
 */
#ifndef SIM_DRAM_ORACLE_H
#define SIM_DRAM_ORACLE_H

#include "sim/dram/dram_bench.h"

static inline bool same(uint32_t a, uint32_t b)
{
    return a == b || a == UINT32_MAX || b == UINT32_MAX;
}

static inline bool above_same(const struct issued *a, const struct issued *b,
                              unsigned level)
{
    for (unsigned l = 0; l < level; l++)
        if (!same(a->at.at[l], b->at.at[l]))
            return false;
    return true;
}

static inline bool rule_is_about(const struct dram_rule *rule,
                                 const struct issued *before,
                                 const struct issued *now)
{
    uint32_t a = before->at.at[rule->level], b = now->at.at[rule->level];
    if (!above_same(before, now, rule->level))
        return false;
    return rule->sibling ? !same(a, b) : same(a, b);
}

/* Clocks by which the command comes too early; 0: it keeps the rule. */
static inline uint64_t too_early(const struct run *r, unsigned index,
                                 const struct dram_rule *rule)
{
    const struct issued *now = &r->log[index];
    unsigned seen = 0, window = rule->window > 1 ? rule->window : 1;
    for (unsigned i = index; i-- > 0;) {
        const struct issued *before = &r->log[i];
        uint64_t allowed = before->clock + (uint64_t)rule->cycles;
        if (allowed <= now->clock)
            return 0; /* and so for all that are older */
        if (before->command == rule->preceding &&
            rule_is_about(rule, before, now) && ++seen == window)
            return allowed - now->clock;
    }
    return 0;
}

static inline bool rules_kept(struct run *r, const struct dram_device *device)
{
    for (unsigned i = 0; i < r->count; i++)
        for (unsigned k = 0; k < device->rule_count; k++) {
            const struct dram_rule *rule = &device->rules[k];
            if (rule->following != r->log[i].command)
                continue;
            uint64_t early = too_early(r, i, rule);
            if (!early)
                continue;
            snprintf(r->problem, sizeof r->problem,
                     "clock %llu: %s %llu too early after %s, level %u",
                     (unsigned long long)r->log[i].clock,
                     device->command_name[rule->following],
                     (unsigned long long)early,
                     device->command_name[rule->preceding], rule->level);
            return false;
        }
    return true;
}

/* Banks as the commands leave them. */
struct bank {
    bool open, activating;
    uint32_t row;
};

static inline struct bank *bank_at(const struct run *r, struct bank *banks,
                                   const struct dram_address *at)
{
    uint64_t i = at->at[DRAM_CHANNEL];
    for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        i = i * r->device->units[l] + at->at[l];
    return &banks[i];
}

/* Is a bank of the target open? And closes all of them. */
static inline bool close_target(const struct run *r, struct bank *banks,
                                const struct dram_address *target, bool close)
{
    const uint32_t *units = r->device->units;
    uint32_t count = units[1] * units[2] * units[3] * units[4];
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at[] = {0, i / units[4] / units[3] / units[2],
                         i / units[4] / units[3] % units[2],
                         i / units[4] % units[3], i % units[4]};
        bool in = true;
        for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
            in = in && same(at[l], target->at[l]);
        struct bank *b = &banks[target->at[DRAM_CHANNEL] * count + i];
        open = open || (in && (b->open || b->activating));
        if (in && close)
            b->open = false;
    }
    return open;
}

static const char *apply(const struct run *r, struct bank *banks,
                         const struct issued *c)
{
    bool two_steps = r->device->act2_within > 0;
    bool refresh = c->command == DRAM_REFAB || c->command == DRAM_REFPB ||
                   c->command == DRAM_REFSB;
    if (refresh)
        return close_target(r, banks, &c->at, false) ? "refresh of open bank"
                                                     : NULL;
    if (c->command == DRAM_PREA || c->command == DRAM_PRE) {
        close_target(r, banks, &c->at, true);
        return NULL;
    }
    struct bank *b = bank_at(r, banks, &c->at);
    if (c->command == DRAM_ACT) {
        bool was = b->open || b->activating;
        *b = (struct bank){!two_steps, two_steps, c->at.at[DRAM_ROW]};
        return was ? "ACT of open bank" : NULL;
    }
    if (b->row != c->at.at[DRAM_ROW])
        return "command for another row";
    if (c->command == DRAM_ACT2) {
        bool was = b->activating;
        *b = (struct bank){true, false, b->row};
        return was ? NULL : "ACT2 without ACT1";
    }
    if (!b->open)
        return "access to closed bank";
    b->open = c->command != DRAM_RDA && c->command != DRAM_WRA;
    return NULL;
}

static inline bool rows_right(struct run *r)
{
    struct bank *banks = calloc(r->options.channels, 256 * sizeof(struct bank));
    const char *wrong = NULL;
    for (unsigned i = 0; i < r->count && !wrong; i++) {
        wrong = apply(r, banks, &r->log[i]);
        if (wrong)
            snprintf(r->problem, sizeof r->problem, "clock %llu: %s",
                     (unsigned long long)r->log[i].clock, wrong);
    }
    free(banks);
    return !wrong;
}

static inline bool is_access(const struct issued *c)
{
    return c->command == DRAM_RD || c->command == DRAM_RDA ||
           c->command == DRAM_WR || c->command == DRAM_WRA;
}

/* One command in a clock, or one of each kind; in order of time. */
static inline bool bus_kept(struct run *r)
{
    bool dual =
        r->device->dual_bus && r->options.policy.rules == DRAM_RAMULATOR21;
    for (unsigned i = 1; i < r->count; i++) {
        const struct issued *c = &r->log[i];
        for (unsigned k = i; k-- > 0 && r->log[k].clock >= c->clock;) {
            const struct issued *b = &r->log[k];
            if (b->clock == c->clock &&
                (b->at.at[DRAM_CHANNEL] != c->at.at[DRAM_CHANNEL] ||
                 (dual && is_access(b) && !is_access(c))))
                continue;
            snprintf(r->problem, sizeof r->problem,
                     "clock %llu: commands %u and %u in one",
                     (unsigned long long)c->clock, b->command, c->command);
            return false;
        }
    }
    return true;
}

/* LPDDR5: ACT2 in time, accesses only with the data clock in step. */
static inline bool steps_kept(struct run *r)
{
    const struct dram_device *d = r->device;
    uint64_t until[64] = {0}, activated[64] = {0}, synchronised[64] = {0};
    for (unsigned i = 0; d->act2_within && i < r->count; i++) {
        const struct issued *c = &r->log[i];
        uint32_t ch = c->at.at[DRAM_CHANNEL];
        bool reads = c->command == DRAM_RD || c->command == DRAM_RDA;
        if (c->command == DRAM_ACT)
            activated[ch] = c->clock;
        if (c->command == DRAM_CAS_RD || c->command == DRAM_CAS_WR)
            synchronised[ch] = c->clock;
        bool late = c->command == DRAM_ACT2 &&
                    c->clock > activated[ch] + d->act2_within;
        bool out = is_access(c) && c->clock >= until[ch] &&
                   synchronised[ch] + 1 != c->clock;
        if (late || out) {
            snprintf(r->problem, sizeof r->problem, "clock %llu: %s",
                     (unsigned long long)c->clock,
                     late ? "late ACT2" : "data clock out of step");
            return false;
        }
        uint64_t end = c->clock + d->clock_sync_burst +
                       (reads ? d->read_latency : d->write_latency);
        if (is_access(c) && end > until[ch])
            until[ch] = end;
    }
    return true;
}

static inline bool latency_right(const struct run *r, const struct request *q)
{
    const struct dram_done *d = &q->done;
    if (d->outcome == DRAM_MERGED)
        return q->write && !d->issue && d->done == q->accept;
    if (d->outcome == DRAM_FORWARDED)
        return !q->write && !d->issue && d->done > q->accept;
    if (d->issue <= q->accept)
        return false;
    return q->write ? d->done == d->issue
                    : d->done >= d->issue + r->device->read_latency;
}

static inline bool all_done_once(struct run *r)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        const struct request *q = &r->requests[i];
        if (q->accepted && q->times_done == 1 && q->done.accept == q->accept &&
            q->done.write == q->write && latency_right(r, q))
            continue;
        snprintf(r->problem, sizeof r->problem,
                 "request %u: accepted %d, done %u times, in %llu", i,
                 q->accepted, q->times_done, (unsigned long long)q->done.done);
        return false;
    }
    return true;
}

/* A request leaves its queue with its ACT or access. */
static inline bool queues_kept(struct run *r)
{
    const struct dram_policy *p = &r->options.policy;
    uint64_t left[REQUESTS];
    memset(left, 0xff, sizeof left);
    for (unsigned i = r->count; i-- > 0;) {
        const struct issued *c = &r->log[i];
        if (c->tag < REQUESTS && (is_access(c) || c->command == DRAM_ACT))
            left[c->tag] = c->clock;
    }
    for (unsigned i = 0; i < REQUESTS; i++) {
        uint32_t queued[2] = {0}, ch = r->requests[i].done.channel;
        for (unsigned k = 0; k <= i; k++)
            if (r->requests[k].done.channel == ch &&
                r->requests[k].done.issue && left[k] > r->requests[i].accept)
                queued[r->requests[k].write]++;
        if (queued[0] > p->read_queue || queued[1] > p->write_queue) {
            snprintf(r->problem, sizeof r->problem,
                     "state %llu: %u reads and %u writes queued",
                     (unsigned long long)r->requests[i].accept, queued[0],
                     queued[1]);
            return false;
        }
    }
    return true;
}

/* In a channel, in `clocks` clocks. */
static inline uint64_t refreshes_due(const struct dram_device *d,
                                     unsigned refresh, uint64_t clocks)
{
    uint32_t scopes = 1;
    for (unsigned l = DRAM_PSEUDO; l <= d->refresh_scope; l++)
        scopes *= d->units[l];
    if (refresh == DRAM_REFRESH_OFF)
        return 0;
    if (refresh == DRAM_REFRESH_ALL)
        return clocks / d->refresh_interval * scopes;
    uint32_t banks = d->units[DRAM_BANK];
    if (d->has[DRAM_REFPB])
        for (unsigned l = d->refresh_scope + 1u; l < DRAM_BANK; l++)
            banks *= d->units[l];
    /* Number m is due in clock m * refresh_interval / banks, rounded down. */
    return ((clocks + 1) * banks - 1) / d->refresh_interval * scopes;
}

/* All that are due, but those that are being prepared at the end. */
static inline bool refreshed(struct run *r)
{
    uint64_t due = refreshes_due(r->device, r->options.policy.refresh, r->end) *
                   r->options.channels;
    uint64_t done = 0;
    for (unsigned i = 0; i < r->count; i++)
        done += r->log[i].command == DRAM_REFAB ||
                r->log[i].command == DRAM_REFPB ||
                r->log[i].command == DRAM_REFSB;
    uint64_t late = due / 20 + 8u * r->options.channels;
    if (done <= due && done + late >= due)
        return true;
    snprintf(r->problem, sizeof r->problem, "%llu refreshes of %llu",
             (unsigned long long)done, (unsigned long long)due);
    return false;
}

static inline bool all_well(struct run *r)
{
    return !r->problem[0] && all_done_once(r) && rules_kept(r, r->device) &&
           rows_right(r) && bus_kept(r) && steps_kept(r) && queues_kept(r) &&
           refreshed(r);
}

/* ---- policies ---- */

static inline bool usable(const struct dram_policy *p,
                          const struct dram_device *d)
{
    struct error error;
    return dram_policy_check(p, d, &error);
}

static inline struct dram_policy policy_number(unsigned i)
{
    struct dram_policy p = dram_policy_of(i % 3);
    p.scheduler = i / 3 % 2;
    p.row_policy = i / 6 % 3;
    p.refresh = i / 18 % 3;
    p.cap = 1 + i % 5;
    p.timeout = 30 + 40 * (i % 4);
    if (i % 7 == 3) {
        p.read_queue = 5;
        p.write_queue = 4;
    }
    return p;
}
#define POLICIES 54

/* A run that keeps all rules; the device is to be freed. */
static inline struct run *usual_run(struct dram_device **device,
                                    unsigned policy)
{
    struct error error;
    *device = dram_device_new("ddr4-3200", &error);
    struct dram_policy p = policy_number(policy);
    struct run *r = run_new(*device, &p, 1, 7, false);
    assert_true(all_well(r));
    return r;
}

#endif
