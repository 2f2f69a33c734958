/*
 * For whom main memory carries bytes (enum mem_client), counted by the kinds
 * that main memory is made of: buckets of rays, treelets and other bytes of the
 * scene, hit records, pages of managed memory, stacks of RT cores, the frame
 * buffer, and what else kernels read and write through caches.
 *
 * They are counted in kernels that run while a scene with treelets is bound, by
 * what is asked for: a part of a transaction counts as that part. A cache does
 * not know whether it asks for the scene or the frame buffer, but addresses
 * tell: the program has said where the frame buffer lies (corbel_frame), and a
 * request is of it if any of its bytes is.
 */
#ifndef SIM_MEM_CLIENTS_H
#define SIM_MEM_CLIENTS_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include <corbel/scene.h>

#define CLIENT_STATS(X)                                                        \
    X(rays_read, "bytes", "of buckets of rays, with a scene of treelets")      \
    X(rays_written, "bytes", "of buckets of rays, likewise")                   \
    X(scene_read, "bytes", "of the scene, likewise")                           \
    X(hits_read, "bytes", "of hit records, by their updater, likewise")        \
    X(hits_written, "bytes", "of hit records, by their updater, likewise")     \
    X(pages_read, "bytes", "of managed memory that leaves, likewise")          \
    X(pages_written, "bytes", "of managed memory that comes, likewise")        \
    X(stacks_read, "bytes", "of stacks of RT cores, by caches, likewise")      \
    X(stacks_written, "bytes", "of stacks of RT cores, by caches, likewise")   \
    X(frame_read, "bytes", "of the frame buffer, by caches, likewise")         \
    X(frame_written, "bytes", "of the frame buffer, by caches, likewise")      \
    X(kernel_read, "bytes", "of all else, by caches, likewise")                \
    X(kernel_written, "bytes", "of all else, by caches, likewise")

struct client_stats {
    CLIENT_STATS(STAT_FIELD)
};

/* In a table of a kind whose STAT_STRUCT has a struct client_stats clients. */
#define CLIENT_ROW(name, unit, meaning)                                        \
    {#name, unit, meaning, offsetof(STAT_STRUCT, clients.name)},

/* What a kernel's addresses tell. */
struct client_ranges {
    struct range scene; /* end 0: no treelets are bound, nothing is counted */
    struct range frame;
    struct range stacks; /* what units keep for themselves */
};

static inline struct client_ranges clients_ranges(const struct machine *m)
{
    struct client_ranges ranges = {
        .frame = m->frame, .stacks = {m->ram_end - m->set_aside, m->ram_end}};
    if (m->treelets.end)
        ranges.scene = (struct range){m->scene_address,
                                      m->scene_address + m->scene->bytes};
    return ranges;
}

static inline bool clients_lies_in(const struct msg *m, struct range range)
{
    return m->addr < range.end && m->addr + m->size > range.start;
}

/* Counts a request, MEM_FILL or MEM_WRITEBACK. */
static inline void clients_count(struct client_stats *s,
                                 const struct client_ranges *ranges,
                                 const struct msg *m)
{
    bool write = m->op == MEM_WRITEBACK;
    uint64_t *counted;
    if (m->aux == CLIENT_RAYS)
        counted = write ? &s->rays_written : &s->rays_read;
    else if (m->aux == CLIENT_HITS)
        counted = write ? &s->hits_written : &s->hits_read;
    else if (m->aux == CLIENT_PAGES)
        counted = write ? &s->pages_written : &s->pages_read;
    else if (m->aux == CLIENT_SCENE ||
             (!write && clients_lies_in(m, ranges->scene)))
        counted = &s->scene_read;
    else if (clients_lies_in(m, ranges->stacks))
        counted = write ? &s->stacks_written : &s->stacks_read;
    else if (clients_lies_in(m, ranges->frame))
        counted = write ? &s->frame_written : &s->frame_read;
    else
        counted = write ? &s->kernel_written : &s->kernel_read;
    *counted += m->size;
}

#endif
