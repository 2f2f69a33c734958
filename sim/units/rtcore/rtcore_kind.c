/*
 * The RT core as a kind of unit: its ports, parameters and counters, the
 * figures that are made of these, and what it says of rays that wait.
 */
#include "sim/core/memory_role.h"
#include "sim/units/rtcore/rtcore_items.h"
#include "sim/units/units.h"
#include <assert.h>

static const struct port_row ports[] = {
    [RAY] = {"ray", false, 256, "rays of the thread processors"},
    [DATA] = {"data", false, 32, "answers of the L1, in mem's order"},
    [WORK] = {"work", false, 1, "items of the staging buffer"},
    [HIT] = {"hit", true, 256, "hit records, in ray's order"},
    [MEM] = {"mem", true, 32, "requests to the L1, one link per cache queue"},
    [ITEM] = {"item", true, 1,
              "items, hits and requests to the staging buffer"},
};

/* ---- counters ---- */

static const int64_t deepest_edges[] = {RTCORE_DEEPEST_EDGES};

/* The range of the most entries that a ray's stack held. */
static unsigned deepest_range(unsigned entries)
{
    unsigned range = RTCORE_DEEPEST_RANGES - 1;
    while (deepest_edges[range] > entries)
        range--;
    return range;
}

void rtcore_count_ray(struct rtcore *r, uint32_t slot, uint64_t now, bool over)
{
    const struct ray *ray = rtcore_ray(r, slot);
    unsigned deepest = r->slots[slot].deepest;
    struct rtcore_stats *stats = &r->stats;
    const struct corbel_hit *hit = corbel_traversal_hit(&ray->traversal);
    stats->hits += over & (hit->index != CORBEL_MISS);
    stats->restarts += ray->traversal.counts.restarts;
    stats->stack_pushes += ray->traversal.forgotten;
    stats->traced++;
    stats->latency += now - ray->taken;
    stats->stack_max += deepest;
    stats->deepest[deepest_range(deepest)]++;
}

/* Rays by state, and slots that are free. */
static void count_states(const struct rtcore *r, uint32_t inside[STATES + 1])
{
    memset(inside, 0, (STATES + 1) * sizeof *inside);
    for (uint32_t i = 0; i < r->slot_count; i++)
        inside[r->slots[i].state]++;
}

static void close_account(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    struct rtcore_stats *stats = &r->stats;
    uint32_t inside[STATES + 1];
    if (r->trace)
        rtcore_trace_begin(r, now);
    count_states(r, inside);
    stats->box_initiations = r->boxes.initiations;
    stats->tri_initiations = r->triangles.initiations;
    stats->ray_cycles = 0;
#define X(name, unit, meaning)                                                 \
    stats->name = r->between[STATE_##name] + inside[STATE_##name] * now;       \
    stats->ray_cycles += stats->name;
    RTCORE_STATES(X)
#undef X
    GAUGE_NOTE(&stats->slots, r->in_flight, r->slot_count, now);
    if (!r->in_flight) {
        stats->idle += now - r->idle_from;
        r->idle_from = now;
    }
    if (r->items)
        items_close(r, now);
    stats->fetching = r->active - stats->testing;
    assert(stats->idle + r->active <= now);
    stats->waiting = now - stats->idle - r->active;
}

void rtcore_end_idling(struct rtcore *r, uint64_t now)
{
    if (r->idle_from > now)
        return;
    r->stats.idle += now - r->idle_from;
    r->idle_from = now + 1;
}

static void explain(const struct unit *u, FILE *out)
{
    const struct rtcore *r = (const struct rtcore *)u;
    uint32_t inside[STATES + 1];
    if (r->items)
        items_explain(r, out);
    if (!r->in_flight)
        return;
    count_states(r, inside);
    fprintf(out, "%s: %u rays in flight", u->name, r->in_flight);
#define X(name, unit, meaning)                                                 \
    if (inside[STATE_##name])                                                  \
        fprintf(out, ", %u %s", inside[STATE_##name], meaning);
    RTCORE_STATES(X)
#undef X
    fprintf(out, "\n");
}

static const struct outport *waits_for(const struct unit *u)
{
    const struct rtcore *r = (const struct rtcore *)u;
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i].state == STATE_ray_memory)
            return &u->out[MEM][r->slots[i].queue];
    return NULL;
}

#define PARAM_STRUCT struct rtcore_params
#define STAT_STRUCT struct rtcore_stats
static const struct param param_rows[] = {RTCORE_PARAMS(PARAM_ROW)};
/* clang-format off */
static const struct stat_row stat_rows[] = {
    RTCORE_STATS(STAT_ROW)
    HISTOGRAM_ROW(deepest, deepest_edges, "rays", "entries", "finished rays by the most entries that their stacks held")
    RTCORE_STATES(STAT_ROW)
    RTCORE_TRIPS(TRIP_ROWS)
    GAUGE_ROWS(slots, "slots for rays")
    OBSERVED_ROW(ports_crowded, "cycles", "a port sent for one of several rays")
};
TRIP_KINDS(RTCORE_TRIPS)
/* clang-format on */
static const struct stat_row bucket_rows[] = {RTCORE_BUCKETS(BUCKET_ROW)};

/*
 * Rays, each as long as the stack that the scene needs, know their scene; the
 * scheduling discipline is a table of the program.
 */
#define STATE_STRUCT struct rtcore
static const struct state_row state_rows[] = {
    STATE_POINTER(slots),
    STATE_STRIDE(rays, struct ray, scene, ray_bytes),
    STATE_POINTER(askers),
    STATE_POINTER(refusals),
    STATE_POINTER(untimed.scene),
    STATE_POINTER(scene.host),
    STATE_POINTER(memory),
    STATE_POINTER(data),
    STATE_POINTER(missing),
    STATE_POINTERS(queues, port),
    STATE_POINTERS(queues, waiting.slots),
    STATE_POINTERS(queues, ahead),
    STATE_POINTER(finished.slots),
    STATE_POINTER(boxes.queue.slots),
    STATE_POINTER(boxes.stages),
    STATE_POINTER(boxes.free_at),
    STATE_POINTER(triangles.queue.slots),
    STATE_POINTER(triangles.stages),
    STATE_POINTER(triangles.free_at),
    STATE_POINTER(ready.by),
    STATE_POINTER(ready.fifo.slots),
    STATE_POINTER(ready.state),
    STATE_POINTER(sectors),
    STATE_POINTERS(warps, all),
    STATE_POINTERS(stacks, of),
    STATE_POINTERS(items, of),
    STATE_POINTERS(items, moves),
    STATE_POINTERS(items, children.slots),
    STATE_POINTERS(items, wants.slots),
    STATE_POINTERS(items, records.slots),
    STATE_POINTER(trace),
    STATE_POINTER(machine)};

#define DEEPEST .histogram = COUNTER(deepest[0]), .scale = 1
static const struct figure_row figures[] = {
    {.name = "in_flight",
     .unit = "rays",
     .over = {COUNTER(ray_cycles)},
     .under = {COUNTER(testing), COUNTER(fetching), COUNTER(waiting),
               COUNTER(idle)},
     .said = "%.1f rays in flight",
     .scale = 1},
    {.name = "latency_mean",
     .unit = "cycles",
     .over = {COUNTER(latency)},
     .under = {COUNTER(rays)},
     .said = "%.0f cycles a ray",
     .scale = 1},
    {.name = "nodes_per_ray",
     .unit = "nodes",
     .over = {COUNTER(nodes)},
     .under = {COUNTER(rays)},
     .said = "%.1f nodes",
     .scale = 1},
    {.name = "leaves_per_ray",
     .unit = "leaves",
     .over = {COUNTER(leaves)},
     .under = {COUNTER(rays)},
     .scale = 1},
    {.name = "triangles_per_ray",
     .unit = "triangles",
     .over = {COUNTER(triangles)},
     .under = {COUNTER(rays)},
     .said = "%.1f tri",
     .scale = 1},
    {.name = "restarts_per_ray",
     .unit = "restarts",
     .over = {COUNTER(restarts)},
     .under = {COUNTER(rays)},
     .scale = 1},
    {.name = "stack_mean",
     .unit = "entries",
     .over = {COUNTER(stack_max)},
     .under = {COUNTER(traced)},
     .scale = 1},
    {.name = "share_ready",
     .part = true,
     .over = {COUNTER(ray_ready)},
     .under = {COUNTER(ray_cycles)},
     .scale = 1},
    {.name = "share_request",
     .part = true,
     .over = {COUNTER(ray_request)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% of it at cache queues",
     .scale = 100},
    {.name = "share_memory",
     .part = true,
     .over = {COUNTER(ray_memory)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at memory",
     .scale = 100},
    {.name = "share_box",
     .part = true,
     .over = {COUNTER(ray_box_queue), COUNTER(ray_box)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at boxes",
     .scale = 100},
    {.name = "share_tri",
     .part = true,
     .over = {COUNTER(ray_tri_queue), COUNTER(ray_tri)},
     .under = {COUNTER(ray_cycles)},
     .said = "%.0f %% at triangles",
     .scale = 100},
    {.name = "share_finished",
     .part = true,
     .over = {COUNTER(ray_finished)},
     .under = {COUNTER(ray_cycles)},
     .scale = 1},
    {.name = "stack_p50", .unit = "entries", DEEPEST, .per_mille = 500},
    {.name = "stack_p99", .unit = "entries", DEEPEST, .per_mille = 990},
};

static const struct limit_row limits[] = {
    {.name = "slots",
     .param = "max_rays",
     .sort = LIMIT_PLACES,
     .used = {COUNTER(ray_cycles)},
     .active = {COUNTER(testing), COUNTER(fetching), COUNTER(waiting)},
     .empty = {COUNTER(item_cycles)},
     .room = "max_rays",
     .full = OBSERVED(slots.full),
     .inside = COUNTER(ray_record),
     .insides = STATES},
    {.name = "box pipelines",
     .param = "box_pipes",
     .used = {COUNTER(box_initiations)},
     .each = "box_interval",
     .room = "box_pipes",
     .waits = {COUNTER(ray_box_queue)},
     .work = "tests"},
    {.name = "triangle pipelines",
     .param = "tri_pipes",
     .used = {COUNTER(tri_initiations)},
     .each = "tri_interval",
     .room = "tri_pipes",
     .waits = {COUNTER(ray_tri_queue)},
     .work = "tests"},
    {.name = "ports to the L1",
     .used = {COUNTER(requests)},
     .room_links = MEM + 1,
     .crowded = OBSERVED(ports_crowded),
     .waits = {COUNTER(ray_request)},
     .legs = TRIP_LEG_BIT(taken),
     .passes = true},
    {.name = "scheduler", .param = "ops", .waits = {COUNTER(ray_ready)}},
    {.name = "latency of boxes",
     .param = "box_latency",
     .sort = LIMIT_LATENCY,
     .waits = {COUNTER(ray_box)}},
    {.name = "latency of triangles",
     .param = "tri_latency",
     .sort = LIMIT_LATENCY,
     .waits = {COUNTER(ray_tri)}},
};

static struct hart_trace *trace(struct unit *u, unsigned kind)
{
    return kind == TRACE_RAYS ? ((struct rtcore *)u)->trace : NULL;
}

/* Records of a trace lie outside of the memory that the engine saves. */
static void keep(struct unit *u, struct state *s)
{
    struct rtcore *r = (struct rtcore *)u;
    if (r->trace)
        hart_trace_state(r->trace, s);
}

static void destroy(struct unit *u)
{
    hart_trace_free(((struct rtcore *)u)->trace);
}

static void launch(struct unit *u, uint64_t now)
{
    struct rtcore *r = (struct rtcore *)u;
    if (r->items)
        items_launch(r, now);
}

static const struct unit_hints rtcore_hints = {
    .prepare = {rtcore_prepare, rtcore_prepare_rays},
};
static const struct memory_role role = {.next = MEM};

const struct unit_kind rtcore_kind = {
    .name = "rtcore",
    .meaning = "fixed-function traversal unit",
    .size = sizeof(struct rtcore),
    .params = offsetof(struct rtcore, params),
    .stats = offsetof(struct rtcore, stats),
    UNIT_TABLES,
    TRIP_TABLE,
    UNIT_STATE,
    LIMIT_TABLE,
    .told = {[TOLD_RAYS] = COUNTER(rays)},
    .reads = rtcore_reads,
    .memory = &role,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = rtcore_build,
    .receive = rtcore_receive,
    .send = rtcore_send,
    .hints = &rtcore_hints,
    .launch = launch,
    .state = rtcore_state,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .trace = trace,
    .keep = keep,
    .destroy = destroy,
};
