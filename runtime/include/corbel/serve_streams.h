/*
 * What the units of ray streams do that instructions are served by, without
 * their time: a pool of work items, hit records in memory, a pool of rays
 * (corbel/streams.h says what programs see of them). One of each for a chip.
 * Part of corbel/serve.h.
 *
 * There are two ways. Either programs take the work items; then an item is
 * finished when the hart that it was given to asks for another one. Or the RT
 * cores take them, when it is said where the hit records are: from then on a
 * ray is traced whole when its item comes.
 *
 * A pool is behind a lock that is held for a few instructions. Nothing waits:
 * who finds nothing has to ask again.
 */
#ifndef CORBEL_SERVE_STREAMS_H
#define CORBEL_SERVE_STREAMS_H

#include <corbel/streams.h>
#include <corbel/treelets.h>
#include <sched.h>
#include <stdlib.h>

/* Equal records on a stack that grows. */
struct corbel_pool {
    void *records;
    size_t count, room;
};

struct corbel_streams {
    char *memory;                     /* host address of address 0 */
    uint64_t ram_start, ram_end;      /* where records may be */
    uint64_t address_mask;            /* bits of an address */
    bool rtcores, programs;           /* who may take items */
    const struct corbel_scene *scene; /* theirs */
    struct corbel_traversal_setup setup;

    uint64_t records; /* of this kernel: they take them; 0: programs do */
    bool locked, announced;
    uint64_t roots, all_roots; /* of this kernel: seen, and announced */
    uint64_t open;             /* items that are not finished */
    struct corbel_pool items;  /* those that no hart has */
    uint8_t *has;              /* [hart]: it has an item */
    size_t harts;
};

/* The rays of the ray store. */
struct corbel_raystore {
    const struct corbel_scene *scene;
    struct corbel_traversal_setup setup;
    bool locked, closed;
    struct corbel_pool waiting, finished;
};

static inline void corbel_pool_lock(bool *locked)
{
    while (__atomic_test_and_set(locked, __ATOMIC_ACQUIRE))
        sched_yield();
}

static inline void corbel_pool_unlock(bool *locked)
{
    __atomic_clear(locked, __ATOMIC_RELEASE);
}

/* Room for at least `least` records of `bytes`. */
static inline void *corbel_pool_grow(void *records, size_t *room, size_t least,
                                     size_t bytes)
{
    if (least <= *room)
        return records;
    *room = *room * 2 > least ? *room * 2 : least + 63;
    records = realloc(records, *room * bytes);
    if (!records)
        abort();
    return records;
}

static inline void corbel_pool_push(struct corbel_pool *pool,
                                    const void *record, size_t bytes)
{
    pool->records =
        corbel_pool_grow(pool->records, &pool->room, pool->count + 1, bytes);
    memcpy((char *)pool->records + pool->count++ * bytes, record, bytes);
}

/* False: there is none. */
static inline bool corbel_pool_pop(struct corbel_pool *pool, void *record,
                                   size_t bytes)
{
    if (!pool->count)
        return false;
    memcpy(record, (char *)pool->records + --pool->count * bytes, bytes);
    return true;
}

/* ---- work items ---- */

/* A kernel begins: nothing is left of the one before. */
static inline void corbel_streams_launch(struct corbel_streams *s)
{
    s->announced = false;
    s->records = s->roots = s->all_roots = s->open = s->items.count = 0;
    if (s->has)
        memset(s->has, 0, s->harts);
}

/* Are all rays finished? */
static inline bool corbel_streams_done(const struct corbel_streams *s)
{
    return s->announced && s->roots == s->all_roots && !s->open;
}

/* Does the hart have an item? */
static inline uint8_t *corbel_streams_has(struct corbel_streams *s,
                                          uint32_t hart)
{
    const size_t before = s->harts;
    s->has = (uint8_t *)corbel_pool_grow(s->has, &s->harts, hart + 1u, 1);
    memset(s->has + before, 0, s->harts - before);
    return &s->has[hart];
}

static inline void corbel_streams_refuse(struct corbel_request *request,
                                         uint64_t address, const char *why)
{
    request->refused = true;
    request->address = address;
    request->why = why;
}

/* The record at an address in memory; NULL, and the request is refused: there
 * is none. */
static inline struct corbel_hit *
corbel_streams_record(const struct corbel_streams *s, uint64_t address,
                      struct corbel_request *request)
{
    const uint64_t bytes = sizeof(struct corbel_hit);
    if (address % bytes)
        corbel_streams_refuse(request, address,
                              "a hit record at no multiple of 16");
    else if (address < s->ram_start || address >= s->ram_end ||
             s->ram_end - address < bytes)
        corbel_streams_refuse(request, address,
                              "a hit record outside of memory");
    return request->refused
               ? NULL
               : (struct corbel_hit *)((uintptr_t)s->memory + address);
}

/* The address that a request sends first, and its immediate. */
static inline uint64_t corbel_streams_address(const struct corbel_streams *s,
                                              const struct corbel_request *r)
{
    uint64_t address = r->sent[0] | (uint64_t)r->sent[1] << 32;
    return (address + (uint64_t)(int32_t)r->immediate) & s->address_mask;
}

/* With the lock. */
static inline void corbel_streams_closer(struct corbel_hit *record,
                                         const struct corbel_hit *hit)
{
    if (corbel_hit_is_closer(hit, record))
        *record = *hit;
}

/* The RT cores have an item: the ray is traced whole, the hit stored. */
static inline void corbel_streams_trace(struct corbel_streams *s,
                                        const struct corbel_item *item,
                                        struct corbel_request *request)
{
    struct corbel_hit hit, *record;
    record =
        corbel_streams_record(s, s->records + item->id * sizeof hit, request);
    corbel_traverse_by(&s->setup, s->scene, &item->ray, CORBEL_CLOSEST, &hit);
    corbel_pool_lock(&s->locked);
    if (record && hit.index != CORBEL_MISS)
        corbel_streams_closer(record, &hit);
    s->open--;
    corbel_pool_unlock(&s->locked);
}

/* False: there is none, or programs take them. */
static inline bool corbel_streams_item_to_trace(struct corbel_streams *s,
                                                struct corbel_item *item)
{
    corbel_pool_lock(&s->locked);
    bool found = s->records && corbel_pool_pop(&s->items, item, sizeof *item);
    corbel_pool_unlock(&s->locked);
    return found;
}

/* Who takes the items is the chip's choice, which the program has to know. */
static inline void corbel_streams_announce(struct corbel_streams *s,
                                           const struct corbel_item *item,
                                           struct corbel_request *request)
{
    uint64_t address;
    memcpy(&address, &item->ray, sizeof address);
    address &= s->address_mask;
    if (address && !s->rtcores) {
        corbel_streams_refuse(request, address,
                              "no RT core takes work items, and "
                              "corbel_stream_roots() has hit records");
    } else if (!address && !s->programs) {
        corbel_streams_refuse(request, address,
                              "RT cores take the work items, and "
                              "corbel_stream_roots() has no hit records");
    } else {
        s->announced = true;
        s->all_roots = item->id;
        s->records = address;
    }
}

static inline void corbel_streams_push(struct corbel_streams *s,
                                       const struct corbel_item *item,
                                       struct corbel_request *request)
{
    const uint32_t segment = corbel_item_segment(item);
    if (s->scene && segment >= s->scene->treelets) {
        corbel_streams_refuse(request,
                              (uintptr_t)s->scene - (uintptr_t)s->memory +
                                  corbel_treelet_offset(s->scene, segment),
                              "a work item of a treelet that the scene does "
                              "not have");
        return;
    }
    s->roots += segment == 0;
    if (item->ray.tmax >= item->ray.tmin) {
        s->open++;
        corbel_pool_push(&s->items, item, sizeof *item);
    }
}

static inline void corbel_serve_swi(struct corbel_streams *s,
                                    struct corbel_request *request)
{
    struct corbel_item item;
    memcpy(&item, request->sent, sizeof item);
    corbel_pool_lock(&s->locked);
    if (corbel_item_segment(&item) == CORBEL_SEGMENT_END)
        corbel_streams_announce(s, &item, request);
    else
        corbel_streams_push(s, &item, request);
    corbel_pool_unlock(&s->locked);
    while (!request->refused && corbel_streams_item_to_trace(s, &item))
        corbel_streams_trace(s, &item, request);
}

static inline void corbel_serve_lwi(struct corbel_streams *s,
                                    struct corbel_request *request)
{
    struct corbel_item item;
    memset(&item, 0, sizeof item);
    corbel_pool_lock(&s->locked);
    uint8_t *has = corbel_streams_has(s, request->hart);
    s->open -= *has;
    *has = corbel_pool_pop(&s->items, &item, sizeof item);
    request->again = !*has && !corbel_streams_done(s);
    if (!*has)
        item.word = corbel_item_word(
            request->again ? CORBEL_SEGMENT_AGAIN : CORBEL_SEGMENT_END, 0);
    corbel_pool_unlock(&s->locked);
    memcpy(request->received, &item, sizeof item);
}

static inline void corbel_serve_cshit(struct corbel_streams *s,
                                      struct corbel_request *request)
{
    struct corbel_hit hit, *record = corbel_streams_record(
                               s, corbel_streams_address(s, request), request);
    memcpy(&hit, request->sent + 2, sizeof hit);
    if (!record)
        return;
    corbel_pool_lock(&s->locked);
    corbel_streams_closer(record, &hit);
    corbel_pool_unlock(&s->locked);
}

/* May hits still be stored by RT cores? Until the roots are announced it is not
 * known that they take no items. With the lock. */
static inline bool corbel_streams_hits_come(const struct corbel_streams *s)
{
    const bool taken = s->announced ? s->records != 0 : s->rtcores;
    return taken && !corbel_streams_done(s);
}

static inline void corbel_serve_lhit(struct corbel_streams *s,
                                     struct corbel_request *request)
{
    struct corbel_hit hit = {0, 0, 0, CORBEL_HIT_AGAIN};
    const struct corbel_hit *record =
        corbel_streams_record(s, corbel_streams_address(s, request), request);
    corbel_pool_lock(&s->locked);
    request->again = corbel_streams_hits_come(s);
    if (record && !request->again)
        hit = *record;
    corbel_pool_unlock(&s->locked);
    memcpy(request->received, &hit, sizeof hit);
}

/* ---- the ray store ---- */

static inline void corbel_raystore_launch(struct corbel_raystore *s)
{
    s->closed = false;
    s->waiting.count = s->finished.count = 0;
}

static inline void corbel_serve_swr(struct corbel_raystore *s,
                                    struct corbel_request *request)
{
    struct corbel_stored_ray ray;
    memcpy(&ray, request->sent, sizeof ray);
    const bool over = corbel_ray_state(&ray) == CORBEL_RAY_OVER;
    corbel_pool_lock(&s->locked);
    if (ray.word == CORBEL_RAY_END)
        s->closed = true;
    else
        corbel_pool_push(over ? &s->finished : &s->waiting, &ray, sizeof ray);
    corbel_pool_unlock(&s->locked);
}

static inline void corbel_serve_lwr(struct corbel_raystore *s,
                                    struct corbel_request *request)
{
    struct corbel_stored_ray ray;
    memset(&ray, 0, sizeof ray);
    corbel_pool_lock(&s->locked);
    const bool found = corbel_pool_pop(&s->waiting, &ray, sizeof ray);
    request->again = !found && !s->closed;
    corbel_pool_unlock(&s->locked);
    if (!found)
        ray.word = request->again ? CORBEL_RAY_NONE : CORBEL_RAY_END;
    memcpy(request->received, &ray, sizeof ray);
}

/* Where none is finished, one is traced whole. */
static inline void corbel_serve_lhr(struct corbel_raystore *s,
                                    struct corbel_request *request)
{
    struct corbel_stored_ray ray;
    struct corbel_ray_end end = {{0, 0, 0, CORBEL_MISS}, CORBEL_RAY_NONE};
    corbel_pool_lock(&s->locked);
    const bool finished = corbel_pool_pop(&s->finished, &ray, sizeof ray);
    const bool found =
        finished || corbel_pool_pop(&s->waiting, &ray, sizeof ray);
    corbel_pool_unlock(&s->locked);
    request->again = !found;
    if (found) {
        end.hit = ray.hit;
        end.id = corbel_ray_id(&ray);
    }
    if (found && !finished)
        corbel_traverse_by(&s->setup, s->scene, &ray.ray, CORBEL_CLOSEST,
                           &end.hit);
    memcpy(request->received, &end, sizeof end);
}

#endif
