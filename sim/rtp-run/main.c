/*
 * rtp-run: replays recorded programs of the small ray-tracing processor on the
 * simulated one, and says where the first difference is.
 * docs/reference/rtp-run.md has examples and the layout of the files.
 */
#include "sdk/version/version.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include "sim/core/tool.h"
#include "sim/rtp-run/case_input.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTINGS_MAX 32
#define CELLS_MAX 24

struct command_line {
    struct replay_options options;
    const char *settings[SETTINGS_MAX];
    char **files;
    int file_count;
    bool help, version;
};

struct counts {
    unsigned cases, different, skipped;
};

static void print_help(void)
{
    fputs("Usage: rtp-run [OPTION]... FILE...\n"
          "Replays the cases of files on the small ray-tracing processor, and "
          "prints the first\ndifference of each that is not equal.\n\n"
          "FILE: NAME.jsonl, with NAME_events.csv beside it if there is one, "
          "or a .csv of rays;\nall may be compressed (.gz).\n\n"
          "  --quirks                also cases that need a defect of the "
          "hardware\n"
          "  -s, --set PATH=VALUE    a setting of the chip, as of sim-run\n"
          "  --no-skip               run every unit in every cycle\n"
          "  --reverse-units         run the units in reverse order\n"
          "  --help                  print this\n"
          "  --version               print the version\n\n"
          "Exit status: 0 all equal; 1 different; 2 command line; 3 a file "
          "cannot be read;\n4 out of memory.\n",
          stdout);
}

static int complain(int status, const char *text)
{
    struct error error;
    error_set(&error, "%s", text);
    return tool_complain(status, &error);
}

/* ---- files ---- */

/* NAME.jsonl[.gz] has its events in NAME_events.csv[.gz]; NULL: it has none.
 * Fails if they are there and cannot be read. */
static bool read_events(const char *path, char **events, struct error *error)
{
    static const char *const ends[] = {"_events.csv.gz", "_events.csv"};
    const char *dot = strstr(path, ".jsonl");
    *events = NULL;
    for (unsigned i = 0; dot && i < 2; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%.*s%s", (int)(dot - path), path, ends[i]);
        FILE *there = fopen(name, "r");
        if (!there)
            continue;
        fclose(there);
        *events = gz_text_read(name, error);
        return *events != NULL;
    }
    return true;
}

static void count(struct counts *counts, bool equal)
{
    counts->cases++;
    counts->different += !equal;
}

static bool replay_object(char *line, char *events,
                          const struct replay_options *o, struct counts *counts)
{
    cJSON *object = cJSON_Parse(line);
    struct error error;
    if (!cJSON_IsObject(object)) {
        cJSON_Delete(object);
        return false;
    }
    if (!input_check(object, &error))
        count(counts, differs(input_text(object, "name"), "%s", error.text));
    else if (input_flag(object, "quirk") && !o->quirks)
        counts->skipped++;
    else if (cJSON_GetObjectItemCaseSensitive(object, "init_s"))
        count(counts, replay_core(object, o));
    else
        count(counts, replay_chip(object, events, o));
    cJSON_Delete(object);
    return true;
}

static bool replay_lines(char *text, char *events, const char *path,
                         const struct replay_options *o, struct counts *counts)
{
    char *line, *cells[CELLS_MAX];
    bool table = false;
    for (unsigned number = 1; (line = input_line(&text)); number++) {
        if (number == 1 && !strncmp(line, "program,event,", 14))
            return true; /* read with the programs that they are of */
        if (number == 1 && !strncmp(line, "case,", 5))
            table = true;
        else if (table)
            count(counts,
                  replay_ray(cells, input_cells(line, cells, CELLS_MAX)));
        else if (!replay_object(line, events, o, counts)) {
            struct error error;
            error_set(&error, "%s:%u: expected an object of JSON", path,
                      number);
            tool_complain(0, &error);
            return false;
        }
    }
    return true;
}

static int replay_file(const char *path, const struct replay_options *o,
                       struct counts *total)
{
    struct counts counts = {0};
    struct error error;
    char *text = gz_text_read(path, &error);
    if (!text)
        return tool_complain(STATUS_INPUT, &error);
    if (!*text) {
        free(text);
        error_set(&error, "%s: empty, expected a case a line", path);
        return tool_complain(STATUS_INPUT, &error);
    }
    char *events;
    if (!read_events(path, &events, &error)) {
        free(text);
        return tool_complain(STATUS_INPUT, &error);
    }
    bool good = replay_lines(text, events, path, o, &counts);
    free(events);
    free(text);
    if (!good)
        return STATUS_INPUT;
    if (!counts.cases && !counts.skipped)
        return STATUS_EQUAL; /* a file of events */
    corbel_line_put(stdout, path);
    printf(": %u cases, %u different", counts.cases, counts.different);
    if (counts.skipped)
        printf(", %u skipped (--quirks runs them)", counts.skipped);
    putchar('\n');
    total->cases += counts.cases;
    total->different += counts.different;
    return STATUS_EQUAL;
}

/* ---- the command line ---- */

static bool add_setting(struct command_line *line, const char *text,
                        struct error *error)
{
    if (!text)
        return error_set(error, "--set needs a setting");
    if (line->options.setting_count == SETTINGS_MAX)
        return error_set(error, "more than %d settings", SETTINGS_MAX);
    line->settings[line->options.setting_count++] = text;
    return true;
}

static bool read_option(struct command_line *line, char **argv, int *i,
                        struct error *error)
{
    const struct tool_option options[] = {
        {"--help", &line->help},
        {"--version", &line->version},
        {"--quirks", &line->options.quirks},
        {"--no-skip", &line->options.no_skip},
        {"--reverse-units", &line->options.reverse_units},
        {"-s", NULL},
        {"--set", NULL},
    };
    const struct tool_option *o =
        tool_option(options, sizeof options / sizeof *options, argv[*i], error);
    return o && (o->flag || add_setting(line, argv[++*i], error));
}

/* The status to end with, or -1: go on. */
static int read_arguments(struct command_line *line, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct error error;
        if (*argv[i] != '-')
            line->files[line->file_count++] = argv[i];
        else if (!read_option(line, argv, &i, &error))
            return tool_complain(STATUS_USAGE, &error);
        if (line->help)
            print_help();
        else if (line->version)
            version_print("rtp-run");
        else
            continue;
        return STATUS_EQUAL;
    }
    return line->file_count
               ? -1
               : complain(STATUS_USAGE, "expected a file; see --help");
}

int main(int argc, char **argv)
{
    struct command_line line = {0};
    struct counts total = {0};
    tool_begin("rtp-run", STATUS_OUTPUT);
    line.files = heap_new((size_t)argc, sizeof *line.files, "arguments");
    line.options.settings = line.settings;
    int status = read_arguments(&line, argc, argv);
    if (status < 0) {
        status = STATUS_EQUAL;
        for (int i = 0; status == STATUS_EQUAL && i < line.file_count; i++)
            status = replay_file(line.files[i], &line.options, &total);
        if (status == STATUS_EQUAL && total.different)
            status = STATUS_DIFFERENT;
    }
    free(line.files);
    return tool_finish(status);
}
