/*
 * Kernels: parked harts cost nothing and start together. A launch waits until
 * every other hart is parked, so that a kernel runs on all of them even if it
 * is launched before the last one has reached its place; so does a join, which
 * is the end of the kernel. On a chip whose launches take time the hart that
 * launches then waits on, for an alarm of the engine: the clock jumps there.
 */
#include "runtime/include/corbel/abi.h"
#include "sim/host/observer.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/run/cores.h"
#include <stdio.h>
#include <string.h>

/* A kernel, and what it is called with. */
struct start {
    uint64_t kernel, argument;
    unsigned harts; /* that it has begun on */
};

static void start_one(struct host *host, struct hart *h, struct start *start)
{
    if (h->state != HART_PARKED)
        return;
    abi_set_argument(h, 0, start->kernel);
    abi_set_argument(h, 1, start->argument);
    abi_pass_call(h);
    host_start(host, h);
    start->harts++;
}

static void start_all(struct host *host, struct start *start)
{
    for (unsigned i = 0; i < host->machine.hart_count; i++)
        start_one(host, &host->machine.harts[i], start);
}

static void start_seats(struct host *host, struct start *start)
{
    const struct seats *s = &host->kernels.seats;
    unsigned all = (host->harts + s->multiprocessor - 1) / s->multiprocessor;
    for (uint32_t team = 0; team < s->teams; team++) {
        uint64_t first = (uint64_t)(team % all) * s->multiprocessor +
                         (uint64_t)(team / all) * s->step;
        for (uint64_t i = first; i < first + s->harts && i < host->harts; i++)
            start_one(host, &host->machine.harts[i], start);
    }
}

void launch_forget(struct host *host)
{
    machine_shared_launch(&host->machine);
    if (host_is_timed(host))
        engine_launch(host->engine);
    roi_kernel(host);
    observers_launch(host);
}

/* Only a kernel whose indices were announced has blocks to permute. */
static void order_work(struct host *host)
{
    const uint64_t blocks = host->work.next / WORK_BLOCK;
    host->machine.work_order = (struct work_order){
        .seed = host->options->permute,
        .blocks = !host->options->permute     ? 0
                  : blocks > WORK_BLOCKS_MOST ? WORK_BLOCKS_MOST
                                              : (uint32_t)blocks};
    host->work.next = 0;
}

static void launch(struct host *host, struct hart *hart)
{
    struct start start = {abi_argument(hart, 0), abi_argument(hart, 1), 1};
    char name[256];
    program_where(host->programs.first, start.kernel, name, sizeof name);
    char *place = strstr(name, "> (");
    if (place)
        place[1] = '\0'; /* a first line may be an inlined one */
    const char *symbol = strchr(name, '<');
    snprintf(host->kernels.name, sizeof host->kernels.name, "%.*s",
             symbol ? (int)strcspn(symbol + 1, ">+") : 0,
             symbol ? symbol + 1 : "");
    host->machine.work_index = 0;
    order_work(host);
    host->work.base = totals_handed(host);
    host->work.part++;
    launch_forget(host);
    observers_border(host, RANGE_OF_LAUNCH, ++host->kernels.launches, true);
    if (host->kernels.seats.teams)
        start_seats(host, &start);
    else
        start_all(host, &start);
    host->kernels.parked = host->harts - start.harts;
    host->kernels.seats = (struct seats){0};
    host_log(host, "launch of kernel %s on %u harts", name, start.harts);
    abi_answer(hart, 0);
    host_start(host, hart);
}

/* At once, or when an alarm comes at that time. */
static void launch_in(struct host *host, struct hart *hart, uint64_t cycles)
{
    if (!cycles) {
        launch(host, hart);
        return;
    }
    hart->state = HART_SLEEPING;
    host->kernels.launching = hart;
    host->kernels.due = host->now + cycles;
    engine_alarm(host->engine, host->kernels.due);
}

void launch_alarm(struct host *host)
{
    struct hart *hart = host->kernels.launching;
    if (!hart)
        return;
    if (host->now < host->kernels.due) {
        engine_alarm(host->engine, host->kernels.due);
        return;
    }
    host->kernels.launching = NULL;
    launch(host, hart);
}

/* Once all other harts are parked, the hart that waits for that goes on: its
 * kernel begins, or has ended. */
static void release(struct host *host)
{
    struct hart *hart = host->kernels.waiting;
    if (!hart || host->kernels.parked + 1 != host->harts)
        return;
    bool launches = abi_call_number(hart) == CORBEL_SYS_LAUNCH;
    host->kernels.waiting = NULL;
    host->kernels.launched = true;
    host->kernels.runs = launches;
    if (launches) {
        launch_in(host, hart, host_managed_launch(host));
    } else {
        host_log(host, "all harts are parked again");
        host->machine.groups = (struct group_windows){0};
        observers_border(host, RANGE_OF_LAUNCH, host->kernels.launches, false);
        abi_answer(hart, 0);
        host_resume(host, hart);
    }
}

void launch_park(struct host *host, struct hart *hart)
{
    hart->state = HART_PARKED;
    hart->event = HART_NONE;
    if (core_of(hart)->park)
        core_of(hart)->park(hart->core, hart->slot, host->now);
    host->kernels.parked++;
    release(host);
}

/* A second hart that waits, waits in vain: the run ends as a deadlock. */
bool launch_wait(struct host *host, struct hart *hart)
{
    if (host->kernels.runs && abi_call_number(hart) == CORBEL_SYS_LAUNCH)
        return fault_tell(host, hart,
                          "corbel_launch called from within a kernel");
    hart->state = HART_JOINING;
    hart->event = HART_NONE;
    if (!host->kernels.waiting)
        host->kernels.waiting = hart;
    release(host);
    return true;
}
