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

struct state; /* sim/core/state.h */

#define NO_REQUEST UINT16_MAX
#define NO_ROW UINT32_MAX
#define BANK_WORDS (TIMING_BANKS / 64)

struct request {
    uint64_t age; /* smaller is older, no two are equal */
    uint64_t tag, accept;
    uint32_t column;
    uint16_t same; /* writes: the next of the same hash */
    uint8_t bank;
    bool write : 1;
    uint8_t outcome : 7; /* enum dram_outcome, or NO_OUTCOME */
};
#define NO_OUTCOME 0x7f
_Static_assert(sizeof(struct request) == 32, "two in a line");
_Static_assert(TIMING_BANKS <= UINT8_MAX + 1, "the bank's number fits");

/* A request's row, and its neighbours in its bank's list: apart from the rest
 * of it, and eight in a line of the host's, as lists are walked. */
struct request_link {
    uint32_t row;
    uint16_t older, younger;
};

#define NO_AGE UINT64_MAX

/* Those that can be picked, and the ends of the list. */
struct queue_bank {
    uint16_t hit, other;
    uint16_t oldest, youngest;
};

#define QUEUE_HASHES 512u

struct queue {
    struct request *pool;
    struct request_link *links; /* of the pool's requests */
    uint32_t size, capacity;
    uint64_t hits[BANK_WORDS], others[BANK_WORDS]; /* banks that have one */
    /* [TIMING_BANKS]; ages of those that can be picked, NO_AGE: none. They are
     * looked at together. */
    uint64_t *hit_age, *other_age;
    struct queue_bank *banks;
    uint16_t hashed[QUEUE_HASHES]; /* writes, by hash of their transaction */
};

void queue_init(struct queue *queue, struct request *pool,
                struct request_link *links, uint32_t capacity);
void queue_destroy(struct queue *queue);
/* Saves or loads the banks' lists; the struct is its channel's to save. */
void queue_state(struct queue *queue, struct state *s);

static inline bool queue_occupies(const struct queue *q, uint32_t bank)
{
    return (q->hits[bank / 64] | q->others[bank / 64]) >> (bank % 64) & 1;
}

/* Adds the youngest request, which has its row; open: row of its bank. True if
 * it is now the oldest of its kind in the bank. */
bool queue_add(struct queue *queue, uint16_t request, uint32_t open);

void queue_remove(struct queue *queue, uint16_t request, uint32_t open);

/* The bank has another row now. */
void queue_row_changed(struct queue *queue, uint32_t bank, uint32_t open);

static inline uint32_t queue_hash(uint32_t bank, uint32_t row, uint32_t column)
{
    return (row * 37 + column * 5 + bank) % QUEUE_HASHES;
}

/* Is there a write to the same transaction? */
static inline bool queue_writes(const struct queue *q, uint32_t bank,
                                uint32_t row, uint32_t column)
{
    uint16_t i = q->hashed[queue_hash(bank, row, column)];
    while (i != NO_REQUEST &&
           (q->links[i].row != row || q->pool[i].column != column ||
            q->pool[i].bank != bank))
        i = q->pool[i].same;
    return i != NO_REQUEST;
}

#endif
