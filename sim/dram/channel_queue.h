/*
 * The requests of a channel that wait for their first ACT or for a row hit:
 * one queue for reads, one for writes, and within a queue a list for each
 * bank in order of age.
 *
 * All entries of a bank that need the same command become ready in the same
 * clock, so only two of them can ever be picked: the oldest that hits the open
 * row and the oldest of the others. The queue keeps them at hand.
 */
#ifndef SIM_DRAM_CHANNEL_QUEUE_H
#define SIM_DRAM_CHANNEL_QUEUE_H

#include "sim/dram/channel_timing.h"

#define NO_REQUEST UINT16_MAX
#define NO_ROW UINT32_MAX
#define BANK_WORDS (TIMING_BANKS / 64)

struct request {
    uint64_t age; /* smaller is older, no two are equal */
    uint64_t tag, accept;
    uint32_t row, column;
    uint16_t bank, older, younger; /* neighbours in the bank's list */
    bool write;
    uint8_t outcome; /* enum dram_outcome, or NO_OUTCOME */
};
#define NO_OUTCOME UINT8_MAX

struct queue {
    struct request *pool;
    uint32_t size, capacity;
    uint64_t occupied[BANK_WORDS];
    uint16_t oldest[TIMING_BANKS], youngest[TIMING_BANKS];
    uint16_t hit[TIMING_BANKS], other[TIMING_BANKS];
    /* No command for the bank's candidates before this clock; 0 when they
     * change, later whatever the channel finds out: clocks from which on
     * commands are allowed never decrease. */
    uint64_t not_before[TIMING_BANKS];
};

void queue_init(struct queue *queue, struct request *pool, uint32_t capacity);

static inline bool queue_occupies(const struct queue *q, uint32_t bank)
{
    return q->occupied[bank / 64] >> (bank % 64) & 1;
}

/* Adds the youngest request; open: row of its bank. True if it is now the
 * oldest of its kind in the bank. */
bool queue_add(struct queue *queue, uint16_t request, uint32_t open);

void queue_remove(struct queue *queue, uint16_t request, uint32_t open);

/* The bank has another row now. */
void queue_row_changed(struct queue *queue, uint32_t bank, uint32_t open);

/* Request to the same transaction, NO_REQUEST if there is none. */
uint16_t queue_find(const struct queue *queue, uint32_t bank, uint32_t row,
                    uint32_t column);

#endif
