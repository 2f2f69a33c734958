/* What `monitor WORD...` does in gdb: a row for each word. */
#include "sim/core/heap.h"
#include "sim/host/gdb/back.h"
#include "sim/host/gdb/gdb.h"
#include "sim/host/run/diagnose.h"
#include "sim/host/run/programs.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Harts that one word may add to the list of threads. */
enum { FOCUS_MOST = 512, PLACES_MOST = 64 };

static void print_line(void *context, const char *line)
{
    fprintf(context, "%s\n", line);
}

static void where(struct gdb *g, char *rest, FILE *to)
{
    (void)rest;
    diagnose_places(g->host, PLACES_MOST, print_line, to);
}

static void cycle(struct gdb *g, char *rest, FILE *to)
{
    (void)rest;
    fprintf(to, "%s %" PRIu64 "\n",
            host_is_timed(g->host) ? "cycle" : "instruction", g->host->now);
}

/* ---- focus ---- */

/* Is the hart one that the words name? */
static bool by_state(const struct gdb *g, unsigned hart, const char *value)
{
    return !strncmp(diagnose_state(gdb_hart(g, hart)), value, strlen(value));
}

static bool by_name(const struct gdb *g, unsigned hart, const char *value)
{
    char name[200];
    const size_t length = strlen(value);
    thread_name(g, hart, name, sizeof name);
    return !strncmp(name, value, length) &&
           (!name[length] || name[length] == '.');
}

/* In the function whose name that is, or at an address. */
static bool by_place(const struct gdb *g, unsigned hart, const char *value)
{
    char *end;
    const uint64_t pc = gdb_place(g, hart).pc;
    char text[512];
    if (strtoull(value, &end, 0) == pc && !*end)
        return true;
    program_where(program_of(g->host, gdb_hart(g, hart)), pc, text,
                  sizeof text);
    const char *name = strchr(text, '<');
    const size_t length = strlen(value);
    return name && !strncmp(name + 1, value, length) &&
           strchr("+>(", name[1 + length]);
}

static bool by_number(const struct gdb *g, unsigned hart, const char *value)
{
    char *end;
    (void)g;
    return strtoull(value, &end, 0) == hart && !*end;
}

static bool any(const struct gdb *g, unsigned hart, const char *value)
{
    (void)value;
    return gdb_hart(g, hart)->state != HART_UNUSED;
}

static const struct {
    const char *word;
    bool (*names)(const struct gdb *g, unsigned hart, const char *value);
} focuses[] = {
    {"hart", by_number}, {"core", by_name}, {"pc", by_place},
    {"state", by_state}, {"all", any},
};

/* gdb forgets threads that are no longer in the list; the one that it has
 * stopped at stays. */
static void focus(struct gdb *g, char *rest, FILE *to)
{
    char *word = strtok_r(rest, " ", &rest), *value = rest;
    unsigned added = 0, more = 0;
    for (size_t i = 0; word && i < sizeof focuses / sizeof *focuses; i++) {
        if (strcmp(word, focuses[i].word))
            continue;
        g->focus_count = 0;
        focus_add(g, 0);
        focus_add(g, g->current);
        for (unsigned h = 0; h < g->host->machine.hart_count; h++) {
            if (!focuses[i].names(g, h, value))
                continue;
            if (added < FOCUS_MOST)
                focus_add(g, h);
            added += added < FOCUS_MOST;
            more += added == FOCUS_MOST;
        }
        fprintf(to, "%u harts are threads now", g->focus_count);
        fprintf(to, more > 1 ? "; that names more than %u\n" : "\n",
                FOCUS_MOST);
        return;
    }
    fprintf(to, "expected focus all, hart N, core NAME, pc FUNCTION|ADDRESS "
                "or state WORD...\n");
}

/* ---- stops that are no place in the program ---- */

static void stop(struct gdb *g, char *rest, FILE *to)
{
    char *word = strtok_r(rest, " ", &rest), *end = "";
    uint64_t cycle = strtoull(rest, &end, 0);
    if (word && !strcmp(word, "launch") && !*rest) {
        g->stops_launches = true;
    } else if (word && !strcmp(word, "off") && !*rest) {
        g->stops_launches = false;
        g->stop_cycle = CYCLE_NEVER;
    } else if (word && !strcmp(word, "cycle") && *rest && !*end &&
               cycle > g->host->now) {
        g->stop_cycle = cycle;
    } else {
        fprintf(to,
                "expected stop cycle N, with N after %" PRIu64
                ", stop launch, or stop off\n",
                g->host->now);
    }
}

static void history(struct gdb *g, char *rest, FILE *to)
{
    (void)rest;
    back_tell(g, to);
}

/* ---- all of them ---- */

static void help(struct gdb *g, char *rest, FILE *to);

static const struct {
    const char *word, *meaning;
    void (*run)(struct gdb *g, char *rest, FILE *to);
} rows[] = {
    {"help", "prints this", help},
    {"cycle", "the cycle in which the chip stands", cycle},
    {"focus",
     "all | hart N | core NAME | pc FUNCTION | state WORD: which "
     "harts gdb lists as threads",
     focus},
    {"history", "how far back the run can go", history},
    {"stop", "cycle N | launch | off: where the run stops besides", stop},
    {"where", "all harts, by state and place", where},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void help(struct gdb *g, char *rest, FILE *to)
{
    (void)g;
    (void)rest;
    for (unsigned i = 0; i < ROWS; i++)
        fprintf(to, "monitor %-8s %s\n", rows[i].word, rows[i].meaning);
}

void monitor_run(struct gdb *g, char *line, FILE *to)
{
    char *rest = line, *word = strtok_r(line, " ", &rest);
    for (unsigned i = 0; word && i < ROWS; i++)
        if (!strcmp(word, rows[i].word)) {
            rows[i].run(g, rest, to);
            return;
        }
    fprintf(to, "expected a word of monitor help\n");
}
