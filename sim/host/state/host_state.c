/*
 * The host's part of a checkpoint: what the program has asked for so far, where
 * its harts stand with the host, and what was told of it. Without timing harts
 * are part of it, too: else they are the cores'.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/results.h"
#include "sim/host/results/unit_totals.h"
#include "sim/host/state/checkpoint.h"
#include <stdlib.h>

#define TEXT_MOST (1u << 30) /* bytes of a log */

/* Saves a hart by its number, from 1 on; 0 is none. */
void state_hart(struct host *host, struct state *s, struct hart **hart)
{
    struct machine *m = &host->machine;
    uint32_t number =
        s->loading || !*hart ? 0 : (uint32_t)(*hart - m->harts) + 1;
    state_number(s, &number, m->hart_count, "the number of a hart");
    *hart = number ? &m->harts[number - 1] : NULL;
}

/* ---- memory ---- */

static void move_placed(struct host *host, struct state *s)
{
    state_number(s, &host->placed.count, PLACED_MAX, "the files in memory");
    for (unsigned i = 0; i < host->placed.count; i++) {
        struct placed *p = &host->placed.files[i];
        state_text(s, &p->path, "the name of a file in memory");
        STATE_VALUE(s, p->kind);
        STATE_VALUE(s, p->address);
        STATE_VALUE(s, p->bytes);
    }
}

/* Files lie side by side in memory, names and kinds are as when they came. */
static bool are_placed(const struct host *host)
{
    for (unsigned i = 0; i < host->placed.count; i++) {
        const struct placed *p = &host->placed.files[i];
        if (!p->path || (unsigned)p->kind >= PLACED_KINDS || p->address % 64 ||
            !machine_in_ram(&host->machine, p->address, p->bytes))
            return false;
    }
    return true;
}

/* The lower end of what the harts have of their own is that of a machine at
 * reset; what is placed moves it down. */
static void move_bounds(struct host *host, struct state *s)
{
    uint64_t top = host->layout.ceiling;
    STATE_VALUE(s, host->layout.heap_end);
    STATE_VALUE(s, host->layout.ceiling);
    if (s->loading && host->programs.first->path &&
        (host->layout.ceiling > top ||
         host->layout.heap_end > host->layout.ceiling ||
         host->layout.heap_end < host->layout.heap_start)) {
        host->layout.heap_end = host->layout.ceiling = host->layout.heap_start;
        state_fail(s, "the heap ends outside of its memory");
    }
}

/* 0: none is bound. It is bound again when memory is there. */
static void move_scene(struct machine *m, struct state *s)
{
    uint64_t address = m->scene ? m->scene_address : 0;
    STATE_VALUE(s, address);
    STATE_VALUE(s, m->frame);
    if (!s->loading)
        return;
    m->scene_address = address;
    uint64_t bytes = m->frame.end - m->frame.start;
    if (bytes && !machine_in_ram(m, m->frame.start, bytes))
        state_fail(s, "the picture lies outside of memory");
}

void host_state_scene(struct host *host, struct state *s)
{
    struct error error;
    if (s->loading && !s->failed && host->machine.scene_address &&
        !scene_again(host, host->machine.scene_address, &error))
        state_fail(s, "%s", error.text);
}

static void move_groups(struct machine *m, struct state *s)
{
    struct group_windows *g = &m->groups;
    STATE_VALUE(s, *g);
    if (s->loading && g->count &&
        (!g->harts || g->harts > m->hart_count || !g->bytes ||
         g->count > m->hart_count || g->bytes > m->ram_end ||
         !machine_in_ram(m, g->start, g->count * g->bytes)))
        state_fail(s, "the memory of groups lies outside of memory");
}

static void move_machine(struct machine *m, struct state *s)
{
    STATE_VALUE(s, m->work_index);
    STATE_VALUE(s, m->work_order);
    m->work_order.blocks %= WORK_BLOCKS_MOST + 1;
    state_number(s, &m->read_only_count, MACHINE_RANGES, "read-only areas");
    STATE_VALUE(s, m->read_only);
    move_groups(m, s);
    move_scene(m, s);
}

/* ---- harts ---- */

/* What it is as one of its chip stays, and what a file must not have. */
static void move_registers(struct isa_hart *h, struct state *s)
{
    const struct isa_hart reset = *h;
    STATE_VALUE(s, *h);
    h->x[0] = 0;
    h->id = reset.id;
    h->xlen = reset.xlen;
    h->misaligned = reset.misaligned;
    h->extensions = reset.extensions;
    h->frm &= 7;
    h->fflags &= 31;
}

/* All harts wait, for a launch or for others, and one at its call. */
static void move_hart(struct host *host, struct hart *h, struct state *s)
{
    uint32_t state = h->state;
    move_registers(&h->isa, s);
    state_number(s, &state, HART_UNUSED - 1, "the state of a hart");
    h->state = (uint8_t)state;
    if (host->machine.scratch_bytes)
        state_bytes(s, h->scratch, host->machine.scratch_bytes);
    h->event = h == host->roi.held ? HART_ECALL : HART_NONE;
    if (s->loading && !s->failed &&
        (h->state == HART_RUNNING ||
         (h->state == HART_SLEEPING) != (h == host->roi.held) ||
         !machine_executable(&host->machine, h->isa.pc, 4)))
        state_fail(s, "a hart does not wait as without timing");
}

/* Behind what the host knows of them. */
void host_state_harts(struct host *host, struct state *s)
{
    struct machine *m = &host->machine;
    unsigned parked = 0;
    const char *why = s->loading ? NULL : machine_shared_unsaved(m);
    if (why)
        state_fail(s, "%s", why);
    for (unsigned i = 0; i < m->hart_count && !s->failed; i++) {
        if (m->harts[i].state == HART_UNUSED)
            continue;
        move_hart(host, &m->harts[i], s);
        parked += m->harts[i].state == HART_PARKED;
    }
    if (s->loading && !s->failed &&
        (parked != host->kernels.parked || !host->roi.held ||
         host->sleep.count))
        state_fail(s, "harts do not wait as the host has it");
}

/* ---- the program ---- */

static void move_seats(struct host *host, struct state *s)
{
    struct seats *seats = &host->kernels.seats;
    STATE_VALUE(s, *seats);
    if (s->loading && seats->teams &&
        (!seats->multiprocessor || seats->teams > host->harts ||
         seats->harts > seats->multiprocessor))
        state_fail(s, "groups sit on harts that there are not");
}

/* What harts wait for outside of the chip; their registers are their cores'. */
static void move_harts(struct host *host, struct state *s)
{
    STATE_VALUE(s, host->programs.done);
    STATE_VALUE(s, host->kernels.parked);
    state_flag(s, &host->kernels.runs);
    state_flag(s, &host->kernels.launched);
    state_hart(host, s, &host->kernels.waiting);
    state_hart(host, s, &host->kernels.launching);
    STATE_VALUE(s, host->kernels.due);
    move_seats(host, s);
    STATE_VALUE(s, host->kernels.launches);
    state_hart(host, s, &host->managed.synchronising);
    state_hart(host, s, &host->half.by);
    STATE_VALUE(s, host->half.at);
    STATE_VALUE(s, host->half.due);
    sleep_state(host, s);
}

/* What the program has of the host: memory, files, and work handed out. */
static void move_program(struct host *host, struct state *s)
{
    move_bounds(host, s);
    move_placed(host, s);
    if (s->loading && !are_placed(host))
        state_fail(s, "a file lies outside of memory");
    host->managed.ranges = state_array(
        s, host->managed.ranges, &host->managed.count, &host->managed.room,
        sizeof *host->managed.ranges, "managed memory");
    state_number(s, &host->os.unknown_count, UNKNOWN_MAX, "unknown calls");
    STATE_VALUE(s, host->os.unknown);
    STATE_VALUE(s, host->work.total);
    STATE_VALUE(s, host->work.base);
    STATE_VALUE(s, host->work.part);
    STATE_VALUE(s, host->work.next);
    STATE_VALUE(s, host->kernels.name);
    host->kernels.name[sizeof host->kernels.name - 1] = '\0';
    if (s->loading)
        checkpoint_take_back(host);
    int elsewhere = files_arguments_state(&host->os.files, s);
    if (elsewhere)
        host_note(host,
                  "%.200s is another file than when the run began, which the "
                  "program may not read outside of --fs",
                  host->options->program[elsewhere]);
    files_state(&host->os.files, s);
    streams_state(host, s);
    STATE_VALUE(s, host->os.taken);
    if (s->loading && host->os.taken < 0) /* a file does not widen --max-fs */
        host->os.taken = 0;
    state_flag(s, &host->os.full);
}

/* ---- what was told ---- */

/*
 * An open region has a range of which only the begin is known. CPU time is that
 * of this process, so what has been spent so far goes on counting behind it;
 * it is only told to people.
 */
static void move_regions(struct regions *r, struct state *s)
{
    state_flag(s, &r->open);
    uint32_t used = r->count + r->open;
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    double spent = r->cpu + (r->open ? cpu : 0);
    r->ranges = state_array(s, r->ranges, &used, &r->room, sizeof *r->ranges,
                            "regions of interest");
    r->count = used - (used && r->open);
    STATE_VALUE(s, r->left_out);
    STATE_VALUE(s, r->nested);
    STATE_VALUE(s, r->unbegun);
    STATE_VALUE(s, r->first_wrong);
    STATE_VALUE(s, spent);
    r->cpu = spent - (r->open ? cpu : 0);
}

/* Sums at the begin of the open region, and of the regions so far: units have
 * their own counters. */
static void move_sums(uint64_t *begun, uint64_t *region, unsigned count,
                      struct state *s)
{
    state_same(s, count, "the number of statistics");
    state_bytes(s, begun, count * sizeof *begun);
    state_bytes(s, region, count * sizeof *region);
}

/* The log is a stream into memory, which a run that goes on begins with the
 * lines that there were. */
static void move_log(struct host *host, struct state *s)
{
    fflush(host->log.stream);
    uint32_t bytes = (uint32_t)host->log.size;
    state_number(s, &bytes, TEXT_MOST, "the log");
    char *text = host->log.text;
    if (s->loading)
        text = heap_new(bytes + 1u, 1, "the log");
    state_bytes(s, text, bytes);
    if (s->loading) {
        rewind(host->log.stream);
        fwrite(text, 1, bytes, host->log.stream);
        free(text);
    }
    STATE_VALUE(s, host->log.lines);
    STATE_VALUE(s, host->log.lost);
    STATE_VALUE(s, host->log.notes);
    STATE_VALUE(s, host->log.notes_lost);
}

/* Members that are saved in another form, numbers for pointers above all, and
 * what belongs to the process: what is told on a terminal, where its threads
 * run. */
#define HOST_REST(X)                                                           \
    X(machine.scene)                                                           \
    X(machine.scene_address)                                                   \
    X(machine.treelets)                                                        \
    X(machine.treelet_bytes)                                                   \
    X(os.files.host)                                                           \
    X(os.files.paths)                                                          \
    X(os.files.listings)                                                       \
    X(os.files.images)                                                         \
    X(saving.undo)                                                             \
    X(placed.files)                                                            \
    X(managed.ranges)                                                          \
    X(managed.room)                                                            \
    X(kernels.waiting)                                                         \
    X(kernels.launching)                                                       \
    X(managed.synchronising)                                                   \
    X(sleep.sleepers)                                                          \
    X(half.by)                                                                 \
    X(regions.ranges)                                                          \
    X(regions.room)                                                            \
    X(regions.count)                                                           \
    X(regions.cpu)                                                             \
    X(saving.kept)                                                             \
    X(saving.failed)                                                           \
    X(saving.time)                                                             \
    X(shown.line)                                                              \
    X(shown.seen)                                                              \
    X(places)                                                                  \
    X(functional)                                                              \
    X(roi.held)                                                                \
    X(tables.stats)                                                            \
    X(observed)                                                                \
    X(debugger)                                                                \
    X(log.text)                                                                \
    X(log.size)

/* Units and tables that grow: a run without timing keeps neither. */
void host_state_timed(struct host *host, struct state *s)
{
    struct totals *t = host->tables.totals;
    move_sums(t->begun, t->region, t->sum_count, s);
    struct entries *e = host->tables.entries;
    move_sums(e->begun, e->region, e->value_count, s);
    observers_state(host, s);
}

/* What every run has, in this order, whatever it is executed by. */
void host_state(struct host *host, struct state *s)
{
#define REST(member) STATE_REST(s, host->member);
    HOST_REST(REST)
#undef REST
    STATE_VALUE(s, host->now);
    STATE_VALUE(s, host->progress);
    state_flag(s, &host->altered);
    move_machine(&host->machine, s);
    move_program(host, s);
    move_harts(host, s);
    move_regions(&host->regions, s);
    move_log(host, s);
    roi_state(host, s);
}
