/* The options of the run itself, and the list of all. */
#include "sim/arch/presets.h"
#include "sim/host/list_units.h"
#include "sim/host/observer.h"
#include "sim/host/option.h"
#include "sim/host/options.h"
#include <assert.h>
#include <string.h>

#define AT(member) offsetof(struct options, member)
#define TEXT(m) .value = OPTION_TEXT, .member = AT(m)
#define FLAG(m) .value = OPTION_FLAG, .member = AT(m)
#define NUMBER(m, low, high)                                                   \
    .value = OPTION_NUMBER, .member = AT(m), .least = low, .greatest = high
#define COUNT(m, low, high)                                                    \
    .value = OPTION_COUNT, .member = AT(m), .least = low, .greatest = high
#define MOST (UINT64_MAX / 2)

/* ---- values that need more than being kept ---- */

/* The last option that chooses a mode counts; after one that answers by itself
 * the rest of the line is not read. */
static bool functional(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_FUNCTIONAL;
    return true;
}

static bool describe(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_DESCRIBE;
    return true;
}

static bool list_archs(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_ANSWERED;
    return presets_list(stdout, error);
}

static bool list_units(struct options *o, const char *text, struct error *error)
{
    o->mode = MODE_ANSWERED;
    kinds_list(stdout);
    return true;
}

static bool set(struct options *o, const char *text, struct error *error)
{
    return settings_add(&o->settings, text, error);
}

static bool managed(struct options *o, const char *text, struct error *error)
{
    return options_managed(text, &o->managed) ||
           error_set(error, "--managed %.80s: %s", text, managed_expected);
}

static bool schedule(struct options *o, const char *text, struct error *error)
{
    return options_schedule(text, &o->engine.schedule, error);
}

static bool checkpoint_every(struct options *o, const char *text,
                             struct error *error)
{
    return options_cycles_or_seconds("checkpoint-every", text,
                                     &o->checkpoint_every,
                                     &o->checkpoint_seconds, error);
}

/* ---- what goes together ---- */

static bool every_agrees(const struct options *o, struct error *error)
{
    if (!o->checkpoint)
        return error_set(error, "--checkpoint-every needs --checkpoint FILE");
    return o->mode != MODE_FUNCTIONAL ||
           error_set(error, "--checkpoint-every: not with --functional, "
                            "which saves where a region of interest, or "
                            "a kernel, begins");
}

static bool resume_agrees(const struct options *o, struct error *error)
{
    return o->mode != MODE_FUNCTIONAL ||
           error_set(error, "--resume: not with --functional");
}

static bool timing_agrees(const struct options *o, struct error *error)
{
    return !o->roi || o->mode != MODE_FUNCTIONAL ||
           error_set(error, "--timing roi: not with --functional");
}

static bool roi_caches_agree(const struct options *o, struct error *error)
{
    return !o->roi_cold || o->mode != MODE_FUNCTIONAL ||
           error_set(error, "--roi-caches: not with --functional, which "
                            "has no caches");
}

/* ---- the rows ---- */

/* Of numbers of 1 or more 0 is what stands in an option that was not given.
 * 32 MiB of memory are the least that holds stacks and a program; 64 GiB of
 * address space are reserved without being used. */
static const struct option_row rows[] = {
    {"functional", 0, NULL, "only execute the program, no timing", OPTION_RUN,
     OPTION_PASSING, .take = functional,
     .more = "Some 280 million instructions a second on one host thread "
             "(performance.md). The chip only says how many harts there are, "
             "if not --harts."},
    {"timing", 0, "full|roi", "roi: time regions of interest alone, or kernels",
     OPTION_RUN, .take = options_timing, .agrees = timing_agrees,
     .more = "What lies outside of regions of interest, or without such of "
             "kernels, is executed without timing (timing-roi.md)."},
    {"program", 0, "FILE[,NAME=VALUE]",
     "a further program, for another kind of core", OPTION_RUN,
     .take = options_add_program,
     .more = "See Kinds of core in sim-run.md. May be repeated."},
    {"isa", 0, "ISA",
     "extensions of all cores, e.g. rv64imac (default: the chip's)", OPTION_RUN,
     OPTION_IN_MEMORY, .take = options_isa, .more = "See isa.md."},
    {"harts", 0, "N", "run on the chip's first N harts (default: all)",
     OPTION_RUN, OPTION_IN_MEMORY, COUNT(harts, 1, UINT32_MAX),
     .more = "In the order of the description, as CORBEL_THREADS natively "
             "does: corbel_harts() is N, the others take no part (their cycles "
             "are `parked`), and units that only these use sleep."},
    {"permute", 0, "SEED",
     "hand out work indices in an order that SEED (1 and up) chooses",
     OPTION_RUN, OPTION_IN_MEMORY, COUNT(permute, 1, UINT32_MAX),
     .untimed = "order of work",
     .more = "Blocks of 32 of the indices that corbel_work has announced for a "
             "kernel are permuted; in a kernel without an announcement, and "
             "without timing, indices keep their order. Seeds give the spread "
             "of a figure that is due to chance (sweeps.md)."},
    {"memory", 0, "SIZE",
     "end of the program's memory, e.g. 8G (default: 4G - 16M)", OPTION_RUN, 0,
     NUMBER(memory, 32 << 20, 64ULL << 30),
     .more = "From 32M to 64G; on RV32 at most 4G - 1M, which is what it has "
             "there."},
    {"managed", 0, "KIND[,KIND]",
     "place such files as managed memory: scene, rays, file", OPTION_RUN,
     .take = managed, .more = "See managed-memory.md. May be repeated."},
    {"fs", 0, "DIR", "the one directory the program may use (default: .)",
     OPTION_RUN, 0, TEXT(fs), .more = "See Files in sim-run.md."},
    {"max-fs", 0, "SIZE", "how much its files may grow there (default: 16G)",
     OPTION_RUN, 0, NUMBER(max_fs, 0, MOST), .more = "See limits.md."},
    {"env", 0, "NAME=VALUE", "a variable of its environment; may be repeated",
     OPTION_RUN, OPTION_IN_MEMORY, .take = options_add_variable,
     .more = "It is empty otherwise. The last value of a name counts."},
    {"max-cycles", 0, "N", "give up after N cycles", OPTION_RUN, OPTION_PASSING,
     NUMBER(max_cycles, 1, MOST),
     .more =
         "With --functional instructions of all harts, and those that trap."},
    {"max-time", 0, "N", "give up after N seconds of host time", OPTION_RUN,
     OPTION_PASSING, COUNT(max_time, 1, UINT32_MAX)},
    {"max-stall", 0, "N",
     "give up after N cycles without progress (default: 10M)", OPTION_RUN, 0,
     NUMBER(engine.watch, 1, MOST),
     .more = "Cycles in which no hart executed an instruction, no ray or piece "
             "of work was taken or done, main memory and PCIe brought nothing, "
             "and no hart was asleep. The run looks every N cycles. Lanes "
             "that spin while others of their warp wait are no progress either "
             "(min_sp_pc, ipdom: simt.md)."},
    {"quiet", 0, NULL, "no status line, no notes, no summary", OPTION_RUN,
     OPTION_PASSING, FLAG(quiet)},

    {"arch", 'a', "NAME|FILE.lua",
     "chip (default: by program: tiny, core, rtp-4x4)", OPTION_CHIP, 0,
     TEXT(arch), .reads = "the chip",
     .more = "A preset (chips.md) or a script (architecture-files.md). `core` "
             "is for bare-metal programs, `rtp-4x4` for those of rtp, `tiny` "
             "for all others."},
    {"set", 's', "PATH.PARAM=VALUE|@FILE",
     "change a parameter of it, or all that FILE lists", OPTION_CHIP,
     .take = set,
     .more = "One setting a line in FILE; lines that are empty or begin with # "
             "do not count, and errors name file and line. May be repeated."},
    {"describe", 0, NULL, "print the resolved chip and stop", OPTION_CHIP,
     OPTION_PASSING, .take = describe, .more = "It needs no program."},
    {"list-archs", 0, NULL, "list the chips that come with sim-run",
     OPTION_CHIP, OPTION_PASSING, .take = list_archs},
    {"list-units", 0, NULL,
     "list kinds of units: ports, parameters, statistics", OPTION_CHIP,
     OPTION_PASSING, .take = list_units},

    {"outdir", 'o', "DIR", "write statistics, manifest and log into DIR",
     OPTION_OBSERVE, OPTION_REPEATED, TEXT(outdir),
     .more = "DIR is made if need be. See Files of --outdir in sim-run.md."},
    {"stalls", 0, NULL,
     "what limits the run: where requests to memory spend cycles",
     OPTION_OBSERVE, 0, FLAG(stalls), .untimed = "timing",
     .more = "See observing.md."},
    {"max-output", 0, "SIZE",
     "give up when one of these files is larger (default: 256G)",
     OPTION_OBSERVE, OPTION_PASSING, NUMBER(max_output, 1, MOST),
     .more = "Of those that grow with the run (limits.md)."},

    {"checkpoint", 0, "FILE",
     "write FILE at --max-cycles, SIGUSR1; --functional: at a region",
     OPTION_CHECKPOINT, OPTION_PASSING | OPTION_WRITES, TEXT(checkpoint),
     .replaces = "resume",
     .more = "With --functional where a region of interest, or a kernel, "
             "begins, and the run ends there. See checkpoints.md."},
    {"checkpoint-every", 0, "N|Ns",
     "and every N cycles, or N seconds of host time", OPTION_CHECKPOINT,
     OPTION_PASSING, .take = checkpoint_every, .agrees = every_agrees},
    {"resume", 0, "FILE", "go on from that, with its program and options",
     OPTION_CHECKPOINT, OPTION_PASSING, TEXT(resume),
     .reads = "the file of --resume", .agrees = resume_agrees,
     .more =
         "Program, chip and options need not be given, but where files are "
         "put. From --functional it goes on on any chip with as many harts."},

    {"threads", 'j', "N",
     "host threads (default, and the most of static: one a processor)",
     OPTION_HOST, OPTION_PASSING, COUNT(engine.threads, 1, 1024),
     .more = "At most one for each tile."},
    {"help", 'h', NULL,
     "print this; --help all: with the options for developers, too",
     OPTION_HOST, OPTION_PASSING, .take = options_help},
    {"version", 0, NULL, "print the version", OPTION_HOST, OPTION_PASSING,
     .take = options_version},

    {"schedule", 0, "static|fixed|dynamic",
     "how tiles are shared among threads (default: static)", OPTION_DEVELOPER,
     OPTION_PASSING, .take = schedule,
     .more = "static: each thread has its own tiles, by measured work, and "
             "helps others; fixed: its own, by the number of units; dynamic: a "
             "thread that is free takes the next tile (scaling.md)."},
    {"epoch", 0, "E", "cycles a tile runs at a time (default: as many as pay)",
     OPTION_DEVELOPER, OPTION_PASSING,
     COUNT(engine.epoch, 1, LINK_LATENCY_MAX + 1),
     .more = "At most what the chip allows; as many as pay are all on one "
             "thread, on several the chip's E (engine.md)."},
    {"no-skip", 0, NULL, "run every unit in every cycle", OPTION_DEVELOPER,
     OPTION_PASSING, FLAG(engine.no_skip), .more = "For debugging units."},
    {"reverse-units", 0, NULL, "run the units of a tile in reverse order",
     OPTION_DEVELOPER, OPTION_PASSING, FLAG(engine.reverse_order),
     .more = "For debugging units."},
    {"list-options", 0, NULL, "list all options, as docs/ and others need it",
     OPTION_DEVELOPER, OPTION_PASSING, .take = options_list},
    {"roi-caches", 0, "warm|cold",
     "cold: regions of interest begin with empty caches", OPTION_DEVELOPER,
     .take = options_roi_caches, .agrees = roi_caches_agree,
     .more = "warm: with what the last region left in them (timing-roi.md)."},
};
enum { OWN = sizeof rows / sizeof *rows };

/* ---- all of them ---- */

/* Filled once; of observers by their list. */
static const struct option_row *all[OPTIONS_MOST];
static unsigned count;

static void add(const struct option_row *row)
{
    assert(count < OPTIONS_MOST);
    all[count++] = row;
}

static void collect(void)
{
    for (unsigned i = 0; i < OWN; i++)
        add(&rows[i]);
    for (unsigned i = 0; i < observers_count(); i++)
        for (const struct option_row *r = observers_options(i); r && r->name;
             r++)
            add(r);
}

unsigned option_count(void)
{
    if (!count)
        collect();
    return count;
}

const struct option_row *option_at(unsigned number)
{
    return number < option_count() ? all[number] : NULL;
}

unsigned option_number(const struct option_row *row)
{
    unsigned i = 0;
    while (option_at(i) != row)
        i++;
    return i;
}

const struct option_row *option_named(const char *name)
{
    for (unsigned i = 0; i < option_count(); i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}

const char *option_text(const struct options *o, const struct option_row *row)
{
    return o->texts[option_number(row)];
}
