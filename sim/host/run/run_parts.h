/*
 * What the host keeps of a run's programs, their memory and their harts, and
 * how it ends (struct host).
 */
#ifndef SIM_HOST_RUN_PARTS_H
#define SIM_HOST_RUN_PARTS_H

#include "sim/host/observer.h"
#include "sim/host/options.h"
#include "sim/host/run/exit_status.h"
#include "sim/host/run/loaded_program.h"
#include "sim/host/run/progress.h"
#include <stdio.h>

/* ---- programs and their memory ---- */

#define PROGRAMS_MAX (1 + OPTIONS_PROGRAMS_MAX)
#define PROGRAM_OPTIONS_MAX 32 /* of a kind of core that loads its programs */

struct programs {
    struct program all[PROGRAMS_MAX]; /* programs.h */
    char *texts[PROGRAMS_MAX];        /* of --program, NULL: none */
    unsigned count;
    const struct program *first; /* that lies in memory: it gets arguments and
                                    heap; none: there is none */
    struct program none;         /* without path, symbols and segments */
    unsigned done;               /* ended by HART_DONE */
    struct range name;           /* argv[0] of the first, in its memory */
};

/* Memory between the program and the stacks. */
struct memory_layout {
    uint64_t heap_start, heap_end; /* the break */
    uint64_t ceiling;              /* lowest address of scenes, stacks and what
                                      the harts have of their own */
    uint64_t stack_guard;          /* below hart 0's stack for main() */
    uint64_t kernel_guard; /* below kernel stacks in DRAM, 0: in scratch */
};

/* Scenes and other files that lie in memory, read-only. */
#define PLACED_MAX 64
struct placed {
    char *path; /* as the program named it */
    enum placed_kind kind;
    uint64_t address, bytes;
};
struct placed_files {
    struct placed files[PLACED_MAX];
    unsigned count;
};

/* Managed memory, in the order in which the program got it: as many bytes as
 * were asked for, from the start of their first tree on (corbel/managed.h). */
struct managed_memory {
    struct range *ranges;
    unsigned count, room;
    unsigned kinds; /* as in struct options; what the chip wants too */
    struct hart *synchronising; /* see run/managed_calls.c, NULL: none does */
};

/* The chip's description. */
struct chip_source {
    const char *name; /* as given, or the default */
    char path[4096];
    uint64_t hash;
};

/* ---- what harts wait for ---- */

/* Of the harts that run the program (run/groups.c). */
struct multiprocessors {
    unsigned harts; /* of the first; 0: not looked for yet */
    bool alike;     /* the others have as many, one behind the other */
};

/* Harts that a launch begins on beside the one that launches: those of the
 * first teams, which lie on multiprocessors as CORBEL_GROUPS_SEATS of
 * corbel/abi.h says. */
struct seats {
    uint32_t multiprocessor;     /* its harts */
    uint32_t harts, step, teams; /* of a team, from one to the next; 0: all */
};

struct kernels { /* run/launch.c */
    unsigned parked;
    struct hart *waiting; /* for all others to be parked */
    bool runs;
    bool launched;          /* functional run: harts were resumed */
    struct seats seats;     /* of the next one */
    uint64_t launches;      /* so far */
    struct hart *launching; /* its kernel is going to begin; NULL: none is */
    uint64_t due;           /* when it does */
    char name[KERNEL_NAME]; /* of the last one, if it has one */
};

struct work {
    uint64_t total; /* announced by the program, 0: unknown */
    uint64_t base;  /* indices handed out before that was announced or the last
                       kernel begun */
    uint64_t part;  /* kernels and announcements so far */
    uint64_t next;  /* announced for the next kernel, 0: unknown */
};

struct sleepers {             /* run/hart_sleep.c */
    struct sleeper *sleepers; /* NULL: none has slept yet */
    unsigned count;
};

/* A command of HTIF of which half was stored. */
struct half_command {
    struct hart *by;  /* NULL: none */
    uint64_t at, due; /* its address; the cycle from which on that is all */
};

/* ---- how it ends, and what it tells ---- */

enum ending {
    ENDING_NONE, /* still running */
    ENDING_EXIT, /* status: the program's */
    ENDING_FAULT,
    ENDING_DEADLOCK,
    ENDING_STALL, /* something goes on, but nothing gets on */
    ENDING_LIMIT,
    ENDING_INPUT, /* a scene that the chip's RT cores cannot read */
    ENDING_HOST,  /* something the host ran out of */
    ENDING_CHECK, /* --check-memory found a difference */
    ENDING_SIGNAL,
    ENDING_SAVED, /* without timing, where that begins */
};

struct ended {
    enum ending how;
    int status;     /* to exit with */
    char why[1400]; /* one line, unless the program ended by itself */
    bool awaits;    /* it ended while a standard stream was awaited */
};

struct run_log {  /* run/run_log.c */
    FILE *stream; /* into text, written at the end */
    char *text;
    size_t size;
    uint64_t lines, lost;       /* in it; left out of it */
    uint64_t notes, notes_lost; /* on stderr likewise */
};

struct status_shown {     /* run/status_line.c */
    bool line;            /* one is on the terminal */
    struct progress seen; /* by it */
};

/* Regions of interest, which the program marks. */
#define REGIONS_MOST 100000
struct regions {
    struct range *ranges; /* cycles */
    unsigned count, room;
    bool open;                /* the one behind the last is */
    uint64_t left_out;        /* there were REGIONS_MOST before */
    uint64_t nested, unbegun; /* calls without effect: begin in a region, end
                                 outside of one */
    uint64_t first_wrong;     /* cycle of the first of these */
    double cpu; /* CPU seconds spent on them; negative: since when */
};

#endif
