/* When kernels began and ended, for stats.json. */
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/results/json_text.h"
#include <stdlib.h>
#include <string.h>

/* As many as there are regions of interest. */
enum { KERNELS_MOST = REGIONS_MOST };

struct kernel_time {
    char name[KERNEL_NAME]; /* "": unknown */
    uint64_t begin, end;    /* 0: it runs */
};

struct kernel_times {
    struct kernel_time *list;
    uint32_t count, room;
    uint64_t left_out;
};

static const char what[] = "kernels";

static struct kernel_times *times_of(const struct host *host)
{
    return *observer_of(host, &kernels_observer);
}

static bool kernels_open(struct host *host, struct error *error)
{
    if (host->tables.totals)
        *observer_of(host, &kernels_observer) =
            heap_new(1, sizeof(struct kernel_times), what);
    return true;
}

static void begin_kernel(struct kernel_times *t, const struct host *host)
{
    if (t->count == KERNELS_MOST) {
        t->left_out++;
        return;
    }
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->list = heap_resize(t->list, t->room, sizeof *t->list, what);
    }
    struct kernel_time *k = &t->list[t->count++];
    *k = (struct kernel_time){.begin = host->now};
    memcpy(k->name, host->kernels.name, sizeof k->name);
}

static void kernels_border(struct host *host, enum range_of of, uint64_t number,
                           bool begin)
{
    struct kernel_times *t = times_of(host);
    if (!t || of != RANGE_OF_LAUNCH)
        return;
    if (begin)
        begin_kernel(t, host);
    else if (t->count && !t->list[t->count - 1].end)
        t->list[t->count - 1].end = host->now;
}

static void kernels_state(struct host *host, struct state *s)
{
    struct kernel_times *t = times_of(host);
    if (!t)
        return;
    t->list =
        state_array(s, t->list, &t->count, &t->room, sizeof *t->list, what);
    STATE_VALUE(s, t->left_out);
    for (uint32_t i = 0; i < t->count; i++)
        t->list[i].name[KERNEL_NAME - 1] = '\0';
}

static void kernels_json(const struct host *host, cJSON *stats)
{
    const struct kernel_times *t = times_of(host);
    if (!t || !t->count)
        return;
    cJSON *list = cJSON_AddArrayToObject(stats, "kernels");
    for (uint32_t i = 0; i < t->count; i++) {
        const struct kernel_time *k = &t->list[i];
        cJSON *kernel = cJSON_CreateObject();
        if (*k->name)
            cJSON_AddStringToObject(kernel, "name", k->name);
        json_u64(kernel, "begin", k->begin);
        json_u64(kernel, "end", k->end ? k->end : host->now);
        cJSON_AddItemToArray(list, kernel);
    }
    if (t->left_out)
        json_u64(stats, "kernels_left_out", t->left_out);
}

static void kernels_free(struct host *host)
{
    if (times_of(host))
        free(times_of(host)->list);
    free(times_of(host));
}

const struct observer kernels_observer = {
    .name = "kernels",
    .open = kernels_open,
    .border = kernels_border,
    .state = kernels_state,
    .json = kernels_json,
    .free = kernels_free,
};
