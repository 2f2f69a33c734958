/*
 * What links between tiles allow: how long tiles may run without news from each
 * other, and whether the chip has two sides that may run in turn, as all links
 * between tiles lead from one to the other.
 */
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>

static bool crosses(const struct link *l)
{
    return l->from->tile != l->to->tile;
}

/* E, and how far one side may be ahead: what it sends must be within the wheel
 * of the other when that goes on. */
void chip_measure_crossings(struct chip *chip)
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
    for (unsigned s = ONE; s <= OTHER; s++) {
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

void chip_take_sides(struct chip *chip)
{
    uint8_t *side = heap_new(chip->tile_count, sizeof *side, "the tiles");
    if (2 * chip->lead > chip->epoch && find_sides(chip, side))
        order_tiles(chip, side);
    free(side);
}
