/*
 * For whom main memory carries bytes (enum mem_client), counted by the kinds
 * that main memory is made of: buckets of rays, treelets and other bytes of the
 * scene, hit records, and what kernels read and write through caches.
 *
 * They are counted in kernels that run while a scene with treelets is bound, by
 * what is asked for: a part of a transaction counts as that part. A cache does
 * not know whether it asks for the scene, but addresses tell.
 */
#ifndef SIM_CLIENTS_H
#define SIM_CLIENTS_H

#include "sim/core/unit.h"
#include "sim/units/machine.h"
#include "sim/units/mem.h"
#include <corbel/scene.h>

#define CLIENT_STATS(X)                                                        \
    X(rays_read, "bytes", "of buckets of rays, with a scene of treelets")      \
    X(rays_written, "bytes", "of buckets of rays, likewise")                   \
    X(scene_read, "bytes", "of the scene, likewise")                           \
    X(hits_read, "bytes", "of hit records, by their updater, likewise")        \
    X(hits_written, "bytes", "of hit records, by their updater, likewise")     \
    X(kernel_read, "bytes", "of all else, by caches, likewise")                \
    X(kernel_written, "bytes", "of all else, by caches, likewise")

struct client_stats {
    CLIENT_STATS(STAT_FIELD)
};

/* In a table of a kind whose STAT_STRUCT has a struct client_stats clients. */
#define CLIENT_ROW(name, unit, meaning)                                        \
    {#name, unit, meaning, offsetof(STAT_STRUCT, clients.name)},

/* Addresses of the bound scene; empty: nothing is counted. */
static inline struct range clients_scene(const struct machine *m)
{
    if (!m->treelets.end)
        return (struct range){0, 0};
    return (struct range){m->scene_address, m->scene_address + m->scene->bytes};
}

/* Counts a request, MEM_FILL or MEM_WRITEBACK. */
static inline void clients_count(struct client_stats *s, struct range scene,
                                 const struct msg *m)
{
    bool write = m->op == MEM_WRITEBACK;
    bool of_scene = m->addr >= scene.start && m->addr < scene.end;
    uint64_t *counted;
    if (m->aux == CLIENT_RAYS)
        counted = write ? &s->rays_written : &s->rays_read;
    else if (m->aux == CLIENT_HITS)
        counted = write ? &s->hits_written : &s->hits_read;
    else if (m->aux == CLIENT_SCENE || (of_scene && !write))
        counted = &s->scene_read;
    else
        counted = write ? &s->kernel_written : &s->kernel_read;
    *counted += m->size;
}

#endif
