/*
 * The insides of the scene buffer, shared by scenebuffer*.c:
 *
 *   scenebuffer.c        the unit: requests of caches, the account, the tables
 *   scenebuffer_build.c  parameters and neighbours checked, memory taken
 *   scenebuffer_slots.c  commands, slots, sectors asked for and come
 */
#ifndef SIM_UNITS_SCENEBUFFER_PRIVATE_H
#define SIM_UNITS_SCENEBUFFER_PRIVATE_H

#include "sim/units/common/address_map.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/stream.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/streams/scenebuffer.h"

enum { CPU, COMMAND, DATA, REPLY, COMPLETE, MEM };

#define SCENEBUFFER_CPUS 256
#define SCENEBUFFER_LINE 64u /* bytes that lie side by side in a bank */

/* What a slot holds; fill: the number of the fetch, through all of the run. */
struct slot {
    uint32_t segment, fill;
    uint32_t left; /* sectors that have not come */
    uint32_t next; /* slot of the same chain, NONE */
};

/* A fetch whose sectors are being asked for. */
struct fill {
    uint32_t segment, slot;
};

/* What is asked for of a partition next: the sector at `at` of that fetch, or
 * the first one there that is the partition's; at 0: from its start. */
struct channel {
    uint32_t fill;
    uint64_t at;
};

/* A request of a cache that has been taken, and its answer. */
struct taken {
    uint64_t due;
    uint32_t port;
    struct msg reply;
};

struct scenebuffer {
    struct unit unit;
    struct scenebuffer_params params;
    struct scenebuffer_stats stats;
    struct account account;
    const struct machine *machine;
    struct address_map map;
    uint8_t kernel; /* stream_kernel */
    uint64_t launches;

    /* Slots, as the bound scene divides the buffer. */
    uint64_t start;    /* address of treelet 0 */
    uint32_t bytes;    /* of a treelet, 0: there are none */
    uint32_t treelets; /* of the scene */
    uint32_t slots;    /* in use or free */
    uint32_t used;
    uint32_t awaited;    /* slots whose treelet is not all there */
    uint64_t used_since; /* cycles before are in slot_cycles */
    uint32_t room;       /* slots of the smallest treelets */
    uint64_t *free;      /* mask of slots */
    struct slot *slot;   /* [room] */
    uint32_t *chains;    /* first slots by segment, [chain_mask + 1] */
    uint32_t chain_mask;

    /* Commands that wait, and fetches that have begun. */
    struct msg *commands;
    struct ring commands_order;
    struct fill *fills;       /* ring of room + 1 */
    uint32_t fill_count;      /* begun in all of the run */
    struct channel *channels; /* [map_parts] */
    uint32_t *done;           /* segments that are there */
    struct ring done_order;   /* of room + 1 */
    struct msg fault;         /* the memory has refused a sector; op 0: none */
    bool fault_told;

    /* Requests of caches. */
    struct taken *taken; /* by due */
    struct ring taken_order;
    uint32_t next_port;
    bool leftover; /* requests or commands wait at their ports */
    bool worked;   /* in this cycle */
    bool again;    /* scenebuffer_run has work in the next one */
};

/* ---- scenebuffer_build.c ---- */
bool scenebuffer_build(struct unit *u, struct error *error);
bool scenebuffer_reads(const struct unit *u, const struct corbel_scene *scene,
                       struct error *error);

/* ---- scenebuffer_slots.c ---- */
void scenebuffer_launch(struct unit *u, uint64_t now);
/* In receive: commands into the queue, and sectors that have come. */
void scenebuffer_take_commands(struct scenebuffer *s);
void scenebuffer_take_sectors(struct scenebuffer *s);
/* In send: reports a treelet, performs a command, asks for sectors; again: more
 * of that is to be done in the next cycle. */
void scenebuffer_run(struct scenebuffer *s, uint64_t now);
/* The slot of a treelet all of which is there, NULL: it is not. */
const struct slot *scenebuffer_find(const struct scenebuffer *s,
                                    uint32_t segment);
/* Books the slots in use in the cycles before now. */
void scenebuffer_book_slots(struct scenebuffer *s, uint64_t now);

#endif
