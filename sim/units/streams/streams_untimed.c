/*
 * Ray streams without timing: one pool of work items and one of rays for all
 * units of a chip.
 */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/streams/streams_untimed.h"

#include "sim/core/heap.h"

static const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};

/* What the chip's units share. */
static const struct shared_kind streams_kind, raystore_kind;

static struct corbel_streams *streams_of(const struct machine *m)
{
    return machine_shared(m, &streams_kind);
}

static struct corbel_raystore *raystore_of(const struct machine *m)
{
    return machine_shared(m, &raystore_kind);
}

struct corbel_streams *streams_untimed(struct machine *m, bool rtcores)
{
    struct corbel_streams *s = streams_of(m);
    if (!s) {
        s = heap_new(1, sizeof *s, "ray streams");
        s->memory = (char *)m->memory;
        s->ram_start = m->ram_start;
        s->ram_end = m->ram_end;
        s->address_mask = m->profile.xlen == 32 ? UINT32_MAX : UINT64_MAX;
        s->setup = setup;
        machine_share(m, &streams_kind, s);
    }
    s->scene = m->scene;
    s->rtcores = rtcores;
    s->programs = !rtcores;
    return s;
}

struct corbel_raystore *raystore_untimed(struct machine *m)
{
    struct corbel_raystore *r = raystore_of(m);
    if (!r) {
        r = heap_new(1, sizeof *r, "ray store");
        r->setup = setup;
        machine_share(m, &raystore_kind, r);
    }
    r->scene = m->scene;
    return r;
}

/* ---- what the host does to them ---- */

static void streams_launch(struct machine *m)
{
    corbel_streams_launch(streams_of(m));
}

static const char *streams_unsaved(const struct machine *m)
{
    return streams_of(m)->open
               ? "rays are in streams that no kernel has emptied"
               : NULL;
}

static void streams_free(struct machine *m)
{
    struct corbel_streams *s = streams_of(m);
    free(s->items.records);
    free(s->has);
    free(s);
    machine_share(m, &streams_kind, NULL);
}

static const struct shared_kind streams_kind = {
    .launch = streams_launch,
    .unsaved = streams_unsaved,
    .free = streams_free,
};

static void raystore_launch(struct machine *m)
{
    corbel_raystore_launch(raystore_of(m));
}

static const char *raystore_unsaved(const struct machine *m)
{
    const struct corbel_raystore *r = raystore_of(m);
    return r->waiting.count || r->finished.count
               ? "rays are in a ray store that no kernel has emptied"
               : NULL;
}

static void raystore_free(struct machine *m)
{
    struct corbel_raystore *r = raystore_of(m);
    free(r->waiting.records);
    free(r->finished.records);
    free(r);
    machine_share(m, &raystore_kind, NULL);
}

static const struct shared_kind raystore_kind = {
    .launch = raystore_launch,
    .unsaved = raystore_unsaved,
    .free = raystore_free,
};
