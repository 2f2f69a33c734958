/*
 * sim-diff: what changed between two runs, what matters most first, as text.
 */
#include "sdk/version/version.h"
#include "sim/core/tool.h"
#include "sim/report/changes.h"
#include "sim/report/differences.h"
#include "sim/report/status.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct command_line {
    bool help, version;
    unsigned top; /* lines of each part */
    struct scope scope;
    const char *paths[2];
    unsigned count;
};

static void print_help(void)
{
    fputs(
        "Usage: sim-diff [OPTION]... A B\n"
        "Says what differs between runs A and B, two directories of sim-run "
        "--outdir: the\nchip, settings, program, files; then ranks what "
        "changed by what it can matter for\ncycles: where a mean unit or hart "
        "spent them, as a share of A's; what was counted,\nas a share of the "
        "larger value, or of an event a cycle where it is rarer; figures,\nas "
        "a share of the larger value, or of 1.\n\n"
        "  --region     within the regions of interest\n"
        "  --window N   within the N-th window of --stats-range, from 1 on\n"
        "  --tile NAME  of one tile, such as tm0 or part0\n"
        "  --top N      lines of each part, 1 to 100000 (20)\n"
        "  --help       print this\n"
        "  --version    print the version\n\n"
        "Exit status: 0 done, whether there are changes or not; 2 command line "
        "or input\nfile; 4 output cannot be written.\n",
        stdout);
}

/* ---- the command line ---- */

static bool read_number(unsigned *number, const char *option, const char *value,
                        struct error *error)
{
    char *end = NULL;
    unsigned long n = value ? strtoul(value, &end, 10) : 0;
    *number = (unsigned)n;
    return (value && *value >= '0' && *value <= '9' && !*end && n > 0 &&
            n <= 100000) ||
           error_set(error, "%s has to be a number of 1 to 100000, not '%s'",
                     option, value ? value : "");
}

static bool read_value(struct command_line *line, const char *option,
                       const char *value, struct error *error)
{
    if (!strcmp(option, "--window"))
        return read_number(&line->scope.window, option, value, error);
    if (!strcmp(option, "--top"))
        return read_number(&line->top, option, value, error);
    line->scope.tile = value;
    return value || error_set(error, "--tile has to name a tile");
}

static bool read_argument(struct command_line *line, char **arguments, int *i,
                          struct error *error)
{
    const struct tool_option options[] = {
        {"--region", &line->scope.region},
        {"--window", NULL},
        {"--tile", NULL},
        {"--top", NULL},
        {"--help", &line->help},
        {"--version", &line->version},
    };
    const char *argument = arguments[*i];
    if (argument[0] == '-' && argument[1]) {
        const struct tool_option *o = tool_option(
            options, sizeof options / sizeof *options, argument, error);
        return o &&
               (o->flag || read_value(line, argument, arguments[++*i], error));
    }
    if (line->count == 2)
        return error_set(error, "'%.60s' is one directory too many", argument);
    line->paths[line->count++] = argument;
    return true;
}

static bool read_command_line(struct command_line *line, int count,
                              char **arguments, struct error *error)
{
    for (int i = 1; i < count; i++)
        if (!read_argument(line, arguments, &i, error))
            return false;
    if (line->scope.region && line->scope.window)
        return error_set(error, "expected one of --region and --window");
    return line->help || line->version || line->count == 2 ||
           error_set(error, "two directories are expected; see --help");
}

/* ---- the table ---- */

static void print_value(double value, enum part part)
{
    if (value < 0)
        printf(" %14s", "-");
    else if (part == PART_FIGURES)
        printf(" %14.6g", value);
    else
        printf(" %14.0f", value);
}

/* Of what is 0 in the first run, there is no relative change. */
static void print_relative(double a, double b)
{
    if (a > 0)
        printf(" %+9.1f %%", 100 * (fmax(b, 0) - a) / a);
    else
        printf(" %11s", a < 0 ? "only in B" : "new");
}

static void print_change(const struct change *c)
{
    char text[CORBEL_LINE_SIZE], name[CORBEL_LINE_SIZE];
    snprintf(text, sizeof text, "%s.%s", c->group, c->name);
    corbel_line(name, sizeof name, text);
    printf("  %-32s", name);
    print_value(c->a, c->part);
    print_value(c->b, c->part);
    if (c->part == PART_FIGURES)
        printf(" %+14.6g", fmax(c->b, 0) - fmax(c->a, 0));
    else
        printf(" %+14.0f", fmax(c->b, 0) - fmax(c->a, 0));
    print_relative(c->a, c->b);
    if (c->part == PART_CYCLES)
        printf(" %+8.2f %%", 100 * c->weight);
    corbel_line(name, sizeof name, c->unit);
    printf("%s%s\n", *c->unit && c->part == PART_COUNTS ? "  " : "",
           c->part == PART_COUNTS ? name : "");
}

/* Is it a counter or figure that one of the runs does not have? Such ones are
 * told together. */
static bool is_alone(const struct change *c)
{
    return c->part != PART_CYCLES && (c->a < 0 || c->b < 0);
}

static bool is_only_in(const struct change *c, bool b)
{
    return is_alone(c) && (b ? c->a : c->b) < 0;
}

static unsigned count_only(const struct change *list, unsigned count, bool b,
                           const char *group)
{
    unsigned of = 0;
    for (unsigned i = 0; i < count; i++)
        of += is_only_in(&list[i], b) &&
              (!group || !strcmp(list[i].group, group));
    return of;
}

/* Each group once, where it comes first. */
static void print_only(const struct change *list, unsigned count, bool b)
{
    char name[CORBEL_LINE_SIZE];
    const unsigned all = count_only(list, count, b, NULL);
    if (!all)
        return;
    printf("\nOnly %s has %u counters and figures:", b ? "B" : "A", all);
    const char *between = " ";
    for (unsigned i = 0; i < count; i++) {
        const char *group = list[i].group;
        if (!is_only_in(&list[i], b) ||
            count_only(list, i, b, group)) /* it has been told */
            continue;
        corbel_line(name, sizeof name, group);
        printf("%s%u of %s", between, count_only(list, count, b, group), name);
        between = ", ";
    }
    putchar('\n');
}

static void print_part(const struct change *list, unsigned count,
                       enum part part, unsigned top)
{
    static const struct {
        const char *title, *last;
    } heads[] = {
        [PART_CYCLES] = {"Where cycles went, of a mean unit or hart",
                         "  of A's"},
        [PART_COUNTS] = {"What was counted", "  unit"},
        [PART_FIGURES] = {"Figures", ""},
    };
    unsigned all = 0;
    for (unsigned i = 0; i < count; i++)
        all += list[i].part == part && !is_alone(&list[i]);
    if (!all)
        return;
    printf("\n%s: %u changed\n  %-32s %14s %14s %14s %11s%s\n",
           heads[part].title, all, "", "A", "B", "change", "relative",
           heads[part].last);
    unsigned shown = 0;
    for (unsigned i = 0; i < count && shown < top; i++)
        if (list[i].part == part && !is_alone(&list[i])) {
            print_change(&list[i]);
            shown++;
        }
    if (shown < all)
        printf("  ... and %u more (--top)\n", all - shown);
}

static void print_run(char letter, const struct run *run)
{
    char name[CORBEL_LINE_SIZE];
    corbel_line(name, sizeof name, run->path);
    printf("%c %-30s %14" PRIu64 " cycles %12.6g ms\n", letter, name,
           run->cycles, (double)run->cycles / run->clock_mhz / 1000);
    char *unfinished = run_unfinished(run);
    if (unfinished) {
        corbel_line(name, sizeof name, unfinished);
        printf("  %c is not complete: %s\n", letter, name);
    }
    free(unfinished);
}

static void print_side(const char *text, char letter)
{
    char line[CORBEL_LINE_SIZE];
    if (!*text)
        return;
    corbel_line(line, sizeof line, text);
    printf("  %c: %s", letter, line);
}

/* What the runs were made of. */
static void print_differences(const struct run *a, const struct run *b)
{
    unsigned count;
    struct difference *list = differences_find(a, b, &count);
    puts(count ? "What differs:"
         : a->manifest
             ? "Program, chip, settings, files and options are the same."
             : "What was run is not known: there is no manifest.json.");
    for (unsigned i = 0; i < count; i++) {
        printf("  %-18s", list[i].what);
        print_side(list[i].a, 'A');
        print_side(list[i].b, 'B');
        putchar('\n');
    }
    differences_free(list, count);
}

/* Which part of the runs it is about; nothing, if it is about all. */
static void print_scope(const struct scope *s)
{
    char name[CORBEL_LINE_SIZE];
    if (s->region)
        printf("Within the regions of interest");
    else if (s->window)
        printf("Within window %u", s->window);
    if (s->tile) {
        corbel_line(name, sizeof name, s->tile);
        printf("%s tile %s", s->region || s->window ? ", of" : "Of", name);
    }
    if (s->region || s->window || s->tile)
        puts(":");
}

static void print_changes(const struct run *a, const struct run *b,
                          const struct scope *scope, unsigned top)
{
    unsigned count;
    struct change *list = changes_rank(a, b, &count);
    print_scope(scope);
    print_run('A', a);
    print_run('B', b);
    printf("  cycles: %+.2f %%, time: %+.2f %%\n",
           100 * ((double)b->cycles / (double)a->cycles - 1),
           100 * ((double)b->cycles / b->clock_mhz /
                      ((double)a->cycles / a->clock_mhz) -
                  1));
    print_differences(a, b);
    if (!count)
        puts("\nNo statistic differs.");
    for (enum part part = 0; part < PART_COUNT; part++)
        print_part(list, count, part, top);
    print_only(list, count, false);
    print_only(list, count, true);
    free(list);
}

int main(int count, char **arguments)
{
    struct error error;
    struct command_line line = {.top = 20};
    struct run a = {.path = NULL}, b = {.path = NULL};
    tool_begin("sim-diff", STATUS_OUTPUT);
    if (!read_command_line(&line, count, arguments, &error))
        return tool_complain(STATUS_USAGE, &error);
    if (line.help)
        print_help();
    else if (line.version)
        version_print("sim-diff");
    else if (!run_read(&a, line.paths[0], &error) ||
             !run_read(&b, line.paths[1], &error) ||
             !run_narrow(&a, &line.scope, &error) ||
             !run_narrow(&b, &line.scope, &error))
        return tool_complain(STATUS_USAGE, &error);
    else
        print_changes(&a, &b, &line.scope, line.top);
    run_free(&a);
    run_free(&b);
    return tool_finish(STATUS_DONE);
}
