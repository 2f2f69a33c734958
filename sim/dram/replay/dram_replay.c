#include "sim/dram/replay/dram_replay.h"
#include "sim/core/heap.h"
#include <stdlib.h>

static void note_command(void *context, uint64_t clock,
                         enum dram_command command,
                         const struct dram_address *at, uint64_t tag)
{
    struct replay *r = context;
    size_t n = r->command_count++;
    if (!(n & (n - 1)))
        r->commands = heap_resize(r->commands, n ? 2 * (size_t)n : 1,
                                  sizeof *r->commands, "the commands");
    r->commands[n] = (struct command){
        .clock = clock,
        .at = *at,
        .request = tag == UINT64_MAX ? UINT32_MAX : (uint32_t)tag,
        .command = (uint8_t)command,
    };
}

/* The reference's files have no command for F and W; a merged write is done
 * when it is accepted, or, in the first generation, never. */
static struct result result_of(const struct dram_done *d, bool first_generation)
{
    struct result r = {.accept = (int64_t)d->accept,
                       .issue = (int64_t)d->issue,
                       .done = (int64_t)d->done,
                       .channel = (int32_t)d->channel,
                       .kind = "HMCFW"[d->outcome]};
    if (d->outcome == DRAM_FORWARDED || d->outcome == DRAM_MERGED)
        r.issue = r.channel = -1;
    if (d->outcome == DRAM_MERGED && first_generation)
        r.done = -1;
    return r;
}

static uint32_t take_done(struct replay *r, struct dram *m,
                          bool first_generation)
{
    struct dram_done done;
    uint32_t count = 0;
    while (dram_pop(m, &done)) {
        r->results[done.tag] = result_of(&done, first_generation);
        if (done.done > r->last)
            r->last = done.done;
        count++;
    }
    return count;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* More than what is under way takes. */
#define LONG_PAUSE 1000000u

/* Where something may change: at the next request, if it has not been refused,
 * or at the memory's next event. Before a long pause all that is under way is
 * done first, so that the pause can be skipped. */
static uint64_t next_state(const struct dram *m, const struct request *q,
                           uint64_t state, bool under_way)
{
    uint64_t event = dram_next(m);
    if (!q)
        return event;
    bool pauses = q->offer > state && q->offer - state > LONG_PAUSE;
    return under_way && pauses && event < q->offer ? event : q->offer;
}

/* Events of the memory without an end of a request, after which none is waited
 * for: a device that takes longer to open a row than from refresh to refresh
 * closes it again for ever. */
#define EVENTS_MOST (1u << 22)

static bool serve(struct replay *r, struct dram *m, const struct trace *t,
                  bool first_generation, struct error *error)
{
    uint64_t state = 0;
    uint32_t events = 0;
    for (uint32_t offered = 0, done = 0; done < t->count;) {
        const struct request *q = &t->requests[offered];
        bool refused = false;
        if (offered < t->count && q->offer <= state) {
            refused = !dram_offer(m, state, q->write, q->address, offered);
            offered += !refused;
            q += !refused;
        }
        uint64_t next = next_state(m, offered < t->count && !refused ? q : NULL,
                                   state, done < offered);
        if (next == DRAM_NEVER || events++ == EVENTS_MOST)
            return error_set(error,
                             "stuck at clock %llu: none of %u requests that "
                             "wait can be done",
                             (unsigned long long)state, dram_pending(m));
        state = later(next, state + 1);
        if (!r->lists)
            dram_skip(m, state);
        dram_run(m, state);
        const uint32_t more = take_done(r, m, first_generation);
        done += more;
        events = more ? 0 : events;
    }
    return true;
}

static bool pauses_are_short(const struct trace *t, struct error *error)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        uint64_t offer = t->requests[i].offer;
        if (offer - before > REPLAY_PAUSE_MAX)
            return error_set(error,
                             "--commands: request %u is offered %llu clocks "
                             "after the one before, at most %llu can be listed",
                             i, (unsigned long long)(offer - before),
                             (unsigned long long)REPLAY_PAUSE_MAX);
        before = offer;
    }
    return true;
}

bool replay_run(struct replay *replay, const struct trace *trace,
                const struct dram_options *options, bool commands,
                struct error *error)
{
    *replay = (struct replay){.lists = commands};
    struct dram *m = NULL;
    if (!commands || pauses_are_short(trace, error))
        m = dram_new(options, error);
    if (!m)
        return false;
    replay->results =
        heap_new(trace->count, sizeof *replay->results, "the results");
    if (commands)
        dram_on_command(m, note_command, replay);
    bool ok = serve(replay, m, trace, options->policy.rules != DRAM_RAMULATOR21,
                    error);
    /* Commands up to the last completion belong to the replay. */
    if (ok) {
        dram_run(m, replay->last);
        replay->stats = heap_new(1, sizeof *replay->stats, "the statistics");
        dram_statistics(m, replay->last, replay->stats);
    }
    dram_free(m);
    return ok;
}

void replay_free(struct replay *replay)
{
    free(replay->results);
    free(replay->commands);
    free(replay->stats);
}
