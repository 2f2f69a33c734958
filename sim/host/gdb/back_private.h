/*
 * What the files of going back share: back.c has the copies that wait, search.c
 * looks for a place by them, again.c is what they do.
 */
#ifndef SIM_HOST_GDB_BACK_PRIVATE_H
#define SIM_HOST_GDB_BACK_PRIVATE_H

#include "sim/host/gdb/back.h"

/* Copies that are kept all along the run, and rungs, which a copy leaves on its
 * way to where gdb wanted to go: near it, as gdb often goes back step by step.
 */
enum { KEPT_MOST = 32, RUNGS_MOST = 24, COPIES = KEPT_MOST + RUNGS_MOST };

/* A copy that waits. */
struct copy {
    pid_t process; /* 0: there is none */
    bool rung;
    uint64_t cycle; /* where it stands, all done that is due there */
};

/* Where a run stands: before what is due in a cycle, or after it. */
struct position {
    uint64_t cycle;
    bool done;
};

enum order_kind {
    ORDER_HITS,  /* look for the last hit before the key */
    ORDER_STEPS, /* look for the last steps of the hart */
    ORDER_GO,    /* go there, and serve gdb */
};

enum reason { REASON_HIT, REASON_STEP, REASON_BEGIN };

/* What a copy of a copy is to do. */
struct order {
    unsigned number; /* each has one; an answer says to which it is */
    enum order_kind kind;
    bool one; /* hits of the hart alone */
    unsigned hart;
    struct position at; /* how far to look, or where to go */
    struct stop_key key;
    enum reason reason;
    struct hit hit;
};

/* Of ORDER_HITS: the last one; of ORDER_STEPS: where the hart's last steps
 * ended, the last first. */
struct found {
    unsigned number; /* of the order */
    unsigned count;
    struct hit hit;
    struct stop_key key;
    struct position at[2];
};

/* In memory that all copies share. */
struct shared {
    struct copy copies[COPIES];
    struct order order;
    struct found found;
    pid_t searches, serves; /* who does; 0: it is to begin */
    struct position front;
    struct stop_key front_key;
    enum command_end handed; /* what gdb wants at the front */
};

enum role { ROLE_FRONT, ROLE_SEARCH, ROLE_GO, ROLE_THERE };

struct past {
    struct shared *shared;
    enum role role;
    int wake[COPIES];  /* an eventfd for each copy */
    int answer, front; /* for who searches, and for the front */
    int life[2];       /* the front has its end as long as it lives */
    int session;       /* what goes from one to another (handing.c) */
    uint64_t due, spacing;
    pid_t run; /* the process whose copies these are */

    /* ---- of a copy that works ---- */
    struct order order;
    struct found found;
    struct place_of_hart place;
};

/* ---- back.c ---- */

/* Makes a copy that waits, in place of a rung if need be; false: there cannot
 * be one more. */
bool back_keep(struct gdb *g, bool rung);
void back_signal(int event);
/* What is open for writing leads nowhere from now on, but gdb's link. */
void back_silence(const struct gdb *g);

/* ---- again.c ---- */

/* A copy of a copy: carries out the order. */
_Noreturn void again_work(struct gdb *g);

/* ---- handing.c: what of a session goes with gdb, from one to another ---- */

void handing_put(const struct gdb *g);
void handing_get(struct gdb *g);

#endif
