/* Warps in an RT core, and what rtcore_warps.c does with them. */
#ifndef SIM_RTCORE_WARP_STATE_H
#define SIM_RTCORE_WARP_STATE_H

#include "sim/core/unit.h"
#include "sim/units/common/msg_list.h"

struct rtcore;

/* Rays of one instruction. */
struct rtcore_warp {
    uint32_t next_free;
    uint8_t lanes, come, left; /* rays; that have come; have not finished */
    uint64_t age;              /* the cycle in which the first one came */
    uint64_t ended;            /* cycles in which rays finished, summed */
    struct msg_list results;   /* that wait for the last one */
};

struct warps {
    struct rtcore_warp *all;
    uint32_t free, inside, most;
    uint32_t coming, port; /* the one whose rays come, NONE: none's; by where */
    bool together;         /* results wait for the warp's last one */
    struct msg_list results; /* that return: port in when */
};

/* All but the first of a core that has r->warps. */

/* Makes r->warps, if the parameters ask for it. */
bool warps_new(struct rtcore *r, struct error *error);
bool warps_may_take(const struct rtcore *r);
/* From which port the next ray is taken, -1: none of it has come. */
int warps_port(struct rtcore *r);
void warps_take(struct rtcore *r, uint32_t slot, unsigned port,
                const struct msg *m, uint64_t now);
uint64_t warps_age(const struct rtcore *r, uint32_t slot);
/* The ray has left its slot, and its result has returned. */
void warps_leave(struct rtcore *r, uint32_t slot, uint64_t now);
/* Returns results together. */
void warps_return(struct rtcore *r, uint64_t now);

#endif
