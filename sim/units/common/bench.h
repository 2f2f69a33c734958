/*
 * A test bench: real units between two toys. A driver asks what its script
 * says and keeps all answers with their cycles; a `below` is an ideal memory
 * that keeps what it was asked and can be told to make mistakes.
 *
 * bench_play runs a scenario under all ways of running the engine and with
 * the units in one tile and in tiles of their own, fails where statistics or
 * answers depend on the former, where the buckets of a unit do not add up to
 * the cycles, and lets the scenario check each run.
 */
#ifndef SIM_UNITS_BENCH_H
#define SIM_UNITS_BENCH_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#define LINK 3u /* latency of every link that bench_link makes */
#define DEPTH 16u

#define BENCH_MEMORY 0x400000u    /* bytes; writable below ... */
#define BENCH_READ_ONLY 0x100000u /* ... this address */

struct ask {
    uint64_t at;   /* not before this cycle */
    uint64_t sent; /* when the port had room */
    struct msg msg;
    struct payload payload;
    bool carries; /* the payload goes along */
    bool service; /* asks the host instead of the unit */
    bool along;   /* in the cycle of the one before, whatever the room */
};

struct answer {
    uint64_t at;
    struct msg msg;
    struct payload payload;
};

struct toy_stats {
    uint64_t hash; /* of everything that came in, and when */
};

/* Asks in the order of the script, at most one a cycle. */
struct driver {
    struct unit unit;
    struct toy_stats stats;
    struct ask *asks;
    struct answer *answers;
    unsigned count, next, answered;
};

enum below_fault { NO_FAULT, DROPPED, TWICE, OLD_VALUE };

/* What came in at a cycle, from which port; answered `latency` later. */
struct seen {
    uint64_t at;
    unsigned port;
    struct msg msg;
    struct msg reply;
    struct payload payload;
};

struct below {
    struct unit unit;
    struct toy_stats stats;
    struct machine *machine;
    unsigned latency;
    uint64_t closed_until;  /* takes nothing before this cycle */
    uint8_t served;         /* flags of its answers */
    uint64_t refused;       /* 0, or this sector's requests fail */
    uint64_t refused_until; /* those that come before this cycle; 0: all */
    uint8_t refused_as;     /* the access it says it was; 0: what was asked */
    enum below_fault fault;
    unsigned
        faulty; /* the fault befalls the first atomic from this answer on */
    struct seen *seen;
    unsigned count, answered;
    bool leftover;
};

/* A number by its name: a parameter and its value, a counter and what it
 * counts. A list of them ends with one without a name. */
struct setting {
    const char *name;
    int64_t value;
};

struct bench;

struct scenario {
    void (*build)(struct bench *b);
    void (*check)(struct bench *b);
    /* For scenarios with services; the run goes on if it says so. */
    bool (*serve)(struct bench *b, uint64_t now,
                  const struct service_request *request);
    uint64_t limit;   /* cycles; 0: until nothing can happen any more */
    const void *with; /* what the scenario makes of it */
    const struct unit_kind *toy; /* one more kind of unit, NULL: none */
};

#define BENCH_UNITS 64
/* Two toys, the units, a scenario's own toy, the end. */
#define BENCH_ONE(name) +1
enum { BENCH_KINDS = 2 UNIT_KINDS(BENCH_ONE) + 2 };
#define BENCH_SERVICES 64

struct bench {
    const struct scenario *scenario;
    const struct unit_kind *kinds[BENCH_KINDS]; /* NULL-terminated */
    struct chip *chip;
    struct engine *engine;
    struct machine machine;
    bool together;     /* all units in one tile */
    struct tile *tile; /* that one */
    struct driver *drivers[BENCH_UNITS];
    struct below *belows[BENCH_UNITS];
    struct unit *units[BENCH_UNITS]; /* real ones, in order of creation */
    unsigned driver_count, below_count, unit_count;
    struct isa_insn *text;                           /* that of the machine */
    struct service_request services[BENCH_SERVICES]; /* in order */
    unsigned service_count;
    uint64_t cycles;
    enum engine_stop stop;
};

void bench_play(const struct scenario *scenario);

/* Scenarios of the two functions alone, or of them and `with`. */
void bench_test(void (*build)(struct bench *b), void (*check)(struct bench *b));
void bench_test_with(void (*build)(struct bench *b),
                     void (*check)(struct bench *b), const void *with);

/* ---- for build ---- */

struct unit *bench_unit(struct bench *b, const char *kind, const char *name);
void bench_set(struct bench *b, struct unit *u, const char *param,
               int64_t value);
void bench_set_all(struct unit *u, const struct setting *settings);
int64_t bench_param(const struct unit *u, const char *name);
void bench_link(struct bench *b, void *from, const char *output, void *to,
                const char *input, unsigned depth);
/* A link of another latency than LINK. */
void bench_far_link(struct bench *b, void *from, const char *output, void *to,
                    const char *input, unsigned latency, unsigned depth);

/* A driver without links. */
struct driver *bench_lone_driver(struct bench *b);
/* A driver at a pair of ports of the unit, e.g. cpu and reply. */
struct driver *bench_driver(struct bench *b, struct unit *u, const char *input,
                            const char *output);
/* A memory behind a pair of ports of the unit, e.g. mem and fill. */
struct below *bench_below(struct bench *b, struct unit *u, const char *output,
                          const char *input, unsigned latency);

/* The program that all harts begin with. */
#define BENCH_TEXT 0x80000u
void bench_program(struct bench *b, const uint32_t *words, unsigned count);

/* Add to a driver's script; the results are tags. */
unsigned driver_ask(struct driver *d, uint64_t at, struct msg m,
                    const struct payload *payload);
unsigned driver_load(struct driver *d, uint64_t at, uint64_t addr);
unsigned driver_store(struct driver *d, uint64_t at, uint64_t addr,
                      uint64_t value);
unsigned driver_atomic(struct driver *d, uint64_t at, uint64_t addr,
                       enum isa_access access, uint64_t value);
unsigned driver_invalidate(struct driver *d, uint64_t at);
void driver_service(struct driver *d, uint64_t at);

/* A word of the writable or read-only memory, of the host's. */
uint64_t *bench_word(struct bench *b, uint64_t addr);

/* ---- for check ---- */

/* The one answer with the tag; fails if there is none or more. */
const struct answer *driver_answer(const struct driver *d, unsigned tag);
uint64_t driver_value(const struct driver *d, unsigned tag);
/* Cycles from asking to the answer. */
uint64_t driver_took(const struct driver *d, unsigned tag);
/* Asks that were not answered exactly once. */
unsigned driver_unanswered(const struct driver *d);

/* What the memory was asked, e.g. "r40 w48": op and address in hexadecimal;
 * r read, f fill, w write, a atomic, b write-back, u update, i invalidate, s
 * flush, c cache block. */
void below_expect(const struct below *m, const char *requests);
/* The most requests it had to answer at a time. */
unsigned below_most(const struct below *m);

uint64_t bench_stat(const struct unit *u, const char *name);
#define assert_stat(u, name, value) assert_int_equal(bench_stat(u, name), value)

/* What the unit says of what it waits for, "": nothing; for free(). */
char *bench_explained(const struct unit *u);
/* It says this and nothing else. */
void assert_explained(const struct unit *u, const char *text);

/* ---- chips that cannot be built ---- */

/* The chip, which is freed, cannot be finished: the error contains the text. */
void expect_refused_chip(struct chip *chip, const char *text);

/* A link of a unit that is built: one of its outputs to an input of a
 * neighbour, or, if not output, the other way round. Any neighbour that has the
 * port will do, as the unit is built before it. */
struct built_link {
    const char *port, *kind, *port_there;
    bool output;
};

struct built {
    const char *param; /* NULL: all are as by default */
    int64_t value;
    struct built_link links[6];
    const char *error; /* after the unit's name; expected */
};

/* A chip of one unit of the kind cannot be finished, with one line of error. */
void expect_not_built(const char *kind, const struct built *built);

#endif
