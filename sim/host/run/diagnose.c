/*
 * Why a run hangs, in words: what each unit waits for, and where the harts
 * are, those in one place and state told together. log.txt has all of it; so
 * has stderr, but for a run that a signal has ended: of that a few lines.
 */
#include "sim/host/run/diagnose.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/core/waits.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/programs.h"
#include <stdlib.h>
#include <string.h>

/* Lines at most for units, and as many for harts; and of a run that a
 * signal has ended, on stderr. */
enum { LINES_MAX = 20, LINES_ENDED = 3 };

/* What is being told. */
struct telling {
    struct host *host;
    unsigned room; /* lines that stderr still takes */
    bool shown;    /* it has got some */
    bool cut;      /* it has not got all */
};

/* ended: lines for stderr of a run that a signal has ended: its sender need not
 * be told where it was. A run at its limit may have hung as well. */
static struct telling begin_telling(struct host *host, unsigned ended)
{
    unsigned room = host->ended.how != ENDING_SIGNAL ? LINES_MAX + 1
                    : host->options->quiet           ? 0
                                                     : ended;
    return (struct telling){.host = host, .room = room};
}

static void say(struct telling *t, const char *text)
{
    char line[1024];
    corbel_line(line, sizeof line, text);
    host_log(t->host, "%s", line);
    if (t->room)
        fprintf(stderr, "  %s\n", line);
    else
        t->cut = true;
    t->shown |= t->room > 0;
    t->room -= t->room > 0;
}

/* ---- units ---- */

/* A unit's explain writes nothing if it waits for nothing; of several lines the
 * first is shown. In the order of the chip. */
static void explain_units(struct host *host)
{
    unsigned said = 0, silent = 0;
    struct telling t = begin_telling(host, 0);
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        char *text = NULL;
        size_t size = 0;
        FILE *f = u->kind->explain ? open_memstream(&text, &size) : NULL;
        if (!f)
            continue;
        u->kind->explain(u, f);
        fclose(f);
        if (size && said < LINES_MAX) {
            text[strcspn(text, "\n")] = '\0';
            say(&t, text);
            said++;
        } else if (size) {
            silent++;
        }
        free(text);
    }
    if (silent) {
        char line[64];
        snprintf(line, sizeof line, "and %u more units that wait", silent);
        say(&t, line);
    }
}

/* ---- harts ---- */

const char *diagnose_state(const struct hart *h)
{
    switch ((enum hart_state)h->state) {
    case HART_RUNNING:
        return "running";
    case HART_PARKED:
        return "parked, waiting for a kernel";
    case HART_JOINING:
        if (abi_call_number(h) == CORBEL_SYS_BARRIER)
            return "in corbel_group_sync, waiting for others of its group";
        return abi_call_number(h) == CORBEL_SYS_LAUNCH
                   ? "in corbel_launch, waiting until all others are parked"
                   : "at the end of corbel_launch, waiting for all others";
    case HART_SLEEPING:
        return "asleep";
    case HART_STOPPED:
        return "stopped";
    case HART_UNUSED:
        return "not used";
    }
    return "?";
}

/* Harts in the same state at the same pc come together, in the order of their
 * numbers. */
static int by_place(const void *a, const void *b)
{
    const struct hart *x = *(struct hart *const *)a;
    const struct hart *y = *(struct hart *const *)b;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (hart_pc(x) != hart_pc(y))
        return hart_pc(x) < hart_pc(y) ? -1 : 1;
    return (x > y) - (x < y);
}

static bool same_place(const struct hart *a, const struct hart *b)
{
    return a->state == b->state && hart_pc(a) == hart_pc(b);
}

static void place_text(const struct host *host, struct hart *const *harts,
                       unsigned count, char *line, size_t size)
{
    char where[512];
    program_where(program_of(host, harts[0]), hart_pc(harts[0]), where,
                  sizeof where);
    snprintf(line, size, "%u hart%s (%s%u): %s, at %s", count,
             count > 1 ? "s" : "", count > 1 ? "first " : "number ",
             hart_number(host, harts[0]), diagnose_state(harts[0]), where);
}

/* A kind's own model without timing may need only some of its harts: the others
 * are nowhere in the program. */
static bool is_told(const struct host *host, const struct hart *h)
{
    return host->engine || !core_of(h)->functional ||
           core_of(h)->instructions(h->core, h->slot);
}

static unsigned list_harts(struct host *host, struct hart **harts)
{
    struct machine *m = &host->machine;
    unsigned count = 0;
    for (unsigned i = 0; i < m->hart_count; i++)
        if (is_told(host, &m->harts[i]))
            harts[count++] = &m->harts[i];
    qsort(harts, count, sizeof(struct hart *), by_place);
    return count;
}

void diagnose_places(struct host *host, unsigned lines,
                     void (*tell)(void *context, const char *line),
                     void *context)
{
    struct hart **harts = heap_new(host->machine.hart_count,
                                   sizeof(struct hart *), "the diagnosis");
    unsigned count = list_harts(host, harts), said = 0, first = 0;
    char line[700];
    for (unsigned i = 1; i <= count; i++) {
        if (i < count && same_place(harts[i], harts[first]))
            continue;
        place_text(host, &harts[first], i - first, line, sizeof line);
        if (said++ < lines)
            tell(context, line);
        first = i;
    }
    snprintf(line, sizeof line, "and harts in %u more places", said - lines);
    if (said > lines)
        tell(context, line);
    free(harts);
}

static void say_line(void *context, const char *line)
{
    say(context, line);
}

static void explain_harts(struct host *host)
{
    struct telling t = begin_telling(host, LINES_ENDED);
    diagnose_places(host, LINES_MAX, say_line, &t);
    if (t.cut && t.shown)
        fprintf(stderr, "  and harts in more places%s\n",
                host->options->outdir ? ": see log.txt"
                                      : ": -o DIR writes all into log.txt");
}

void diagnose(struct host *host)
{
    explain_harts(host);
    if (!host->engine)
        return;
    explain_units(host);
    struct telling chains = begin_telling(host, LINES_ENDED);
    waits_chains(host->chip, LINES_MAX, say_line, &chains);
    struct telling links = begin_telling(host, 0);
    if (host->ended.how == ENDING_DEADLOCK)
        waits_links(host->chip, LINES_MAX, say_line, &links);
}
