/*
 * What the files of an RT core on a streaming chip share: rtcore_items.c, which
 * takes and sends items, and rtcore_moves.c, for items that move.
 */
#ifndef SIM_RTCORE_ITEMS_H
#define SIM_RTCORE_ITEMS_H

#include "sim/units/common/stream.h"
#include "sim/units/rtcore/rtcore_private.h"

/* What a slot is used for. */
enum slot_use { USE_NONE, USE_WANTS, USE_ASKED, USE_RAY };

/* What a slot knows of its item. */
struct item {
    uint32_t ray; /* its number */
    uint32_t segment;
    uint8_t hint; /* treelets entered so far */
    uint8_t use;  /* enum slot_use */
    uint8_t kernel;
};

struct items {
    struct item *of;           /* by slot */
    struct corbel_move *moves; /* by slot, of items that move */
    struct fifo children;      /* slots whose ray enters another treelet */
    struct fifo wants;         /* free slots that are to ask for an item */
    struct fifo records;       /* slots whose record is to be asked for */
    uint8_t policy;            /* the parameter; 0: items are copied */
    bool early;                /* the parameter */
    bool active;               /* the kernel uses streams, and has not ended */
    uint64_t launches;
    uint32_t asked;             /* slots that wait for an item ... */
    uint64_t asked_between;     /* ... and, as `between` has it, their cycles */
    struct corbel_ray arriving; /* whose second half comes next */
};

/* An item has come for a slot that has asked for one; root: it is a ray that
 * has not been anywhere. */
void items_taken(struct rtcore *r, const struct msg *m, bool root,
                 uint64_t now);
/* A message about the item of a slot. */
struct msg items_message(const struct rtcore *r, uint32_t slot, uint8_t op);

/* ---- rtcore_moves.c ---- */

void moves_new(struct rtcore *r);
/* Can rays move in the scene? False: the error says what it has. */
bool moves_read(const struct rtcore *r, const struct corbel_scene *scene,
                struct error *error);
/* STREAM_RAY, and STREAM_STATE right behind it. */
void moves_take(struct rtcore *r, const struct msg *m, uint64_t now);
/* The item leaves: the port has room for two messages. */
void moves_send(struct rtcore *r, uint32_t slot);

#endif
