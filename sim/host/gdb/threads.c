/*
 * Harts as threads. gdb asks for details of each thread at each stop, and takes
 * seconds for thousands, so it is told of a few: hart 0, those that have
 * stopped, and those that the user names (monitor focus).
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/gdb/gdb.h"
#include "sim/host/run/diagnose.h"
#include <stdlib.h>
#include <string.h>

void focus_add(struct gdb *g, unsigned hart)
{
    unsigned at = 0;
    while (at < g->focus_count && g->focus[at] < hart)
        at++;
    if (at < g->focus_count && g->focus[at] == hart)
        return;
    g->focus =
        heap_resize(g->focus, g->focus_count + 1, sizeof *g->focus, "--gdb");
    memmove(&g->focus[at + 1], &g->focus[at],
            (g->focus_count - at) * sizeof *g->focus);
    g->focus[at] = hart;
    g->focus_count++;
}

/* The core's name, the warp where it has warps, and the hart of it. */
void thread_name(const struct gdb *g, unsigned hart, char *text, size_t size)
{
    const struct hart *h = gdb_hart(g, hart);
    const struct core_kind *core = core_of(h);
    const unsigned width = core->group_step ? core->group_step(h->core, 1) : 0;
    if (width)
        snprintf(text, size, "%s.w%u.l%u", h->core->name, h->slot / width,
                 h->slot % width);
    else if (core->harts(h->core) > 1)
        snprintf(text, size, "%s.h%u", h->core->name, h->slot);
    else
        snprintf(text, size, "%s", h->core->name);
}

void thread_state(const struct gdb *g, unsigned hart, char *text, size_t size)
{
    snprintf(text, size, "hart %u, %s", hart,
             diagnose_state(gdb_hart(g, hart)));
}

/* Names of units, and ours, have nothing that XML takes for something else. */
char *threads_list(const struct gdb *g)
{
    char *text, name[200], state[200];
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        heap_lacks(1, BUFSIZ, "--gdb");
    fprintf(to, "<?xml version=\"1.0\"?><threads>");
    for (unsigned i = 0; i < g->focus_count; i++) {
        unsigned hart = g->focus[i];
        thread_name(g, hart, name, sizeof name);
        thread_state(g, hart, state, sizeof state);
        fprintf(to, "<thread id=\"%x\" core=\"%u\" name=\"%s\">%s</thread>",
                hart + 1, unit_tile_number(gdb_hart(g, hart)->core), name,
                state);
    }
    fprintf(to, "</threads>");
    fclose(to);
    return text;
}
