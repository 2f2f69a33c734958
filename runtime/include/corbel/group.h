/*
 * Groups: a kernel for many members that work together in groups, the same on
 * the target and natively.
 *
 *     static void kernel(void *arg)
 *     {
 *         float *tile = corbel_group_memory(256 * sizeof *tile);
 *         tile[corbel_lane()] = load(arg, corbel_group(), corbel_lane());
 *         corbel_group_sync();
 *         ...
 *     }
 *     corbel_launch_grid(kernel, &arg, groups, 256);
 *
 * Each member is a call of the kernel. Where a group has no more members than a
 * multiprocessor has harts, each is a hart; else harts run several of them,
 * which take turns at corbel_group_sync(): a member that waits for another one
 * in any other way may wait for ever. Groups run in any order, many at a time.
 *
 * Thread-local variables are those of the hart: what a member has there may be
 * another's behind corbel_group_sync(). Included by <corbel/corbel.h>.
 */
#ifndef CORBEL_GROUP_H
#define CORBEL_GROUP_H

#include <corbel/group_seat.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_GROUP_SIZE_MAX 1024

/* Bytes of group memory of a multiprocessor whose chip does not say; natively
 * CORBEL_GROUP_MEMORY of the environment. */
#define CORBEL_GROUP_MEMORY 65536

/*
 * Runs kernel(arg) for each of the group_size members (1 ..
 * CORBEL_GROUP_SIZE_MAX) of each of `groups` groups, and returns when all have
 * returned. Memory is ordered as by corbel_launch(); only hart 0 may call it,
 * and not from within a kernel. An error (a wrong group_size, more group memory
 * than a multiprocessor has, no memory) ends the program with a line and status
 * 1.
 */
void corbel_launch_grid(void (*kernel)(void *arg), void *arg, uint32_t groups,
                        uint32_t group_size);

/* In such a kernel: the number of the member's group, and of the member in it.
 * They stay the same as long as it runs. Elsewhere 0. */
static inline uint32_t corbel_group(void)
{
    const struct corbel_seat *seat = corbel_seats;
    return __builtin_expect(!seat, 0) ? corbel_group_called() : seat->now.group;
}

static inline uint32_t corbel_lane(void)
{
    const struct corbel_seat *seat = corbel_seats;
    return __builtin_expect(!seat, 0) ? corbel_lane_called() : seat->now.lane;
}

/* Groups of the launch, and members of each. Elsewhere 0. */
uint32_t corbel_groups(void) __attribute__((const));
uint32_t corbel_group_size(void) __attribute__((const));

/*
 * Waits until all members of the group have come here. What they wrote before
 * is then seen by each of them. All members have to come as often; where one
 * returns while others wait, the program ends with a line that names both, and
 * status 1.
 */
static inline void corbel_group_sync(void)
{
    const struct corbel_seat *seat = corbel_seats;
    if (__builtin_expect(!seat || !seat->harts || !corbel_seats_meet(seat, 0),
                         0))
        corbel_group_sync_called();
}

/*
 * In such a kernel: the next `bytes` bytes of the memory that the group shares,
 * at a multiple of 16. Members that make the same calls get the same places.
 * What is in it at first is not said. More than there is ends the program with
 * a line, and status 1.
 *
 * Outside of kernels: announces how many bytes a group of the next launch uses
 * in all, 0: none; returns NULL. Without it a group may have all that a
 * multiprocessor has: where that is the multiprocessor's own memory, such
 * groups run one after the other.
 */
static inline void *corbel_group_memory(size_t bytes)
{
    struct corbel_seat *seat = corbel_seats;
    size_t start = seat ? (seat->now.taken + 15) & ~(size_t)15 : 0;
    if (__builtin_expect(
            !seat || start > seat->bytes || bytes > seat->bytes - start, 0))
        return corbel_group_memory_called(bytes);
    seat->now.taken = start + bytes;
    return seat->memory + start;
}

#ifdef __cplusplus
}
#endif
#endif
