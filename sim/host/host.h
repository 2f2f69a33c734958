/*
 * One run: the program, the machine that it runs on, and how it ended. The
 * timing run (run/timing.c) and the functional one (run/functional_run.c) drive
 * the harts; whenever a hart leaves the model, both call host_serve.
 */
#ifndef SIM_HOST_HOST_H
#define SIM_HOST_HOST_H

#include "sdk/whole/whole.h"
#include "sim/host/observer.h"
#include "sim/host/options.h"
#include "sim/host/os/guest_os.h"
#include "sim/host/results/tables.h"
#include "sim/host/run/roi_timing.h"
#include "sim/host/run/run_parts.h"
#include "sim/host/state/saving.h"
#include <stdio.h>

struct functional;

struct host {
    const struct options *options;
    struct programs programs;
    struct machine machine;
    struct memory_layout layout;
    struct placed_files placed;
    struct managed_memory managed;

    struct chip_source arch;
    int64_t clock_mhz;
    struct chip *chip;
    struct engine *engine; /* NULL: functional run */
    struct places *places; /* of its threads, NULL: left to the system */
    struct functional *functional; /* NULL: nothing was executed so yet */
    struct roi roi;
    unsigned *first_hart; /* of a core, by the unit's number */
    unsigned harts;       /* that run programs.first: the chip's first ones */
    bool watched;         /* units are of the watched kinds, where there are
                             such */
    const struct unit_kind **kinds;  /* if so; NULL: unit_kinds */
    const struct debugger *debugger; /* NULL: none (cores.h) */
    bool altered; /* its user has written registers or memory */

    uint64_t now;      /* cycle (functional run: instructions executed) */
    uint64_t progress; /* at the last look of the watchdog */
    struct kernels kernels;
    struct multiprocessors multiprocessors;
    struct work work;
    struct sleepers sleep;
    struct half_command half;
    struct regions regions;

    struct guest_os os;
    struct saving saving;
    struct tables tables;
    struct trace_window traces[TRACE_KINDS]; /* of --trace, the cycles as far as
                                                they are known */
    struct range signature;                  /* to be written at the end */
    uint64_t warm_hash;                      /* of the file of --warm-caches */
    void *observed[OBSERVERS_MOST]; /* what each observer keeps (observer.h) */

    struct ended ended;
    struct run_log log;
    struct status_shown shown;
};

/* ---- run/begin.c ---- */

/* No check that may refuse the run comes after this: from here on the run
 * replaces what earlier ones have left. False: host.ended.status has the error.
 */
bool host_begin(struct host *host, struct error *error);

/* ---- run/hart_service.c ---- */

/* Acts on hart->event. False: the run is over, see ended.how. */
bool host_serve(struct host *host, struct hart *hart);
/* The cycle has come in which half of tohost is taken for all of it. False: the
 * run is over. */
bool host_half_due(struct host *host);
/* Ends the run. Always false. */
bool host_end(struct host *host, enum ending ending, int status,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Ends it for the signal that was noted, or else for --max-output. Always
 * false. */
bool host_interrupt(struct host *host);
/* Lets a hart go on at its pc. */
void host_resume(struct host *host, struct hart *hart);
/* Likewise into a kernel, or behind the launch of one: the caches have dropped
 * their copies already. */
void host_start(struct host *host, struct hart *hart);

/* ---- results/output_limits.c ---- */

/* Before the run, so that a long one does not learn at its end that a file
 * cannot be written. */
bool outputs_possible(struct host *host, struct error *error);
/* The output that is larger than --max-output, NULL: none is. */
const char *outputs_over(const struct host *host);

/* ---- run/run_log.c ---- */

/* A line for log.txt, stamped with the cycle. */
void host_log(struct host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line for stderr (unless --quiet) and log.txt. */
void host_note(struct host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line for stderr, unless --quiet, about this process and not the run. */
void host_tell(struct host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Says how much was left out. */
void host_log_end(struct host *host);

/* ---- os/syscalls.c: Linux's calls, all but exit. Returns the result; a hart
 * that is HART_SLEEPING after it gets that when it wakes. ---- */
int64_t syscall_linux(struct host *host, struct hart *hart, uint64_t number,
                      const uint64_t *args);
/* ---- os/syscalls_files.c: what serves a call about files, NULL: it is none
 * ----
 */
typedef int64_t syscall_function(struct host *host, const struct hart *hart,
                                 const uint64_t *args);
syscall_function *syscall_files(uint64_t number);
/* Copies to the hart's memory: 0 or -EFAULT. */
int64_t syscall_put(struct host *host, const struct hart *hart,
                    uint64_t address, const void *data, size_t bytes);
/* Writes to a standard stream of the host: how many bytes, or the negative of
 * an errno. A signal that comes while it cannot ends the run. */
int64_t host_print(struct host *host, int fd, const uint8_t *at,
                   uint64_t bytes);
/* Notes why a path was not opened, if it was for the program's rights. */
void note_refused(struct host *host, const char *path, int64_t result);

/* ---- os/fs_reach.c: what of the host the program may reach ---- */

/* Opens --fs, and closes to the program what the run reads and writes: what was
 * noted so far, and the files of the command line. */
bool reach_open(struct host *host, struct error *error);
/* Opens a regular file that the run reads behind the program's back, for
 * reading: from --fs on no link leads out, as the program may have put it
 * there. The negative of an errno. */
int reach_file(const struct host *host, const char *path);
/* Notes a script of the chip; context: the host. */
void reach_script(void *context, const char *path);

/* ---- os/fs_quota.c: calls that may change how much the program holds below
 * --fs ----
 */

/* They answer as those of files.h do, and what does not fit into --max-fs with
 * -EFBIG, a new name with -ENOSPC. */
int64_t room_openat(struct host *host, int64_t at, const char *path, int flags,
                    int mode);
int64_t room_close(struct host *host, int64_t number);
int64_t room_mkdirat(struct host *host, int64_t at, const char *path, int mode);
int64_t room_unlinkat(struct host *host, int64_t at, const char *path,
                      int flags);
int64_t room_renameat(struct host *host, int64_t from_at, const char *from,
                      int64_t to_at, const char *to, unsigned flags);
/* Write to files that the program has opened, as many bytes as fit. */
int64_t room_write(struct host *host, int64_t number, const void *bytes,
                   uint64_t count);
int64_t room_truncate(struct host *host, int64_t number, int64_t size);

/* ---- run/hart_sleep.c ---- */

/* Times are those of host.now. 0 or -ENOMEM. */
int64_t sleep_until(struct host *host, struct hart *hart, uint64_t due);
/* When the next hart wakes, CYCLE_NEVER: none sleeps. */
uint64_t sleep_next(const struct host *host);
/* Wakes those whose time has come. */
void sleep_wake(struct host *host);
/* Saves or loads the sleepers. */
struct state;
void sleep_state(struct host *host, struct state *s);

/* ---- run/placed_files.c ---- */
int64_t scene_open(struct host *host, const char *path);
int64_t scene_use(struct host *host, uint64_t address);
/* Binds again the scene that lies there, as a checkpoint says, after the checks
 * of its opening. */
bool scene_again(struct host *host, uint64_t address, struct error *error);
/* Any other file, not PLACED_SCENE. */
int64_t file_place(struct host *host, const char *path, enum placed_kind kind,
                   uint64_t *bytes);

/* ---- run/place_below.c: addresses for what comes into memory while the
 * program runs
 * ---- */

/*
 * The address of `bytes` bytes, a multiple of alignment (a power of two, at
 * least a page), below all that lies at the top of memory, whose lowest end it
 * leaves to the caller to move. what: for the note that says why there is none.
 * 0 or -ENOMEM.
 */
int64_t place_below(struct host *host, const char *what, uint64_t bytes,
                    uint64_t alignment, uint64_t *address);

/* ---- run/managed_calls.c: managed memory (corbel/managed.h) ---- */

/* Which files are managed, by the command line and by the chip, which is
 * built. */
bool host_managed_files(struct host *host, struct error *error);
/* A range that begins where a tree may begin, and is managed from now on;
 * blank: it has no contents yet. 0 or the negative of an errno. */
int64_t host_managed_add(struct host *host, uint64_t address, uint64_t bytes,
                         bool blank);
/* The chip's unit that moves pages is told of all ranges that a run without
 * timing had. False: it cannot have them. */
bool host_managed_again(struct host *host, struct error *error);
/* The calls of the program: results of system calls. */
int64_t host_managed_alloc(struct host *host, uint64_t bytes);
int64_t host_managed_prefetch(struct host *host, uint64_t address,
                              uint64_t bytes);
/* The hart sleeps until host_managed_synchronised. */
int64_t host_managed_sync(struct host *host, struct hart *hart);
int64_t host_managed_stats(struct host *host, const struct hart *hart,
                           uint64_t address);
/* Cycles from the launch of a kernel, now, until it begins. */
uint64_t host_managed_launch(struct host *host);
/* The unit that moves pages has put all back. */
void host_managed_synchronised(struct host *host);

/* ---- run/launch.c: park, launch, join ---- */
void launch_park(struct host *host, struct hart *hart);
/* Launch or join, by the call in the hart's registers. False: the run is over,
 * as the hart is in a kernel that was launched. */
bool launch_wait(struct host *host, struct hart *hart);

/* ---- run/groups.c ---- */

/* A hart has come to a barrier, whose system call has these arguments. Always
 * true: the run goes on. */
bool groups_meet(struct host *host, struct hart *hart, const uint64_t *args);
/* What a multiprocessor has for groups: CORBEL_GROUPS_.. of corbel/abi.h. */
int64_t groups_call(struct host *host, const struct hart *hart,
                    const uint64_t *args);
/* Begins a launched kernel whose time has come. */
void launch_alarm(struct host *host);
/* The units forget what belongs to the last kernel. */
void launch_forget(struct host *host);

/* ---- run/roi_regions.c: regions of interest ---- */

/* The program's call: 0 or the negative of an errno. */
int64_t regions_mark(struct host *host, bool begin);
/* The run is over: what is still open ends here. Says so, and which calls had
 * no effect. */
void regions_end(struct host *host);
void regions_free(struct regions *r);

/* ---- run/fault.c ---- */
/* The run ends with a line on what the hart did. Return false. */
bool fault_report(struct host *host, const struct hart *hart);
bool fault_tell(struct host *host, const struct hart *hart, const char *what);

/* ---- run/setup.c ---- */

/* Options to a machine that is ready to run. *status: why not. */
bool host_prepare(struct host *host, const struct options *options, int *status,
                  struct error *error);
void host_free(struct host *host);

/* ---- the two ways to run ---- */
bool timing_run(struct host *host, struct error *error);
/* Host threads that it takes. */
unsigned timing_threads(const struct host *host);
bool functional_run(struct host *host, struct error *error);

/*
 * In a timed run, while all tiles stand still: executes the running harts from
 * host->now on as if they took a cycle for each instruction, all at the same
 * time, until none runs or sleeps any longer. False: the run is over.
 */
bool functional_stretch(struct host *host);
void functional_free(struct functional *f);

/* Does what harts do now take its time on the chip? */
static inline bool host_is_timed(const struct host *host)
{
    return host->engine && !host->roi.untimed;
}

/* ---- run/diagnose.c: why nothing happens, to stderr and log ---- */
void diagnose(struct host *host);

/* ---- run/status_line.c ---- */

/* What is to be seen of the run now. */
struct sighting status_sighting(const struct host *host);
/* The line, if it is due. */
void status_show(struct host *host);
/* The line at once, with another phase: before the run and after it. */
void status_phase(struct host *host, enum phase phase);
void status_clear(struct host *host);

#endif
