/*
 * One DRAM channel with its controller. channel.c decides what is issued when;
 * channel_issue.c does what an issued command means for banks, queues and
 * statistics; channel_chores.c sees to refresh and to rows that the row policy
 * wants closed.
 *
 * A channel runs from event to event: channel_step(clock) issues what is to be
 * issued in this clock and sets `due`, the next clock in which something can
 * happen. It may be early: a step for nothing changes nothing. Up to `limit`
 * nothing is offered, so it may look that far ahead.
 */
#ifndef SIM_DRAM_CHANNEL_H
#define SIM_DRAM_CHANNEL_H

#include "sim/dram/channel_queue.h"
#include "sim/dram/dram.h"
#include "sim/dram/stats.h"

#define MOST_CHORES 1024

enum direction { READS, WRITES };

/* Refresh or close, done before requests from the queues. */
struct chore {
    uint8_t command; /* REFab, REFpb, REFsb or PRE; others may come first */
    struct timing_target at;
    uint32_t row, column; /* of the access that asked for PRE, for logs */
};

/* One command a clock; two buses; LPDDR5. */
enum stepping { STEP_SINGLE, STEP_DUAL, STEP_LPDDR };

enum source { FROM_ACTIVE, FROM_QUEUE, FROM_CHORES, FROM_TIMEOUT };

/* What is to be issued next if nothing comes between. */
struct pick {
    uint64_t when; /* clock, DRAM_NEVER: nothing */
    uint64_t age;
    uint16_t request; /* NO_REQUEST: a chore or a timeout */
    uint8_t command;
    uint8_t from; /* enum source */
    struct timing_target at;
};

/* Known completions of all channels, a ring that grows if not popped. */
struct completions {
    struct dram_done *ring;
    uint32_t room, head, count;
};

/* What all channels of a memory share. */
struct channel_env {
    const struct dram_device *device;
    struct dram_policy policy;
    struct timing_rules *rules;
    struct completions completions;
    dram_command_hook *hook;
    void *hook_context;
    dram_bus_hook *bus_hook;
    void *bus_context;
    uint32_t pseudo_groups; /* of a pseudo-channel, a power of two */
    uint8_t pseudo_shift;   /* its logarithm */
    uint8_t rank_shift;     /* of the banks of a rank */
};

/* What each command looks at comes first, what there is of each bank last. */
struct channel {
    struct channel_env *env;
    uint64_t *due; /* in the memory's list of all channels' */
    bool writing;  /* queue that is served, if there is anything in it */
    bool wrote;    /* what was taken from a queue last was a write */
    bool planned;  /* plan holds */
    bool is21, merges;
    bool restrained;  /* not every bank may be closed for another row */
    bool closes_used; /* rows that the policy wants closed arise as chores */
    uint8_t stepping; /* enum stepping */
    uint8_t row_policy, scheduler;
    uint8_t bank_words;
    struct pick plan;
    uint64_t refresh_due, close_due;
    uint32_t chore_head, chore_count;
    uint32_t write_high, write_low; /* drain above, and until below */

    /* Requests whose row was opened for them. Banks are not closed under them:
     * that many stand in each bank. One whose row was closed all the same (by
     * another's RDA) and is opened again counts twice, and once for ever, as
     * in the reference; what counts is forgotten while there are none. */
    uint16_t *active;
    uint32_t active_count, active_room;

    struct request *pool;
    struct request_link *links;
    uint64_t *first; /* clocks of requests' first commands */
    uint16_t *free;  /* stack of unused requests */
    uint32_t free_count;
    uint16_t activating; /* ACT2 is outstanding (LPDDR5) */
    uint64_t ages;
    uint64_t last_read_done;
    uint64_t full_since[2];    /* state, DRAM_NEVER: there is room */
    uint64_t in_step_until;    /* data clock (LPDDR5) */
    uint64_t open[BANK_WORDS]; /* banks that have a row */
    struct timing timing;
    struct dram_stats stats;
    struct queue queues[2]; /* by enum direction */

    uint32_t row[TIMING_BANKS]; /* open, or NO_ROW */
    uint32_t active_in[TIMING_BANKS];
    uint32_t accesses[TIMING_BANKS];    /* row policy: since the bank opened */
    bool close_asked[TIMING_BANKS];     /* row policy: PRE is a chore */
    uint64_t last_access[TIMING_BANKS]; /* timeout */
    uint16_t rank_banks[TIMING_BANKS];  /* open in each rank */
    uint64_t rank_since[TIMING_BANKS];  /* clock in which its first opened */
    struct chore chores[MOST_CHORES];   /* ring */
    uint32_t refresh_turn;              /* bank of each scope, if by bank */
    uint32_t number;
    uint64_t act2_deadline;
    struct pick synchronised; /* RD or WR that CAS was issued for (LPDDR5) */
};

void channel_init(struct channel *channel, struct channel_env *env,
                  uint32_t number, uint64_t *due);
void channel_destroy(struct channel *channel);

bool channel_offer(struct channel *channel, uint64_t state, bool write,
                   struct dram_place at, uint64_t tag);
void channel_step(struct channel *channel, uint64_t clock, uint64_t limit);
/* Up to the clock, as steps would, but without telling hooks of all commands; a
 * channel in which something else happens than refreshes may stay behind. */
void channel_skip(struct channel *channel, uint64_t clock);
/* Saved or loaded, but for env and due. */
void channel_state(struct channel *channel, struct state *s);
void channel_explain(const struct channel *channel, FILE *out);

/* ---- channel_issue.c ---- */

void channel_issue(struct channel *channel, const struct pick *pick,
                   uint64_t clock);
/* A read whose data is there at `done` at the earliest, or a write; issue 0:
 * without command. */
void channel_complete(struct channel *channel, const struct request *request,
                      uint64_t issue, uint64_t done);

/* ---- channel_chores.c ---- */

void chores_init(struct channel *channel);
/* Clocks after which refreshes are where they were; 0: there are none. */
uint64_t chores_period(const struct channel *channel);
/* Adds what falls due in this clock; sets close_due. */
void chores_arise(struct channel *channel, uint64_t clock);
/* Next command for the chore at the head, if it is ready before `best`. */
void chores_pick(const struct channel *channel, uint64_t clock,
                 struct pick *best);
/* Nothing but active requests is served besides the head, which there is. */
bool chores_block(const struct channel *channel);
/* The head waits for this bank to be idle. */
bool chores_reserve(const struct channel *channel, uint32_t bank);
/* What row policies other than open have to know of an issued command. */
void chores_note(struct channel *channel, const struct pick *pick,
                 uint64_t clock);
/* Closes a bank that no request has wanted for long. */
void chores_timeout(const struct channel *channel, uint64_t clock,
                    struct pick *best);

static inline bool channel_is21(const struct channel *c)
{
    return c->is21;
}

static inline bool channel_is_active(const struct channel *c, uint32_t bank)
{
    return c->active_count && c->active_in[bank];
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
