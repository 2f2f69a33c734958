/* How the engine drives a tile, and a tile its parts; for sim/core only. */
#ifndef SIM_TILE_RUN_H
#define SIM_TILE_RUN_H

#include "sim/core/unit.h"

#define FORCE_INLINE inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))

/* An array of the chip that had room for old entries, with room for others; 0:
 * without any. */
#define GROW(chip, array, old, room)                                           \
    pile_regrow(&(chip)->pile, array, (old) * sizeof *(array),                 \
                (room) * sizeof *(array))

/* A credit that becomes usable at an output port of the tile. */
struct credit {
    uint32_t port;
    uint32_t when; /* low 32 bits */
};

/* Mail from one host thread to one tile, written in one epoch, read in the
 * next; entry i's payload, if it has one, is payloads[i]. */
struct mailbox {
    struct msg *mail;
    struct payload *payloads;
    struct credit *credits;
    uint8_t *posted; /* set with the first message or credit */
    uint32_t count, room;
    uint32_t credit_count, credit_room;
    char pad[16]; /* one box to a cache line */
};

void mailbox_free(struct chip *chip, struct mailbox *box);

/* wheel.c: moves mail into the wheel. */
void tile_take_mail(struct tile *t, struct mailbox *box);
/* wheel.c: messages and credits that were listed for this cycle are there. */
void tile_take_slot(struct tile *t, unsigned slot);

/* From now on its units run in the opposite order; before any is woken. */
void tile_reverse(struct tile *t);

/* Runs the cycles [from, to). Returns the last one in which something was due;
 * 0: none was. */
uint64_t tile_run(struct tile *t, uint64_t from, uint64_t to,
                  const struct engine_options *options);

/* The first cycle at or after from in which something is due. */
uint64_t tile_next_event(const struct tile *t, uint64_t from);

#endif
