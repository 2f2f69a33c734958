/*
 * Parses the command line by the rows of all options (option.h), from which
 * getopt's table and --help are made.
 */
#include "sim/host/options.h"
#include "sdk/version/version.h"
#include "sdk/whole/meant.h"
#include "sim/core/host_load.h"
#include "sim/host/list_units.h"
#include "sim/host/option.h"
#include "sim/host/run/watchdog.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* ---- getopt's table ---- */

/* Options without a letter have their number, from here on: behind all
 * characters, so that getopt_long's result tells both apart. */
enum { FIRST_CODE = 256, NAME_BYTES = 40 };

static struct {
    struct option rows[OPTIONS_MOST + 1];
    char letters[2 * OPTIONS_MOST + 2];
    char dashed[OPTIONS_MOST][NAME_BYTES]; /* as on a command line */
} table;

/* A leading + ends the options at the first word that is none, the ELF file:
 * what follows it is the program's. No row takes an optional value: an option
 * has one or it has none. */
static void fill_table(void)
{
    char *letter = table.letters;
    *letter++ = '+';
    for (unsigned i = 0; i < option_count(); i++) {
        const struct option_row *r = option_at(i);
        table.rows[i] = (struct option){
            r->name, r->argument ? required_argument : no_argument, NULL,
            r->letter ? r->letter : FIRST_CODE + (int)i};
        snprintf(table.dashed[i], NAME_BYTES, "--%s", r->name);
        if (r->letter)
            *letter++ = r->letter;
        if (r->letter && r->argument)
            *letter++ = ':';
    }
}

/* The number of the row that getopt_long has found. */
static unsigned number_of(int code)
{
    unsigned i = 0;
    while (table.rows[i].val != code)
        i++;
    return i;
}

/* ---- --help ---- */

/* One line. Options without a letter are indented by its width, so that all
 * long names stand below each other. */
static void print_option(const struct option_row *r)
{
    char left[80];
    char letter[8] = "    ";
    if (r->letter)
        snprintf(letter, sizeof letter, "-%c, ", r->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, r->name,
             r->argument ? " " : "", r->argument ? r->argument : "");
    printf("  %-34s %s\n", left, r->help);
}

static const char *const titles[] = {
    [OPTION_RUN] = "Run",
    [OPTION_CHIP] = "Chip",
    [OPTION_OBSERVE] = "Observe (most of these need -o)",
    [OPTION_CHECKPOINT] = "Checkpoint",
    [OPTION_HOST] = "Host",
    [OPTION_DEVELOPER] = "For developers of Corbel",
};

static void print_group(enum option_group group)
{
    printf("\n%s:\n", titles[group]);
    for (unsigned i = 0; i < option_count(); i++)
        if (option_at(i)->group == group)
            print_option(option_at(i));
}

/* The options of sim-run itself, those that kinds of core take behind a program
 * for them, and the exit statuses of exit_status.h. */
bool options_help(struct options *o, const char *text, struct error *error)
{
    const bool all = o->argv[optind] && !strcmp(o->argv[optind], "all");
    o->mode = MODE_ANSWERED;
    puts("Usage: sim-run [options] program.elf [program arguments]\n"
         "Runs a program on a simulated ray-tracing chip.");
    for (int g = 0; g < OPTION_GROUPS - !all; g++)
        print_group(g);
    kinds_options(stdout);
    puts("\nExit status: the program's own (0..125), or 200 usage, 201 bad "
         "input, 202 fault,\n203 deadlock or no progress, 204 limit, 205 host "
         "failure, "
         "206 internal error.");
    return true;
}

/* What its row says of the runs that it is for, as sentences. */
static void list_bounds(const struct option_row *r)
{
    if (r->traits & OPTION_OF_CYCLES)
        fputs(" Needs --outdir and a timed run.", stdout);
    else if (r->untimed)
        fputs(" Needs a timed run.", stdout);
    if (r->traits & OPTION_UNSAVED)
        fputs(" Not with --checkpoint and --resume.", stdout);
    if (r->traits & OPTION_ONE_WAY)
        fputs(" Not with --timing roi.", stdout);
    if (r->traits & OPTION_IN_MEMORY)
        fputs(" Not for programs of rtp.", stdout);
}

void option_line(const char *group, const struct option_row *r)
{
    const char letter[] = {r->letter, 0};
    printf("%s\t%s\t%s\t%s\t%s\t%s\t%s", group, letter, r->name,
           r->argument ? r->argument : "",
           r->traits & OPTION_PASSING ? "" : "kept", r->help,
           r->more ? r->more : "");
    list_bounds(r);
    putchar('\n');
}

bool options_list(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_ANSWERED;
    for (int g = 0; g < OPTION_GROUPS; g++)
        for (unsigned i = 0; i < option_count(); i++)
            if (option_at(i)->group == (enum option_group)g)
                option_line(titles[g], option_at(i));
    kinds_options_list();
    return true;
}

bool options_version(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_ANSWERED;
    version_print("sim-run");
    return true;
}

/* ---- parsing ---- */

/*
 * getopt_long has returned '?': optopt holds the code of an option that is
 * known but used wrongly, the letter of an unknown short one, or 0 for an
 * unknown long one, for which the nearest name is suggested.
 */
static bool unknown_option(char **argv, struct error *error)
{
    const char *names[OPTIONS_MOST];
    const char *wrong = argv[optind - 1];
    for (const struct option *l = table.rows; optopt && l->name; l++)
        if (l->val == optopt && (l->has_arg || optopt >= FIRST_CODE))
            return error_set(error, "%s %s, see --help", wrong,
                             l->has_arg ? "needs a value" : "takes no value");
    for (unsigned i = 0; i < option_count(); i++)
        names[i] = table.rows[i].name;
    if (optopt || strncmp(wrong, "--", 2))
        return error_set(error, "unknown option -%c, see --help", optopt);
    const struct meant near = meant("--", wrong, names, option_count());
    return error_set(error, "unknown option %s%s", wrong,
                     *near.text ? near.text : ", see --help");
}

static bool take_number(char *at, const struct option_row *r, const char *text,
                        struct error *error)
{
    uint64_t n;
    if (!options_number(r->name, text, r->least, r->greatest, &n, error))
        return false;
    if (r->value == OPTION_NUMBER)
        *(uint64_t *)(void *)at = n;
    else
        *(unsigned *)(void *)at = (unsigned)n;
    return true;
}

/* One option that getopt_long has found; text: its value. Values that need
 * more than being kept are checked here, so that an error names the option. */
static bool take(struct options *o, unsigned number, const char *text,
                 struct error *error)
{
    const struct option_row *r = option_at(number);
    char *at = (char *)o + r->member;
    o->texts[number] = text ? text : "";
    switch (r->value) {
    case OPTION_KEPT:
        break;
    case OPTION_TEXT:
        *(const char **)(void *)at = text;
        break;
    case OPTION_FLAG:
        *(bool *)at = true;
        break;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (!take_number(at, r, text, error))
            return false;
    }
    return !r->take || r->take(o, text, error);
}

/* Notes an option that a run which goes on needs, too, by its long name. */
static void note_option(struct options *o, unsigned number, char *text)
{
    const struct option_row *r = option_at(number);
    if (r->traits & OPTION_PASSING)
        return;
    words_add(&o->lasting, table.dashed[number]);
    if (r->argument)
        words_add(&o->lasting, text);
    o->lasting.options = o->lasting.count;
}

bool options_read(struct options *o, int argc, char **argv, struct error *error)
{
    /* What is not named here is 0: no file, no limit of harts, the chip's own
     * ISA. */
    *o = (struct options){
        .fs = ".",
        .max_fs = 16ULL << 30,
        .gdb_history = 1ULL << 30,
        .max_output = 256ULL << 30,
        .max_cycles = CYCLE_NEVER,
        .argv = argv,
        .argc = argc,
        .engine = {.threads = host_processors(), .watch = WATCHDOG_CYCLES}};
    int code;
    fill_table();
    opterr = optind =
        0; /* it may be parsed again; unknown_option words errors */
    while ((code = getopt_long(argc, argv, table.letters, table.rows, NULL)) !=
           -1) {
        if (code == '?')
            return unknown_option(argv, error);
        const unsigned number = number_of(code);
        if (!take(o, number, optarg, error))
            return false;
        if (o->mode == MODE_ANSWERED)
            return true;
        note_option(o, number, optarg);
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
