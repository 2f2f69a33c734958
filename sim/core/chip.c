/*
 * Builds chips. Everything is checked here, with names, so that the engine can
 * run on bare indices.
 */
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <inttypes.h>
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
    pile_free(&chip->pile);
    arena_free(&chip->small);
    arena_free(&chip->large);
    free(chip);
}

/* ---- overrides and options ---- */

bool chip_override(struct chip *chip, const char *setting, struct error *error)
{
    return chip_override_from(chip, setting, "--set ", error);
}

bool chip_override_from(struct chip *chip, const char *setting,
                        const char *place, struct error *error)
{
    const char *equals = strchr(setting, '=');
    const char *dot = NULL;
    for (const char *p = setting; equals && p < equals; p++)
        if (*p == '.')
            dot = p;
    if (!equals || !dot || dot == setting || dot + 1 == equals)
        return error_set(error, "%s%s: expected PATH.PARAMETER=VALUE", place,
                         setting);
    chip->overrides = array_grow(chip->overrides, chip->override_count,
                                 sizeof *chip->overrides);
    struct override *o = &chip->overrides[chip->override_count++];
    *o = (struct override){
        .place = place,
        .path = heap_text_part(setting, (size_t)(dot - setting)),
        .param = heap_text_part(dot + 1, (size_t)(equals - dot - 1)),
        .text = heap_text(equals + 1),
    };
    return true;
}

bool chip_option(struct chip *chip, const struct param *row, int64_t *value,
                 struct error *error)
{
    if (!param_set(row, value, row->initial, error))
        return false;
    for (unsigned i = 0; i < chip->override_count; i++) {
        struct override *o = &chip->overrides[i];
        if (strcmp(o->path, "chip") || strcmp(o->param, row->name))
            continue;
        o->used = true;
        struct error e;
        if (!param_set_text(row, value, o->text, &e))
            return error_set(error, "%schip.%s", o->place, e.text);
    }
    chip->options =
        array_grow(chip->options, chip->option_count, sizeof *chip->options);
    struct option *option = &chip->options[chip->option_count++];
    *option = (struct option){*row, *value};
    option->row.name = heap_text(row->name);
    option->row.unit = heap_text(row->unit);
    option->row.meaning = heap_text(row->meaning);
    return true;
}

static bool names_unit(const struct override *o, const struct unit *u)
{
    return !strcmp(o->path, u->name) || !strcmp(o->path, u->group) ||
           !strcmp(o->path, u->kind->name);
}

static bool apply_override(struct chip *chip, struct override *o,
                           struct error *error)
{
    for (unsigned i = 0; i < chip->unit_count; i++) {
        struct unit *u = chip->units[i];
        if (!names_unit(o, u))
            continue;
        o->known_path = true;
        const struct param *p =
            param_find(u->kind->param_rows, u->kind->param_count, o->param);
        if (!p)
            continue;
        o->used = true;
        struct error e;
        if (!param_set_text(p, unit_params(u), o->text, &e))
            return error_set(error, "%s%s.%s", o->place, o->path, e.text);
    }
    return true;
}

static bool unknown_param(const struct unit_kind *kind, const char *where,
                          const char *param, struct error *error)
{
    const char *names[256];
    for (unsigned i = 0; i < kind->param_count; i++)
        names[i] = kind->param_rows[i].name;
    const char *near = error_nearest(param, names, kind->param_count);
    return error_set(error, "%s (%s) has no parameter '%s'%s%s%s", where,
                     kind->name, param, near ? ", did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

static bool unknown_option(const struct chip *chip, const char *place,
                           const char *name, struct error *error)
{
    const char *names[256];
    unsigned count = chip->option_count < 256 ? chip->option_count : 256;
    for (unsigned i = 0; i < count; i++)
        names[i] = chip->options[i].row.name;
    const char *near = error_nearest(name, names, count);
    return error_set(error, "%schip.%s: the chip has no option '%s'%s%s%s",
                     place, name, name, near ? ", did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

static bool unknown_path(const struct chip *chip, const struct override *o,
                         struct error *error)
{
    const char **names =
        heap_new(3 * (size_t)chip->unit_count, sizeof *names, "names");
    unsigned count = 0;
    for (unsigned i = 0; i < chip->unit_count; i++) {
        names[count++] = chip->units[i]->group;
        names[count++] = chip->units[i]->kind->name;
        names[count++] = chip->units[i]->name;
    }
    const char *near = error_nearest(o->path, names, count);
    error_set(error, "%s%s.%s: no unit, group or kind is called '%s'%s%s%s",
              o->place, o->path, o->param, o->path,
              near ? ", did you mean '" : "", near ? near : "",
              near ? "'?" : "");
    free(names);
    return false;
}

static bool report_unused(const struct chip *chip, const struct override *o,
                          struct error *error)
{
    if (!strcmp(o->path, "chip"))
        return unknown_option(chip, o->place, o->param, error);
    for (unsigned i = 0; o->known_path && i < chip->unit_count; i++)
        if (names_unit(o, chip->units[i])) {
            struct error where;
            error_set(&where, "%s%s.%s: %s", o->place, o->path, o->param,
                      o->path);
            return unknown_param(chip->units[i]->kind, where.text, o->param,
                                 error);
        }
    return unknown_path(chip, o, error);
}

/* ---- tiles and units ---- */

struct tile *chip_tile(struct chip *chip, const char *name)
{
    chip->tiles =
        array_grow(chip->tiles, chip->tile_count, sizeof *chip->tiles);
    struct tile *t = chip_alloc(chip, 1, sizeof *t);
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
    const char *near = error_nearest(name, names, count);
    error_set(error, "there is no kind of unit called '%s'%s%s%s", name,
              near ? ", did you mean '" : "", near ? near : "",
              near ? "'?" : "");
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
        unknown_param(u->kind, u->name, name, error);
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

/* ---- links ---- */

static bool ports_fit(const struct unit_kind *k, struct error *error)
{
    return k->port_count <= UNIT_PORTS_MAX ||
           error_set(error, "kind '%s' has %u rows of ports, at most %d fit",
                     k->name, k->port_count, UNIT_PORTS_MAX);
}

static int port_row(const struct unit *u, const char *port, bool output,
                    struct error *error)
{
    const char *names[UNIT_PORTS_MAX];
    unsigned count = 0;
    if (!ports_fit(u->kind, error))
        return -1;
    for (unsigned row = 0; row < u->kind->port_count; row++) {
        const struct port_row *p = &u->kind->port_rows[row];
        if (p->output != output)
            continue;
        if (same_name(p->name, port))
            return (int)row;
        names[count++] = p->name;
    }
    const char *near = error_nearest(port, names, count);
    error_set(error, "%s (%s) has no %s port '%s'%s%s%s", u->name,
              u->kind->name, output ? "output" : "input", port,
              near ? ", did you mean '" : "", near ? near : "",
              near ? "'?" : "");
    return -1;
}

static bool port_has_room(struct unit *u, int row, struct error *error)
{
    const struct port_row *p = &u->kind->port_rows[row];
    return u->links[row] < p->most ||
           error_set(error, "%s.%s: more than %u links", u->name, p->name,
                     p->most);
}

bool chip_link(struct chip *chip, struct unit *from, const char *output,
               struct unit *to, const char *input, int64_t latency,
               int64_t depth, struct error *error)
{
    int out = port_row(from, output, true, error);
    int in = out < 0 ? -1 : port_row(to, input, false, error);
    if (in < 0 || !port_has_room(from, out, error) ||
        !port_has_room(to, in, error))
        return false;
    if (latency < 1 || latency > LINK_LATENCY_MAX)
        return error_set(
            error,
            "link %s.%s to %s.%s: latency %" PRId64 " is outside 1..%d cycles",
            from->name, output, to->name, input, latency, LINK_LATENCY_MAX);
    if (depth < 0 || depth > LINK_DEPTH_MAX)
        return error_set(
            error,
            "link %s.%s to %s.%s: depth %" PRId64 " is outside 0..%d messages",
            from->name, output, to->name, input, depth, LINK_DEPTH_MAX);
    chip->links =
        array_grow(chip->links, chip->link_count, sizeof *chip->links);
    chip->links[chip->link_count++] = (struct link){
        .from = from,
        .to = to,
        .from_row = (uint8_t)out,
        .to_row = (uint8_t)in,
        .from_number = from->links[out]++,
        .to_number = to->links[in]++,
        .latency = (uint8_t)latency,
        .depth = (uint32_t)depth,
    };
    return true;
}

static bool number_ports(struct unit *u, struct error *error)
{
    struct tile *t = u->tile;
    unsigned word = 0;
    if (!ports_fit(u->kind, error))
        return false;
    for (unsigned row = 0; row < u->kind->port_count; row++) {
        if (u->kind->port_rows[row].output) {
            t->outport_count += u->links[row];
        } else {
            t->inport_count += u->links[row];
            u->first_word[row] = (uint8_t)word;
            word += (u->links[row] + 63u) / 64;
        }
    }
    return word <= UNIT_WORDS_MAX ||
           error_set(error, "%s: too many input links", u->name);
}

/* Ports of a tile lie side by side, and so do those of each of its units. */
static void new_ports(struct tile *t)
{
    struct inport *in = chip_alloc(t->chip, t->inport_count, sizeof *in);
    struct outport *out = chip_alloc(t->chip, t->outport_count, sizeof *out);
    t->inports = in;
    t->outports = out;
    if (t->chip->watches_links)
        t->link_counts =
            chip_alloc(t->chip, t->outport_count + 1u, sizeof *t->link_counts);
    answers_build(t);
    for (uint32_t i = 0; i < t->unit_count; i++) {
        struct unit *u = t->units[i];
        for (unsigned row = 0; row < u->kind->port_count; row++) {
            if (u->kind->port_rows[row].output) {
                u->out[row] = out;
                out += u->links[row];
            } else {
                u->in[row] = in;
                in += u->links[row];
            }
        }
    }
}

/*
 * Credits: the modelled depth and what is on its way. Within a tile the
 * credit is back at once, between tiles after the link's latency.
 */
static int16_t link_credits(const struct link *l, bool remote)
{
    if (!l->depth)
        return 1;
    return (int16_t)(l->depth + (remote ? 2u * l->latency : l->latency - 1u));
}

static void connect(const struct link *l)
{
    bool remote = l->from->tile != l->to->tile;
    struct inport *in = &l->to->in[l->to_row][l->to_number];
    struct outport *out = &l->from->out[l->from_row][l->from_number];
    uint32_t in_number = (uint32_t)(in - l->to->tile->inports);
    uint32_t out_number = (uint32_t)(out - l->from->tile->outports);
    *in = (struct inport){
        .head = NONE,
        .tail = NONE,
        .word = (uint8_t)(l->to->first_word[l->to_row] + l->to_number / 64),
        .bit = l->to_number % 64,
        .latency = remote ? l->latency : 0,
        .credited = l->depth > 0,
        .unit = l->to,
    };
    if (remote) {
        in->source = out_number;
        in->origin = l->from->tile->id;
    } else {
        in->peer = out;
    }
    *out = (struct outport){
        .credits = link_credits(l, remote),
        .depth = link_credits(l, remote),
        .latency = l->latency,
        .remote = remote,
        .price = l->depth > 0,
        .watched = l->from->tile->link_counts != NULL,
        .port = in_number,
        .tile = l->to->tile->id,
        .target = l->to,
        .unit = l->from,
    };
}

/* ---- finishing ---- */

static bool crosses(const struct link *l)
{
    return l->from->tile != l->to->tile;
}

/* E, and how far one side may be ahead: what it sends must be within the wheel
 * of the other when that goes on. */
static void measure_crossings(struct chip *chip)
{
    unsigned least = LINK_LATENCY_MAX, most = 0;
    for (unsigned i = 0; i < chip->link_count; i++) {
        const struct link *l = &chip->links[i];
        if (!crosses(l))
            continue;
        least = l->latency < least ? l->latency : least;
        most = l->latency > most ? l->latency : most;
    }
    chip->epoch = most ? least : 16;
    chip->lead = WHEEL - most < chip->epoch ? WHEEL - most : chip->epoch;
}

/* ---- sides ---- */

enum { NO_SIDE, ONE, OTHER };

/* Gives tiles the side that the other ends of their links ask for. False: a
 * link leads from a side to itself. */
static bool spread_sides(const struct chip *chip, uint8_t *side)
{
    bool again = true;
    while (again) {
        again = false;
        for (unsigned i = 0; i < chip->link_count; i++) {
            const struct link *l = &chip->links[i];
            uint8_t *a = &side[l->from->tile->id], *b = &side[l->to->tile->id];
            if (!crosses(l))
                continue;
            if (*a && *a == *b)
                return false;
            if (!*a == !*b) /* both are known, or neither */
                continue;
            *(*a ? b : a) = (uint8_t)(ONE + OTHER - (*a | *b));
            again = true;
        }
    }
    return true;
}

/* Each tile's, so that all links between tiles lead from one to the other. */
static bool find_sides(const struct chip *chip, uint8_t *side)
{
    for (unsigned i = 0; i < chip->tile_count; i++) {
        if (side[i] != NO_SIDE)
            continue;
        side[i] = ONE;
        if (!spread_sides(chip, side))
            return false;
    }
    return true;
}

/* The tiles of one side first; their numbers follow. */
static void order_tiles(struct chip *chip, const uint8_t *side)
{
    struct tile **tiles =
        heap_new(chip->tile_count, sizeof(struct tile *), "the tiles");
    unsigned count = 0;
    for (uint8_t s = ONE; s <= OTHER; s++) {
        for (unsigned i = 0; i < chip->tile_count; i++)
            if (side[i] == s)
                tiles[count++] = chip->tiles[i];
        if (s == ONE && count < chip->tile_count)
            chip->first_side = count;
    }
    for (unsigned i = 0; i < count; i++)
        tiles[i]->id = i;
    free(chip->tiles);
    chip->tiles = tiles;
}

static void take_sides(struct chip *chip)
{
    uint8_t *side = heap_new(chip->tile_count, sizeof *side, "the tiles");
    if (2 * chip->lead > chip->epoch && find_sides(chip, side))
        order_tiles(chip, side);
    free(side);
}

static void receive_nothing(struct unit *u, uint64_t now)
{
    (void)u;
    (void)now;
}

static uint64_t send_nothing(struct unit *u, uint64_t now)
{
    (void)u;
    (void)now;
    return CYCLE_NEVER;
}

/* A place in masks that begins a word. */
static uint32_t next_word(uint32_t slot)
{
    return (slot + 63) / 64 * 64;
}

static uint32_t count_kind(const struct tile *t, const struct unit_kind *k)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->unit_count; i++)
        count += t->units[i]->kind == k;
    return count;
}

typedef void (*prepare_function)(const struct unit *u, uint64_t end);

static prepare_function prepare_of(const struct unit_kind *k, unsigned round)
{
    return k->hints ? k->hints->prepare[round] : NULL;
}

/* Of those whose units have no place yet; NULL: all have. First the one with
 * the most units, then single ones that prepare epochs: such have much to do.
 */
static const struct unit_kind *choose_kind(const struct tile *t)
{
    const struct unit_kind *best = NULL, *last = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->unit_count; i++) {
        const struct unit_kind *k = t->units[i]->kind;
        if (t->units[i]->bit || k == last)
            continue;
        uint32_t rank = count_kind(t, k);
        if (t->set_count && rank == 1 && prepare_of(k, 0))
            rank = UINT32_MAX;
        best = rank > most ? k : best;
        most = rank > most ? rank : most;
        last = k;
    }
    return best;
}

static struct unit_set *new_set(struct tile *t, struct unit *first)
{
    const struct unit_kind *k = first->kind;
    struct unit_set *s = &t->sets[t->set_count++];
    s->receive = k->receive ? k->receive : receive_nothing;
    s->send = k->send ? k->send : send_nothing;
    s->first = first;
    return s;
}

/* All of a kind from that place of the masks on, or from the next word on if
 * they fit into one only there. Returns the place after them. */
static uint32_t place_kind(struct tile *t, const struct unit_kind *k,
                           uint32_t slot)
{
    struct unit_set *s = NULL;
    uint32_t count = count_kind(t, k);
    if (slot % 64 + (count < 64 ? count : 64) > 64)
        slot = next_word(slot);
    for (uint32_t i = 0; i < t->unit_count; i++) {
        struct unit *u = t->units[i];
        if (u->kind != k)
            continue;
        if (!s || slot % 64 == 0)
            s = new_set(t, u);
        s->word = u->word = slot / 64;
        u->bit = 1ULL << slot++ % 64;
        s->bits |= u->bit;
    }
    return slot;
}

/* Or there is none of that number. */
static bool is_single(const struct unit_set *s)
{
    return !(s->bits & (s->bits - 1));
}

static uint8_t shape_of(const struct tile *t)
{
    const struct unit_set *s = t->sets;
    if (t->words == 1 && t->set_count <= 2 && is_single(&s[1]))
        return TILE_FEW;
    if (t->words == 2 && !s[0].word && s[1].word && is_single(&s[1]) &&
        is_single(&s[2]))
        return TILE_SOME;
    return TILE_ANY;
}

/* Kinds apart: the host then guesses well which functions are called next. */
static bool make_sets(struct tile *t, struct error *error)
{
    const struct unit_kind *k = choose_kind(t);
    uint32_t slot = 0, others = 0;
    if (k)
        others = t->unit_count - count_kind(t, k);
    for (; k; k = choose_kind(t)) {
        slot = place_kind(t, k, slot);
        if (others > 1)
            slot = next_word(slot);
        others = 0;
    }
    t->words = slot ? (slot + 63) / 64 : 1;
    t->shape = shape_of(t);
    for (uint32_t s = TILE_BUSY; s < t->set_count; s++)
        t->rare |= t->sets[s].bits;
    return t->words <= WORDS_MOST ||
           error_set(error, "tile %s: too many units", t->name);
}

/* Those who prepare in a round, in order of creation. */
static uint32_t list_preparations(const struct tile *t, unsigned round,
                                  struct preparation *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->unit_count; i++) {
        const struct unit *u = t->units[i];
        if (prepare_of(u->kind, round))
            list[count++] = (struct preparation){prepare_of(u->kind, round), u};
    }
    return count;
}

/* Those of a round behind those of the round before. */
static void make_preparations(struct tile *t)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->unit_count; i++)
        for (unsigned round = 0; round < HINT_ROUNDS; round++)
            most += prepare_of(t->units[i]->kind, round) != NULL;
    struct preparation *next = chip_alloc(t->chip, most, sizeof *next);
    for (unsigned round = 0; round < HINT_ROUNDS; round++) {
        t->preparing[round] = next;
        t->preparing_count[round] = list_preparations(t, round, next);
        next += t->preparing_count[round];
    }
}

/* Do the set's units lie equally far apart? As they mostly do, being made one
 * after the other. */
static void measure_set(struct unit_set *s)
{
    size_t first = mask_first(s->bits);
    size_t end = first + (size_t)__builtin_popcountll(s->bits);
    uintptr_t at = (uintptr_t)s->units[first];
    s->stride = sizeof(struct unit); /* of a single one: any but 0 */
    if (end - first > 1)
        s->stride = (uintptr_t)s->units[first + 1] - at;
    s->base = at - first * s->stride;
    for (size_t i = first; i < end; i++)
        if ((uintptr_t)s->units[i] != s->base + i * s->stride)
            s->stride = 0;
}

static bool place_units(struct tile *t, struct error *error)
{
    unsigned kinds = 0;
    if (t->unit_count > WORDS_MOST * 64)
        return error_set(error, "tile %s: too many units", t->name);
    while (t->chip->kinds[kinds])
        kinds++;
    t->sets = chip_alloc(t->chip, t->unit_count / 64 + 2 * kinds + TILE_BUSY,
                         sizeof *t->sets);
    if (!make_sets(t, error))
        return false;
    struct unit **units = chip_alloc(t->chip, t->words * 64, sizeof *units);
    for (uint32_t i = 0; i < t->unit_count; i++) {
        struct unit *u = t->units[i];
        u->mask = &t->word[u->word];
        units[u->word * 64 + (uint32_t)__builtin_ctzll(u->bit)] = u;
    }
    for (uint32_t s = 0; s < t->set_count; s++) {
        t->sets[s].units = units + t->sets[s].word * 64;
        measure_set(&t->sets[s]);
    }
    t->wakes = t->near;
    if (t->words > 2)
        t->wakes = chip_alloc(t->chip, WHEEL * t->words, sizeof *t->wakes);
    make_preparations(t);
    return true;
}

static bool apply_overrides(struct chip *chip, struct error *error)
{
    for (unsigned i = 0; i < chip->override_count; i++) {
        struct override *o = &chip->overrides[i];
        if (!o->used && !apply_override(chip, o, error))
            return false;
        if (!o->used)
            return report_unused(chip, o, error);
    }
    return true;
}

static bool build_unit(struct unit *u, struct error *error)
{
    struct error e;
    u->chip->building = u;
    bool built = !u->kind->build || u->kind->build(u, &e);
    u->chip->building = NULL;
    return built || error_set(error, "%s: %.400s", u->name, e.text);
}

bool chip_finish(struct chip *chip, struct error *error)
{
    if (!apply_overrides(chip, error))
        return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (!number_ports(chip->units[i], error))
            return false;
    measure_crossings(chip);
    take_sides(chip);
    for (unsigned i = 0; i < chip->tile_count; i++)
        new_ports(chip->tiles[i]);
    for (unsigned i = 0; i < chip->link_count; i++)
        connect(&chip->links[i]);
    for (unsigned i = 0; i < chip->tile_count; i++)
        if (!place_units(chip->tiles[i], error))
            return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (!build_unit(chip->units[i], error))
            return false;
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (chip->units[i]->kind->complete)
            chip->units[i]->kind->complete(chip->units[i]);
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
