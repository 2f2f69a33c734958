/*
 * What an issued command means: timing, bank state, the request's way from its
 * queue to the active ones and out, statistics.
 */
#include "sim/core/heap.h"
#include "sim/dram/channel.h"
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void grow(struct completions *c)
{
    uint32_t room = c->room ? 2 * c->room : 64;
    struct dram_done *ring = heap_new(room, sizeof *ring, "DRAM answers");
    for (uint32_t i = 0; i < c->count; i++)
        ring[i] = c->ring[(c->head + i) & (c->room - 1)];
    free(c->ring);
    *c = (struct completions){ring, room, 0, c->count};
}

static __attribute__((noinline)) void
complete_with_room(struct channel *c, const struct request *r, uint64_t issue,
                   uint64_t done)
{
    grow(&c->env->completions);
    channel_complete(c, r, issue, done);
}

void channel_complete(struct channel *c, const struct request *r,
                      uint64_t issue, uint64_t done)
{
    struct completions *q = &c->env->completions;
    if (q->count == q->room) {
        complete_with_room(c, r, issue, done);
        return;
    }
    if (!r->write) {
        /* Reads leave in order, in 2.0 one in a clock: a forwarded one waits
         * for those that were on their way. */
        done = later(done, c->last_read_done + !channel_is21(c));
        c->last_read_done = done;
        dram_stats_latency(&c->stats, done - r->accept);
    }
    q->ring[(q->head + q->count++) & (q->room - 1)] =
        (struct dram_done){.tag = r->tag,
                           .accept = r->accept,
                           .first = issue ? c->first[r - c->pool] : 0,
                           .issue = issue,
                           .done = done,
                           .channel = c->number,
                           .write = r->write,
                           .outcome = r->outcome};
}

/* A bank opens, or closes. */
static void note_rank(struct channel *c, uint32_t bank, bool opens,
                      uint64_t clock)
{
    uint32_t rank = bank >> c->env->rank_shift;
    if (opens && !c->rank_banks[rank]++)
        c->rank_since[rank] = clock;
    if (!opens && !--c->rank_banks[rank])
        c->stats.rank_open += clock - c->rank_since[rank];
}

static void set_row(struct channel *c, uint32_t bank, uint32_t row,
                    uint64_t clock)
{
    uint64_t bit = UINT64_C(1) << bank % 64;
    if ((c->row[bank] == NO_ROW) != (row == NO_ROW))
        note_rank(c, bank, row != NO_ROW, clock);
    c->row[bank] = row;
    c->open[bank / 64] &= ~bit;
    c->open[bank / 64] |= row == NO_ROW ? 0 : bit;
    queue_row_changed(&c->queues[READS], bank, row);
    queue_row_changed(&c->queues[WRITES], bank, row);
}

static void close_banks(struct channel *c, const struct timing_target *at,
                        uint64_t clock)
{
    for (uint32_t i = 0, b = at->bank; i < at->banks; i++, b += at->stride)
        if (c->row[b] != NO_ROW)
            set_row(c, b, NO_ROW, clock);
}

/* A hit that first has to bring the data clock into step is none: CAS takes
 * part of a miss's time, and the reference's traces say so too. */
static enum dram_outcome outcome_of(const struct channel *c, uint16_t request,
                                    uint8_t command)
{
    uint32_t open = c->row[c->pool[request].bank];
    if (open == NO_ROW || command == DRAM_CAS_RD || command == DRAM_CAS_WR)
        return DRAM_MISS;
    return open == c->links[request].row ? DRAM_HIT : DRAM_CONFLICT;
}

static void count_outcome(struct channel *c, uint16_t request, uint8_t command)
{
    static const uint16_t counters[2][3] = {
        {offsetof(struct dram_stats, read_hits),
         offsetof(struct dram_stats, read_misses),
         offsetof(struct dram_stats, read_conflicts)},
        {offsetof(struct dram_stats, write_hits),
         offsetof(struct dram_stats, write_misses),
         offsetof(struct dram_stats, write_conflicts)},
    };
    struct request *r = &c->pool[request];
    r->outcome = outcome_of(c, request, command);
    ++*(uint64_t *)((char *)&c->stats + counters[r->write][r->outcome]);
}

static uint32_t field(bool about, uint32_t value)
{
    return about ? value : UINT32_MAX;
}

/* Address of a target in the terms of the tree. Users of the hook want every
 * command, so there is a table of the single banks'. */
static struct dram_address address_of(const struct channel *c,
                                      const struct timing_target *at)
{
    const uint32_t *units = c->env->device->units;
    struct dram_address a = c->env->rules->address[at->bank];
    bool one_rank = at->groups <= units[DRAM_GROUP];
    bool one_pseudo = at->groups <= units[DRAM_GROUP] * units[DRAM_RANK];
    bool one_bank = at->banks == 1 || at->stride > 1;
    a.at[DRAM_CHANNEL] = c->number;
    a.at[DRAM_PSEUDO] = field(one_pseudo, a.at[DRAM_PSEUDO]);
    a.at[DRAM_RANK] = field(one_rank, a.at[DRAM_RANK]);
    a.at[DRAM_GROUP] = field(at->groups == 1, a.at[DRAM_GROUP]);
    a.at[DRAM_BANK] = field(one_bank, a.at[DRAM_BANK]);
    return a;
}

static void tell(const struct channel *c, const struct pick *p, uint64_t clock)
{
    struct dram_address at = address_of(c, &p->at);
    uint64_t tag = UINT64_MAX;
    if (p->request != NO_REQUEST) {
        const struct request *r = &c->pool[p->request];
        at.at[DRAM_ROW] = c->links[p->request].row;
        at.at[DRAM_COLUMN] = r->column;
        tag = r->tag;
    } else if (p->from == FROM_CHORES) {
        at.at[DRAM_ROW] = c->chores[c->chore_head].row;
        at.at[DRAM_COLUMN] = c->chores[c->chore_head].column;
    }
    c->env->hook(c->env->hook_context, clock, p->command, &at, tag);
}

/* A data bus is taken: by data, or by a refresh of all banks. */
static void tell_bus(const struct channel *c, const struct pick *p,
                     uint64_t clock)
{
    const struct channel_env *env = c->env;
    uint32_t pseudo = p->at.groups <= env->pseudo_groups
                          ? (uint32_t)p->at.group >> env->pseudo_shift
                          : UINT32_MAX;
    env->bus_hook(env->bus_context, clock, p->command, c->number, pseudo);
}

static bool takes_bus(uint8_t command)
{
    return command == DRAM_RD || command == DRAM_WR || command == DRAM_RDA ||
           command == DRAM_WRA || command == DRAM_REFAB;
}

static void count_command(struct channel *c, enum dram_command command)
{
    const struct dram_device *d = c->env->device;
    c->stats.commands[command]++;
    if (command == DRAM_RD || command == DRAM_RDA) {
        c->stats.bytes_read += d->transaction;
        c->stats.data_busy += d->burst;
    } else if (command == DRAM_WR || command == DRAM_WRA) {
        c->stats.bytes_written += d->transaction;
        c->stats.data_busy += d->burst;
    } else if (command == DRAM_REFAB) {
        c->stats.refreshes++;
        c->stats.refresh_busy += d->refresh_cycles;
    } else if (command == DRAM_REFPB || command == DRAM_REFSB) {
        c->stats.refreshes++;
    }
}

static void take_from_queue(struct channel *c, uint16_t request, uint64_t clock)
{
    const struct request *r = &c->pool[request];
    queue_remove(&c->queues[r->write], request, c->row[r->bank]);
    c->stats.write_drains += r->write && !c->wrote;
    c->wrote = r->write;
    if (c->full_since[r->write] == DRAM_NEVER)
        return;
    uint64_t *full =
        r->write ? &c->stats.write_queue_full : &c->stats.read_queue_full;
    *full += clock - c->full_since[r->write];
    c->full_since[r->write] = DRAM_NEVER;
}

static void take_from_active(struct channel *c, uint16_t request)
{
    uint32_t i = 0;
    while (c->active[i] != request) {
        i++;
        assert(i < c->active_count);
    }
    c->active_count--;
    memmove(&c->active[i], &c->active[i + 1],
            (c->active_count - i) * sizeof *c->active);
    c->active_in[c->pool[request].bank]--;
}

static void make_active(struct channel *c, uint16_t request)
{
    c->active[c->active_count++] = request;
    c->active_in[c->pool[request].bank]++;
}

static void extend_step(struct channel *c, bool write, uint64_t clock)
{
    const struct dram_device *d = c->env->device;
    uint64_t until = clock + (write ? d->write_latency : d->read_latency) +
                     d->clock_sync_burst;
    c->in_step_until = later(c->in_step_until, until);
}

static void finish(struct channel *c, const struct pick *p, uint64_t clock)
{
    const struct request *r = &c->pool[p->request];
    if (p->from == FROM_ACTIVE)
        take_from_active(c, p->request);
    else
        take_from_queue(c, p->request, clock);
    extend_step(c, r->write, clock);
    channel_complete(c, r, clock,
                     r->write ? clock : clock + c->env->device->read_latency);
    c->free[c->free_count++] = p->request;
}

/* Without room among the active the request stays in its queue. */
static void open_row(struct channel *c, const struct pick *p, uint64_t clock)
{
    const struct request *r = &c->pool[p->request];
    if (c->active_count < c->active_room && p->from == FROM_QUEUE) {
        take_from_queue(c, p->request, clock);
        make_active(c, p->request);
    } else if (c->active_count < c->active_room) {
        c->active_in[r->bank]++; /* counts twice */
    }
    set_row(c, r->bank, c->links[p->request].row, clock);
}

static void begin_activation(struct channel *c, const struct pick *p,
                             uint64_t clock)
{
    if (p->from == FROM_ACTIVE)
        take_from_active(c, p->request);
    else
        take_from_queue(c, p->request, clock);
    c->activating = p->request;
    c->act2_deadline = clock + c->env->device->act2_within;
}

static void end_activation(struct channel *c, const struct pick *p,
                           uint64_t clock)
{
    const struct request *r = &c->pool[p->request];
    c->activating = NO_REQUEST;
    make_active(c, p->request);
    set_row(c, r->bank, c->links[p->request].row, clock);
}

static void change_state(struct channel *c, const struct pick *p,
                         uint64_t clock)
{
    switch (p->command) {
    case DRAM_ACT:
        if (c->env->device->act2_within)
            begin_activation(c, p, clock);
        else
            open_row(c, p, clock);
        break;
    case DRAM_ACT2:
        end_activation(c, p, clock);
        break;
    case DRAM_RD:
    case DRAM_WR:
        finish(c, p, clock);
        break;
    case DRAM_RDA:
    case DRAM_WRA:
        finish(c, p, clock);
        close_banks(c, &p->at, clock);
        break;
    case DRAM_PRE:
    case DRAM_PREA:
        close_banks(c, &p->at, clock);
        break;
    default:
        break;
    }
}

void channel_issue(struct channel *c, const struct pick *p, uint64_t clock)
{
    if (p->request != NO_REQUEST && c->pool[p->request].outcome == NO_OUTCOME) {
        count_outcome(c, p->request, p->command);
        c->first[p->request] = clock;
    }
    timing_issue(&c->timing, p->command, &p->at, clock);
    count_command(c, p->command);
    if (c->env->hook)
        tell(c, p, clock);
    if (c->env->bus_hook && takes_bus(p->command))
        tell_bus(c, p, clock);
    change_state(c, p, clock);
    if (c->row_policy != DRAM_OPEN)
        chores_note(c, p, clock);
    if (p->from == FROM_CHORES &&
        p->command == c->chores[c->chore_head].command) {
        c->chore_head = (c->chore_head + 1) % MOST_CHORES;
        assert(c->chore_count);
        c->chore_count--;
    }
}
