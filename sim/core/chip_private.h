/* The chip's insides, shared by chip.c, describe.c and engine.c. */
#ifndef SIM_CHIP_PRIVATE_H
#define SIM_CHIP_PRIVATE_H

#include "sim/core/unit.h"

struct override {
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
    uint8_t latency;
    uint32_t depth;
};

/* Memory of units and their state: large pages, freed with the chip. */
struct arena {
    char **chunks;
    size_t *sizes;
    unsigned count;
    size_t used;  /* of the last chunk */
    size_t total; /* bytes that were asked for */
};

struct chip {
    struct arena arena;
    const struct unit_kind *const *kinds;
    void *context;
    struct tile **tiles;
    struct unit **units;
    struct override *overrides;
    struct option *options;
    struct link *links;
    unsigned tile_count, unit_count, override_count, option_count, link_count;
    unsigned epoch;
};

/* Makes room for one more element; returns the array. */
void *array_grow(void *array, unsigned count, size_t size);
void arena_free(struct arena *arena);
void *xcalloc(size_t count, size_t size);
char *xstrdup(const char *text);

#endif
