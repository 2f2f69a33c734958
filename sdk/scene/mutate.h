/*
 * For tests: makes a scene hostile. A few words of its header, nodes, leaves or
 * faces are changed, mostly to what a reader could stumble over, and the hash
 * is made right again, so that the change gets past it. The same seed does the
 * same.
 */
#ifndef SCENE_MUTATE_H
#define SCENE_MUTATE_H

#include <corbel/scene.h>
#include <stddef.h>
#include <string.h>

/* xorshift64*: the seed changes with each number. It must not be 0. */
static inline uint32_t mutate_random(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (uint32_t)(*seed * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

/* 0 .. n - 1, and 0 for n = 0. */
static inline uint32_t mutate_below(uint64_t *seed, uint64_t n)
{
    return n == 0 ? 0 : (uint32_t)(mutate_random(seed) % n);
}

/* Sets the hash of `bytes` bytes, whatever the header says. */
static inline void mutate_seal(struct corbel_scene *scene, size_t bytes)
{
    const size_t skip = offsetof(struct corbel_scene, version);
    scene->hash = corbel_hash((const char *)scene + skip, bytes - skip, 0);
}

/* A reference, or a word, that a file may have for mischief. */
static inline uint32_t mutate_word(const struct corbel_scene *good,
                                   uint32_t old, uint64_t *seed)
{
    const uint32_t small = mutate_below(seed, 33) - 16;
    const uint32_t node =
        (uint32_t)(good->nodes_offset / CORBEL_REF_UNIT) +
        mutate_below(seed, good->nodes) *
            (corbel_node_bytes(good->format) / CORBEL_REF_UNIT);
    const uint32_t leaf =
        (uint32_t)(good->leaves_offset / CORBEL_REF_UNIT) +
        mutate_below(seed, good->grains) *
            (corbel_leaf_grain(good->leaf_format) / CORBEL_REF_UNIT);
    switch (mutate_below(seed, 10)) {
    case 0:
        return 0;
    case 1:
        return mutate_random(seed);
    case 2:
        return node;
    case 3:
        return leaf;
    case 4:
        return corbel_ref_leaf(leaf, 1 + mutate_below(seed, 8));
    case 5:
        return (uint32_t)(good->bytes / CORBEL_REF_UNIT) + small;
    case 6:
        return good->triangles + small;
    case 7:
        return good->vertices + small;
    case 8:
        return old + small;
    default:
        return old ^ UINT32_C(1) << mutate_below(seed, 32);
    }
}

/* Likewise in one of those sections that scenes of several trees have. */
static inline size_t mutate_place_trees(const struct corbel_scene *good,
                                        uint64_t *seed)
{
    struct corbel_section section[CORBEL_SECTIONS];
    corbel_sections(good, section);
    const struct corbel_section *s =
        &section[5 + mutate_below(seed, CORBEL_SECTIONS - 5)];
    if (s->count == 0)
        s = &section[7]; /* records of trees: there is always one */
    return s->offset + mutate_below(seed, s->count * s->each);
}

/* Where a word is changed: in a section, or in the header. */
static inline size_t mutate_place(const struct corbel_scene *good,
                                  uint64_t *seed)
{
    const uint64_t node = corbel_node_bytes(good->format);
    const uint64_t grain = corbel_leaf_grain(good->leaf_format);
    const uint32_t place = mutate_below(seed, 16);
    size_t at = 16 + mutate_below(seed, sizeof *good - 16);
    if (place >= 2)
        at = good->nodes_offset + mutate_below(seed, good->nodes * node);
    if (place >= 9)
        at = good->leaves_offset + mutate_below(seed, good->grains * grain);
    if (place >= 14 && good->treelets > 0)
        at = good->treelets_offset +
             mutate_below(seed, good->treelets * CORBEL_TREELET_HEADER);
    if (place >= 15)
        at = good->faces_offset + mutate_below(seed, good->triangles * 12);
    if (corbel_scene_has_trees(good) && place % 2)
        at = mutate_place_trees(good, seed);
    return at / 4 * 4;
}

/* Changes bytes, a copy of the good scene. */
static inline void mutate(const struct corbel_scene *good, void *bytes,
                          uint64_t seed)
{
    seed = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < 4; i++)
        mutate_random(&seed);
    for (uint32_t i = 0; i <= mutate_below(&seed, 3); i++) {
        char *at = (char *)bytes + mutate_place(good, &seed);
        uint32_t word;
        memcpy(&word, at, sizeof word);
        word = mutate_word(good, word, &seed);
        memcpy(at, &word, 1 + mutate_below(&seed, sizeof word));
    }
    mutate_seal(bytes, good->bytes);
}

#endif
