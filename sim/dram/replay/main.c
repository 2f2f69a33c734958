/*
 * dram-run: replays a file of memory requests on a modelled DRAM, and prints
 * when each was accepted, issued and done, or how that compares with what the
 * file says. docs/reference/dram.md has examples.
 */
#include "sdk/version/version.h"
#include "sdk/whole/whole.h"
#include "sim/core/tool.h"
#include "sim/dram/replay/dram_report.h"
#include "sim/dram/replay/settings.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Documented in docs/reference/dram.md and below. */
enum status {
    STATUS_EQUAL = 0,
    STATUS_DIFFERENT = 1,
    STATUS_USAGE = 2,  /* unknown option, device, impossible value */
    STATUS_INPUT = 3,  /* request file or device folder */
    STATUS_OUTPUT = 4, /* out of memory, or a file cannot be written */
    STATUS_STUCK = 5,  /* no request is done any more */
};

#define MAX_OVERRIDES 64
#define MAX_SETTINGS 48

struct command_line {
    bool compare, summary, stats, list, help, version;
    const char *commands;
    const char *names[2]; /* device, stream */
    unsigned name_count;
    struct override overrides[MAX_OVERRIDES];
    unsigned override_count;
};

/* ---- the command line ---- */

struct option_name {
    char text[32];
};

/* The setting read_queue is "--read-queue". */
static struct option_name option_name(const struct param *setting)
{
    struct option_name name;
    snprintf(name.text, sizeof name.text, "--%s", setting->name);
    for (char *c = name.text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return name;
}

static void print_help(void)
{
    fputs("Usage: dram-run [OPTION]... DEVICE STREAM.req.csv[.gz]\n"
          "Offers the requests of a file to a modelled DRAM and prints them "
          "with the clocks\nin which each was accepted, issued and done.\n\n"
          "DEVICE is a name (--list) or a folder with timing.csv, "
          "organisation.csv and\nconstraints.csv.\n\n"
          "  --compare          compare with the results in the file instead\n"
          "  --summary          print totals instead\n"
          "  --stats            print all statistics instead\n"
          "  --commands FILE    also write all DRAM commands into FILE\n"
          "  --list             list the names of devices\n"
          "  --help             print this\n"
          "  --version          print the version\n\n"
          "Instead of the device's usual settings:\n",
          stdout);
    for (unsigned i = 0; i < settings_count; i++) {
        const struct param *p = &settings_table[i];
        printf("  %-18s %s (%s)\n", option_name(p).text, p->meaning,
               p->unit + (*p->unit == '='));
    }
    fputs("\nExit status: 0 done, or equal; 1 different; 2 command line; "
          "3 input file or\nfolder; 4 a file cannot be written; 5 the memory "
          "is stuck.\n",
          stdout);
}

/* By the name of its option; NULL: it is none. */
static const struct param *find_setting(const char *option)
{
    for (unsigned i = 0; i < settings_count; i++)
        if (!strcmp(option_name(&settings_table[i]).text, option))
            return &settings_table[i];
    return NULL;
}

/* The value of an option is the next argument. */
static const char *next_value(char **arguments, int *i, struct error *error)
{
    const char *value = arguments[*i + 1];
    if (!value)
        error_set(error, "%s needs a value", arguments[*i]);
    else
        ++*i;
    return value;
}

static bool read_setting(struct command_line *line, const struct param *param,
                         char **arguments, int *i, struct error *error)
{
    const char *value = next_value(arguments, i, error);
    if (!value)
        return false;
    if (line->override_count == MAX_OVERRIDES)
        return error_set(error, "more than %d settings", MAX_OVERRIDES);
    line->overrides[line->override_count++] = (struct override){param, value};
    return true;
}

static bool read_name(struct command_line *line, const char *name,
                      struct error *error)
{
    if (line->name_count == 2)
        return error_set(error,
                         "'%.60s' is one argument too many; DEVICE and "
                         "STREAM are expected",
                         name);
    line->names[line->name_count++] = name;
    return true;
}

/* What is no setting; settings are among what may have been meant. */
static bool read_option(struct command_line *line, char **arguments, int *i,
                        struct error *error)
{
    const struct tool_option flags[] = {
        {"--compare", &line->compare}, {"--summary", &line->summary},
        {"--stats", &line->stats},     {"--list", &line->list},
        {"--help", &line->help},       {"--version", &line->version},
        {"--commands", NULL},
    };
    enum { FLAGS = sizeof flags / sizeof *flags };
    struct tool_option options[FLAGS + MAX_SETTINGS];
    struct option_name names[MAX_SETTINGS];
    assert(settings_count <= MAX_SETTINGS);
    memcpy(options, flags, sizeof flags);
    for (unsigned s = 0; s < settings_count; s++) {
        names[s] = option_name(&settings_table[s]);
        options[FLAGS + s] = (struct tool_option){names[s].text, NULL};
    }
    const struct tool_option *o =
        tool_option(options, FLAGS + settings_count, arguments[*i], error);
    if (!o || o->flag)
        return o != NULL;
    return (line->commands = next_value(arguments, i, error)) != NULL;
}

static bool read_argument(struct command_line *line, char **arguments, int *i,
                          struct error *error)
{
    const char *argument = arguments[*i];
    if (argument[0] != '-' || !argument[1])
        return read_name(line, argument, error);
    const struct param *setting = find_setting(argument);
    return setting ? read_setting(line, setting, arguments, i, error)
                   : read_option(line, arguments, i, error);
}

static bool read_command_line(struct command_line *line, int count,
                              char **arguments, struct error *error)
{
    for (int i = 1; i < count; i++)
        if (!read_argument(line, arguments, &i, error))
            return false;
    if (line->help || line->version || line->list || line->name_count == 2)
        return true;
    return error_set(error, "%s is missing; see --help",
                     line->name_count ? "STREAM" : "DEVICE");
}

/* ---- results ---- */

static bool write_commands(const struct report *report, const char *path,
                           struct error *error)
{
    struct whole w;
    if (whole_open(&w, NULL, path)) {
        report_commands(report, w.file);
        if (whole_finish(&w))
            return true;
    }
    return error_set(error, "%.200s: %s", path, whole_why());
}

static int print_results(const struct command_line *line,
                         const struct report *report)
{
    struct error error;
    bool equal = true;
    if (line->commands && !write_commands(report, line->commands, &error))
        return tool_complain(STATUS_OUTPUT, &error);
    if (line->summary)
        report_summary(report, stdout);
    if (line->stats)
        report_stats(report, stdout);
    if (line->compare)
        equal = report_comparison(report, stdout);
    if (!line->summary && !line->stats && !line->compare)
        report_requests(report, stdout);
    return tool_finish(equal ? STATUS_EQUAL : STATUS_DIFFERENT);
}

static int replay(const struct command_line *line, const struct trace *trace,
                  const struct dram_options *options)
{
    struct error error;
    struct replay result = {0};
    bool commands = line->commands || line->compare || line->summary;
    if (!replay_run(&result, trace, options, commands, &error)) {
        int status = result.results ? STATUS_STUCK : STATUS_USAGE;
        replay_free(&result);
        return tool_complain(status, &error);
    }
    struct report report = {trace, &result, options->device, options->channels};
    int status = print_results(line, &report);
    replay_free(&result);
    return status;
}

/* ---- events in order ---- */

static int run_on(const struct command_line *line,
                  const struct dram_options *options)
{
    struct error error;
    struct trace trace;
    if (!trace_read(&trace, line->names[1], &error))
        return tool_complain(STATUS_INPUT, &error);
    int status;
    if (line->compare && !trace.results) {
        error_set(&error,
                  "%.200s: --compare needs the columns accept, ch, "
                  "issue, done and kind",
                  line->names[1]);
        status = tool_complain(STATUS_INPUT, &error);
    } else {
        status = replay(line, &trace, options);
    }
    trace_free(&trace);
    return status;
}

static int run(const struct command_line *line)
{
    struct error error;
    struct settings settings;
    char how[128];
    struct dram_device *device =
        settings_choose(line->names[0], line->overrides, line->override_count,
                        &settings, how, &error);
    if (!device)
        return tool_complain(
            strchr(line->names[0], '/') ? STATUS_INPUT : STATUS_USAGE, &error);
    if (strstr(how, "not known")) {
        error_set(&error, "%s: %s", line->names[0], how);
        tool_complain(STATUS_EQUAL, &error);
    }
    struct dram_options options = settings_options(&settings, device);
    int status = run_on(line, &options);
    dram_device_free(device);
    return status;
}

int main(int count, char **arguments)
{
    struct error error;
    struct command_line line = {0};
    tool_begin("dram-run", STATUS_OUTPUT);
    if (!read_command_line(&line, count, arguments, &error))
        return tool_complain(STATUS_USAGE, &error);
    if (line.help)
        print_help();
    else if (line.version)
        version_print("dram-run");
    else if (line.list)
        settings_list(stdout);
    else
        return run(&line);
    return tool_finish(STATUS_EQUAL);
}
