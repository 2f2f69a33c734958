/*
 * Messages that a unit has taken and keeps in the tile's pool, in order: a list
 * linked by their field next.
 */
#ifndef SIM_MSG_LIST_H
#define SIM_MSG_LIST_H

#include "sim/core/checked.h"
#include "sim/core/unit.h"

struct msg_list {
    uint32_t first, last, count;
};

/* pool: unit_pool, for a unit that goes from one to the next. */
static inline void msg_list_add_in(struct msg *pool, struct msg_list *l,
                                   uint32_t index)
{
    if (l->count++)
        pool[l->last].next = index;
    else
        l->first = index;
    l->last = index;
}

static inline uint32_t msg_list_pop_in(const struct msg *pool,
                                       struct msg_list *l)
{
    CHECKED_ASSERT(l->count);
    uint32_t index = l->first;
    l->first = pool[index].next;
    l->count--;
    return index;
}

static inline void msg_list_add(struct unit *u, struct msg_list *l,
                                uint32_t index)
{
    msg_list_add_in(unit_pool(u), l, index);
}

/* Takes the first one, which stays the unit's; there must be one. */
static inline uint32_t msg_list_pop(struct unit *u, struct msg_list *l)
{
    return msg_list_pop_in(unit_pool(u), l);
}

/* Takes the first one, and frees it; there must be one. */
static inline struct msg msg_list_next(struct unit *u, struct msg_list *l)
{
    uint32_t index = msg_list_pop(u, l);
    struct msg m = *unit_msg(u, index);
    unit_free_msg(u, index);
    return m;
}

/* Drops all of them; none has a payload. */
static inline void msg_list_forget(struct unit *u, struct msg_list *l)
{
    while (l->count)
        msg_list_next(u, l);
}

#endif
