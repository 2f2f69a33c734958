/*
 * Leaf format packed: up to eight triangles in 32 .. 256 bytes, a multiple of
 * a sector; vertices that triangles share are there once. Lossless, so that
 * hits are those of the mesh. (The idea of a block of triangles in few cache
 * sectors, with offsets from an anchor, is in US patent 10866990; the layout
 * is our own.)
 *
 * A coordinate is taken as an ordered integer, which grows with the float: the
 * bits of a float of positive sign, those of a negative one reversed below the
 * sign. In each axis the block has the least integer, its anchor, and as many
 * bits for each vertex as the largest offset from it needs. Zero of either
 * sign, denormals, anything survives.
 *
 *   word 0     bits 2..0 triangles - 1, 5..3 width of a corner, 11..6, 17..12
 *              and 23..18 width of x, y, z, 29..24 width of an index
 *   word 1     least index of a triangle
 *   words 2..4 anchor
 *   bits 160.. triangles: 3 corners (numbers of vertices), index - least index;
 *              then vertices: x, y, z - anchor; then zeros
 *
 * from the low bit of the first word upwards. A field of at most 32 bits lies
 * in the word of its last bit and the one before, which are in the block.
 */
#ifndef CORBEL_LEAVES_PACKED_H
#define CORBEL_LEAVES_PACKED_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_PACKED_GRAIN 32u
#define CORBEL_PACKED_HEAD 160u /* bits */

/* Between the bits of a float and its ordered integer, both ways. */
static inline uint32_t corbel_packed_order(uint32_t bits)
{
    return bits ^ ((uint32_t)((int32_t)bits >> 31) & 0x7FFFFFFFu);
}

/* Bits at .. at + width - 1, at least one word after the start. */
static inline uint32_t corbel_packed_get(const uint32_t *word, unsigned at,
                                         unsigned width)
{
    const uint32_t *last = word + ((at + width - 1) >> 5);
    uint64_t window = (uint64_t)last[0] << 32 | last[-1];
    unsigned from = at - 32 * ((at + width - 1) >> 5) + 32;
    return (uint32_t)((window >> (from & 63)) & ~(~(uint64_t)0 << width));
}

/* value < 2^width; width is at most 32 */
static inline void corbel_packed_put(uint32_t *word, unsigned at,
                                     unsigned width, uint32_t value)
{
    const uint64_t shifted = (uint64_t)value << (at & 31);
    word += at >> 5;
    if (width > 0)
        word[0] |= (uint32_t)shifted;
    if ((at & 31) + width > 32)
        word[1] |= (uint32_t)(shifted >> 32);
}

static inline unsigned corbel_packed_count(const void *leaf, unsigned grains)
{
    (void)grains;
    return (*(const uint32_t *)leaf & 7) + 1;
}

static inline unsigned corbel_packed_vertices(const struct corbel_scene *scene,
                                              const void *leaf, unsigned count,
                                              uint64_t *offset)
{
    (void)scene, (void)leaf, (void)count, (void)offset;
    return 0;
}

/* The vertex whose bits begin at a place. */
static inline CORBEL_NOT_INLINED void
corbel_packed_vertex(const uint32_t *word, unsigned at, float *vertex)
{
    unsigned widths = word[0] >> 6;
    for (int axis = 0; axis < 3; axis++, widths >>= 6) {
        union {
            uint32_t u;
            float f;
        } x;
        x.u = corbel_packed_order(word[2 + axis] +
                                  corbel_packed_get(word, at, widths & 63));
        vertex[axis] = x.f;
        at += widths & 63;
    }
}

static inline uint32_t corbel_packed_triangle(const struct corbel_scene *scene,
                                              const void *leaf, unsigned i,
                                              struct corbel_triangle *triangle)
{
    const uint32_t *word = (const uint32_t *)leaf;
    const uint32_t head = word[0];
    const unsigned corner = head >> 3 & 7, index = head >> 24;
    const unsigned vertex =
        (head >> 6 & 63) + (head >> 12 & 63) + (head >> 18 & 63);
    const unsigned each = 3 * corner + index;
    const unsigned at = CORBEL_PACKED_HEAD + i * each;
    const unsigned first = CORBEL_PACKED_HEAD + ((head & 7) + 1) * each;
    uint32_t corners = corbel_packed_get(word, at, 3 * corner);
    (void)scene;
    for (int k = 0; k < 3; k++, corners >>= corner) {
        unsigned number = corners & ~(~0u << corner);
        corbel_packed_vertex(word, first + number * vertex, triangle->v[k]);
    }
    return word[1] + corbel_packed_get(word, at + 3 * corner, index);
}

/* The bits of a block, 0 for a head of widths that a reader cannot read. */
static inline unsigned corbel_packed_room(uint32_t head, unsigned grains)
{
    const bool wide = (head >> 6 & 63) > 32 || (head >> 12 & 63) > 32 ||
                      (head >> 18 & 63) > 32 || head >> 24 > 32;
    return wide ? 0 : 8 * CORBEL_PACKED_GRAIN * grains;
}

/*
 * The bits from a place on, at least those of a triangle or all that are left
 * of the block: 64 from the last byte before it from which there are 64.
 */
static inline uint64_t corbel_packed_window(const uint32_t *word, unsigned at,
                                            unsigned room)
{
    const unsigned last = room / 8 - 8, byte = at / 8 < last ? at / 8 : last;
    uint64_t window;
    __builtin_memcpy(&window, (const uint8_t *)word + byte, sizeof window);
    return window >> ((at - 8 * byte) & 63);
}

/* What the triangles of a block lead to. */
struct corbel_packed_reach {
    unsigned vertex; /* the largest number of a vertex */
    uint32_t face;   /* the largest index */
};

/* Of a block whose triangles lie in its bits; number: the bits of an index that
 * are the face's. */
static inline struct corbel_packed_reach
corbel_packed_reach_of(const uint32_t *word, unsigned room, uint32_t number)
{
    const unsigned corner = word[0] >> 3 & 7, index = word[0] >> 24;
    const unsigned numbers = ~(~0u << corner);
    const uint64_t indices = ~(~(uint64_t)0 << index);
    const unsigned end =
        CORBEL_PACKED_HEAD + (3 * corner + index) * ((word[0] & 7) + 1);
    struct corbel_packed_reach reach = {0, word[1] & number};
    for (unsigned at = CORBEL_PACKED_HEAD; at < end; at += 3 * corner + index) {
        uint64_t bits = corbel_packed_window(word, at, room);
        for (int k = 0; k < 3; k++, bits >>= corner)
            if ((bits & numbers) > reach.vertex)
                reach.vertex = (unsigned)(bits & numbers);
        const uint32_t face = (word[1] + (uint32_t)(bits & indices)) & number;
        reach.face = face > reach.face ? face : reach.face;
    }
    return reach;
}

static inline const char *corbel_packed_flaw(const struct corbel_scene *scene,
                                             const void *leaf, unsigned grains)
{
    const uint32_t *word = (const uint32_t *)leaf;
    const uint32_t head = word[0];
    const unsigned room = corbel_packed_room(head, grains);
    const unsigned vertex =
        (head >> 6 & 63) + (head >> 12 & 63) + (head >> 18 & 63);
    const unsigned vertices =
        CORBEL_PACKED_HEAD +
        ((head & 7) + 1) * (3 * (head >> 3 & 7) + (head >> 24));
    if (room == 0)
        return "has a field of more than 32 bits";
    if (vertices > room)
        return "has triangles beyond its end";
    const struct corbel_packed_reach reach = corbel_packed_reach_of(
        word, room, corbel_scene_has_trees(scene) ? ~0u >> 1 : ~0u);
    if (vertices + (reach.vertex + 1) * vertex > room)
        return "has vertices beyond its end";
    return reach.face < scene->triangles ? NULL : CORBEL_FLAW_FACE;
}

/* What a block is made of. */
struct corbel_packed_plan {
    unsigned vertices;
    uint32_t vertex[3 * CORBEL_LEAF_MAX][3]; /* ordered integers */
    uint8_t corner[CORBEL_LEAF_MAX][3];
    uint32_t anchor[3];
    unsigned width[3], corner_width, index_width;
};

/* Bits that 0 .. most need. */
static inline unsigned corbel_packed_width(uint32_t most)
{
    return most == 0 ? 0 : 32 - (unsigned)__builtin_clz(most);
}

/* The number of a vertex of the plan, a new one if there is none like it. */
static inline unsigned corbel_packed_number(struct corbel_packed_plan *plan,
                                            const float *vertex)
{
    uint32_t *place = plan->vertex[plan->vertices];
    unsigned i = 0;
    __builtin_memcpy(place, vertex, sizeof plan->vertex[0]);
    for (int axis = 0; axis < 3; axis++)
        place[axis] = corbel_packed_order(place[axis]);
    while (__builtin_memcmp(plan->vertex[i], place, sizeof plan->vertex[0]))
        i++;
    plan->vertices += i == plan->vertices;
    return i;
}

static inline void corbel_packed_measure(struct corbel_packed_plan *plan,
                                         int axis)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (unsigned i = 0; i < plan->vertices; i++) {
        int32_t at = (int32_t)plan->vertex[i][axis];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    plan->anchor[axis] = (uint32_t)least;
    plan->width[axis] = corbel_packed_width((uint32_t)most - (uint32_t)least);
}

/* Returns the grains of the block. */
static inline unsigned corbel_packed_make_plan(struct corbel_packed_plan *plan,
                                               const struct corbel_leaf *leaf)
{
    plan->vertices = 0;
    for (unsigned i = 0; i < leaf->count; i++)
        for (int k = 0; k < 3; k++)
            plan->corner[i][k] =
                (uint8_t)corbel_packed_number(plan, leaf->triangle[i].v[k]);
    for (int axis = 0; axis < 3; axis++)
        corbel_packed_measure(plan, axis);
    plan->corner_width = corbel_packed_width(plan->vertices - 1);
    plan->index_width =
        corbel_packed_width(leaf->index[leaf->count - 1] - leaf->index[0]);
    unsigned bits =
        CORBEL_PACKED_HEAD +
        leaf->count * (3 * plan->corner_width + plan->index_width) +
        plan->vertices * (plan->width[0] + plan->width[1] + plan->width[2]);
    return (bits + 8 * CORBEL_PACKED_GRAIN - 1) / (8 * CORBEL_PACKED_GRAIN);
}

static inline void corbel_packed_write(const struct corbel_packed_plan *plan,
                                       const struct corbel_leaf *leaf,
                                       uint32_t *word)
{
    unsigned at = CORBEL_PACKED_HEAD;
    word[0] = (leaf->count - 1) | plan->corner_width << 3 |
              plan->width[0] << 6 | plan->width[1] << 12 |
              plan->width[2] << 18 | plan->index_width << 24;
    word[1] = leaf->index[0];
    __builtin_memcpy(word + 2, plan->anchor, sizeof plan->anchor);
    for (unsigned i = 0; i < leaf->count; i++) {
        for (int k = 0; k < 3; k++, at += plan->corner_width)
            corbel_packed_put(word, at, plan->corner_width, plan->corner[i][k]);
        corbel_packed_put(word, at, plan->index_width,
                          leaf->index[i] - leaf->index[0]);
        at += plan->index_width;
    }
    for (unsigned i = 0; i < plan->vertices; i++)
        for (int axis = 0; axis < 3; at += plan->width[axis++])
            corbel_packed_put(word, at, plan->width[axis],
                              plan->vertex[i][axis] - plan->anchor[axis]);
}

static inline unsigned corbel_packed_encode(const struct corbel_leaf *leaf,
                                            void *to)
{
    struct corbel_packed_plan plan;
    const unsigned grains = corbel_packed_make_plan(&plan, leaf);
    if (grains > CORBEL_GRAINS_MAX)
        return 0;
    if (to)
        corbel_packed_write(&plan, leaf, (uint32_t *)to);
    return grains;
}

#ifdef __cplusplus
}
#endif
#endif
