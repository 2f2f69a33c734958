/*
 * The lines of a hit updater: a record each, in sets of several ways that are
 * chosen by the number of the record within its partition.
 */
#ifndef SIM_HITUPDATER_LINES_H
#define SIM_HITUPDATER_LINES_H

#include "sim/units/common/address_map.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/ring.h"

#define RECORD_BYTES 16u

/* LEAVING: it was DIRTY when a kernel began, and is only written back. */
enum line_state { EMPTY, LEAVING, PENDING, CLEAN, DIRTY };

/* A record. */
struct line {
    uint64_t address;
    uint64_t used;         /* when last, in requests */
    struct msg_list loads; /* that wait for it */
    uint8_t state;         /* enum line_state */
    bool changed;          /* while it is PENDING: it will be DIRTY */
};

struct lines {
    struct line *at; /* set by set */
    uint32_t sets, ways;
    struct address_map map;
};

static inline struct line *lines_set(const struct lines *l, uint64_t address)
{
    uint64_t number = map_local(&l->map, address) / RECORD_BYTES;
    return &l->at[number % l->sets * l->ways];
}

/* The line of a record, NULL: it has none. */
static inline struct line *lines_find(const struct lines *l, uint64_t address)
{
    struct line *set = lines_set(l, address);
    for (uint32_t way = 0; way < l->ways; way++)
        if (set[way].state > LEAVING && set[way].address == address)
            return &set[way];
    return NULL;
}

/* An empty line or the least recently used one of the record's set; NULL: all
 * are being fetched. */
static inline struct line *lines_victim(const struct lines *l, uint64_t address)
{
    struct line *set = lines_set(l, address), *oldest = NULL;
    for (uint32_t way = 0; way < l->ways; way++) {
        struct line *one = &set[way];
        if (one->state == EMPTY)
            return one;
        if (one->state != PENDING && (!oldest || one->used < oldest->used))
            oldest = one;
    }
    return oldest;
}

/* ---- what is asked of main memory ---- */

/* Requests to main memory, in order: addresses or numbers of lines. */
struct asked {
    uint64_t *at;
    struct ring order;
};

static inline void asked_new(struct chip *chip, struct asked *a, uint32_t room)
{
    a->order.room = room;
    a->at = chip_alloc(chip, room, sizeof *a->at);
}

static inline void asked_push(struct asked *a, uint64_t value)
{
    a->at[ring_add(&a->order)] = value;
}

static inline uint64_t asked_pop(struct asked *a)
{
    uint64_t value = a->at[a->order.head];
    ring_drop(&a->order);
    return value;
}

#endif
