/*
 * The chip's insides, for the files of sim/core that build chips, describe them
 * and run them.
 */
#ifndef SIM_CHIP_PRIVATE_H
#define SIM_CHIP_PRIVATE_H

#include "sim/core/unit.h"
#include <pthread.h>

struct override {
    const char *place; /* what errors begin with */
    char *path, *param, *text;
    bool known_path, used;
};

/* The strings of its row are its own. */
struct option {
    struct param row;
    int64_t value;
};

/* A link as it was asked for. */
struct link {
    struct unit *from, *to;
    uint8_t from_row, to_row;
    uint16_t from_number, to_number; /* among the row's links */
    uint8_t latency;
    uint32_t depth;
};

/* What chip_alloc has given, in that order. */
struct block {
    char *at;
    size_t bytes;
    const struct unit *owner;     /* that was being built, NULL: none was */
    struct unit *unit;            /* whose struct it is, NULL: of no unit */
    bool engines;                 /* saved by engine_state.c */
    const struct state_row *rows; /* chip_pointers */
    unsigned row_count;
    size_t element;
};

/* Memory that is not the chip's, which pointers may lead to. */
struct place {
    char *at;
    size_t bytes;
};

/* Answers that wait at an output port: answers.c. */
struct held_answers {
    uint32_t first, last; /* messages of the pool; first NONE: there are none */
    uint32_t next;        /* port in the list of those that may send */
    bool listed;
};

/* Memory of units and their state: large pages, freed with the chip. */
struct arena {
    char **chunks;
    size_t *sizes;
    unsigned count;
    size_t used;  /* of the last chunk */
    size_t total; /* bytes that were asked for */
};

/*
 * Blocks for arrays that grow while the chip runs, of 2^k bytes each. Those of
 * all tiles lie side by side in large pages, from borders of lines on.
 */
struct pile {
    pthread_mutex_t lock;
    struct arena arena;
    void *spare[64]; /* by k: a list through their first words */
};

struct chip {
    struct arena small, large; /* see chip_alloc */
    struct block *blocks;
    struct place places[CHIP_PLACES];
    unsigned block_count, place_count;
    struct pile pile;
    const struct unit_kind *const *kinds;
    void *context;
    /* What an allocation is for, to tell it when there is no memory: a unit
     * that is being built, or a purpose that was given; NULL: the chip. */
    struct unit *building;
    const char *purpose;
    struct tile **tiles;
    struct unit **units;
    struct override *overrides;
    struct option *options;
    struct link *links;
    bool watches_links;
    unsigned tile_count, unit_count, override_count, option_count, link_count;
    unsigned epoch;
    unsigned lead;       /* cycles that one side may be ahead of the other */
    unsigned first_side; /* tiles of it, before the others; 0: no sides */
};

/* Makes room for one more element; returns the array. */
void *array_grow(void *array, unsigned count, size_t size);
/* The same for an array that is emptied again and again, and has room for so
 * many: it keeps that. */
void *array_reserve(void *array, unsigned count, unsigned *room, size_t size);
/* Zeroed, from the begin of a line on. chip: whose unit may just be being
 * built; NULL: it is for messages. */
void *arena_take(struct arena *arena, size_t bytes, const struct chip *chip);
void arena_free(struct arena *arena);
/* chip_alloc for what the engine saves itself. */
void *chip_alloc_own(struct chip *chip, size_t count, size_t size);
void pile_init(struct pile *pile);
void pile_free(struct pile *pile);
/* realloc for such an array; from any thread. bytes 0: frees it. */
void *pile_regrow(struct pile *pile, void *old, size_t old_bytes, size_t bytes);

/* ---- the steps of chip_finish, in their order ---- */

/* chip_parameters.c */
bool chip_apply_overrides(struct chip *chip, struct error *error);
/* Sets the error: units of this kind have no such parameter; returns false.
 * where: what the error is about. */
bool chip_unknown_param(const struct unit_kind *kind, const char *where,
                        const char *param, struct error *error);
/* chip_links.c: the number of a port by its name, -1: there is none of it. */
int chip_port_row(const struct unit_kind *kind, const char *port, bool output);
/* chip_links.c: counts the unit's ports in its tile. */
bool chip_number_ports(struct unit *u, struct error *error);
/* chip_sides.c: E, and how far one side may be ahead of the other; then the
 * order of tiles. */
void chip_measure_crossings(struct chip *chip);
void chip_take_sides(struct chip *chip);
/* chip_links.c: makes the ports that were counted, and connects them. */
void chip_new_ports(struct tile *t);
void chip_connect(const struct link *l);
/* answers.c: for a tile whose ports are numbered; what waits there. */
void answers_build(struct tile *t);
void answers_state(struct tile *t, struct state *s);
/* chip_sets.c */
bool chip_place_units(struct tile *t, struct error *error);

#endif
