/*
 * The hit of a traversal is that of a loop over all triangles, bit for bit,
 * whatever the formats, the builder, the leaf size and the stack size.
 */
#include "clip.h"
#include "sdk/mesh/mesh.h"
#include "tree.h"

#include "ci/tests/runs.h"

#include <corbel/traverse.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RAYS 400 /* as usual */

static int rays_traced; /* of each mesh */

static float uniform(float low, float high)
{
    return low + (high - low) * (float)rand() / (float)RAND_MAX;
}

static void random_point(const float centre[3], float radius, float point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = centre[i] + uniform(-radius, radius);
}

static uint32_t add_near(struct mesh *mesh, const float centre[3], float radius)
{
    float point[3];
    random_point(centre, radius, point);
    return mesh_add_vertex(mesh, point);
}

static void add_triangle(struct mesh *mesh, const float centre[3], float radius)
{
    uint32_t a = add_near(mesh, centre, radius);
    uint32_t b = add_near(mesh, centre, radius);
    mesh_add_face(mesh, a, b, add_near(mesh, centre, radius));
}

/* A long thin triangle. */
static void add_needle(struct mesh *mesh, const float centre[3], float length,
                       float width)
{
    uint32_t a = add_near(mesh, centre, length);
    uint32_t b = add_near(mesh, centre, length);
    uint32_t c = add_near(mesh, mesh->vertex[b], width);
    mesh_add_face(mesh, a, b, c);
}

/* A grid in the plane y = 0: flat boxes, shared edges, axis-aligned. */
static void add_grid(struct mesh *mesh, const float centre[3], float radius,
                     unsigned n)
{
    const uint32_t first = mesh->vertices;
    for (unsigned j = 0; j <= n; j++)
        for (unsigned i = 0; i <= n; i++) {
            float x = 2 * (float)i / (float)n - 1;
            float z = 2 * (float)j / (float)n - 1;
            mesh_add_vertex(mesh, (float[]){centre[0] + radius * x, centre[1],
                                            centre[2] + radius * z});
        }
    for (unsigned j = 0; j < n; j++)
        for (unsigned i = 0; i < n; i++) {
            uint32_t a = first + j * (n + 1) + i;
            mesh_add_face(mesh, a, a + 1, a + n + 2);
            mesh_add_face(mesh, a, a + n + 2, a + n + 1);
        }
}

/* Everything that is hard for a tree, around centre. */
static void make_mesh(struct mesh *mesh, const float centre[3], float radius)
{
    memset(mesh, 0, sizeof *mesh);
    add_grid(mesh, centre, radius, 12);
    for (int i = 0; i < 400; i++) {
        float place[3];
        random_point(centre, radius, place);
        add_triangle(mesh, place, radius * uniform(0, .05f));
    }
    for (int i = 0; i < 60; i++)
        add_triangle(mesh, centre, radius);
    for (int i = 0; i < 120; i++)
        add_needle(mesh, centre, radius, radius * 1e-3f);
    for (uint32_t i = 0; i < 40; i++) { /* twice, reversed, without area */
        uint32_t *face = mesh->face[rand() % (int)mesh->triangles];
        mesh_add_face(mesh, face[0], face[1], face[2]);
        face = mesh->face[rand() % (int)mesh->triangles];
        mesh_add_face(mesh, face[2], face[1], face[0]);
        mesh_add_face(mesh, face[0], face[1], face[1]);
    }
}

static void aim_at(struct corbel_ray *ray, const float target[3])
{
    for (int i = 0; i < 3; i++)
        ray->d[i] = target[i] - ray->o[i];
}

/* A direction of another length, whose largest component stays within the
 * bounds. */
static void scale_direction(struct corbel_ray *ray)
{
    const float largest = ray->d[corbel_major_axis(ray->d)];
    const float scale = ldexpf(1, rand() % 119 - 60 - ilogbf(largest));
    for (int i = 0; i < 3; i++)
        ray->d[i] *= scale;
    ray->tmin /= scale;
    ray->tmax /= scale;
}

/* From inside or far away; at vertices, at edges, along axes, anywhere. */
static struct corbel_ray random_ray(const struct mesh *mesh,
                                    const float centre[3], float radius)
{
    static const float reach[] = {0, .5f, 1, 2, 20, 1000};
    struct corbel_ray ray = {.tmin = 0, .tmax = INFINITY};
    const uint32_t *face = mesh->face[rand() % (int)mesh->triangles];
    const float *v = mesh->vertex[face[0]], *w = mesh->vertex[face[1]];
    float target[3];
    random_point(centre, radius * reach[rand() % 6], ray.o);
    switch (rand() % 5) {
    case 0:
        aim_at(&ray, v);
        break;
    case 1:
        for (int i = 0; i < 3; i++)
            target[i] = v[i] + .25f * (w[i] - v[i]);
        aim_at(&ray, target);
        break;
    case 2: { /* along an axis through a vertex */
        const int axis = rand() % 3;
        for (int i = 0; i < 3; i++)
            if (i != axis)
                ray.o[i] = v[i];
        ray.d[axis] = rand() % 2 ? 1 : -1;
        break;
    }
    case 3: /* from a vertex within a plane */
        memcpy(ray.o, v, sizeof ray.o);
        ray.d[0] = uniform(-1, 1);
        ray.d[2] = uniform(-1, 1);
        break;
    default:
        random_point(centre, radius, target);
        aim_at(&ray, target);
    }
    if (rand() % 4 == 0)
        ray.tmin = uniform(0, .5f);
    if (rand() % 4 == 0)
        ray.tmax = uniform(.5f, 1.5f);
    if (rand() % 2 == 0)
        scale_direction(&ray);
    return ray;
}

static struct corbel_hit brute_force(const struct mesh *mesh,
                                     const struct corbel_ray *ray)
{
    struct corbel_hit hit = {.t = ray->tmax, .index = CORBEL_MISS};
    struct corbel_ray inverse;
    if (!corbel_ray_invert(ray, &inverse))
        return hit;
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        struct corbel_triangle triangle;
        mesh_triangle(mesh, i, &triangle);
        if (!triangle_degenerate(&triangle))
            corbel_triangle_test(ray, &triangle, i, &hit);
    }
    return hit;
}

static struct corbel_traversal trace(const struct corbel_scene *scene,
                                     const struct corbel_ray *ray,
                                     unsigned flags, unsigned entries,
                                     bool pop_cull)
{
    const struct corbel_traversal_setup setup = {entries, pop_cull};
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    corbel_traversal_start(&t, scene, ray, flags, &setup);
    while (corbel_traversal_fetch(&t, scene, &fetch)) {
        for (uint32_t i = 0; i < fetch.pieces; i++)
            assert_true(fetch.offset[i] + fetch.bytes <= scene->bytes);
        corbel_traversal_step(&t, scene);
    }
    return t;
}

static void assert_same_hit(const struct corbel_hit *a,
                            const struct corbel_hit *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static uint64_t restarts;

static void check_ray(const struct corbel_scene *scene,
                      const struct corbel_ray *ray,
                      const struct corbel_hit *expected)
{
    static const unsigned entries[] = {1, 2, 3, 4, 8, 16};
    uint32_t leaves = 0;
    for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct corbel_traversal t =
            trace(scene, ray, CORBEL_CLOSEST, entries[i], true);
        assert_same_hit(&t.hit, expected);
        restarts += t.counts.restarts;
        if (i == 0)
            leaves = t.counts.leaves;
        assert_int_equal(t.counts.leaves, leaves);
        t = trace(scene, ray, CORBEL_CLOSEST, entries[i], false);
        assert_same_hit(&t.hit, expected);
        t = trace(scene, ray, CORBEL_ANY, entries[i], true);
        assert_int_equal(t.hit.index == CORBEL_MISS,
                         expected->index == CORBEL_MISS);
    }
    struct corbel_hit whole;
    corbel_traverse(scene, ray, CORBEL_CLOSEST, &whole);
    assert_same_hit(&whole, expected);
}

struct rays {
    struct corbel_ray ray[RAYS];
    struct corbel_hit hit[RAYS];
};

static void check_tree(const struct mesh *mesh, enum quality quality,
                       struct layout layout, const struct rays *rays)
{
    struct tree tree;
    const char *why;
    tree_build(mesh, quality, &tree);
    struct corbel_scene *scene = scene_encode(mesh, &tree, &layout, quality);
    assert_true(corbel_scene_check(scene, scene->bytes, &why));
    for (int i = 0; i < rays_traced; i++)
        check_ray(scene, &rays->ray[i], &rays->hit[i]);
    free(scene);
    tree_free(&tree);
}

/* True if nodes can refer to a leaf of one triangle, whatever it is. */
static bool formats_fit(uint32_t nodes, uint32_t leaves)
{
    const struct corbel_leaf leaf = {
        .count = 1,
        .triangle = {{{{-1e9f, 1e9f, 1e9f}, {1e9f, -1e9f, 1}, {3, 4, -1e9f}}}}};
    return corbel_leaf_encode(leaves, &leaf, NULL) <= corbel_node_grains(nodes);
}

/* In each node format and each leaf format, with turns for all pairs. */
static void check_formats(const struct mesh *mesh, const struct rays *rays)
{
    static const struct {
        enum quality quality;
        unsigned leaf;
    } kind[] = {{QUALITY_HIGH, 1},
                {QUALITY_HIGH, 4},
                {QUALITY_MEDIUM, 8},
                {QUALITY_LOW, 2}};
    static unsigned turn;
    for (uint32_t nodes = 1; corbel_node_width(nodes); nodes++)
        for (uint32_t leaves = 1; corbel_leaf_grain(leaves); leaves++)
            if (formats_fit(nodes, leaves)) {
                const unsigned k = turn++ % 4;
                check_tree(mesh, kind[k].quality,
                           (struct layout){nodes, leaves, kind[k].leaf}, rays);
            }
}

static void check_mesh(const float centre[3], float radius)
{
    struct mesh mesh;
    struct rays *rays = malloc(sizeof *rays);
    int hit_count = 0;
    make_mesh(&mesh, centre, radius);
    for (int i = 0; i < rays_traced; i++) {
        rays->ray[i] = random_ray(&mesh, centre, radius);
        rays->hit[i] = brute_force(&mesh, &rays->ray[i]);
        hit_count += rays->hit[i].index != CORBEL_MISS;
    }
    assert_true(hit_count > rays_traced / 4);
    check_formats(&mesh, rays);
    mesh_free(&mesh);
    free(rays);
}

static void the_hit_does_not_depend_on_the_tree(void **state)
{
    restarts = 0;
    srand(1);
    check_mesh((float[]){0, 0, 0}, 1);
    check_mesh((float[]){3, -2, 5}, 1e-3f);
    check_mesh((float[]){-100, 20, 7}, 1000);
    assert_true(restarts > 2 * (uint64_t)rays_traced);
}

static void nor_far_from_the_origin_of_coordinates(void **state)
{
    srand(2);
    check_mesh((float[]){10000, -30000, 20000}, 10);
    check_mesh((float[]){1e6f, 1e6f, 1e6f}, 50);
}

static void nor_do_hits_in_huge_and_in_tiny_scenes(void **state)
{
    srand(3);
    check_mesh((float[]){0, 0, 0}, 1.25f * 0x1p-60f);
    check_mesh((float[]){0, 0, 0}, 0x1p+59f);
}

static void a_scene_of_few_triangles_works(void **state)
{
    for (unsigned count = 1; count < 12; count++) {
        struct mesh mesh = {0};
        struct rays *rays = malloc(sizeof *rays);
        srand(count);
        for (unsigned i = 0; i < count; i++)
            add_triangle(&mesh, (float[3]){0}, 1);
        for (int i = 0; i < rays_traced; i++) {
            rays->ray[i] = random_ray(&mesh, (float[3]){0}, 1);
            rays->hit[i] = brute_force(&mesh, &rays->ray[i]);
        }
        check_formats(&mesh, rays);
        mesh_free(&mesh);
        free(rays);
    }
}

static void a_scene_of_degenerate_triangles_is_never_hit(void **state)
{
    struct mesh mesh = {0};
    struct tree tree;
    mesh_add_vertex(&mesh, (float[]){0, 0, 0});
    mesh_add_vertex(&mesh, (float[]){1, 1, 1});
    mesh_add_face(&mesh, 0, 1, 1);
    tree_build(&mesh, QUALITY_HIGH, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree,
        &(struct layout){CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain, 4},
        QUALITY_HIGH);
    struct corbel_ray ray = {{-1, -1, -1}, 0, {1, 1, 1}, INFINITY};
    struct corbel_hit hit;
    corbel_traverse(scene, &ray, CORBEL_CLOSEST, &hit);
    assert_int_equal(hit.index, CORBEL_MISS);
    assert_true(isinf(hit.t));
    assert_int_equal(scene->degenerate, 1);
    free(scene);
    tree_free(&tree);
    mesh_free(&mesh);
}

static bool box_contains(const struct corbel_box *outer,
                         const struct corbel_box *inner)
{
    for (int i = 0; i < 3; i++)
        if (!(outer->min[i] <= inner->min[i] && inner->max[i] <= outer->max[i]))
            return false;
    return true;
}

/* Walks a node format beside the binary tree it was made from. */
static void compare_boxes(const struct corbel_scene *scene, uint32_t ref,
                          const struct tree *tree,
                          const struct collapse *collapse, uint32_t n)
{
    struct corbel_node_children children;
    uint32_t child[WIDTH_MAX];
    if (corbel_ref_is_leaf(ref)) {
        assert_true(collapse->leaf[n]);
        return;
    }
    corbel_node_decode(
        scene->format, corbel_scene_at(scene, corbel_ref_offset(ref)),
        corbel_leaf_grain(scene->leaf_format) / CORBEL_REF_UNIT, &children);
    assert_int_equal(children.count,
                     collapse_children(tree, collapse, n, child));
    for (unsigned i = 0; i < children.count; i++) {
        assert_true(box_contains(&children.box[i], &tree->node[child[i]].box));
        compare_boxes(scene, children.ref[i], tree, collapse, child[i]);
    }
}

static void compressed_boxes_contain_the_real_ones(void **state)
{
    static const float centre[][4] = {{0, 0, 0, 1},
                                      {1e6f, -1e6f, 3, 10},
                                      {0, 0, 0, 1e-20f},
                                      {5, 5, 5, 1e11f}};
    const struct layout layout = {CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain, 3};
    for (int i = 0; i < 4; i++) {
        struct mesh mesh;
        struct tree tree;
        struct collapse collapse;
        srand(4);
        make_mesh(&mesh, centre[i], centre[i][3]);
        tree_build(&mesh, QUALITY_HIGH, &tree);
        struct corbel_scene *scene =
            scene_encode(&mesh, &tree, &layout, QUALITY_HIGH);
        collapse_tree(&mesh, &tree, &layout, &collapse);
        compare_boxes(scene, scene->root, &tree, &collapse, 0);
        collapse_free(&collapse);
        free(scene);
        tree_free(&tree);
        mesh_free(&mesh);
    }
}

/* The parts of a triangle on both sides of a plane lie in the boxes. */
static void clipping_loses_no_part_of_a_triangle(void **state)
{
    srand(5);
    for (int i = 0; i < 20000; i++) {
        struct corbel_triangle triangle;
        struct corbel_box part[2];
        for (int k = 0; k < 3; k++)
            random_point((float[3]){0}, 1, triangle.v[k]);
        const struct corbel_box box = triangle_box(&triangle);
        const unsigned axis = (unsigned)rand() % 3;
        const float position = uniform(box.min[axis], box.max[axis]);
        clip_split(&triangle, &box, axis, position, part);
        double a = uniform(0, 1), b = uniform(0, 1) * (1 - a), point[3];
        for (int k = 0; k < 3; k++)
            point[k] = triangle.v[0][k] * (1 - a - b) + triangle.v[1][k] * a +
                       triangle.v[2][k] * b;
        const int side = point[axis] > position;
        struct corbel_box tight = clip_bounds(&triangle, &part[side]);
        assert_true(box_contains(&part[side], &tight));
        for (int k = 0; k < 3; k++) {
            assert_true(point[k] >= tight.min[k] - 1e-9);
            assert_true(point[k] <= tight.max[k] + 1e-9);
        }
    }
}

static void a_damaged_scene_is_noticed(void **state)
{
    struct mesh mesh = {0};
    struct tree tree;
    const char *why;
    add_grid(&mesh, (float[3]){0}, 1, 3);
    tree_build(&mesh, QUALITY_HIGH, &tree);
    struct corbel_scene *scene = scene_encode(
        &mesh, &tree,
        &(struct layout){CORBEL_NODES_bvh6, CORBEL_LEAVES_plain, 4},
        QUALITY_HIGH);
    const size_t bytes = scene->bytes;
    assert_true(corbel_scene_check(scene, bytes, &why));
    for (size_t length = 0; length < bytes; length += 8)
        assert_false(corbel_scene_check(scene, length, &why));
    for (size_t i = 0; i < bytes; i++) {
        ((char *)scene)[i] ^= 4;
        assert_false(corbel_scene_check(scene, bytes, &why));
        ((char *)scene)[i] ^= 4;
    }
    assert_true(corbel_scene_check(scene, bytes, &why));
    free(scene);
    tree_free(&tree);
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hit_does_not_depend_on_the_tree),
        cmocka_unit_test(nor_far_from_the_origin_of_coordinates),
        cmocka_unit_test(nor_do_hits_in_huge_and_in_tiny_scenes),
        cmocka_unit_test(a_scene_of_few_triangles_works),
        cmocka_unit_test(a_scene_of_degenerate_triangles_is_never_hit),
        cmocka_unit_test(compressed_boxes_contain_the_real_ones),
        cmocka_unit_test(clipping_loses_no_part_of_a_triangle),
        cmocka_unit_test(a_damaged_scene_is_noticed),
    };
    rays_traced = (int)test_runs(RAYS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
