/*
 * A chip under construction and the finished chip: tiles, units, links,
 * parameters by name. Lua descriptions (sim/arch) and tests use these same
 * calls. Knows no hardware: kinds of units are registered by a table.
 *
 * Order of use: chip_new, chip_override for each --set, then chip_option /
 * chip_tile / chip_unit / chip_link, then chip_finish, after which nothing
 * changes any more and an engine can run it (engine.h).
 */
#ifndef SIM_CHIP_H
#define SIM_CHIP_H

#include "sim/core/error.h"
#include "sim/core/param.h"
#include "sim/core/stat.h"
#include <stdio.h>

struct unit;
struct outport;
struct unit_hints;
struct tile;
struct chip;
struct core_kind;
struct hart_trace;
struct corbel_scene;
struct memory_role;
struct paging_role;
struct state;
struct state_row;

/* Longest latency of a link, in cycles: what the wheel of a tile holds. */
#define LINK_LATENCY_MAX 63
#define LINK_DEPTH_MAX 4096

/* A port of a kind: outputs push into links, inputs pop from them. */
struct port_row {
    const char *name;
    bool output;
    unsigned most; /* links that may be connected to it */
    const char *meaning;
    bool answers; /* an output that does not ask for room: what finds none waits
                     at the port, in order, however much that is */
};

/* A kind of hardware module: what each of sim/units/units.h is. */
struct unit_kind {
    const char *name;
    const char *meaning;
    size_t size;   /* of the unit's struct, which starts with struct unit */
    size_t params; /* offset of the parameter struct in it */
    size_t stats;  /* offset of the struct of counters and buckets */
    const struct param *param_rows;
    unsigned param_count;
    const struct stat_row *stat_rows; /* counters */
    unsigned stat_count;
    const struct stat_row *bucket_rows; /* buckets, in the same struct */
    unsigned bucket_count;
    const struct port_row *port_rows;
    unsigned port_count;
    const struct figure_row *figure_rows; /* computed of counters (optional) */
    unsigned figure_count;
    const struct limit_row *limit_rows; /* what could be doubled (optional) */
    unsigned limit_count;
    const struct trip_row *trip_rows; /* requests to memory (optional), and */
    unsigned trip_count;
    size_t trips; /* the offset of their struct trip_stats, side by side */
    uint32_t told[TOLD_COUNT]; /* COUNTER(member), 0: it counts no such thing */
    const struct core_kind
        *core;                        /* what the host asks of a unit that runs
                                         programs, NULL: it does not (core_kind.h) */
    const struct memory_role *memory; /* its place on the way to memory, NULL:
                                         it has none (memory_role.h) */
    const struct paging_role *paging; /* it moves pages of managed memory, NULL:
                                         it does not (paging_role.h) */
    const struct unit_kind *watched;  /* the same unit for runs that observe
                                         what its harts do (core_kind.profile),
                                         NULL: there is none */

    /* Its pointers, for checkpoints (state.h); NULL: it cannot be saved. */
    const struct state_row *state_rows;
    unsigned state_count;

    /* Checks parameters and ports, allocates state with chip_alloc. */
    bool (*build)(struct unit *u, struct error *error);
    /* All units are built: allocates what depends on the others (optional). */
    void (*complete)(struct unit *u);
    /* The two phases of a cycle; either may be NULL. receive is called in
     * cycles in which an input has a message. send returns the next cycle in
     * which the unit has work of its own (CYCLE_NEVER: none). */
    void (*receive)(struct unit *u, uint64_t now);
    uint64_t (*send)(struct unit *u, uint64_t now);
    const struct unit_hints *hints; /* to the host: hints.h (optional) */
    /* A kernel starts, and all units are there: forget what belongs to the
     * last one (optional). */
    void (*launch)(struct unit *u, uint64_t now);
    /* What the meanings of the instructions that it serves work on in a run
     * without timing, a struct corbel_<state> (sdk/isa/served.def; optional).
     */
    void *(*state)(struct unit *u);
    /* Can the unit read the scene that the program opens? False: the error says
     * what it has and what helps, to follow "the scene has " (optional: it can
     * read all, or reads none). */
    bool (*reads)(const struct unit *u, const struct corbel_scene *scene,
                  struct error *error);
    /* Rays wait in the unit for parts of the scene that was bound when their
     * kernel began: no other is bound before it ends. */
    bool keeps_scene;
    /* What RT cores take rays from by it, in words; NULL: it hands them none.
     */
    const char *feeds_rays;
    /* All tiles stand still, and the host is about to look at memory or to
     * change it (services, the end of a run): what the unit holds of memory
     * that is newer is written there; the unit does not change. Units that
     * hold the same bytes do so in different rounds, the oldest first; true:
     * the unit wants another round (optional). */
    bool (*settle)(struct unit *u, unsigned round);
    /* Books all lazily kept cycles before now (optional if no buckets). */
    void (*close)(struct unit *u, uint64_t now);
    /* Books per cycle: 1, or the harts of a thread processor (optional: 1). */
    uint64_t (*accounts)(const struct unit *u);
    /* One line for the diagnosis of a deadlock: what it waits for; nothing
     * printed when it waits for nothing (optional). */
    void (*explain)(const struct unit *u, FILE *out);
    /* For the same diagnosis: of its links for requests one on which it has
     * asked and is not answered, NULL: it has asked for nothing (optional: it
     * waits for no other). That a link is full is known without. */
    const struct outport *(*waits_for)(const struct unit *u);
    /* What it did, event by event, by an enum trace_kind
     * (sim/units/common/hart_trace.h); NULL: that is not traced (optional: it
     * never is). */
    struct hart_trace *(*trace)(struct unit *u, unsigned kind);
    /* Why it has refused an access to the address, as a line that goes on
     * behind "which UNIT refuses: "; "": there is nothing to say (optional). */
    void (*refusal)(const struct unit *u, uint64_t address, char *text,
                    size_t size);
    /* Saves or loads what it has from elsewhere than chip_alloc: state.h
     * (optional: nothing). */
    void (*keep)(struct unit *u, struct state *s);
    /* Frees what build took from elsewhere than chip_alloc; the unit may not
     * have been built (optional). */
    void (*destroy)(struct unit *u);
};

/* kinds: NULL-terminated table of all kinds. context: handed to the units. */
struct chip *chip_new(const struct unit_kind *const *kinds, void *context);
void chip_free(struct chip *chip);
void *chip_context(const struct chip *chip);

/* Zeroed memory that lives as long as the chip, aligned to 64 bytes. Where
 * there is none, or less than that in the whole host, the process ends
 * (heap.h), and says that it was for the unit that is being built, or for what.
 * What a unit gets by chip_alloc while it is built is its own, and no other
 * unit writes there; what units share comes from chip_alloc_for.
 */
void *chip_alloc(struct chip *chip, size_t count, size_t size);
void *chip_alloc_for(struct chip *chip, size_t count, size_t size,
                     const char *what);
/* Bytes that were asked for so far. */
size_t chip_allocated(const struct chip *chip);
/* A block of chip_alloc consists of elements of `bytes` bytes with these
 * pointers, at `at` of each row (state.h); for what no unit's table reaches.
 * rows live as long as the chip. */
void chip_pointers(struct chip *chip, const void *block, size_t bytes,
                   const struct state_row *rows, unsigned count);
/* Memory that units' pointers may lead to as well, and that is saved and loaded
 * elsewhere: the guest's, say. At most CHIP_PLACES of them. */
#define CHIP_PLACES 4
void chip_place(struct chip *chip, void *memory, size_t bytes);
/* Can a checkpoint have all of it? False: a kind has no state_rows. */
bool chip_declares_state(const struct chip *chip, struct error *error);

/*
 * Remembers a --set: "path.param=value", path being "chip" (an option of the
 * description) or the name, the group or the kind of units, e.g.
 * "rtcore.max_rays=128", "tm3.l1.ways=8", "chip.tms=4". Fails on bad syntax
 * only; unknown paths and parameters are reported by chip_finish.
 */
bool chip_override(struct chip *chip, const char *setting, struct error *error);
/* Likewise; its errors begin with place, which lives as long as the chip,
 * instead of "--set ". */
bool chip_override_from(struct chip *chip, const char *setting,
                        const char *place, struct error *error);

/*
 * Declares an option of the description, e.g. the number of TMs, as a number
 * or as choices, and gives its value: the row's default, or what an override
 * "chip.NAME=" says.
 */
bool chip_option(struct chip *chip, const struct param *row, int64_t *value,
                 struct error *error);

/* A new tile: units that always run on one host thread. */
struct tile *chip_tile(struct chip *chip, const char *name);

/*
 * A new unit of a kind in a tile. name is unique in the chip; group (may be
 * NULL: the kind's name) is shared by units with one role ("l1", "tp").
 * Parameters start at their defaults, then chip_set, then overrides (applied by
 * chip_finish).
 */
struct unit *chip_unit(struct chip *chip, struct tile *tile, const char *kind,
                       const char *name, const char *group,
                       struct error *error);
bool chip_set(struct chip *chip, struct unit *u, const char *param,
              int64_t value, struct error *error);
bool chip_set_text(struct chip *chip, struct unit *u, const char *param,
                   const char *value, struct error *error);

/*
 * A link from an output port to an input port: latency 1..LINK_LATENCY_MAX
 * cycles, depth 1..LINK_DEPTH_MAX messages waiting at the receiver; depth 0: a
 * reserved link, whose receiver always has room (replies to its own requests).
 * What is on its way counts extra: a link holds depth + latency - 1 messages
 * within a tile and depth + 2 latency between tiles, whose credits travel too.
 * Several links on one port are numbered in the order in which they are made.
 */
bool chip_link(struct chip *chip, struct unit *from, const char *output,
               struct unit *to, const char *input, int64_t latency,
               int64_t depth, struct error *error);

struct unit *chip_find(const struct chip *chip, const char *name);

/* Applies overrides, reports unused ones, builds all units, computes E. */
bool chip_finish(struct chip *chip, struct error *error);

/* E: the least latency of anything that crosses tiles; 1..LINK_LATENCY_MAX. */
unsigned chip_epoch(const struct chip *chip);

/*
 * The most cycles that a tile can run without news from others: E; up to twice
 * as many if all links between tiles lead from one side of the chip to another,
 * TMs and partitions for instance, which then may run in turn.
 */
unsigned chip_longest_epoch(const struct chip *chip);

/* Services are at multiples of this: 2 E. */
unsigned chip_grid(const struct chip *chip);

/* Everything resolved: options, units with every parameter, links, tiles, E. */
void chip_describe(const struct chip *chip, FILE *out);
/* The same without parameters that are PARAM_SAFE: units that differ in nothing
 * else are told as alike. */
void chip_describe_fixed(const struct chip *chip, FILE *out);

/* Iteration, in the order of creation. */
unsigned chip_tile_count(const struct chip *chip);
unsigned chip_unit_count(const struct chip *chip);
struct unit *chip_unit_at(const struct chip *chip, unsigned index);
const struct unit_kind *unit_kind_of(const struct unit *u);
const char *unit_name(const struct unit *u);
const char *unit_group(const struct unit *u);
const void *unit_stats(const struct unit *u);
void *unit_params(struct unit *u);
/* A number or choice among its parameters, `other` if its kind has none of the
 * name: for a unit that is built, about one at the other end of a link. */
int64_t unit_number(struct unit *u, const char *param, int64_t other);
/* The unit at the other end of a link of an output; NULL: there is no
 * such link. */
struct unit *unit_beyond(const struct unit *u, const char *port, unsigned link);

#endif
