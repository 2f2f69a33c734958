/*
 * The contract between a unit and the engine: ports, links, messages, wake-ups,
 * services, accounts. This header is all that the author of a unit has to read.
 *
 * A cycle has two phases. In receive, which is called where an input has a
 * message, a unit pops from its input ports and changes its own state; in send
 * it does all else, and pushes into its output ports. It never looks at another
 * unit, nor, in send, at its inputs (another unit may just be pushing there):
 * what send has to know of them, receive writes down. So the order of the units
 * in a tile cannot be observed, and the engine may reverse it.
 *
 * A message pushed in cycle t into a link of latency L can be popped in the
 * receive phase of cycle t + L. A sender knows by credits of room at the other
 * end: a pop gives one back, in the same cycle's send phase within a tile,
 * after the link's latency between tiles. A unit that sends requests asks for
 * room first (link_ready); an answer that finds none waits at its port, and its
 * unit need not know.
 *
 * What an author has to keep is checked in a build of its own (checked.h).
 *
 * A unit sleeps until an input has a message, a port that was found without
 * credits gets one, the cycle that its send returned, or unit_wake. Waking it
 * for nothing must change nothing.
 */
#ifndef SIM_UNIT_H
#define SIM_UNIT_H

#include "sim/core/checked.h"
#include "sim/core/engine.h"
#include "sim/core/hints.h"
#include "sim/core/limit.h"
#include "sim/core/mask.h"
#include "sim/core/state.h"
#include "sim/core/trip.h"
#include <stddef.h>
#include <string.h>

/* ---- messages ---- */

/* No message, no payload. */
#define NONE UINT32_MAX

/* What travels over links: half a cache line. Only next, when and the payload
 * flag have a meaning to the engine. */
struct msg {
    uint32_t next;      /* the engine's, or of the unit that has taken it */
    uint32_t when;      /* likewise */
    uint64_t addr : 44; /* guest address */
    uint64_t from : 20; /* of the asker, e.g. the hart's number */
    uint64_t value;     /* with MSG_PAYLOAD: handle of the payload */
    uint32_t tag;
    uint8_t op;
    uint8_t size;
    uint8_t flags;
    uint8_t aux;
    TRIP_FIELD
};
_Static_assert((STALLS || sizeof(struct msg) == 32) &&
                   !offsetof(struct msg, next),
               "half a cache line; a message's place is that of next");

enum { MSG_PAYLOAD = 0x80 }; /* in flags: value is a payload handle */

/* Data that travels by value: one sector, one ray, one hit record. */
struct payload {
    uint8_t bytes[32];
};

/* ---- the unit ---- */

struct inport;  /* the end of a link at its receiver */
struct outport; /* the end of a link at its sender */

#define UNIT_PORTS_MAX 12 /* rows of a kind's port table */
#define UNIT_WORDS_MAX 12 /* words of 64 input links each, over all rows */

/* The head of every unit's struct. A row is the number of a port in the kind's
 * table; the links of a row lie side by side, numbered in the order in which
 * they were made. */
struct unit {
    struct tile *tile;
    /* The engine's, and what each cycle touches. */
    const struct unit_hints *hints;
    uint64_t bit;
    struct unit_word *mask;
    uint16_t word;
    bool unblocked;  /* a port that link_ready found full has had room since;
                        the unit clears it, if it wants to know */
    uint32_t filled; /* number of input links with messages */
    uint64_t pending[UNIT_WORDS_MAX]; /* which these are: unit_pending */
    union {                           /* [row][link]: a row has either */
        struct inport *in[UNIT_PORTS_MAX];
        struct outport *out[UNIT_PORTS_MAX];
    };
    uint16_t links[UNIT_PORTS_MAX]; /* connected to each row */
    uint8_t first_word[UNIT_PORTS_MAX];
    uint32_t id; /* number in the chip */
    const struct unit_kind *kind;
    struct chip *chip; /* for chip_alloc, in build */
    char *name, *group;
#if CHECKED
    uint64_t sum; /* of its struct, when it ran last; 0: not known */
    /* Its other memory, and the part of it that is looked at now. */
    struct checked_block *blocks, *block;
    size_t window; /* in that block, in bytes */
    uint64_t window_sum, calls;
#endif
};

/* The cycle that runs. */
static inline uint64_t unit_now(const struct unit *u);
/* No account is closed, and nothing outside the tile looks at the unit, before
 * this cycle: up to here it may work out at once what depends on it alone. */
static inline uint64_t unit_horizon(const struct unit *u);
/* The number of the unit's tile in the chip; and its name. */
static inline uint32_t unit_tile_number(const struct unit *u);
static inline const char *unit_tile_name(const struct unit *u);
/* An input port's number in its tile, and the port of that number: a unit that
 * has many may keep four bytes instead of eight. */
static inline uint32_t unit_port_number(const struct unit *u,
                                        const struct inport *in);
static inline struct inport *unit_port(const struct unit *u, uint32_t number);

/* ---- in receive: messages come in ---- */

/* The links of an input row that have messages: a mask of a bit each, for
 * mask_next. */
static inline uint64_t *unit_pending(struct unit *u, unsigned row);
/* The first message of a link; there must be one. */
static inline const struct msg *link_peek(const struct inport *in);
/* Its number (unit_msg), for hints to the host. */
static inline uint32_t link_first(const struct inport *in);
/* Takes the first message; there must be one. */
static inline struct msg link_pop(struct inport *in);
/* The same without a copy: what it returns can be read until receive returns.
 */
static inline const struct msg *link_read(struct inport *in);
/* Takes the payload of a message that was popped with MSG_PAYLOAD: once. */
static inline struct payload msg_payload(struct unit *u, const struct msg *m);

/* ---- in send: messages go out ---- */

/* Is there room for a message? If not, the unit is woken when there is. */
static inline bool link_ready(struct outport *o);
/* The same for several messages in one cycle, at most as many as the link is
 * deep. */
static inline bool link_ready_for(struct outport *o, unsigned messages);
/* Sends a message (all fields but next and when), and what goes with it, if not
 * NULL. The port must be ready, or one for answers (struct port_row). */
void link_push(struct outport *o, const struct msg *m);
void link_push_full(struct outport *o, const struct msg *m,
                    const struct payload *payload);

/* Messages for which there is room now; unlike link_ready this wakes the unit
 * for none. And has link_ready found the port full since it was last ready? */
static inline int link_room_now(const struct outport *o);
static inline bool link_awaited(const struct outport *o);

/* ---- in build, and for what the host asks ---- */

/* The unit at the other end, and the messages that a link holds. */
static inline struct unit *link_target(const struct outport *o);
static inline int link_depth(const struct outport *o);
/* Do messages take as long by both, and in the same way? */
static inline bool link_equally_far(const struct outport *a,
                                    const struct outport *b);

/* ---- sleep ---- */

/* Cycles that the engine looks ahead in one step. */
#define WHEEL 64

/* The unit runs (both phases) in cycle `when`, which is after this one. */
static inline void unit_wake(struct unit *u, uint64_t when);
/* In receive: send runs in this cycle, or need not, as it would change nothing.
 * What it was to run for in later cycles has to be asked for by unit_wake. */
static inline void unit_wake_send(struct unit *u);
static inline void unit_skip_send(struct unit *u);

/* ---- services ---- */

/*
 * Asks for a service (engine.h) about tag, e.g. which hart; now: this cycle, as
 * a tile's requests are in the order of cycles. The unit is not woken; the
 * service does what is to be done.
 */
void unit_request_service(struct unit *u, uint64_t now, uint64_t tag);

/* ---- accounts: stat.h ---- */

/* ---- messages that stay where they are ----
 *
 * A unit that passes messages on, or keeps many, may leave them in the tile's
 * pool, and handle their numbers. Fields next and when are then the unit's. A
 * message that it has taken or made it has to send or to free.
 */

static inline struct msg *unit_msg(const struct unit *u, uint32_t index);
/* Takes the first message of a link. u: the port's unit. */
static inline uint32_t link_take(struct inport *in);
static inline uint32_t link_take_of(struct unit *u, struct inport *in);
/* All messages of the tile, by number, for a unit that follows a list of them.
 * The pointer holds until the next message is made. */
static inline struct msg *unit_pool(const struct unit *u);
/* A new one, whose fields hold anything; and one less. A message that was freed
 * can be read until receive returns. */
static inline uint32_t unit_new_msg(struct unit *u);
static inline void unit_free_msg(struct unit *u, uint32_t index);
/* Copies all fields but next and when. */
static inline void msg_copy(struct msg *to, const struct msg *from);
/* Gives it a payload. */
static inline void unit_attach(struct unit *u, uint32_t index,
                               const struct payload *payload);
/* A new payload, to be sent as the value of a message with MSG_PAYLOAD; one
 * that msg_payload has not taken yet. */
static inline uint32_t unit_new_payload(struct unit *u);
static inline struct payload *unit_payload(const struct unit *u,
                                           uint64_t handle);
/* Sends it, with a payload if not NULL; like link_push_full. */
static inline void link_forward(struct outport *o, uint32_t index,
                                const struct payload *payload);
/*
 * The same, in delay cycles, for a port within a tile; delay and latency
 * together are less than WHEEL. The credit is used now. Until then the unit
 * pushes something else into the port only if the port's latency is 1; what it
 * pushes in that same cycle goes first.
 */
static inline void link_forward_later(struct outport *o, uint32_t index,
                                      uint64_t delay);
/* May messages leave up to `most` cycles after they were forwarded, depending
 * on how far the unit has worked ahead? Not where the link's room is counted,
 * as that is used at once. */
static inline bool link_sends_ahead(const struct outport *o, uint64_t most);

/* ---- the definition of a kind: chip.h ---- */

/* The tables param_rows, stat_rows, ... of its file. */
#define UNIT_TABLES                                                            \
    .param_rows = param_rows, .param_count = TABLE_COUNT(param_rows),          \
    .stat_rows = stat_rows, .stat_count = TABLE_COUNT(stat_rows),              \
    .bucket_rows = bucket_rows, .bucket_count = TABLE_COUNT(bucket_rows),      \
    .port_rows = ports, .port_count = TABLE_COUNT(ports)
/* The table state_rows, for kinds that can be saved (state.h). */
#define UNIT_STATE                                                             \
    .state_rows = state_rows, .state_count = TABLE_COUNT(state_rows)
#define LIMIT_TABLE .limit_rows = limits, .limit_count = TABLE_COUNT(limits)
#define TABLE_COUNT(table) (unsigned)(sizeof(table) / sizeof(table)[0])

/* The functions above that run too often to be calls; nothing for readers. */
#include "sim/core/unit_inline.h"

#endif
