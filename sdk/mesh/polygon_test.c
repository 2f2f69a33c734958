/*
 * The triangles of a polygon cover its inside once: their areas, all of the
 * polygon's sign, add up to its area, and none reaches over its outline.
 */
#include "polygon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CORNERS 400

static double signed_area(const float a[3], const float b[3], const float c[3],
                          int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return 0.5 * (((double)b[u] - a[u]) * ((double)c[v] - a[v]) -
                  ((double)b[v] - a[v]) * ((double)c[u] - a[u]));
}

/* Cuts the polygon of n points, in the given order, into mesh. */
static void cut(float (*point)[3], uint32_t n, struct mesh *mesh)
{
    struct polygon polygon = {0};
    memset(mesh, 0, sizeof *mesh);
    for (uint32_t i = 0; i < n; i++)
        polygon_add(&polygon, mesh_add_vertex(mesh, point[i]));
    polygon_cut(&polygon, mesh);
    assert_int_equal(mesh->triangles, n - 2);
    polygon_free(&polygon);
}

/* Looks along the axis; the result is the number of triangles without area. */
static unsigned check_areas(const struct mesh *mesh, double area, int axis)
{
    double sum = 0;
    unsigned flat = 0;
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        const uint32_t *f = mesh->face[i];
        const double part = signed_area(mesh->vertex[f[0]], mesh->vertex[f[1]],
                                        mesh->vertex[f[2]], axis);
        assert_true(part * area >= 0);
        flat += part == 0;
        sum += part;
    }
    assert_true(fabs(sum - area) <= 1e-5 * fabs(area));
    assert_int_equal(mesh->note[MESH_NOTE_crossing], 0);
    return flat;
}

/* Every start and either winding, along each axis; at most flat without area.
 */
static void check(const float (*flat_point)[2], uint32_t n, double area,
                  unsigned flat)
{
    static float point[CORNERS][3];
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t start = 0; start < n; start++)
            for (int back = 0; back < 2; back++) {
                struct mesh mesh;
                for (uint32_t i = 0; i < n; i++) {
                    const uint32_t from = (start + (back ? n - i : i)) % n;
                    point[i][axis] = 3;
                    point[i][(axis + 1) % 3] = flat_point[from][0];
                    point[i][(axis + 2) % 3] = flat_point[from][1];
                }
                cut(point, n, &mesh);
                assert_true(check_areas(&mesh, back ? -area : area, axis) <=
                            flat);
                mesh_free(&mesh);
            }
}

static void convex_polygons_are_fans(void **state)
{
    float point[7][3];
    struct mesh mesh;
    for (int i = 0; i < 7; i++) {
        point[i][0] = 1;
        point[i][1] = cosf((float)i);
        point[i][2] = sinf((float)i) * (i < 6 ? 1 : 0.5f);
    }
    cut(point, 6, &mesh);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(mesh.face[i][0], 0);
        assert_int_equal(mesh.face[i][1], i + 1);
        assert_int_equal(mesh.face[i][2], i + 2);
    }
    mesh_free(&mesh);
}

static void concave_polygons_stay_within_their_outline(void **state)
{
    static const float ell[][2] = {{0, 0}, {2, 0}, {2, 1},
                                   {1, 1}, {1, 2}, {0, 2}};
    static const float arrow[][2] = {{0, 0}, {2, 1}, {0, 2}, {0.5f, 1}};
    static const float comb[][2] = {{0, 0}, {9, 0}, {9, 5}, {8, 5}, {8, 1},
                                    {6, 1}, {6, 5}, {5, 5}, {5, 1}, {3, 1},
                                    {3, 5}, {2, 5}, {2, 1}, {0, 1}};
    static const float spiral[][2] = {
        {0, 0}, {8, 0}, {8, 8}, {1, 8}, {1, 2}, {6, 2}, {6, 6}, {3, 6},
        {3, 4}, {5, 4}, {5, 3}, {2, 3}, {2, 7}, {7, 7}, {7, 1}, {0, 1}};
    check(ell, 6, 3, 0);
    check(arrow, 4, 1.5, 0);
    check(comb, 14, 21, 0);
    check(spiral, 16, 37, 0);
}

static void corners_on_a_line_give_no_flat_triangles(void **state)
{
    static const float square[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1},
                                      {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    static const float tee[][2] = {{0, 0}, {3, 0}, {3, 1}, {2, 1}, {2, 2},
                                   {2, 3}, {1, 3}, {1, 2}, {1, 1}, {0, 1}};
    check(square, 8, 4, 0);
    check(tee, 10, 5, 0);
}

static void doubled_corners_give_one_flat_triangle_each(void **state)
{
    static const float ell[][2] = {{0, 0}, {0, 0}, {2, 0}, {2, 1},
                                   {1, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const float spike[][2] = {{0, 0}, {2, 0}, {2, 2},
                                     {2, 3}, {2, 2}, {0, 2}};
    check(ell, 8, 3, 2);
    check(spike, 6, 4, 2);
}

/* A hole, joined to the outline by an edge that is passed twice. */
static void polygons_with_a_bridge_to_a_hole_are_filled_around_it(void **state)
{
    static const float frame[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                     {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    check(frame, 10, 12, 0);
}

static void all_corners_on_one_line_give_flat_triangles(void **state)
{
    static const float line[][2] = {
        {0, 0}, {1, 1}, {2, 2}, {3, 3}, {1.5f, 1.5f}};
    check(line, 5, 0, 3);
}

static void a_star_of_many_corners_is_filled(void **state)
{
    float point[CORNERS][3];
    struct mesh mesh;
    double area = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double angle = i * 2 * 3.14159265358979 / CORNERS;
        const double radius = i % 2 ? 1 : 3 + i % 7;
        point[i][0] = (float)(radius * cos(angle));
        point[i][1] = (float)(radius * sin(angle));
        /* Off the plane by a little. */
        point[i][2] = (float)(i % 5) * 1e-3f;
    }
    for (int i = 1; i + 1 < CORNERS; i++)
        area += signed_area(point[0], point[i], point[i + 1], 2);
    cut(point, CORNERS, &mesh);
    assert_int_equal(check_areas(&mesh, area, 2), 0);
    mesh_free(&mesh);
}

static void crossing_edges_are_counted(void **state)
{
    float point[][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 2, 0}, {2, 1, 0}};
    struct mesh mesh;
    cut(point, 5, &mesh);
    assert_int_equal(mesh.note[MESH_NOTE_crossing], 1);
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_polygons_are_fans),
        cmocka_unit_test(concave_polygons_stay_within_their_outline),
        cmocka_unit_test(corners_on_a_line_give_no_flat_triangles),
        cmocka_unit_test(doubled_corners_give_one_flat_triangle_each),
        cmocka_unit_test(polygons_with_a_bridge_to_a_hole_are_filled_around_it),
        cmocka_unit_test(all_corners_on_one_line_give_flat_triangles),
        cmocka_unit_test(a_star_of_many_corners_is_filled),
        cmocka_unit_test(crossing_edges_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
