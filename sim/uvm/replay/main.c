/*
 * page-run: replays vectors of unified virtual memory (transfers, evictions,
 * the PCIe curve) on the model, and prints lines of the same columns, or how
 * they compare with those of the file.
 */
#include "sdk/version/version.h"
#include "sdk/whole/whole.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include "sim/core/tool.h"
#include "sim/uvm/replay/page_replay.h"
#include <stdlib.h>
#include <string.h>

enum status {
    STATUS_EQUAL = 0,
    STATUS_DIFFERENT = 1,
    STATUS_USAGE = 2,  /* command line or input file */
    STATUS_OUTPUT = 4, /* out of memory, or output cannot be written */
};

struct command_line {
    bool compare, help, version;
    const char *path;
    struct replay_options options;
};

static void print_help(void)
{
    fputs("Usage: page-run [OPTION]... VECTORS.csv[.gz]\n"
          "Replays vectors of unified virtual memory on the model and prints "
          "them with the\nmodel's results. The first line tells their kind:\n\n"
          "  case,prefetcher,allocation_bytes,turn,faulting_bytes,order,start,"
          "bytes,\n    ends_with_fault,channel_cycles_<clock>MHz\n"
          "  case,root_bytes,valid_leaves_before,victim_leaf,"
          "write_backs_start:bytes,\n    valid_leaves_after\n"
          "  transfer_bytes,f_core_MHz,a,cycles\n\n"
          "  --compare     compare with the results in the file instead\n"
          "  --a NUMBER    constant of the PCIe curve of transfers (12: 16 "
          "GB/s)\n"
          "  --seed N      of the prefetcher random (1)\n"
          "  --help        print this\n"
          "  --version     print the version\n\n"
          "Exit status: 0 done, or equal; 1 different; 2 command line or input "
          "file;\n4 output cannot be written.\n",
          stdout);
}

/* ---- the command line ---- */

static bool read_value(struct command_line *line, const char *option,
                       const char *value, struct error *error)
{
    if (!value)
        return error_set(error, "%s needs a value", option);
    const char *end = value + strlen(value);
    if (!strcmp(option, "--seed"))
        return text_number(value, end, &line->options.seed) ||
               error_set(error, "--seed has to be a whole number, not '%.40s'",
                         value);
    return text_positive(value, end, &line->options.a) ||
           error_set(error,
                     "--a has to be a number above 0 and at most 1000000, not "
                     "'%.40s'",
                     value);
}

static bool read_argument(struct command_line *line, char **arguments, int *i,
                          struct error *error)
{
    const struct tool_option options[] = {{"--compare", &line->compare},
                                          {"--help", &line->help},
                                          {"--version", &line->version},
                                          {"--seed", NULL},
                                          {"--a", NULL}};
    const char *argument = arguments[*i];
    if (argument[0] == '-' && argument[1]) {
        const struct tool_option *o = tool_option(
            options, sizeof options / sizeof *options, argument, error);
        return o &&
               (o->flag || read_value(line, argument, arguments[++*i], error));
    }
    if (line->path)
        return error_set(error,
                         "'%.60s' is one argument too many; one file of "
                         "vectors is expected",
                         argument);
    line->path = argument;
    return true;
}

static bool read_command_line(struct command_line *line, int count,
                              char **arguments, struct error *error)
{
    for (int i = 1; i < count; i++)
        if (!read_argument(line, arguments, &i, error))
            return false;
    if (line->path || line->help || line->version)
        return true;
    return error_set(error, "VECTORS is missing; see --help");
}

/* ---- results ---- */

/* Length of a line without its end. */
static int line_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return (int)(n && line[n] && line[n - 1] == '\r' ? n - 1 : n);
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Prints the first line that differs, or how many are equal. */
static bool compare(const char *kind, const char *results, const char *file)
{
    unsigned line = 1;
    for (; *results && *file; line++) {
        int n = line_length(results), m = line_length(file);
        if (n != m || memcmp(results, file, (size_t)n) != 0)
            break;
        results = next_line(results);
        file = next_line(file);
    }
    if (!*results && !*file) {
        printf("%s: %u lines, all equal\n", kind, line - 2);
        return true;
    }
    printf(
        "%s: line %u is the first that differs\n  file  %.*s\n  model %.*s\n",
        kind, line, line_length(file), file, line_length(results), results);
    return false;
}

static int print_results(const struct command_line *line, const char *kind,
                         const char *results, size_t size)
{
    struct error error;
    bool equal = true;
    if (line->compare) {
        char *file = gz_text_read(line->path, &error);
        if (!file)
            return tool_complain(STATUS_USAGE, &error);
        equal = compare(kind, results, file);
        free(file);
    } else {
        fwrite(results, 1, size, stdout);
    }
    return tool_finish(equal ? STATUS_EQUAL : STATUS_DIFFERENT);
}

/* All of the file is good before the first line is printed. */
static int replay(const struct command_line *line)
{
    struct error error;
    struct sheet sheet;
    char *results = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&results, &size);
    if (!out)
        heap_lacks(1, 1, "the results");
    bool ok = sheet_open(&sheet, line->path, &error);
    const struct replay_kind *kind = ok ? replay_kind_of(&sheet) : NULL;
    ok = kind && replay_run(kind, &sheet, &line->options, out);
    sheet_close(&sheet);
    if (fclose(out) != 0)
        heap_lacks(size, 1, "the results");
    int status = ok ? print_results(line, kind->name, results, size)
                    : tool_complain(STATUS_USAGE, &error);
    free(results);
    return status;
}

int main(int count, char **arguments)
{
    struct error error;
    struct command_line line = {.options = {.seed = 1, .a = 12}};
    tool_begin("page-run", STATUS_OUTPUT);
    if (!read_command_line(&line, count, arguments, &error))
        return tool_complain(STATUS_USAGE, &error);
    if (line.help)
        print_help();
    else if (line.version)
        version_print("page-run");
    else
        return replay(&line);
    return tool_finish(STATUS_EQUAL);
}
