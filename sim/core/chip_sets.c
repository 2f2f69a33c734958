/*
 * The places of a tile's units in its masks. Units of one kind lie side by
 * side, kinds apart: the host then guesses well which functions are called
 * next.
 */
#include "sim/core/chip_private.h"

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

/* The next kind whose units have no place yet, or NULL: first the one with the
 * most units, then single ones that prepare epochs, which have much to do. */
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

/* Places all units of a kind from `slot` of the masks on, or from the next word
 * on if they fit into one only there. Returns the place after them. */
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

/* The units that prepare in a round, in order of creation. */
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

/* The preparations of a round lie behind those of the round before. */
static void make_preparations(struct tile *t)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->unit_count; i++)
        for (unsigned round = 0; round < HINT_ROUNDS; round++)
            most += prepare_of(t->units[i]->kind, round) != NULL;
    struct preparation *next = chip_alloc_own(t->chip, most, sizeof *next);
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

bool chip_place_units(struct tile *t, struct error *error)
{
    unsigned kinds = 0;
    if (t->unit_count > WORDS_MOST * 64)
        return error_set(error, "tile %s: too many units", t->name);
    while (t->chip->kinds[kinds])
        kinds++;
    t->sets = chip_alloc_own(
        t->chip, t->unit_count / 64 + 2 * kinds + TILE_BUSY, sizeof *t->sets);
    if (!make_sets(t, error))
        return false;
    struct unit **units = chip_alloc_own(t->chip, t->words * 64, sizeof *units);
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
        t->wakes = chip_alloc_own(t->chip, WHEEL * t->words, sizeof *t->wakes);
    make_preparations(t);
    return true;
}
