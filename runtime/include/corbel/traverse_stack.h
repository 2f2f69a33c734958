/*
 * The state of a traversal and its short stack (traverse.h), in two layouts
 * that do the same: as programs on target have it, in few instructions, and as
 * hosts do, in few lines of their caches: a simulator has more rays than those
 * hold.
 */
#ifndef CORBEL_TRAVERSE_STACK_H
#define CORBEL_TRAVERSE_STACK_H

#include <corbel/scene.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CORBEL_STACK_MAX
#define CORBEL_STACK_MAX 16
#endif

#ifndef CORBEL_TRAVERSAL_COUNTERS
#ifdef __riscv
#define CORBEL_TRAVERSAL_COUNTERS 0
#else
#define CORBEL_TRAVERSAL_COUNTERS 1
#endif
#endif

struct corbel_stack_entry {
    uint32_t ref;
    float entry; /* where the ray enters its box */
};

/* Children of a node that the ray enters, nearest first. */
struct corbel_traversal_order {
    unsigned count;
    struct corbel_stack_entry child[8];
};

/* ---- on target ---- */

#ifdef __riscv
/* Fields are the traversal's own. */
struct corbel_traversal {
    struct corbel_ray ray;
    struct corbel_ray ray_inv; /* tmax: the float after hit.t */
    struct corbel_hit hit;
    float widen;   /* what boxes are grown by, 0 for rays from inside */
    uint32_t ref;  /* fetched next, CORBEL_REF_NONE: finished */
    uint32_t root; /* where a restart begins */
    uint8_t format, leaf_format, grain_units, flags;
    uint8_t depth;  /* level of ref, the root's is 0 */
    uint8_t resume; /* levels below this follow the trail: a restart */
    bool dropped;   /* the stack has forgotten entries since the last start */
    bool apart;     /* ref's leaf was read, its vertices are next */
    bool pop_cull;
    uint16_t entries; /* capacity of the stack, a ring */
    uint16_t held;    /* entries in use */
    uint16_t top;     /* the newest one */
#if CORBEL_TRAVERSAL_COUNTERS
    struct corbel_counts counts;
#endif
    struct corbel_stack_entry stack[CORBEL_STACK_MAX];
    uint8_t level[CORBEL_STACK_MAX]; /* of the node that pushed the entry */
    uint8_t trail[CORBEL_DEPTH_MAX]; /* children finished, by level */
};

/* Begins with an empty stack of `entries` entries. */
static inline void corbel_traversal_clear(struct corbel_traversal *t,
                                          unsigned entries)
{
    t->held = t->top = 0;
    t->entries = (uint16_t)entries;
}

/* How many children of the node at a level are finished; and to count one. */
static inline unsigned
corbel_traversal_finished(const struct corbel_traversal *t, unsigned level)
{
    return t->trail[level];
}

static inline void corbel_traversal_finish(struct corbel_traversal *t,
                                           unsigned level)
{
    t->trail[level]++;
}

static inline void corbel_traversal_push(struct corbel_traversal *t,
                                         uint32_t ref, float entry)
{
    t->top = t->top + 1 == t->entries ? 0 : (uint16_t)(t->top + 1);
    t->stack[t->top].ref = ref;
    t->stack[t->top].entry = entry;
    t->level[t->top] = t->depth;
    if (t->held == t->entries)
        t->dropped = true;
    else
        t->held++;
}

/* Of the node's children the first `next` are finished, those after the next
 * one wait. */
static inline void
corbel_traversal_leave(struct corbel_traversal *t,
                       const struct corbel_traversal_order *order,
                       unsigned next)
{
    for (unsigned i = order->count - 1; i > next; i--)
        corbel_traversal_push(t, order->child[i].ref, order->child[i].entry);
    t->trail[t->depth] = (uint8_t)next;
}

/* Takes the newest entry, which there must be. Depth becomes its level, and the
 * sibling before it counts as finished. */
static inline struct corbel_stack_entry
corbel_traversal_take(struct corbel_traversal *t)
{
    struct corbel_stack_entry newest = t->stack[t->top];
    unsigned level = t->level[t->top];
    t->top = t->top == 0 ? (uint16_t)(t->entries - 1) : (uint16_t)(t->top - 1);
    t->held--;
    t->trail[level]++;
    t->depth = (uint8_t)(level + 1);
    return newest;
}

#define CORBEL_TRAVERSAL_WIDENED(t) ((t)->widen > 0)

/* Boxes grow by another length from here on. */
static inline void corbel_traversal_widens(struct corbel_traversal *t,
                                           float widen)
{
    t->widen = widen;
}
#else

/* ---- on hosts ---- */

/*
 * As above. Where it begins 16 bytes after a line of 64, a node's step reads
 * the second and the fourth line, a leaf's the first one as well. Instead of a
 * level for each entry the stack has how many entries wait at each level,
 * beside the trail; distances are kept only where they will be asked for.
 */
struct corbel_traversal {
    struct corbel_ray ray;
    struct corbel_hit hit;

    struct corbel_ray ray_inv;
#if CORBEL_TRAVERSAL_COUNTERS
    struct corbel_counts counts;
#endif
    uint32_t ref;
    uint8_t format, leaf_format, grain_units, depth, resume;
    uint8_t flags : 4;
    bool dropped : 1, apart : 1, pop_cull : 1;
    bool widened : 1; /* widen > 0 */
    uint16_t entries, held, top;

    float widen;
    uint32_t root;
    uint32_t forgotten; /* entries, since the ray began */
    uint32_t unused;
    /* Backwards, so that low levels are next to the stack: children finished +
     * 16 times how many of them wait. */
    uint8_t mark[CORBEL_DEPTH_MAX];
    /* References of `entries` entries; with pop_cull their distances come right
     * after them, as bits. */
    uint32_t stack[2 * CORBEL_STACK_MAX];
};
CORBEL_STATIC_ASSERT(CORBEL_FLAGS == 16, "four bits");

/* Bytes of a traversal that are used, with a stack of `entries` entries. */
#define CORBEL_TRAVERSAL_USED(entries, pop_cull)                               \
    (offsetof(struct corbel_traversal, stack) +                                \
     sizeof(uint32_t) * (entries) * ((pop_cull) ? 2 : 1))

#define CORBEL_TRAVERSAL_WAITS 16u
#define CORBEL_TRAVERSAL_WIDENED(t) ((t)->widened)

static inline void corbel_traversal_clear(struct corbel_traversal *t,
                                          unsigned entries)
{
    t->widened = t->widen > 0;
    t->forgotten = 0;
    t->held = 0;
    t->entries = (uint16_t)entries;
    t->top = (uint16_t)(entries - 1); /* the first one comes to 0 */
}

static inline void corbel_traversal_widens(struct corbel_traversal *t,
                                           float widen)
{
    t->widen = widen;
    t->widened = widen > 0;
}

static inline uint8_t *corbel_traversal_mark(struct corbel_traversal *t,
                                             unsigned level)
{
    return &t->mark[CORBEL_DEPTH_MAX - 1 - level];
}

static inline unsigned
corbel_traversal_finished(const struct corbel_traversal *t, unsigned level)
{
    return t->mark[CORBEL_DEPTH_MAX - 1 - level] % CORBEL_TRAVERSAL_WAITS;
}

static inline void corbel_traversal_finish(struct corbel_traversal *t,
                                           unsigned level)
{
    ++*corbel_traversal_mark(t, level);
}

/* Children of the node at a level that wait. */
static inline unsigned
corbel_traversal_waiting(const struct corbel_traversal *t, unsigned level)
{
    return t->mark[CORBEL_DEPTH_MAX - 1 - level] / CORBEL_TRAVERSAL_WAITS;
}

/* The i-th entry from the newest one. */
static inline uint32_t corbel_traversal_below(const struct corbel_traversal *t,
                                              unsigned i)
{
    return t->stack[t->top >= i ? t->top - i : t->top + t->entries - i];
}

/* Counts entries of a node that a full stack has taken: for each, the oldest
 * one is forgotten. */
static inline void corbel_traversal_overflow(struct corbel_traversal *t,
                                             unsigned count)
{
    unsigned level = 0;
    for (; count > 0; count--) {
        *corbel_traversal_mark(t, t->depth) += CORBEL_TRAVERSAL_WAITS;
        if (t->held < t->entries) {
            t->held++;
            continue;
        }
        while (corbel_traversal_waiting(t, level) == 0)
            level++;
        *corbel_traversal_mark(t, level) -= CORBEL_TRAVERSAL_WAITS;
        t->dropped = true;
        t->forgotten++;
    }
}

static inline void
corbel_traversal_leave(struct corbel_traversal *t,
                       const struct corbel_traversal_order *order,
                       unsigned next)
{
    const unsigned count = order->count - 1 - next;
    unsigned top = t->top;
#ifndef __riscv /* programs for the target stay as they are */
    if (count == 0) { /* most often */
        *corbel_traversal_mark(t, t->depth) = (uint8_t)next;
        return;
    }
#endif
    for (unsigned i = order->count - 1; i > next; i--) {
        top = top + 1 == t->entries ? 0 : top + 1;
        t->stack[top] = order->child[i].ref;
        if (t->pop_cull)
            __builtin_memcpy(&t->stack[t->entries + top],
                             &order->child[i].entry, sizeof(float));
    }
    t->top = (uint16_t)top;
    *corbel_traversal_mark(t, t->depth) = (uint8_t)next;
    if (__builtin_expect(t->held + count > t->entries, 0)) {
        corbel_traversal_overflow(t, count);
        return;
    }
    t->held = (uint16_t)(t->held + count);
    *corbel_traversal_mark(t, t->depth) =
        (uint8_t)(next + count * CORBEL_TRAVERSAL_WAITS);
}

/*
 * The deepest level with children that wait, one of which there must be. Eight
 * levels are looked at at once; those after the root's are entries of the
 * stack, which come after a level that was found.
 */
static inline unsigned
corbel_traversal_newest_level(const struct corbel_traversal *t)
{
    const char *marks =
        (const char *)t + offsetof(struct corbel_traversal, mark);
    unsigned end = t->depth;
    for (;; end -= 8) {
        uint64_t waiting;
        __builtin_memcpy(&waiting, marks + CORBEL_DEPTH_MAX - end,
                         sizeof waiting);
        waiting &= UINT64_C(0xf0f0f0f0f0f0f0f0);
        if (__builtin_expect(waiting > 0, 1))
            return end - 1 - (unsigned)__builtin_ctzll(waiting) / 8;
    }
}

static inline struct corbel_stack_entry
corbel_traversal_take(struct corbel_traversal *t)
{
    const unsigned level = corbel_traversal_newest_level(t), top = t->top;
    struct corbel_stack_entry newest = {t->stack[top], 0};
    if (t->pop_cull)
        __builtin_memcpy(&newest.entry, &t->stack[t->entries + top],
                         sizeof newest.entry);
    t->top = (uint16_t)((top == 0 ? t->entries : top) - 1);
    t->held--;
    *corbel_traversal_mark(t, level) += 1 - CORBEL_TRAVERSAL_WAITS;
    t->depth = (uint8_t)(level + 1);
    return newest;
}
#endif

#ifdef __cplusplus
}
#endif
#endif
