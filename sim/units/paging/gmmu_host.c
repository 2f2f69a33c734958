/* How a GMMU is built, and what the host asks it for (its paging role). */
#include "runtime/include/corbel/managed.h"
#include "sim/core/heap.h"
#include "sim/core/paging_role.h"
#include "sim/units/paging/gmmu_private.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The choices of policies are those of sim/uvm; enable_dma is numbered as enum
 * uvm_dma. */
static struct uvm_options options_of(const struct gmmu_params *p)
{
    return (struct uvm_options){
        .device_bytes = p->gddr_percent ? UVM_ROOT : (uint64_t)p->gddr_size,
        .page_bytes = p->page_size ? UVM_ROOT : UVM_PAGE,
        .prefetch = (enum uvm_prefetch)p->hardware_prefetch,
        .prefetch_oversub = (enum uvm_prefetch)p->hwprefetch_oversub,
        .evict = (enum uvm_evict)p->eviction_policy,
        .invalidate_clean = p->invalidate_clean,
        .first_write_no_copy = p->first_write_no_copy,
        .reserve = (unsigned)p->reserve_accessed_page_percent,
        .buffer = (unsigned)p->percentage_of_free_page_buffer,
        .dma = (enum uvm_dma)p->enable_dma,
        .threshold = (unsigned)p->migrate_threshold,
        .penalty = (unsigned)p->multiply_dma_penalty,
        .smart = p->enable_smart_runtime,
        .fault_entries = p->fault_mode == FAULT_CHANNEL,
        .sync_keep = p->sync_keep,
        .seed = (uint64_t)p->random_seed,
    };
}

static const struct shared_kind managed_kind;

struct managed *managed_of(const struct machine *m)
{
    return machine_shared(m, &managed_kind);
}

#define STATE_STRUCT struct managed
static const struct state_row managed_rows[] = {STATE_POINTER(gmmu),
                                                STATE_POINTER(ranges)};

static struct managed *managed_new(struct unit *u, unsigned page_shift)
{
    struct managed *m = chip_alloc_for(u->chip, 1, sizeof *m, "managed memory");
    chip_pointers(u->chip, m, sizeof *m, managed_rows,
                  TABLE_COUNT(managed_rows));
    m->gmmu = u;
    m->page_shift = page_shift;
    return m;
}

/* TLBs look ranges up by halving, so they lie in order. */
static void add_range(struct managed *m, uint64_t start, uint64_t end)
{
    unsigned place = m->count;
    m->ranges = heap_resize(m->ranges, m->count + 1u, sizeof *m->ranges,
                            "managed memory");
    while (place && m->ranges[place - 1].start > start)
        place--;
    memmove(m->ranges + place + 1, m->ranges + place,
            (m->count - place) * sizeof *m->ranges);
    m->ranges[place] = (struct range){start, end};
    m->count++;
}

static bool allocate(struct gmmu *g, uint64_t address, uint64_t bytes,
                     bool blank, struct error *error)
{
    if (!uvm_allocate(g->uvm, address, bytes, error))
        return false;
    if (blank)
        uvm_blank(g->uvm);
    add_range(g->managed, address, address + corbel_managed_trees(bytes));
    if (g->params.gddr_percent) {
        uint64_t all = uvm_managed_bytes(g->uvm);
        uint64_t share = all * (uint64_t)g->params.gddr_percent / 100;
        uint64_t page = g->params.page_size ? UVM_ROOT : UVM_PAGE;
        uvm_resize(g->uvm, share / page * page);
    }
    return true;
}

static bool check_links(const struct unit *u, struct error *error)
{
    const uint16_t *n = u->links;
    const struct gmmu_params *p = &((const struct gmmu *)u)->params;
    if (n[GMMU_MEM] != n[GMMU_DATA] ||
        (n[GMMU_MEM] && n[GMMU_MEM] != p->map_parts))
        return error_set(error,
                         "%u mem and %u data links, expected none or "
                         "map_parts = %d",
                         n[GMMU_MEM], n[GMMU_DATA], (int)p->map_parts);
    if (!is_power_of_two(p->map_stride))
        return error_set(error, "map_stride: %lld is no power of two",
                         (long long)p->map_stride);
    if (n[GMMU_WALK] && n[GMMU_WALK] == n[GMMU_BACK] && n[GMMU_PCIE] == 1 &&
        n[GMMU_DONE] == 1)
        return true;
    return error_set(error,
                     "%u walk, %u back, %u pcie and %u done links; pairs are "
                     "expected, and one to PCIe",
                     n[GMMU_WALK], n[GMMU_BACK], n[GMMU_PCIE], n[GMMU_DONE]);
}

bool gmmu_build(struct unit *u, struct error *error)
{
    struct gmmu *g = (struct gmmu *)u;
    struct machine *m = chip_context(u->chip);
    struct uvm_options options = options_of(&g->params);
    if (!check_links(u, error) || !uvm_options_check(&options, error))
        return false;
    if (m && managed_of(m))
        return error_set(error, "the chip has another one already, %.60s",
                         managed_of(m)->gmmu->name);
    g->uvm = uvm_new(&options, &g->stats.uvm);
    if (g->params.unmanaged && g->params.gddr_percent)
        return error_set(error,
                         "unmanaged and gddr_percent exclude each other");
    if (!uvm_occupy(g->uvm, (uint64_t)g->params.unmanaged, error))
        return false;
    g->map = map_new(g->params.map_stride, g->params.map_parts, 1, 32,
                     g->params.map_hash);
    g->managed = managed_new(u, g->params.page_size ? 21 : 12);
    if (g->params.managed_bytes &&
        !allocate(g, (uint64_t)g->params.managed_from,
                  (uint64_t)g->params.managed_bytes, false, error))
        return false;
    if (m)
        machine_share(m, &managed_kind, g->managed);
    g->logs = m && m->log_transfers;
    g->ready = chip_alloc(u->chip, u->links[GMMU_WALK], sizeof *g->ready);
    g->read.dma = g->write.dma = NONE;
    g->account.bucket = &g->stats.idle;
    return true;
}

/*
 * The struct has been loaded before, and says how much there is of what it
 * points to: ranges, which the host adds, and events, if there is a log.
 */
void gmmu_keep(struct unit *u, struct state *s)
{
    struct gmmu *g = (struct gmmu *)u;
    struct managed *m = g->managed;
    uvm_state(g->uvm, s);
    if (g->event_count > g->event_room)
        state_fail(s, "there are more events of managed memory than fit");
    if (s->failed)
        return;
    if (s->loading) {
        m->ranges = heap_resize(m->ranges, m->count, sizeof *m->ranges,
                                "managed memory");
        g->events = heap_resize(g->events, g->event_room, sizeof *g->events,
                                "the events of managed memory");
    }
    state_bytes(s, m->ranges, m->count * sizeof *m->ranges);
    state_bytes(s, g->events, g->event_count * sizeof *g->events);
}

void gmmu_destroy(struct unit *u)
{
    struct gmmu *g = (struct gmmu *)u;
    struct machine *m = chip_context(u->chip);
    if (m && g->managed && managed_of(m) == g->managed)
        machine_share(m, &managed_kind, NULL);
    uvm_free(g->uvm);
    if (g->managed)
        free(g->managed->ranges);
    free(g->events);
}

/* ---- the host ---- */

static const char *files(const struct unit *u)
{
    return ((const struct gmmu *)u)->params.managed_files;
}

static bool add(struct unit *u, uint64_t now, uint64_t address, uint64_t bytes,
                bool blank, struct error *error)
{
    return allocate((struct gmmu *)u, address, bytes, blank, error);
}

static bool prefetch(struct unit *u, uint64_t now, uint64_t address,
                     uint64_t bytes, struct error *error)
{
    struct gmmu *g = (struct gmmu *)u;
    if (!uvm_user_prefetch(g->uvm, address, bytes, error))
        return false;
    g->asked[g->asked_count++] = now;
    unit_wake(u, now);
    return true;
}

void gmmu_end_prefetches(struct gmmu *g, uint64_t now)
{
    unsigned ended = g->asked_count - uvm_user_ranges(g->uvm);
    for (unsigned i = 0; i < ended; i++)
        g->stats.user_wait += now - g->asked[i];
    g->stats.user_prefetches += ended;
    g->asked_count -= ended;
    memmove(g->asked, g->asked + ended, g->asked_count * sizeof *g->asked);
}

/* Synchronisation begins when nothing is under way any more. */
static bool synchronise(struct unit *u, uint64_t now)
{
    struct gmmu *g = (struct gmmu *)u;
    g->sync = true;
    g->sync_next = 0;
    g->sync_from = now;
    unit_wake(u, now);
    return true;
}

/* Services and alarms come at multiples of the grid. */
static uint64_t launch(struct unit *u)
{
    struct gmmu *g = (struct gmmu *)u;
    uint64_t latency = (uint64_t)g->params.gpgpu_kernel_launch_latency;
    uint64_t grid = chip_grid(u->chip);
    latency = (latency + grid - 1) / grid * grid;
    g->stats.launch_cycles += latency;
    return latency;
}

static void sum(const struct unit *u, struct corbel_managed_stats *stats)
{
    const struct uvm_stats *s = &((const struct gmmu *)u)->stats.uvm;
    stats->faults += s->far_faults;
    stats->transfers_in += s->h2d_transfers;
    stats->bytes_in += s->h2d_bytes;
    stats->transfers_out += s->d2h_transfers + s->sync_transfers;
    stats->bytes_out += s->d2h_bytes + s->sync_bytes;
    stats->remote_reads += s->dma_reads;
}

void gmmu_log(struct gmmu *g, const struct paging_event *event)
{
    if (!g->logs)
        return;
    if (g->event_count == g->event_room) {
        g->event_room = g->event_room ? 2 * g->event_room : 1024;
        g->events = heap_resize(g->events, g->event_room, sizeof *g->events,
                                "the events of managed memory");
    }
    g->events[g->event_count++] = *event;
}

static const struct paging_event *events(const struct unit *u, size_t *count)
{
    const struct gmmu *g = (const struct gmmu *)u;
    *count = g->event_count;
    return g->events;
}

const struct paging_role gmmu_role = {.files = files,
                                      .add = add,
                                      .prefetch = prefetch,
                                      .synchronise = synchronise,
                                      .launch = launch,
                                      .sum = sum,
                                      .events = events};
