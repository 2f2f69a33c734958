/*
 * What looks at a run beside its statistics: --interval, --trace,
 * --check-memory and the like. An observer is a file with a row of functions,
 * any of which may be missing, and a place in the list of observers.c; the run
 * calls all of them at the times that the members name, in the order of the
 * list. What it keeps of a run it finds by observer_of. An observer changes
 * nothing that a program can see.
 *
 * Where a function returns false an error says why, unless its comment says
 * otherwise.
 */
#ifndef SIM_HOST_OBSERVER_H
#define SIM_HOST_OBSERVER_H

#include "sim/core/error.h"
#include "sim/host/options.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cJSON;
struct hart;
struct host;
struct outcome;
struct state;

struct observer {
    const char *name;                 /* of its option */
    const struct option_row *options; /* up to one without a name */
    /* Do units have to keep what only builds with STALLS do
     * (observe/stalls_program.h)? */
    bool (*needs_stalls)(const struct options *options);
    /* What its results depend on, as lines of text: a run that goes on from a
     * checkpoint has the same. */
    void (*identity)(const struct options *options, FILE *to);

    /* ---- before the run ---- */

    /* Nothing has been read but the command line. */
    bool (*arrive)(struct host *host, struct error *error);
    /* The description was run, and its units are about to be made. */
    void (*build)(struct host *host);
    /* The chip is there. */
    bool (*built)(struct host *host, struct error *error);
    /* The machine is at reset, the programs are in memory. */
    bool (*placed)(struct host *host, struct error *error);
    /* All is there: whatever the command line names can be opened. */
    bool (*open)(struct host *host, struct error *error);
    /* Nothing refuses the run any more, and a resumed one is where it was
     * saved. What an earlier run has left is replaced from here on. */
    bool (*begin)(struct host *host, struct error *error);

    /* ---- a timed run, all tiles standing still ---- */

    /* How many cycles are between two borders of intervals, if the command line
     * has no --interval; 0: it needs none. */
    uint64_t (*interval)(const struct host *host);
    /* The next cycle in which look is due, CYCLE_NEVER: there is none. */
    uint64_t (*next)(const struct host *host);
    /* It has come, or, if border, that of an interval: all accounts are closed
     * at host->now. */
    void (*look)(struct host *host, bool border);
    /* After each epoch; all before now is done. False: the run is over. The
     * engine calls it in runs in which `watches` of an observer is true. */
    bool (*still)(struct host *host, uint64_t now);
    bool (*watches)(const struct host *host);
    /* What tiles, and all that was done between, cost the host since a cycle.
     * The engine measures it in runs in which `times` of an observer is true.
     */
    void (*epoch)(const struct host *host, uint64_t from,
                  const uint64_t *tile_ns, uint64_t between_ns);
    bool (*times)(const struct host *host);

    /* ---- any run ---- */

    /* A hart asks for a service. False: the run is over. */
    bool (*service)(struct host *host, const struct hart *hart);
    /* A region of interest or a kernel begins or ends, of which number. */
    void (*border)(struct host *host, enum range_of of, uint64_t number,
                   bool begin);
    /* Caches drop their copies, as a kernel starts. */
    void (*launch)(struct host *host);
    /* The host has written into memory, where harts may have read before; or,
     * if fresh, into what none has read and none may write. */
    void (*written)(struct host *host, const uint8_t *at, uint64_t bytes,
                    bool fresh);
    /* Now and then. */
    void (*progress)(struct host *host);
    /* What it keeps, written or loaded; before that, when the run is saved. */
    void (*state)(struct host *host, struct state *s);
    void (*save)(struct host *host);
    /* What it adds to the stats.json of a timed run, up to host->now. */
    void (*json)(const struct host *host, struct cJSON *stats);
    /* Bytes of what will be, or is, a file, which it names; 0: none. */
    uint64_t (*bytes)(const struct host *host, const char **name);

    /* ---- after it ---- */

    /* Nothing happens any more. False: a check of the simulator has failed. */
    bool (*end)(struct host *host, struct error *error);
    /* Notes for people. */
    void (*tell)(struct host *host);
    bool (*write)(struct host *host, const struct outcome *outcome,
                  struct error *error);
    /* A line of the summary, on stderr. */
    void (*summary)(const struct host *host);
    /* All files are written. */
    void (*leave)(struct host *host);
    /* Whatever has been called before. */
    void (*free)(struct host *host);
};

#define OBSERVERS_MOST 24

#define OBSERVER(name) extern const struct observer name;
#include "sim/host/observers.def"
#undef OBSERVER

/* Where an observer of the list keeps what it has of a run; NULL at first. */
void **observer_of(const struct host *host, const struct observer *observer);

/* ---- all of them: as the members are called ---- */

/* The name of one that does, NULL: none. */
const char *observers_need_stalls(const struct options *options);
void observers_identity(const struct options *options, FILE *to);
bool observers_arrive(struct host *host, struct error *error);
void observers_build(struct host *host);
bool observers_built(struct host *host, struct error *error);
bool observers_placed(struct host *host, struct error *error);
bool observers_open(struct host *host, struct error *error);
bool observers_begin(struct host *host, struct error *error);
/* The first that is not 0. */
uint64_t observers_interval(const struct host *host);
/* The earliest. */
uint64_t observers_next(const struct host *host);
void observers_look(struct host *host, bool border);
bool observers_still(struct host *host, uint64_t now);
bool observers_watch(const struct host *host);
void observers_epoch(const struct host *host, uint64_t from,
                     const uint64_t *tile_ns, uint64_t between_ns);
bool observers_time(const struct host *host);
bool observers_service(struct host *host, const struct hart *hart);
void observers_border(struct host *host, enum range_of of, uint64_t number,
                      bool begin);
void observers_launch(struct host *host);
void observers_written(struct host *host, const uint8_t *at, uint64_t bytes,
                       bool fresh);
void observers_progress(struct host *host);
void observers_save(struct host *host);
void observers_state(struct host *host, struct state *s);
void observers_json(const struct host *host, struct cJSON *stats);
/* The name of a file that has more bytes than that, NULL: none has. */
const char *observers_over(const struct host *host, uint64_t most);
bool observers_end(struct host *host, struct error *error);
void observers_tell(struct host *host);
/* That of the list with that number. False with an error: a file was not
 * written, and the next are tried all the same. */
unsigned observers_count(void);
/* Those of the observer with that number. */
const struct option_row *observers_options(unsigned number);
bool observers_write(struct host *host, unsigned number,
                     const struct outcome *outcome, struct error *error);
void observers_summary(const struct host *host);
void observers_leave(struct host *host);
void observers_free(struct host *host);

#endif
