/*
 * The legs of requests to memory, and what serves them, by name and number;
 * trip_legs.h books cycles in them.
 */
#ifndef SIM_UNITS_COMMON_LEGS_H
#define SIM_UNITS_COMMON_LEGS_H

#include <stdint.h>

/*
 * Legs, in the order in which a trip comes through them. Levels are caches by
 * distance from the asker; those beyond the third count as third. X(name, what
 * the cycles are of, ...).
 */
/* clang-format off */
#define TRIP_CACHE_LEGS(X, level, ...)                                         \
    X(level##_way, "on the link to the " #level " cache", __VA_ARGS__)         \
    X(level##_port, "at the port of the " #level " cache, for its bank",       \
      __VA_ARGS__)                                                             \
    X(level##_bank, "in the pipeline of the " #level " cache", __VA_ARGS__)    \
    X(level##_stall, "at the end of it, for what is lacking there",            \
      __VA_ARGS__)                                                             \
    X(level##_below, "in the queue of the " #level " cache to below",          \
      __VA_ARGS__)
#define TRIP_RETURN_LEGS(X, level, ...)                                        \
    X(level##_fill, "at the port of the " #level " cache from below",          \
      __VA_ARGS__)                                                             \
    X(level##_reply, "in the " #level " cache, for its turn to answer",        \
      __VA_ARGS__)                                                             \
    X(level##_home, "on the link from the " #level " cache", __VA_ARGS__)
#define TRIP_LEGS_OF(X, ...)                                                   \
    TRIP_CACHE_LEGS(X, first, __VA_ARGS__)                                     \
    TRIP_CACHE_LEGS(X, second, __VA_ARGS__)                                    \
    TRIP_CACHE_LEGS(X, third, __VA_ARGS__)                                     \
    X(translation, "in TLBs, and on the links to them", __VA_ARGS__)           \
    X(memory_way, "on the link to main memory", __VA_ARGS__)                   \
    X(memory_port, "at its port, to be taken", __VA_ARGS__)                    \
    X(memory_front, "in the pipeline to the controller", __VA_ARGS__)          \
    X(memory_held, "at the end of it, the channel's queue full", __VA_ARGS__)  \
    X(memory_queue, "in that queue, before the first command", __VA_ARGS__)    \
    X(memory_row, "from it to the read, a closed bank's row opened",           \
      __VA_ARGS__)                                                             \
    X(memory_conflict, "likewise, another row closed first", __VA_ARGS__)      \
    X(memory_bus, "from the read to the last data", __VA_ARGS__)               \
    X(memory_back, "in the pipeline from the controller", __VA_ARGS__)         \
    X(memory_reply, "in main memory, for its turn to answer", __VA_ARGS__)     \
    X(memory_home, "on the link from main memory", __VA_ARGS__)                \
    TRIP_RETURN_LEGS(X, third, __VA_ARGS__)                                    \
    TRIP_RETURN_LEGS(X, second, __VA_ARGS__)                                   \
    TRIP_RETURN_LEGS(X, first, __VA_ARGS__)                                    \
    X(taken, "at the asker's port", __VA_ARGS__)                               \
    X(other, "in units that book no legs", __VA_ARGS__)
/* clang-format on */

#define TRIP_LEG_NUMBER(name, ...) LEG_##name,
enum trip_leg { TRIP_LEGS_OF(TRIP_LEG_NUMBER, ) LEGS };

#define TRIP_LEG_BIT(name) (UINT64_C(1) << LEG_##name)

/* A leg of a cache, by that of the first one. */
static inline unsigned trip_there(unsigned leg, unsigned level)
{
    return leg + (level - 1) * (LEG_second_way - LEG_first_way);
}

static inline unsigned trip_back(unsigned leg, unsigned level)
{
    return leg - (level - 1) * (LEG_first_fill - LEG_second_fill);
}

/* What serves requests. X(name, in words, ...). */
#define TRIP_SERVED_BY(X, ...)                                                 \
    X(first, "the first cache", __VA_ARGS__)                                   \
    X(second, "the second cache", __VA_ARGS__)                                 \
    X(third, "the third cache", __VA_ARGS__)                                   \
    X(buffer, "a scene buffer", __VA_ARGS__)                                   \
    X(memory, "main memory", __VA_ARGS__)
#define TRIP_SERVED_NUMBER(name, ...) SERVED_##name,
enum trip_served { TRIP_SERVED_BY(TRIP_SERVED_NUMBER, ) SERVED };

/* Where a request is: at its asker, at a cache, at what is behind caches. */
enum { TRIP_ASKER, TRIP_FIRST, TRIP_THIRD = 3, TRIP_MEMORY };

#endif
