/*
 * Parses the command line. All options are rows of options.def, from which
 * getopt's table and --help are made; those with a text or a flag for a value
 * only need a line in text_of or flag_of.
 */
#include "sim/host/options.h"
#include "sdk/version/version.h"
#include "sim/arch/presets.h"
#include "sim/core/host_load.h"
#include "sim/host/list_units.h"
#include "sim/host/observe/cost_images.h"
#include "sim/host/observe/traces.h"
#include "sim/host/run/watchdog.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* The codes of options without a letter, which begin behind all characters, so
 * that getopt_long's result tells both apart. */
enum {
    OPT_FS = 256,
    OPT_MAX_FS,
    OPT_MAX_OUTPUT,
    OPT_PROGRAM,
    OPT_MEMORY,
    OPT_MANAGED,
    OPT_HARTS,
    OPT_MAX_CYCLES,
    OPT_MAX_TIME,
    OPT_MAX_STALL,
    OPT_INTERVAL,
    OPT_LEVEL,
    OPT_RANGE,
    OPT_NO_SKIP,
    OPT_EPOCH,
    OPT_SCHEDULE,
    OPT_HOST_PROFILE,
    OPT_PROFILE,
    OPT_TRACE,
    OPT_LINK_STATS,
    OPT_SERVE,
    OPT_STALLS,
    OPT_COST_IMAGES,
    OPT_TRANSFERS,
    OPT_REVERSE,
    OPT_FUNCTIONAL,
    OPT_TIMING,
    OPT_ROI_CACHES,
    OPT_DESCRIBE,
    OPT_LIST,
    OPT_UNITS,
    OPT_ISA,
    OPT_SIGNATURE,
    OPT_ENV,
    OPT_CHECK_MEMORY,
    OPT_SAVE_CACHES,
    OPT_WARM_CACHES,
    OPT_CHECKPOINT,
    OPT_CHECKPOINT_EVERY,
    OPT_RESUME,
    OPT_LOG_COMMITS,
    OPT_LOG,
    OPT_QUIET,
    OPT_VERSION,
};

/* getopt_long's table. No row takes an optional value: an option has one or it
 * has none. Before each name there is what stands there on a command line. */
#define DASHES "--"
#define OPTION(name, arg, code, text)                                          \
    {&(DASHES name)[sizeof DASHES - 1],                                        \
     (arg) ? required_argument : no_argument, NULL, code},
#define GROUP(title)
#define MORE(title)
static const struct option long_options[] = {
#include "sim/host/options.def"
    {NULL, 0, NULL, 0}};
#undef OPTION
#undef GROUP
#undef MORE

/* One line of --help. Options without a letter are indented by its width, so
 * that all long names stand below each other. */
static void print_option(const char *name, const char *arg, int code,
                         const char *text)
{
    char left[64];
    char letter[8] = "    ";
    if (code < 256)
        snprintf(letter, sizeof letter, "-%c, ", code);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, name, arg ? " " : "",
             arg ? arg : "");
    printf("  %-34s %s\n", left, text);
}

/* The options of sim-run itself, those that kinds of core take behind a program
 * for them, and the exit statuses of status.h. */
static void print_help(bool all)
{
    bool shown = true;
    puts("Usage: sim-run [options] program.elf [program arguments]\n"
         "Runs a program on a simulated ray-tracing chip.");
#define OPTION(name, arg, code, text)                                          \
    if (shown)                                                                 \
        print_option(name, arg, code, text);
#define GROUP(title) puts("\n" title ":");
#define MORE(title)                                                            \
    shown = all;                                                               \
    if (shown)                                                                 \
        puts("\n" title ":");
#include "sim/host/options.def"
#undef OPTION
#undef GROUP
#undef MORE
    kinds_options(stdout);
    puts("\nExit status: the program's own (0..125), or 200 usage, 201 bad "
         "input, 202 fault,\n203 deadlock or no progress, 204 limit, 205 host "
         "failure, "
         "206 internal error.");
}

static const struct option *row_of(int code)
{
    const struct option *l = long_options;
    while (l->val != code)
        l++;
    return l;
}

/*
 * getopt_long has returned '?': optopt holds the code of an option that is
 * known but used wrongly, the letter of an unknown short one, or 0 for an
 * unknown long one, for which the nearest name is suggested.
 */
static bool unknown_option(char **argv, struct error *error)
{
    const char *names[sizeof long_options / sizeof *long_options];
    unsigned count = 0;
    const char *wrong = argv[optind - 1];
    for (const struct option *l = long_options; optopt && l->name; l++)
        if (l->val == optopt && (l->has_arg || optopt > 255))
            return error_set(error, "%s %s, see --help", wrong,
                             l->has_arg ? "needs a value" : "takes no value");
    for (; long_options[count].name; count++)
        names[count] = long_options[count].name;
    if (optopt || strncmp(wrong, "--", 2))
        return error_set(error, "unknown option -%c, see --help", optopt);
    const char *near = error_nearest(wrong + 2, names, count);
    return error_set(error, "unknown option %s%s%s%s", wrong,
                     near ? ", did you mean --" : ", see --help",
                     near ? near : "", near ? "?" : "");
}

/* The last option that chooses a mode counts; after one that answers by itself
 * the rest of the line is not read. */
static bool set_mode(struct options *o, enum run_mode mode)
{
    o->mode = mode;
    return true;
}

static bool list_archs(struct options *o, struct error *error)
{
    return set_mode(o, MODE_ANSWERED) && presets_list(stdout, error);
}

/* Where the value of an option goes that is a text, NULL: it is none. */
static const char **text_of(struct options *o, int code)
{
    switch (code) {
    case 'a':
        return &o->arch;
    case 'o':
        return &o->outdir;
    case OPT_FS:
        return &o->fs;
    case OPT_HOST_PROFILE:
        return &o->host_profile;
    case OPT_SIGNATURE:
        return &o->signature;
    case OPT_SAVE_CACHES:
        return &o->save_caches;
    case OPT_WARM_CACHES:
        return &o->warm_caches;
    case OPT_CHECKPOINT:
        return &o->checkpoint;
    case OPT_RESUME:
        return &o->resume;
    case OPT_SERVE:
        return &o->serve;
    case OPT_LOG:
        return &o->log;
    default:
        return NULL;
    }
}

/* What is true if an option is given that takes no value, NULL: another one. */
static bool *flag_of(struct options *o, int code)
{
    switch (code) {
    case OPT_LINK_STATS:
        return &o->link_stats;
    case OPT_STALLS:
        return &o->stalls;
    case OPT_TRANSFERS:
        return &o->transfers;
    case OPT_PROFILE:
        return &o->profile;
    case OPT_NO_SKIP:
        return &o->engine.no_skip;
    case OPT_REVERSE:
        return &o->engine.reverse_order;
    case OPT_CHECK_MEMORY:
        return &o->check_memory;
    case OPT_LOG_COMMITS:
        return &o->log_commits;
    case OPT_QUIET:
        return &o->quiet;
    default:
        return NULL;
    }
}

/* An option that is answered instead of a run; else it is none that there is.
 */
static bool answer(struct options *o, int code, char **argv,
                   struct error *error)
{
    switch (code) {
    case 'h':
        print_help(argv[optind] && !strcmp(argv[optind], "all"));
        return set_mode(o, MODE_ANSWERED);
    case OPT_VERSION:
        version_print("sim-run");
        return set_mode(o, MODE_ANSWERED);
    case OPT_LIST:
        return list_archs(o, error);
    case OPT_UNITS:
        kinds_list(stdout);
        return set_mode(o, MODE_ANSWERED);
    default:
        return unknown_option(argv, error);
    }
}

/*
 * An option whose value is a number; else it is one that is answered. Of those
 * of 1 or more 0 is what stands in an option that was not given. 32 MiB of
 * memory are the least that holds stacks and a program; 64 GiB of address space
 * are reserved without being used.
 */
static bool take_number(struct options *o, int code, char **argv,
                        struct error *error)
{
    const uint64_t most = UINT64_MAX / 2;
    const struct {
        int code;
        uint64_t least, greatest, *value;
        unsigned *small; /* instead of value */
    } rows[] = {
        {OPT_MEMORY, 32 << 20, 64ULL << 30, &o->memory},
        {OPT_MAX_FS, 0, most, &o->max_fs},
        {OPT_MAX_OUTPUT, 1, most, &o->max_output},
        {OPT_MAX_CYCLES, 1, most, &o->max_cycles},
        {OPT_MAX_STALL, 1, most, &o->engine.watch},
        {OPT_INTERVAL, 1, most, &o->interval},
        {'j', 1, 1024, NULL, &o->engine.threads},
        {OPT_HARTS, 1, UINT32_MAX, NULL, &o->harts},
        {OPT_MAX_TIME, 1, UINT32_MAX, NULL, &o->max_time},
        {OPT_EPOCH, 1, LINK_LATENCY_MAX + 1, NULL, &o->engine.epoch},
    };
    size_t i = 0;
    while (i < sizeof rows / sizeof *rows && rows[i].code != code)
        i++;
    if (i == sizeof rows / sizeof *rows)
        return answer(o, code, argv, error);
    uint64_t n;
    if (!options_number(row_of(code)->name, optarg, rows[i].least,
                        rows[i].greatest, &n, error))
        return false;
    if (rows[i].small)
        *rows[i].small = (unsigned)n;
    else
        *rows[i].value = n;
    return true;
}

/* One option that getopt_long has found, its value in optarg. Values that need
 * more than being kept are checked here, so that an error names the option. */
static bool parse_option(struct options *o, int code, char **argv,
                         struct error *error)
{
    const char **text = text_of(o, code);
    bool *flag = flag_of(o, code);
    if (text)
        *text = optarg;
    if (flag)
        *flag = true;
    if (text || flag)
        return true;
    switch (code) {
    case 's':
        return settings_add(&o->settings, optarg, error);
    case OPT_DESCRIBE:
        return set_mode(o, MODE_DESCRIBE);
    case OPT_FUNCTIONAL:
        return set_mode(o, MODE_FUNCTIONAL);
    case OPT_PROGRAM:
        return options_add_program(o, optarg, error);
    case OPT_ENV:
        return options_add_variable(o, optarg, error);
    case OPT_MANAGED:
        return options_managed(optarg, &o->managed) ||
               error_set(error, "--managed %.80s: %s", optarg,
                         managed_expected);
    case OPT_LEVEL:
        return options_level(o, optarg, error);
    case OPT_TIMING:
        return options_timing(o, optarg, error);
    case OPT_ROI_CACHES:
        return options_roi_caches(o, optarg, error);
    case OPT_RANGE:
        return options_add_range(o, optarg, error);
    case OPT_SCHEDULE:
        return options_schedule(optarg, &o->engine.schedule, error);
    case OPT_CHECKPOINT_EVERY:
        return options_cycles_or_seconds("checkpoint-every", optarg,
                                         &o->checkpoint_every,
                                         &o->checkpoint_seconds, error);
    case OPT_COST_IMAGES:
        return pixels_parse(o, optarg, error);
    case OPT_TRACE:
        return traces_parse(o, optarg, error);
    case OPT_ISA:
        return options_isa(o, optarg, error);
    default:
        return take_number(o, code, argv, error);
    }
}

/* Is it about this process, or about where this part of a run ends? */
static bool is_passing(int code)
{
    switch (code) {
    case 'j':
    case OPT_SCHEDULE:
    case OPT_EPOCH:
    case OPT_NO_SKIP:
    case OPT_REVERSE:
    case OPT_FUNCTIONAL:
    case OPT_HOST_PROFILE:
    case OPT_QUIET:
    case OPT_MAX_CYCLES:
    case OPT_MAX_TIME:
    case OPT_MAX_OUTPUT:
    case OPT_CHECKPOINT:
    case OPT_CHECKPOINT_EVERY:
    case OPT_RESUME:
    case OPT_SERVE:
        return true;
    default:
        return false;
    }
}

/* Notes an option that getopt_long has found, by its long name. */
static void note_option(struct options *o, int code)
{
    const struct option *l = row_of(code);
    if (is_passing(code))
        return;
    words_add(&o->lasting, (char *)(uintptr_t)(l->name - (sizeof DASHES - 1)));
    if (l->has_arg)
        words_add(&o->lasting, optarg);
    o->lasting.options = o->lasting.count;
}

bool options_read(struct options *o, int argc, char **argv, struct error *error)
{
    /* What is not named here is 0: no file, no limit of harts, the chip's own
     * ISA. */
    *o = (struct options){
        .fs = ".",
        .max_fs = 16ULL << 30,
        .max_output = 256ULL << 30,
        .max_cycles = CYCLE_NEVER,
        .argv = argv,
        .argc = argc,
        .engine = {.threads = host_processors(), .watch = WATCHDOG_CYCLES}};
    int code;
    /*
     * Errors are worded by unknown_option. A leading + ends the options at the
     * first word that is none, the ELF file: what follows it is the program's.
     */
    opterr = optind = 0; /* it may be parsed again */
    while ((code = getopt_long(argc, argv, "+a:s:o:j:h", long_options, NULL)) !=
           -1) {
        if (!parse_option(o, code, argv, error))
            return false;
        if (o->mode == MODE_ANSWERED)
            return true;
        note_option(o, code);
    }
    o->program = argv + optind;
    o->program_argc = argc - optind;
    for (int i = optind; i < argc; i++)
        words_add(&o->lasting, argv[i]);
    return true;
}

bool options_parse(struct options *o, int argc, char **argv,
                   struct error *error)
{
    return options_read(o, argc, argv, error) &&
           (o->mode == MODE_ANSWERED || o->resume || options_agree(o, error));
}
