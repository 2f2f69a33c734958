/*
 * What the files of the staging buffer share.
 *
 *   stager.c           the unit: what is taken and what is sent in a cycle
 *   stager_requests.c  requests of thread processors and of the RT core,
 *                      answers of hit updaters
 *   stager_items.c     buckets: which worker gets an item, what is complete
 */
#ifndef SIM_STAGER_PRIVATE_H
#define SIM_STAGER_PRIVATE_H

#include "sim/units/common/address_map.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/common/served_words.h"
#include "sim/units/common/stream.h"
#include "sim/units/streams/stager.h"
#include <assert.h>
#include <corbel/streams.h>

enum { OP, ITEM, BUCKET, RECORD, DONE, WORK, SCHED, HIT };

/* The RT core, where thread processors have their number. */
#define RTCORE 256u
#define RTCORE_SLOTS 1024u
#define CORE_HARTS 64u

/* What an address may be in a message. */
#define ADDRESSES ((UINT64_C(1) << 44) - 1)

/* Items of the largest bucket: 8192 bytes, 16 for its head, 36 for each. */
#define BUCKET_ITEMS 227u

/* Words of an item for a thread processor: ray, its number, segment and hint.
 */
enum { ITEM_NUMBER = 8, ITEM_WORD, ITEM_WORDS, ITEM_HINT = 24 };

struct staged {
    struct payload ray;
    uint32_t number;
    uint8_t hint;
};

struct bucket {
    struct staged *items;
    uint32_t segment;
    uint32_t count, come, gone; /* items: in all, here, handed out */
};

/* The items of a segment that are here or being worked on, and the buckets that
 * they came in. No items: it is free. */
struct work {
    uint32_t segment, items, buckets;
};

/* Hits that are not answered yet, and ends of buckets that wait for them. */
struct generation {
    uint32_t hits;
    struct msg_list completes;
};

/* A message that is to be sent on; then the thread processor is answered, if
 * answered. */
struct request {
    struct msg msg;
    struct payload payload;
    bool held, carries, answered;
    uint8_t row;
    uint16_t link;
    uint16_t port;
    uint32_t tag;
};

/* Why the unit itself has refused something. */
enum refusal {
    REFUSAL_NONE,
    REFUSAL_ADDRESS, /* a record that no address has */
    REFUSAL_RTCORE,  /* it takes the items, and no records are said */
    REFUSAL_RECORDS, /* they are, and thread processors take the items */
    REFUSAL_LATE,    /* an item after the end */
};

struct stager {
    struct unit unit;
    struct stager_params params;
    struct stager_stats stats;
    struct account account;
    struct machine *machine;
    struct address_map map; /* of partitions */

    uint8_t kernel;
    uint64_t launches;
    bool begun, ended; /* the kernel uses streams; has no more items */
    bool tell_begin;   /* to the RT core */

    struct bucket bucket[2];
    uint32_t front;        /* items are handed out of this one */
    bool asked;            /* for a bucket */
    uint64_t records;      /* the record of ray 0 */
    struct msg_list slots; /* requests for items */
    struct msg_list
        loads; /* requests for records, until there are no more items */
    struct work *works; /* the first work_count have been used */
    uint32_t work_count;
    uint32_t *has; /* [slot] the work of its item, NONE */

    struct generation generation[2];
    uint32_t old;              /* the one that is waited for */
    struct msg_list completes; /* to be sent */

    struct request request;
    struct msg
        record; /* an answer of a hit updater in this cycle; op 0: none */
    struct payload record_payload;
    struct msg refused; /* but to a hart's own access; op 0: nothing */
    bool told;          /* a thread processor knows it */
    uint8_t why;        /* enum refusal: the first in the kernel */
    uint32_t next_port, next_record;
    bool rtcore_next;    /* it is its turn */
    bool worked, handed; /* in this cycle */
};

/* ---- stager_items.c ---- */

void staged_new(struct stager *s);
void staged_launch(struct stager *s);
/* A worker that asks for an item has finished its last one. The message becomes
 * the stager's; port: whose it is. */
void staged_ask(struct stager *s, const struct msg *m, uint32_t port);
/* A hit is under way: the generation that counts it. */
uint32_t staged_note_hit(struct stager *s);
void staged_end_hit(struct stager *s, uint32_t generation);
/* Of the scheduler. */
void staged_take(struct stager *s, const struct msg *m);
/* An item, or that there are none, to the worker that has waited longest. */
void staged_hand_out(struct stager *s);
/* A bucket is to be asked for. */
bool staged_want_bucket(const struct stager *s);

/* ---- stager_requests.c ---- */

void stager_drop_requests(struct stager *s);
/* Takes a request, if none is held. */
void stager_take_request(struct stager *s);
/* Takes an answer of a hit updater, and in send passes it on. */
void stager_take_record(struct stager *s);
void stager_pass_record(struct stager *s);
/* An access of a ray, to its record or for a bucket, was refused. */
void stager_note_refusal(struct stager *s, const struct msg *m);
/* Holds what may go on now: a record that is final, a fault to be told. */
void stager_go_on(struct stager *s);
/* The held request leaves; its link has room. */
void stager_send_request(struct stager *s);

#endif
