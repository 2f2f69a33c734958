/*
 * Leaf formats lose nothing, take the grains that they say, and touch only
 * those: each leaf is written to and read from memory of exactly its size, by
 * its end against a page that cannot be accessed.
 */
#include "ci/tests/runs.h"

#include <corbel/scene.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define LEAVES 600000 /* in each format, as usual */
#define VERTICES 64
#define BEFORE 64 /* bytes in front of a leaf, which must stay as they were */

static uint64_t state = 88172645463325252u;

static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A scene's header and vertices, for formats that read them from there. */
struct world {
    struct corbel_scene scene;
    float vertex[VERTICES][3];
};

/* Memory that ends where a page without access begins. */
struct guarded {
    char *start;
    size_t bytes;
};

static struct guarded guard(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guarded g = {.bytes = page};
    g.start =
        mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(g.start, MAP_FAILED);
    g.start += page;
    assert_int_equal(mprotect(g.start, page, PROT_READ | PROT_WRITE), 0);
    return g;
}

/* What a mesh has somewhere, or should never have. */
static float random_coordinate(unsigned kind)
{
    static const uint32_t special[] = {
        0,          0x80000000, 1,          0x80000001, 0x007FFFFF,
        0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000};
    switch (kind) {
    case 0: /* side by side */
        return 100 + (float)(random_bits() % 1024) / 1024;
    case 1: /* on both sides of zero */
        return (float)(int32_t)random_bits() / 0x1p31f;
    case 2:
        return float_of(special[random_bits() % 10]);
    case 3: /* the same one */
        return -7.25f;
    default: /* any */
        return float_of(random_bits());
    }
}

static void random_world(struct world *world)
{
    unsigned kind[3];
    for (int axis = 0; axis < 3; axis++)
        kind[axis] = random_bits() % 5;
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            world->vertex[i][axis] = random_coordinate(kind[axis]);
}

static uint32_t random_index(void)
{
    const uint32_t most = CORBEL_MISS - 1;
    uint32_t near = random_bits() % 100;
    switch (random_bits() % 3) {
    case 0:
        return near;
    case 1:
        return most - near;
    default:
        return random_bits() % (most + 1);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Triangles of few vertices share them, those of many do not. */
static void random_leaf(const struct world *world, unsigned count,
                        struct corbel_leaf *leaf)
{
    const unsigned vertices = 1 + random_bits() % VERTICES;
    const uint32_t near = random_index() & ~15u;
    const bool together = random_bits() % 2;
    memset(leaf, 0, sizeof *leaf);
    leaf->count = count;
    for (unsigned i = 0; i < count; i++)
        leaf->index[i] = together ? near + i : random_index();
    qsort(leaf->index, count, sizeof *leaf->index, by_value);
    for (unsigned i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            leaf->vertex[i][k] = random_bits() % vertices;
            memcpy(leaf->triangle[i].v[k], world->vertex[leaf->vertex[i][k]],
                   sizeof leaf->triangle[i].v[k]);
        }
}

/* The vertices named are those of the leaf, each of them once. */
static void check_vertices(uint32_t format, const struct world *world,
                           const void *leaf, const struct corbel_leaf *expected)
{
    uint64_t offset[CORBEL_FETCH_PIECES];
    bool named[VERTICES] = {false}, used[VERTICES] = {false};
    unsigned count = corbel_leaf_vertices(format, &world->scene, leaf,
                                          expected->count, offset);
    assert_int_equal(count > 0, corbel_leaf_apart(format));
    for (unsigned i = 0; i < 3 * expected->count && count > 0; i++)
        used[expected->vertex[i / 3][i % 3]] = true;
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = (offset[i] - world->scene.vertices_offset) / 12;
        assert_int_equal(offset[i], world->scene.vertices_offset + 12 * number);
        assert_true(number < VERTICES);
        assert_false(named[number]);
        named[number] = true;
    }
    assert_memory_equal(named, used, sizeof used);
}

static void check_triangles(uint32_t format, const struct world *world,
                            const void *leaf, unsigned grains,
                            const struct corbel_leaf *expected)
{
    assert_int_equal(corbel_leaf_count(format, leaf, grains), expected->count);
    for (unsigned i = 0; i < expected->count; i++) {
        struct corbel_triangle triangle;
        uint32_t index =
            corbel_leaf_triangle(format, &world->scene, leaf, i, &triangle);
        assert_int_equal(index, expected->index[i]);
        assert_memory_equal(&triangle, &expected->triangle[i], sizeof triangle);
    }
}

/* Returns the grains that it took, 0: it is too large for the format. */
static unsigned round_trip(uint32_t format, const struct world *world,
                           const struct guarded *memory,
                           const struct corbel_leaf *leaf)
{
    const unsigned grains = corbel_leaf_encode(format, leaf, NULL);
    const size_t bytes = (size_t)grains * corbel_leaf_grain(format);
    assert_true(grains <= CORBEL_GRAINS_MAX);
    assert_true(bytes <= CORBEL_LEAF_BYTES_MAX);
    if (grains == 0)
        return 0;
    char *place = memory->start + memory->bytes - bytes;
    memset(place - BEFORE, 0x5A, BEFORE);
    memset(place, 0, bytes);
    assert_int_equal(corbel_leaf_encode(format, leaf, place), grains);
    for (int i = 1; i <= BEFORE; i++)
        assert_true(place[-i] == 0x5A);
    check_triangles(format, world, place, grains, leaf);
    check_vertices(format, world, place, leaf);

    /* by its start: what lies before it is not read */
    memmove(memory->start, place, bytes);
    check_triangles(format, world, memory->start, grains, leaf);
    return grains;
}

static struct world *new_world(void)
{
    struct world *world = calloc(1, sizeof *world);
    world->scene.vertices_offset = offsetof(struct world, vertex);
    return world;
}

static void leaves_lose_nothing(void **unused)
{
    struct world *world = new_world();
    const struct guarded memory = guard();
    const int leaves = (int)test_runs(LEAVES);
    for (int n = 0; n < leaves; n++) {
        struct corbel_leaf leaf;
        if (n % 8 == 0)
            random_world(world);
        random_leaf(world, 1 + random_bits() % CORBEL_LEAF_MAX, &leaf);
        for (uint32_t format = 1; corbel_leaf_grain(format); format++) {
            unsigned grains = round_trip(format, world, &memory, &leaf);
            assert_true(grains > 0 || leaf.count > 1);
        }
    }
    free(world);
}

/* Eight triangles without a vertex in common, in all of space. */
static void what_is_too_large_is_refused(void **unused)
{
    struct corbel_leaf leaf = {.count = 8};
    const struct guarded memory = guard();
    struct world *world = new_world();
    for (unsigned i = 0; i < 24; i++) {
        float sign = i % 2 ? -1.0f : 1.0f;
        for (int axis = 0; axis < 3; axis++)
            world->vertex[i][axis] = sign * (1 + (float)i + (float)axis);
        leaf.vertex[i / 3][i % 3] = i;
        memcpy(leaf.triangle[i / 3].v[i % 3], world->vertex[i], 12);
    }
    for (uint32_t i = 0; i < 8; i++)
        leaf.index[i] = i * (UINT32_MAX / 8);
    assert_int_equal(corbel_leaf_encode(CORBEL_LEAVES_packed, &leaf, NULL), 0);
    assert_int_equal(
        corbel_leaf_encode(CORBEL_LEAVES_packed, &leaf, memory.start), 0);
    for (leaf.count = 8; leaf.count > 0; leaf.count--)
        for (uint32_t format = 1; corbel_leaf_grain(format); format++)
            round_trip(format, world, &memory, &leaf);
    free(world);
}

/* n x 1 quads of a floor, as builders of meshes write them. */
static struct corbel_leaf strip(unsigned quads)
{
    struct corbel_leaf leaf = {.count = 2 * quads};
    for (unsigned i = 0; i < 2 * quads; i++) {
        leaf.index[i] = 1000 + i;
        for (unsigned k = 0; k < 3; k++) {
            leaf.vertex[i][k] = i + k;
            leaf.triangle[i].v[k][0] = 10 + (float)((i + k) / 2) / 16;
            leaf.triangle[i].v[k][1] = -3;
            leaf.triangle[i].v[k][2] = 5 + (float)((i + k) % 2) / 16;
        }
    }
    return leaf;
}

static void shared_vertices_are_stored_once(void **unused)
{
    static const struct {
        unsigned quads, grains;
    } row[] = {{1, 2}, {2, 2}, {4, 3}};
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct corbel_leaf leaf = strip(row[i].quads);
        assert_int_equal(corbel_leaf_encode(CORBEL_LEAVES_packed, &leaf, NULL),
                         row[i].grains);
        assert_int_equal(corbel_leaf_encode(CORBEL_LEAVES_indexed, &leaf, NULL),
                         leaf.count);
        assert_int_equal(
            corbel_leaf_encode(CORBEL_LEAVES_block128, &leaf, NULL),
            (leaf.count + 2) / 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_lose_nothing),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(shared_vertices_are_stored_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
