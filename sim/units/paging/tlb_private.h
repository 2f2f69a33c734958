/*
 * A TLB's insides: its ports and state, and the store of what it holds, pages
 * by hash and in order of use, and accesses that wait for theirs. All arrays
 * are of fixed size; indices instead of pointers.
 */
#ifndef SIM_TLB_PRIVATE_H
#define SIM_TLB_PRIVATE_H

#include "sim/core/unit.h"
#include "sim/units/common/address_map.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/ring.h"
#include "sim/units/common/trip_legs.h"
#include "sim/units/paging/managed_ranges.h"
#include "sim/units/paging/tlb.h"

struct tlb_entry {
    uint64_t page;
    uint32_t prev, next; /* by use, oldest first; free ones by next */
    uint32_t chain;      /* the next one of the same hash */
    bool valid, written; /* the GMMU knows of a write */
    bool told;           /* it is among those touched */
};

/* An access that waits. */
struct tlb_wait {
    uint64_t page;
    uint32_t chain, next; /* of the same hash; free ones, or those that wait
                             with the same one */
    uint32_t msg;         /* of the tile's pool */
    uint32_t block;       /* its address in blocks */
    uint32_t group;       /* its instruction's, NO_GROUP: it shares with none */
    uint32_t joined, last; /* those that wait with it, NONE: none */
    uint16_t port;
    bool lookup;            /* of a TLB above */
    bool walks;             /* its page has been asked for, for it */
    struct msg_list behind; /* later ones that found their page, but may not
                               pass it */
};

#define NO_GROUP UINT32_MAX

/* Accesses to one block keep their order: as much as a sector may be. */
#define TLB_BLOCK_SHIFT 8

struct tlb_store {
    struct tlb_entry *entries;
    uint32_t *entry_hash, *wait_hash; /* first of each chain */
    uint32_t hash_mask;
    uint32_t oldest, newest, free_entry, count;
    struct tlb_wait *waits;
    uint32_t free_wait, wait_count;
    /* A bit for each page of the machine's memory: it was held and given up. */
    uint64_t *given_up;
    uint64_t pages;
    struct tlb_stats *stats;
};

void tlb_store_build(struct tlb_store *s, struct chip *chip,
                     const struct tlb_params *params, struct tlb_stats *stats);

/* The entry of a page, NONE: it holds it not. */
uint32_t tlb_find(const struct tlb_store *s, uint64_t page);
/* Makes the entry the newest. False: it was that before. */
bool tlb_use(struct tlb_store *s, uint32_t entry);
/* Takes a page in, which it does not hold, and counts that. */
void tlb_insert(struct tlb_store *s, uint64_t page);
/* Forgets an entry. */
void tlb_remove(struct tlb_store *s, uint32_t entry);

/* The latest access that waits for a page as this one would: of the same port
 * and block. NONE: there is none. */
uint32_t tlb_awaited(const struct tlb_store *s, const struct tlb_wait *wait);
/* One that waits for the page with a walk, of the same instruction. */
uint32_t tlb_group(const struct tlb_store *s, const struct tlb_wait *wait);
/* One more; there is room (free_wait). Its number. */
uint32_t tlb_wait(struct tlb_store *s, struct tlb_wait wait);
/* Those that number `with` stands for are one more. */
void tlb_join(struct tlb_store *s, uint32_t number, uint32_t with);
/* Takes it out of those that wait, and returns it. */
struct tlb_wait tlb_unwait(struct tlb_store *s, uint32_t number);

/* ---- the unit ---- */

enum { CPU, LOOKUP, FILL, BACK, MEM, REPLY, WALK, FOUND };

#define LINKS 256u
#define HARTS 64u /* of a port, for line_accesses */

struct tlb {
    struct unit unit;
    struct tlb_params params;
    struct tlb_stats stats;
    struct account account;
    struct tlb_store store;
    const struct machine *machine;
    const struct managed *managed; /* NULL: nothing is */
    struct address_map map;
    struct msg_list *out;           /* of each port: accesses that may go on */
    uint64_t out_ports[LINKS / 64]; /* that have some */
    struct msg_list walks, answers, found; /* the latter two: port in when */
    uint32_t *touched;                     /* entries whose use is to be told */
    struct ring touched_order;
    uint64_t *lines; /* the last one of a port and hart */
    bool moved, leftover;
};

/* tlb_build.c */
bool tlb_build(struct unit *u, struct error *error);
void tlb_complete(struct unit *u);

#endif
