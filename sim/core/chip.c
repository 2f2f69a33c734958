/*
 * Builds chips. Everything is checked here, with names, so that the engine can
 * run on bare indices.
 */
#include "sdk/whole/meant.h"
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Rooms are powers of two, so growth is due when count is one. */
void *array_grow(void *array, unsigned count, size_t size)
{
    if (count & (count - 1))
        return array;
    return heap_resize(array, count ? 2 * (size_t)count : 1, size, "the chip");
}

void *array_reserve(void *array, unsigned count, unsigned *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 16;
    return heap_resize(array, *room, size, "requests of the chip");
}

struct chip *chip_new(const struct unit_kind *const *kinds, void *context)
{
    struct chip *chip = heap_new(1, sizeof *chip, "the chip");
    chip->kinds = kinds;
    chip->context = context;
    pile_init(&chip->pile);
    return chip;
}

void *chip_context(const struct chip *chip)
{
    return chip->context;
}

static void free_unit(struct unit *u)
{
    if (u->kind->destroy)
        u->kind->destroy(u);
    free(u->name);
    free(u->group);
}

static void free_tile(struct tile *t)
{
    free(t->units);
    free(t->requests);
    free(t->name);
}

void chip_free(struct chip *chip)
{
    if (!chip)
        return;
    for (unsigned i = 0; i < chip->unit_count; i++)
        free_unit(chip->units[i]);
    for (unsigned i = 0; i < chip->tile_count; i++)
        free_tile(chip->tiles[i]);
    for (unsigned i = 0; i < chip->override_count; i++) {
        free(chip->overrides[i].path);
        free(chip->overrides[i].param);
        free(chip->overrides[i].text);
    }
    for (unsigned i = 0; i < chip->option_count; i++) {
        free((char *)chip->options[i].row.name);
        free((char *)chip->options[i].row.unit);
        free((char *)chip->options[i].row.meaning);
    }
    free(chip->tiles);
    free(chip->units);
    free(chip->overrides);
    free(chip->options);
    free(chip->links);
    free(chip->blocks);
    pile_free(&chip->pile);
    arena_free(&chip->small);
    arena_free(&chip->large);
    free(chip);
}

void chip_pointers(struct chip *chip, const void *block, size_t bytes,
                   const struct state_row *rows, unsigned count)
{
    unsigned i = chip->block_count;
    while (i && chip->blocks[i - 1].at != block)
        i--;
    assert(i);
    chip->blocks[i - 1].rows = rows;
    chip->blocks[i - 1].row_count = count;
    chip->blocks[i - 1].element = bytes;
}

void chip_place(struct chip *chip, void *memory, size_t bytes)
{
    assert(chip->place_count < CHIP_PLACES);
    chip->places[chip->place_count++] = (struct place){memory, bytes};
}

/* ---- tiles and units ---- */

struct tile *chip_tile(struct chip *chip, const char *name)
{
    chip->tiles =
        array_grow(chip->tiles, chip->tile_count, sizeof *chip->tiles);
    struct tile *t = chip_alloc_own(chip, 1, sizeof *t);
    t->chip = chip;
    t->name = heap_text(name);
    t->id = chip->tile_count;
    t->payload_free = t->credit_free = t->released = NONE;
    t->first_mail = CYCLE_NEVER;
    memset(t->wheel, 0xff, sizeof t->wheel); /* NONE */
    chip->tiles[chip->tile_count++] = t;
    return t;
}

static const struct unit_kind *find_kind(const struct chip *chip,
                                         const char *name, struct error *error)
{
    const char *names[256];
    unsigned count = 0;
    for (; chip->kinds[count]; count++) {
        if (same_name(chip->kinds[count]->name, name))
            return chip->kinds[count];
        names[count] = chip->kinds[count]->name;
    }
    error_set(error, "there is no kind of unit called '%s'%s", name,
              meant("", name, names, count).text);
    return NULL;
}

struct unit *chip_find(const struct chip *chip, const char *name)
{
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (!strcmp(chip->units[i]->name, name))
            return chip->units[i];
    return NULL;
}

struct unit *chip_unit(struct chip *chip, struct tile *tile, const char *kind,
                       const char *name, const char *group, struct error *error)
{
    const struct unit_kind *k = find_kind(chip, kind, error);
    if (!k)
        return NULL;
    struct unit *u = chip_alloc(chip, 1, k->size);
    chip->blocks[chip->block_count - 1].unit = u;
    u->kind = k;
    u->hints = k->hints;
    u->tile = tile;
    u->chip = chip;
    u->id = chip->unit_count;
    u->name = heap_text(name);
    u->group = heap_text(group ? group : kind);
    param_defaults(k->param_rows, k->param_count, unit_params(u));
    tile->units =
        array_grow(tile->units, tile->unit_count, sizeof *tile->units);
    tile->units[tile->unit_count++] = u;
    chip->units =
        array_grow(chip->units, chip->unit_count, sizeof *chip->units);
    chip->units[chip->unit_count++] = u;
    return u;
}

static const struct param *unit_param(struct unit *u, const char *name,
                                      struct error *error)
{
    const struct param *p =
        param_find(u->kind->param_rows, u->kind->param_count, name);
    if (!p)
        chip_unknown_param(u->kind, u->name, name, error);
    return p;
}

bool chip_set(struct chip *chip, struct unit *u, const char *param,
              int64_t value, struct error *error)
{
    const struct param *p = unit_param(u, param, error);
    struct error e;
    if (!p)
        return false;
    return param_set(p, unit_params(u), value, &e) ||
           error_set(error, "%s.%.400s", u->name, e.text);
}

bool chip_set_text(struct chip *chip, struct unit *u, const char *param,
                   const char *value, struct error *error)
{
    const struct param *p = unit_param(u, param, error);
    struct error e;
    if (!p)
        return false;
    return param_set_text(p, unit_params(u), value, &e) ||
           error_set(error, "%s.%.400s", u->name, e.text);
}

/* ---- finishing ---- */

static bool build_unit(struct unit *u, struct error *error)
{
    struct error e;
    u->chip->building = u;
    bool built = !u->kind->build || u->kind->build(u, &e);
    u->chip->building = NULL;
    return built || error_set(error, "%s: %.400s", u->name, e.text);
}

static void complete_unit(struct unit *u)
{
    u->chip->building = u;
    if (u->kind->complete)
        u->kind->complete(u);
    u->chip->building = NULL;
}

bool chip_finish(struct chip *chip, struct error *error)
{
    if (!chip_apply_overrides(chip, error))
        return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (!chip_number_ports(chip->units[i], error))
            return false;
    chip_measure_crossings(chip);
    chip_take_sides(chip);
    for (unsigned i = 0; i < chip->tile_count; i++)
        chip_new_ports(chip->tiles[i]);
    for (unsigned i = 0; i < chip->link_count; i++)
        chip_connect(&chip->links[i]);
    for (unsigned i = 0; i < chip->tile_count; i++)
        if (!chip_place_units(chip->tiles[i], error))
            return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (!build_unit(chip->units[i], error))
            return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        complete_unit(chip->units[i]);
    return true;
}

/* ---- what others may know ---- */

unsigned chip_epoch(const struct chip *chip)
{
    return chip->epoch;
}

unsigned chip_longest_epoch(const struct chip *chip)
{
    return chip->first_side ? 2 * chip->lead : chip->epoch;
}

unsigned chip_grid(const struct chip *chip)
{
    return 2 * chip->epoch;
}

unsigned chip_tile_count(const struct chip *chip)
{
    return chip->tile_count;
}

unsigned chip_unit_count(const struct chip *chip)
{
    return chip->unit_count;
}

struct unit *chip_unit_at(const struct chip *chip, unsigned index)
{
    return chip->units[index];
}

const struct unit_kind *unit_kind_of(const struct unit *u)
{
    return u->kind;
}

const char *unit_name(const struct unit *u)
{
    return u->name;
}

const char *unit_group(const struct unit *u)
{
    return u->group;
}

const void *unit_stats(const struct unit *u)
{
    return (const char *)u + u->kind->stats;
}

void *unit_params(struct unit *u)
{
    return (char *)u + u->kind->params;
}

int64_t unit_number(struct unit *u, const char *param, int64_t other)
{
    const struct param *p =
        param_find(u->kind->param_rows, u->kind->param_count, param);
    return p && !p->text ? *param_field(unit_params(u), p) : other;
}

struct unit *unit_beyond(const struct unit *u, const char *port, unsigned link)
{
    int row = chip_port_row(u->kind, port, true);
    return row >= 0 && link < u->links[row] ? link_target(&u->out[row][link])
                                            : NULL;
}
