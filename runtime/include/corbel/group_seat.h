/*
 * What members ask of their group (corbel/group.h), on the target without a
 * call where each member is a hart of its own: so kernels need not keep their
 * registers in memory. Included by <corbel/group.h>; programs use no other name
 * of it.
 */
#ifndef CORBEL_GROUP_SEAT_H
#define CORBEL_GROUP_SEAT_H

#include <corbel/abi.h>
#include <stddef.h>
#include <stdint.h>

/* Where a member stands in its group's memory, and who it is. */
struct corbel_member {
    uint32_t group, lane;
    size_t taken; /* bytes of group memory */
};

/* What a hart knows of the group that it works for. */
struct corbel_seat {
    struct corbel_member now;
    char *memory; /* of the group */
    size_t bytes; /* of it */
    void *barrier;
    size_t first, harts; /* that meet there; 0: members take turns */
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Where the harts' seats are: while a grid runs, all at one address, on each
 * one's own stack, if stacks are alike: then a warp finds them without access
 * to memory. NULL: what is called knows.
 */
#ifdef __riscv
extern struct corbel_seat *corbel_seats;
#else
#define corbel_seats ((struct corbel_seat *)NULL)
#endif

/* The functions of group.h, wherever the seat is. */
uint32_t corbel_group_called(void) __attribute__((const));
uint32_t corbel_lane_called(void) __attribute__((const));
void corbel_group_sync_called(void);
void *corbel_group_memory_called(size_t bytes);

#ifdef __cplusplus
}
#endif

/* Have all come to the stop? Else some wait at the other one. */
static inline int corbel_seats_meet(const struct corbel_seat *seat, int stop)
{
#ifdef __riscv
    register long a0 __asm__("a0") = (long)seat->barrier;
    register long a1 __asm__("a1") = (long)seat->first;
    register long a2 __asm__("a2") = (long)seat->harts;
    register long a3 __asm__("a3") = stop;
    register long a7 __asm__("a7") = CORBEL_SYS_BARRIER;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a7)
                     : "memory");
    return !a0;
#else
    (void)seat, (void)stop;
    return 0;
#endif
}

#endif
