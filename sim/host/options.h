/*
 * The command line of sim-run. Options end at the ELF file; what follows it
 * belongs to the program.
 */
#ifndef SIM_HOST_OPTIONS_H
#define SIM_HOST_OPTIONS_H

#include "sim/core/engine.h"
#include "sim/host/chip_settings.h"
#include "sim/host/option.h"
#include "sim/isa/isa.h"
#include "sim/units/common/hart_trace.h"

#define OPTIONS_ENV_MAX 256
#define OPTIONS_PROGRAMS_MAX 8 /* further ones */
#define OPTIONS_RANGES_MAX 64

enum run_mode {
    MODE_TIMING,
    MODE_FUNCTIONAL, /* --functional: no timing */
    MODE_DESCRIBE,   /* --describe: print the chip, run nothing */
    MODE_ANSWERED,   /* --help, --version, --list-...: done already */
};

/* Cycles, the last one excluded; or those of one of the program's regions of
 * interest, or of one of its kernels, from the launch to the join: then they
 * become known in the run, and from and to are CYCLE_NEVER. */
enum range_of { RANGE_OF_CYCLES, RANGE_OF_REGION, RANGE_OF_LAUNCH };
struct cycle_range {
    uint64_t from, to;
    enum range_of of;
    uint32_t number; /* from 1 on */
};

/* What the program wanted a file in memory to be. */
enum placed_kind { PLACED_FILE, PLACED_RAYS, PLACED_SCENE, PLACED_KINDS };
extern const char *const placed_names[PLACED_KINDS];

/* Which pixels of a picture work indices are: along tiles, one after the other.
 * width 0: there is no picture. */
#define PIXELS_MOST 8192u /* width and height, of tiles too */
#define PIXELS_IN_ALL (1u << 24)
struct pixel_order {
    uint32_t width, height, tile_width, tile_height;
    bool up; /* tiles, and lines in a tile, from the lowest one on */
};

/* Words of a command line: options, a value behind each that has one, then the
 * program and its arguments. They live as long as the process. */
struct words {
    char **list;
    uint32_t count;   /* of all */
    uint32_t options; /* of these */
};

/* The command line as parsed: texts point into argv, and NULL or 0 is an option
 * that was not given unless its field says otherwise. */
struct options {
    const char *texts[OPTIONS_MOST]; /* by the number of an option: its value
                                        that was given last (option_text) */
    enum run_mode mode;
    const char *arch;         /* preset or FILE.lua, NULL */
    struct settings settings; /* --set */
    const char
        *further[OPTIONS_PROGRAMS_MAX]; /* --program: FILE[,NAME=VALUE] */
    unsigned further_count;
    const char *outdir;   /* NULL: no files */
    uint64_t max_output;  /* bytes of a file of them */
    const char *fs;       /* the directory that the program may use */
    uint64_t gdb_history; /* bytes of --gdb for going back */
    uint64_t max_fs;      /* bytes by which it may grow what is below it */
    uint64_t memory;      /* bytes of address space below ram_end, 0: default */
    unsigned harts;       /* of the chip's that take part, 0: all */
    unsigned permute;     /* seed of the order of work, 0: its own */
    /* Cycles, or instructions without timing; CYCLE_NEVER: no limit. Cycles
     * between two rows of intervals.csv, 0: the file is not written. */
    uint64_t max_cycles, interval;
    bool interval_units;                           /* --interval-level unit */
    struct cycle_range ranges[OPTIONS_RANGES_MAX]; /* --stats-range */
    unsigned range_count;
    unsigned max_time; /* seconds of host time, 0: no limit */
    struct engine_options engine;
    struct isa_profile isa; /* xlen 0: what the chip says */
    unsigned managed; /* --managed: a bit for each enum placed_kind that is
                         placed as managed memory, see also host.h */
    bool check_memory;
    bool roi;      /* --timing roi: only regions of interest are timed */
    bool roi_cold; /* --roi-caches cold */
    const char *warm_caches;         /* file, NULL: none */
    const char *checkpoint, *resume; /* files, NULL: none */
    uint64_t checkpoint_every;       /* cycles, 0: never */
    uint64_t checkpoint_seconds;     /* of host time, 0: never */
    bool log_commits;
    const char *log;                         /* file for that, NULL: stderr */
    bool profile;                            /* of the program */
    struct trace_window traces[TRACE_KINDS]; /* --trace */
    struct cycle_range trace_ranges[TRACE_KINDS]; /* when they are */
    char trace_units[TRACE_KINDS][100];           /* their patterns */
    struct pixel_order pixels;                    /* --cost-images */
    const char *serve; /* [ADDRESS:]PORT, NULL: nobody is served */
    bool link_stats, stalls;
    bool quiet;
    const char *env[OPTIONS_ENV_MAX]; /* --env: NAME=VALUE, each name once */
    unsigned env_count;
    char **program; /* ELF file and its arguments */
    int program_argc;
    char **argv; /* the whole command line */
    int argc;
    struct words lasting; /* of these what a run that goes on needs, too */
};

/* Of enum engine_schedule, as --schedule takes them. */
extern const char *const schedule_names[];

/* The number that an option has as text, with k, M or G behind it. */
bool options_number(const char *option, const char *text, uint64_t least,
                    uint64_t greatest, uint64_t *value, struct error *error);

/* A number of cycles, or with an s behind it of seconds; the other is 0. */
bool options_cycles_or_seconds(const char *option, const char *text,
                               uint64_t *cycles, uint64_t *seconds,
                               struct error *error);

/* Of schedule_names. */
bool options_schedule(const char *text, enum engine_schedule *schedule,
                      struct error *error);

void words_add(struct words *w, char *word);

/* One by one, whether they agree or not. */
bool options_read(struct options *o, int argc, char **argv,
                  struct error *error);
/* FROM:TO, either of which may be missing: then that of *range stays; roi,
 * roi:N, launch, launch:N. False: it is none, and the error says so. */
bool options_range(const char *option, const char *text,
                   struct cycle_range *range, struct error *error);
bool options_same_range(const struct cycle_range *a,
                        const struct cycle_range *b);
/* Is it that of a region or a kernel with that number? */
static inline bool range_is(const struct cycle_range *range, enum range_of of,
                            uint64_t number)
{
    return range->of == of && range->number == number;
}
/* As options_range takes it; returns text. */
enum { RANGE_TEXT = 48 };
const char *options_range_text(const struct cycle_range *range,
                               char text[RANGE_TEXT]);

/* --help, --list-options, --version, --env, --program, --timing, --roi-caches,
 * --isa. */
bool options_help(struct options *o, const char *text, struct error *error);
bool options_list(struct options *o, const char *text, struct error *error);
bool options_version(struct options *o, const char *text, struct error *error);
bool options_add_variable(struct options *o, const char *text,
                          struct error *error);
bool options_add_program(struct options *o, const char *text,
                         struct error *error);
bool options_timing(struct options *o, const char *text, struct error *error);
bool options_roi_caches(struct options *o, const char *text,
                        struct error *error);
bool options_isa(struct options *o, const char *text, struct error *error);

/* False: some of the options only make sense together, or not together, or two
 * files of the run are one. */
bool options_agree(const struct options *o, struct error *error);
/* Is it a file that one of the options has sim-run write? */
bool options_writes(const struct options *o, const char *path);
/* False: a file that the run is to write is one that it has read by now. */
bool options_spare(const struct options *o, struct error *error);

/* Adds a bit for each kind of files that text names, with commas between them.
 * False: one is unknown, and managed_expected says what is not. */
bool options_managed(const char *text, unsigned *kinds);
extern const char managed_expected[];

/* Answers --help, --version and --list-... itself. With --resume there may be
 * nothing but that: then options_resume is due. */
bool options_parse(struct options *o, int argc, char **argv,
                   struct error *error);
/* Adds what the file of --resume says of its run, before what was given: the
 * last of an option counts. Returns the status to end with, 0: it is well. */
int options_resume(struct options *o, struct error *error);

#endif
