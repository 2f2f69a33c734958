/*
 * A memory of one or more DRAM channels behind one request port, each with a
 * controller of its own: queues, FR-FCFS, write drain, row policy, refresh.
 *
 * Time is the device's command clock. State t is what holds after t clocks: a
 * request accepted in state t can have a command from clock t + 1 on. A
 * command is issued in a clock; a read is done in clock `done`, a write at its
 * WR. Between events nothing happens, so a user runs from event to event:
 *
 *     dram_offer(m, state, ...)   accepted or not, state never decreases
 *     dram_next(m)                no command and no room before that
 *     dram_run(m, clock)          all that happens up to and including clock
 *     dram_pop(m, &done)          completions, as soon as they are known
 *
 * The rules are those of Ramulator 2 (both its generations), so that its
 * traces are met cycle by cycle; dram_policy.h says what can be chosen.
 */
#ifndef SIM_DRAM_DRAM_H
#define SIM_DRAM_DRAM_H

#include "sim/dram/device.h"
#include "sim/dram/dram_policy.h"
#include "sim/dram/mapping.h"
#include <stdio.h>

struct state;

#define DRAM_NEVER UINT64_MAX

struct dram;

/* How the first command for a request found its bank, or why there was none. */
enum dram_outcome {
    DRAM_HIT,       /* row open */
    DRAM_MISS,      /* bank closed, or data clock out of step (LPDDR5) */
    DRAM_CONFLICT,  /* another row open */
    DRAM_FORWARDED, /* read served from the write queue */
    DRAM_MERGED,    /* write merged into a queued one */
};

struct dram_done {
    uint64_t tag;    /* of the offer */
    uint64_t accept; /* state */
    uint64_t first;  /* clock of the first command for it; 0: none */
    uint64_t issue;  /* clock of RD or WR; 0: none */
    uint64_t done;   /* read: data there; write: WR; merged: accept */
    uint32_t channel;
    bool write;
    uint8_t outcome; /* enum dram_outcome */
};

struct dram_options {
    const struct dram_device *device; /* kept by reference */
    struct dram_policy policy;
    const char *mapping; /* order, NULL: the policy's or device's usual one */
    uint32_t channels;
};

/* NULL and an error that names the impossible option. */
struct dram *dram_new(const struct dram_options *options, struct error *error);
void dram_free(struct dram *dram);

/*
 * Offers a request for one transaction in this state; all clocks up to it have
 * been run. False: its queue is full, room arises at dram_next at the earliest.
 */
bool dram_offer(struct dram *dram, uint64_t state, bool write, uint64_t address,
                uint64_t tag);

/* First clock that dram_run has to run: in which a command is issued and so a
 * completion gets known or a queue gets room. May be early, never late.
 * DRAM_NEVER: empty and no refresh. */
uint64_t dram_next(const struct dram *dram);

/* True if completions are known. */
bool dram_run(struct dram *dram, uint64_t clock);

/*
 * dram_run(clock) is to come, and nothing is offered before: if nothing is
 * pending, refreshes until then are counted without being run one by one, and
 * hooks do not hear of them. Of no influence on anything else.
 */
void dram_skip(struct dram *dram, uint64_t clock);

/*
 * The next completion that is known, in order of getting known: a read's is
 * when its RD is issued, so `done` may be a clock that is yet to come; the
 * caller waits. The reads of one channel come in order of `done`. False: none.
 * Writes are reported too.
 */
bool dram_pop(struct dram *dram, struct dram_done *done);
/* The same, where it lies: until the next offer or run; NULL: none. */
const struct dram_done *dram_take(struct dram *dram);

/* Requests accepted whose completion has not been popped. */
uint32_t dram_pending(const struct dram *dram);

/* Called for every command in order of issue; for logs and tests. Fields that
 * a command is not about are UINT32_MAX. tag: UINT64_MAX for no request. */
typedef void dram_command_hook(void *context, uint64_t clock,
                               enum dram_command command,
                               const struct dram_address *at, uint64_t tag);
void dram_on_command(struct dram *dram, dram_command_hook *hook, void *context);

/* Called for those commands only that take a data bus: RD, WR, RDA, WRA, and
 * REFab. pseudo: UINT32_MAX for all of the channel's pseudo-channels. */
typedef void dram_bus_hook(void *context, uint64_t clock,
                           enum dram_command command, uint32_t channel,
                           uint32_t pseudo);
void dram_on_bus(struct dram *dram, dram_bus_hook *hook, void *context);

/* Of all channels; see DRAM_STATS in stats.h. */
struct dram_stats;
void dram_statistics(const struct dram *dram, uint64_t clock,
                     struct dram_stats *stats);

/* Saves it, or loads it into one that was made with the same options. */
void dram_state(struct dram *dram, struct state *s);

/* State of a channel's queues and banks, for the diagnosis of a hang. */
void dram_explain(const struct dram *dram, FILE *out);

#endif
