/* Places of threads, by hwloc. What the system refuses stays as it is. */
#include "sim/host/run/thread_places.h"
#include "sim/core/heap.h"
#include <hwloc.h>
#include <stdbool.h>
#include <stdlib.h>

struct places {
    hwloc_topology_t topology;
    hwloc_cpuset_t may;    /* of the process, before any thread had a place */
    hwloc_obj_type_t type; /* a core or processor for each thread, or */
    hwloc_obj_type_t near; /* what those have in common that share a place */
};

static hwloc_obj_t place_of(const struct places *p, unsigned n)
{
    hwloc_obj_t own =
        hwloc_get_obj_inside_cpuset_by_type(p->topology, p->may, p->type, n);
    return own ? hwloc_get_ancestor_obj_by_type(p->topology, p->near, own)
               : NULL;
}

/* How many of this type the process may use. */
static unsigned count(const struct places *p, hwloc_obj_type_t type)
{
    int found =
        hwloc_get_nbobjs_inside_cpuset_by_type(p->topology, p->may, type);
    return found > 0 ? (unsigned)found : 0;
}

/* The threads take all cores, or all processors. */
static bool takes_all(struct places *p, unsigned threads)
{
    p->type = HWLOC_OBJ_CORE;
    if (count(p, p->type) != threads)
        p->type = HWLOC_OBJ_PU;
    return count(p, p->type) == threads;
}

/* There are several last-level caches, or packages where they have none. */
static bool has_places(struct places *p)
{
    p->near = HWLOC_OBJ_L3CACHE;
    if (!hwloc_get_nbobjs_by_type(p->topology, p->near))
        p->near = HWLOC_OBJ_PACKAGE;
    return hwloc_get_nbobjs_by_type(p->topology, p->near) > 1;
}

static bool load(struct places *p)
{
    p->may = hwloc_bitmap_alloc();
    if (!p->may || hwloc_topology_init(&p->topology))
        return false;
    hwloc_topology_set_io_types_filter(p->topology,
                                       HWLOC_TYPE_FILTER_KEEP_NONE);
    if (hwloc_topology_load(p->topology))
        return false;
    if (hwloc_get_cpubind(p->topology, p->may, HWLOC_CPUBIND_THREAD))
        hwloc_bitmap_copy(p->may,
                          hwloc_topology_get_allowed_cpuset(p->topology));
    return true;
}

static void release(struct places *p)
{
    if (p->topology)
        hwloc_topology_destroy(p->topology);
    hwloc_bitmap_free(p->may);
    free(p);
}

struct places *places_new(unsigned threads)
{
    if (threads < 2)
        return NULL;
    struct places *p = heap_new(1, sizeof *p, "host threads");
    if (load(p) && takes_all(p, threads) && has_places(p))
        return p;
    release(p);
    return NULL;
}

void places_free(struct places *p)
{
    if (!p)
        return;
    hwloc_set_cpubind(p->topology, p->may, HWLOC_CPUBIND_THREAD);
    release(p);
}

void places_take(const struct places *p, unsigned n)
{
    hwloc_obj_t place = p ? place_of(p, n) : NULL;
    if (!place)
        return;
    hwloc_cpuset_t set = hwloc_bitmap_dup(place->cpuset);
    hwloc_bitmap_and(set, set, p->may);
    hwloc_set_cpubind(p->topology, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
}

unsigned places_nodes(const struct places *p)
{
    int nodes =
        p ? hwloc_get_nbobjs_by_type(p->topology, HWLOC_OBJ_NUMANODE) : 1;
    return nodes > 1 ? (unsigned)nodes : 1;
}

void places_move(const struct places *p, unsigned n, void *at, size_t bytes)
{
    hwloc_obj_t place = p ? place_of(p, n) : NULL;
    if (place && bytes)
        hwloc_set_area_membind(p->topology, at, bytes, place->nodeset,
                               HWLOC_MEMBIND_BIND,
                               HWLOC_MEMBIND_MIGRATE | HWLOC_MEMBIND_BYNODESET);
}

void places_tell(const struct places *p, unsigned n, char *text, size_t room,
                 unsigned *node)
{
    hwloc_obj_t place = place_of(p, n);
    hwloc_bitmap_list_snprintf(text, room, place->cpuset);
    *node = (unsigned)hwloc_bitmap_first(place->nodeset);
}
