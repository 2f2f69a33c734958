#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "sim/units/streams/streams_untimed.h"

#include "sim/core/heap.h"

static const struct corbel_traversal_setup setup = {CORBEL_STACK_MAX, true};

struct corbel_streams *streams_untimed(struct machine *m, bool rtcores)
{
    if (!m->streams) {
        m->streams = heap_new(1, sizeof *m->streams, "ray streams");
        m->streams->memory = (char *)m->memory;
        m->streams->ram_start = m->ram_start;
        m->streams->ram_end = m->ram_end;
        m->streams->address_mask =
            m->profile.xlen == 32 ? UINT32_MAX : UINT64_MAX;
        m->streams->setup = setup;
    }
    m->streams->scene = m->scene;
    m->streams->rtcores = rtcores;
    m->streams->programs = !rtcores;
    return m->streams;
}

struct corbel_raystore *raystore_untimed(struct machine *m)
{
    if (!m->raystore) {
        m->raystore = heap_new(1, sizeof *m->raystore, "ray store");
        m->raystore->setup = setup;
    }
    m->raystore->scene = m->scene;
    return m->raystore;
}

bool streams_untimed_hold(const struct machine *m)
{
    return (m->streams && m->streams->open) ||
           (m->raystore &&
            (m->raystore->waiting.count || m->raystore->finished.count));
}

void streams_untimed_launch(struct machine *m)
{
    if (m->streams)
        corbel_streams_launch(m->streams);
    if (m->raystore)
        corbel_raystore_launch(m->raystore);
}

void streams_untimed_free(struct machine *m)
{
    if (m->streams) {
        free(m->streams->items.records);
        free(m->streams->has);
    }
    if (m->raystore) {
        free(m->raystore->waiting.records);
        free(m->raystore->finished.records);
    }
    free(m->streams);
    free(m->raystore);
}
