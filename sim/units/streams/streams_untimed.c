/*
 * Ray streams without timing: one pool of work items and one of rays for all
 * units of a chip.
 */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/streams/streams_untimed.h"

#include "sim/core/heap.h"

static const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};

/* What the chip's units share. */
static const char streams_key, raystore_key;

static struct corbel_streams *streams_of(const struct machine *m)
{
    return machine_shared(m, &streams_key);
}

static struct corbel_raystore *raystore_of(const struct machine *m)
{
    return machine_shared(m, &raystore_key);
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
        machine_share(m, &streams_key, s);
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
        machine_share(m, &raystore_key, r);
    }
    r->scene = m->scene;
    return r;
}

bool streams_untimed_hold(const struct machine *m)
{
    const struct corbel_streams *s = streams_of(m);
    const struct corbel_raystore *r = raystore_of(m);
    return (s && s->open) || (r && (r->waiting.count || r->finished.count));
}

void streams_untimed_launch(struct machine *m)
{
    if (streams_of(m))
        corbel_streams_launch(streams_of(m));
    if (raystore_of(m))
        corbel_raystore_launch(raystore_of(m));
}

void streams_untimed_free(struct machine *m)
{
    struct corbel_streams *s = streams_of(m);
    struct corbel_raystore *r = raystore_of(m);
    if (s) {
        free(s->items.records);
        free(s->has);
    }
    if (r) {
        free(r->waiting.records);
        free(r->finished.records);
    }
    free(s);
    free(r);
    machine_share(m, &streams_key, NULL);
    machine_share(m, &raystore_key, NULL);
}
