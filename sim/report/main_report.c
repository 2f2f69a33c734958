/*
 * sim-report: what directories of sim-run hold, as a page of HTML that needs
 * nothing else, as series of one in CSV, or as plots for papers.
 */
#include "sdk/version/version.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include "sim/core/tool.h"
#include "sim/report/convert.h"
#include "sim/report/energy_text.h"
#include "sim/report/energy_views.h"
#include "sim/report/json_schema.h"
#include "sim/report/page.h"
#include "sim/report/pixels.h"
#include "sim/report/plot.h"
#include "sim/report/profile_text.h"
#include "sim/report/status.h"
#include "sim/report/table.h"
#include "sim/report/verdict_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most directories, images, and lists of --csv. */
enum { LIST_MAX = 16 };

struct list {
    char *texts[LIST_MAX];
    unsigned count;
};

struct command_line {
    bool help, version;
    struct list paths, images, series;
    struct list lines;  /* of --series */
    struct list tables; /* of --energy */
    const char *stacks; /* NULL: none are wanted */
    bool verdict, profile;
    bool spread;          /* --spread */
    const char *heat_map; /* of which cost, NULL: none is wanted */
    const char *schema;   /* of which file, NULL: none is wanted */
    char *output;         /* NULL: the standard output */
};

static void print_help(void)
{
    fputs(
        "Usage: sim-report [OPTION]... DIR... -o PAGE.html\n"
        "       sim-report --csv SERIES[,SERIES]... DIR [-o TABLE.csv]\n"
        "       sim-report --stacks GROUP DIR... [-o PLOT.svg|.pdf|.png]\n"
        "       sim-report --series SERIES[,SERIES]... DIR [-o PLOT.svg|...]\n"
        "       sim-report --heat-map COST DIR [-o PICTURE.png]\n"
        "       sim-report --verdict|--profile DIR [-o TEXT]\n"
        "       sim-report --energy TABLE[,TABLE]... DIR [-o TEXT|FILE.json]\n"
        "Shows the runs that sim-run --outdir has left in the directories as "
        "one page that\nneeds no network; the first is compared with the "
        "others.\n\n"
        "  -o, --output FILE  where the page or table goes; without it to "
        "the\n                     standard output\n"
        "  --image FILE.png   the image of a run, if not the only PNG file "
        "that "
        "it wrote;\n                     may be repeated, in the order of the "
        "directories\n"
        "  --csv SERIES       a table of intervals.csv, a column for each: "
        "GROUP.NAME of\n                     a statistic or figure, with * "
        "? [] as in a shell; may be\n                     repeated\n"
        "  --stacks GROUP     a plot for papers: where the group's cycles "
        "went, a column\n                     for each run; GROUP.KIND: "
        "where requests to memory were\n"
        "  --series SERIES    a plot for papers: lines over time, chosen as "
        "by --csv\n"
        "  --heat-map COST    the picture cost-COST.png of a run with "
        "--cost-images\n"
        "  --verdict          what limits a run, of its regions of interest if "
        "it has any,\n                     by what it has counted\n"
        "  --profile          what lines and functions of a run with "
        "--profile cost\n"
        "  --energy TABLE     energy and area of a run, from what it has "
        "counted and tables\n                     in CSV; with -o PAGE.html "
        "as a part of the page\n"
        "  --spread           with --energy: spread what pixels and source "
        "lines cannot be\n                     told over them\n"
        "  --schema FILE      print the JSON Schema of stats, profile or "
        "pixels, the\n                     .json files of a run\n"
        "  --help             print this\n"
        "  --version          print the version\n\n"
        "Exit status: 0 done; 2 command line or input file; 4 output cannot "
        "be written.\n",
        stdout);
}

/* ---- the command line ---- */

static bool add_text(struct list *list, char *text, const char *what,
                     struct error *error)
{
    if (list->count == LIST_MAX)
        return error_set(error, "'%.60s': more than %d %s", text, LIST_MAX,
                         what);
    list->texts[list->count++] = text;
    return true;
}

/* Cuts the text at its commas. */
static bool add_parts(struct list *list, const char *option, char *text,
                      const char *what, struct error *error)
{
    for (char *part = strtok(text, ","); part; part = strtok(NULL, ","))
        if (!add_text(list, part, "of them", error))
            return false;
    return list->count || error_set(error, "%s: expected %s", option, what);
}

static bool read_value(struct command_line *line, const char *option,
                       char *value, struct error *error)
{
    if (!value)
        return error_set(error, "%s needs a value", option);
    if (!strcmp(option, "--image"))
        return add_text(&line->images, value, "images", error);
    if (!strcmp(option, "--csv"))
        return add_parts(&line->series, option, value, "GROUP.NAME", error);
    if (!strcmp(option, "--energy"))
        return add_parts(&line->tables, option, value, "TABLE.csv", error);
    if (!strcmp(option, "--series"))
        return add_parts(&line->lines, option, value, "GROUP.NAME", error);
    if (!strcmp(option, "--stacks"))
        line->stacks = value;
    else if (!strcmp(option, "--heat-map"))
        line->heat_map = value;
    else if (!strcmp(option, "--schema"))
        line->schema = value;
    else
        line->output = value;
    return true;
}

static bool read_argument(struct command_line *line, char **arguments, int *i,
                          struct error *error)
{
    const struct tool_option options[] = {
        {"--help", &line->help},
        {"--version", &line->version},
        {"--verdict", &line->verdict},
        {"--profile", &line->profile},
        {"--spread", &line->spread},
        {"--energy", NULL},
        {"-o", NULL},
        {"--output", NULL},
        {"--image", NULL},
        {"--csv", NULL},
        {"--stacks", NULL},
        {"--series", NULL},
        {"--heat-map", NULL},
        {"--schema", NULL},
    };
    char *argument = arguments[*i];
    if (argument[0] == '-' && argument[1]) {
        const struct tool_option *o = tool_option(
            options, sizeof options / sizeof *options, argument, error);
        return o &&
               (o->flag || read_value(line, argument, arguments[++*i], error));
    }
    return add_text(&line->paths, argument, "directories", error);
}

static bool output_ends(const struct command_line *line, const char *end)
{
    size_t length = line->output ? strlen(line->output) : 0;
    return length > strlen(end) &&
           !strcmp(line->output + length - strlen(end), end);
}

static bool energy_agrees(const struct command_line *line, unsigned kinds,
                          struct error *error)
{
    if (line->spread && !line->tables.count)
        return error_set(error, "--spread: expected --energy TABLE, too");
    if (line->tables.count && kinds)
        return error_set(error, "--energy: expected no --csv, --stacks, "
                                "--series, --heat-map, --verdict and "
                                "--profile");
    if (line->tables.count && line->paths.count > 1 &&
        !output_ends(line, ".html"))
        return error_set(error,
                         "--energy: expected one directory, or -o PAGE.html, "
                         "not %u directories",
                         line->paths.count);
    return true;
}

static bool read_command_line(struct command_line *line, int count,
                              char **arguments, struct error *error)
{
    for (int i = 1; i < count; i++)
        if (!read_argument(line, arguments, &i, error))
            return false;
    if (line->help || line->version)
        return true;
    if (line->schema)
        return (!line->paths.count && !line->output) ||
               error_set(error, "--schema goes to the standard output: "
                                "expected no directory and no -o");
    if (!line->paths.count)
        return error_set(error, "DIR is missing; see --help");
    unsigned kinds = (line->series.count > 0) + (line->lines.count > 0) +
                     !!line->stacks + !!line->heat_map + line->verdict +
                     line->profile;
    if (kinds > 1)
        return error_set(error, "expected one of --csv, --stacks, --series, "
                                "--heat-map, --verdict and --profile");
    if (kinds && !line->stacks && line->paths.count > 1)
        return error_set(error, "--%s: expected one directory, not %u",
                         line->series.count ? "csv"
                         : line->heat_map   ? "heat-map"
                         : line->verdict    ? "verdict"
                         : line->profile    ? "profile"
                                            : "series",
                         line->paths.count);
    if (!energy_agrees(line, kinds, error))
        return false;
    if (line->heat_map && line->output &&
        convert_format(line->output) != PLOT_PNG)
        return error_set(error, "--heat-map -o %.200s: expected FILE.png",
                         line->output);
    if (line->images.count > line->paths.count)
        return error_set(error, "--image: %u images for %u directories",
                         line->images.count, line->paths.count);
    return true;
}

/* ---- output ---- */

/* The runs that could be read, and lines about others. */
struct material {
    struct run runs[LIST_MAX];
    char *images[LIST_MAX]; /* of --image, NULL: none is given */
    unsigned count;
    char *left_out[LIST_MAX + 1]; /* up to NULL */
};

static bool write_plot(FILE *out, const struct command_line *line,
                       const struct material *m, struct error *error)
{
    if (line->stacks)
        return plot_stacks(out, m->runs, m->count, line->stacks, error);
    return plot_series(out, m->runs, line->lines.texts, line->lines.count,
                       error);
}

/* In the format that the output's name says. */
static bool write_any_plot(FILE *out, const struct command_line *line,
                           const struct material *m, struct error *error)
{
    enum plot_format format =
        line->output ? convert_format(line->output) : PLOT_SVG;
    if (format == PLOT_SVG)
        return write_plot(out, line, m, error);
    FILE *svg = tmpfile();
    if (!svg)
        return error_set(error, "no temporary file: %s", strerror(errno));
    bool good =
        write_plot(svg, line, m, error) && convert_svg(svg, out, format, error);
    fclose(svg);
    return good;
}

static bool run_profile(FILE *out, const struct run *run, struct error *error)
{
    if (!run->profile_text)
        return error_set(error,
                         "%s: no profile.json: expected a run with "
                         "--profile",
                         run->path);
    char *file = run_file(run, "profile.json");
    cJSON *profile = cJSON_Parse(run->profile_text);
    bool good = profile_is_whole(profile, file, error);
    if (good)
        profile_text(out, profile);
    cJSON_Delete(profile);
    free(file);
    return good;
}

static void write_energy(FILE *out, const struct command_line *line,
                         const cJSON *views)
{
    if (!output_ends(line, ".json")) {
        energy_text(out, views);
        return;
    }
    char *text = cJSON_Print(views);
    fprintf(out, "{\"energy\": %s}\n", text);
    cJSON_free(text);
}

static bool write_to(FILE *out, const struct command_line *line,
                     const struct material *m, struct error *error)
{
    if (line->series.count)
        return table_write(out, m->runs, line->series.texts, line->series.count,
                           error);
    if (line->stacks || line->lines.count)
        return write_any_plot(out, line, m, error);
    if (line->profile)
        return run_profile(out, m->runs, error);
    if (line->verdict)
        return verdict_text(out, m->runs, error);
    if (line->tables.count && !output_ends(line, ".html")) {
        write_energy(out, line, m->runs->energy);
        return true;
    }
    if (line->heat_map)
        return pixels_heat_map(out, m->runs, line->heat_map, error);
    return page_write(out, m->runs, m->count, m->images, m->left_out, error);
}

static int cannot_write(const char *path)
{
    struct error error;
    error_set(&error, "%s: %s", path, whole_why());
    return tool_complain(STATUS_OUTPUT, &error);
}

static int write_file(const struct command_line *line, const struct material *m)
{
    struct error error;
    struct whole w;
    if (!whole_open(&w, NULL, line->output))
        return cannot_write(line->output);
    if (!write_to(w.file, line, m, &error)) {
        whole_drop(&w);
        return tool_complain(STATUS_USAGE, &error);
    }
    return whole_finish(&w) ? STATUS_DONE : cannot_write(line->output);
}

static int write_output(const struct command_line *line,
                        const struct material *m)
{
    struct error error;
    if (line->output)
        return write_file(line, m);
    if (isatty(STDOUT_FILENO) && !line->series.count && !line->verdict &&
        !line->profile && !line->tables.count) {
        error_set(&error,
                  "a %s is not for a terminal: expected -o FILE, or a "
                  "pipe",
                  line->stacks || line->lines.count ? "plot"
                  : line->heat_map                  ? "picture"
                                                    : "page");
        return tool_complain(STATUS_USAGE, &error);
    }
    if (!write_to(stdout, line, m, &error))
        return tool_complain(STATUS_USAGE, &error);
    return tool_finish(STATUS_DONE);
}

/* One of several that cannot be read, as its run has not ended, is left out; if
 * none can, *error is of the first. */
static void read_runs(struct material *m, const struct command_line *line,
                      struct error *error)
{
    unsigned left_out = 0;
    for (unsigned i = 0; i < line->paths.count; i++) {
        struct error why;
        struct run *run = &m->runs[m->count];
        if (run_read(run, line->paths.texts[i], &why)) {
            m->images[m->count++] =
                i < line->images.count ? line->images.texts[i] : NULL;
            continue;
        }
        run_free(run);
        *error = left_out ? *error : why;
        m->left_out[left_out++] = heap_text(why.text);
    }
}

/* The energy of each run, by all tables. */
static bool add_energy(struct material *m, const struct command_line *line,
                       struct error *error)
{
    struct energy_table table = {0};
    bool good = true;
    for (unsigned i = 0; good && i < line->tables.count; i++)
        good = energy_table_read(&table, line->tables.texts[i], error);
    for (unsigned i = 0; good && table.count && i < m->count; i++) {
        struct energy e;
        good = energy_new(&e, &m->runs[i], &table, error);
        m->runs[i].energy = good ? energy_views(&e, line->spread, error) : NULL;
        good = m->runs[i].energy;
        energy_free(&e);
    }
    energy_table_free(&table);
    return good;
}

/* All runs are read before anything is written. */
static int report(const struct command_line *line)
{
    struct error error;
    struct material m = {.count = 0};
    read_runs(&m, line, &error);
    for (unsigned i = 0; m.count && m.left_out[i]; i++)
        tool_note("left out: %s", m.left_out[i]);
    bool good = m.count && add_energy(&m, line, &error);
    int status =
        good ? write_output(line, &m) : tool_complain(STATUS_USAGE, &error);
    for (unsigned i = 0; i < m.count; i++)
        run_free(&m.runs[i]);
    for (unsigned i = 0; m.left_out[i]; i++)
        free(m.left_out[i]);
    return status;
}

int main(int count, char **arguments)
{
    struct error error;
    struct command_line line = {.help = false};
    tool_begin("sim-report", STATUS_OUTPUT);
    if (!read_command_line(&line, count, arguments, &error))
        return tool_complain(STATUS_USAGE, &error);
    if (!line.help && !line.version && !line.schema)
        return report(&line);
    if (line.help)
        print_help();
    else if (line.schema && !json_schema_write(stdout, line.schema, &error))
        return tool_complain(STATUS_USAGE, &error);
    else if (line.schema)
        return tool_finish(STATUS_DONE);
    else
        version_print("sim-report");
    return tool_finish(STATUS_DONE);
}
