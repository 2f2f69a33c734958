/*
 * Things by number, in order: lists that are linked by an array, which has the
 * number behind each one, and which several of them may share, as a thing is in
 * one list at most.
 */
#ifndef SIM_UNITS_NUMBER_LIST_H
#define SIM_UNITS_NUMBER_LIST_H

#include "sim/core/checked.h"
#include <stdint.h>

struct number_list {
    uint32_t first, last, count; /* first and last hold if there are any */
};

/* Behind the last one. */
static inline void number_list_add(uint32_t *next, struct number_list *l,
                                   uint32_t number)
{
    if (l->count++)
        next[l->last] = number;
    else
        l->first = number;
    l->last = number;
}

/* Before the first one. */
static inline void number_list_push(uint32_t *next, struct number_list *l,
                                    uint32_t number)
{
    if (!l->count++)
        l->last = number;
    next[number] = l->first;
    l->first = number;
}

/* Takes the first one, which there is. */
static inline uint32_t number_list_take(const uint32_t *next,
                                        struct number_list *l)
{
    CHECKED_ASSERT(l->count);
    uint32_t number = l->first;
    l->first = next[number];
    l->count--;
    return number;
}

#endif
