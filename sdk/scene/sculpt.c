/*
 * The arcade: a vaulted corridor of bays between two rows of columns, open to
 * a court on the left, with an aisle and a wall with vases on the right.
 * And a Cornell box.
 */
#include "sculpt.h"

#include <corbel/math.h>
#include <math.h>

#define BAYS 7
#define BAY 4.0f     /* length along z */
#define HALF 2.2f    /* columns stand at x = -HALF and x = HALF */
#define SPRING 3.4f  /* height where arches begin */
#define RADIUS 1.62f /* of the arches */
#define PIER 0.38f   /* half the thickness of walls above columns */
#define TOP 6.1f     /* height of the roof */
#define AISLE 5.4f   /* x of the wall on the right */
#define LENGTH (BAYS * BAY)

/* A point of a surface, u and v in [0, 1]; data belongs to the surface. */
typedef void surface(const float *data, float u, float v, float point[3]);

/* Cells of a grid: in proportion to the detail, but not fewer than the shape
 * needs. */
static unsigned resolution(const struct sculpt *sculpt, float base,
                           unsigned least)
{
    unsigned n = (unsigned)(base * sculpt->detail);
    return n > least ? n : least;
}

/* Quads are cut along the diagonal that points to the middle of the grid. */
static void add_surface(struct sculpt *sculpt, surface *at, const float *data,
                        unsigned columns, unsigned rows)
{
    struct mesh *mesh = sculpt->mesh;
    const uint32_t first = mesh->vertices, stride = columns + 1;
    sculpt->triangles += 2 * columns * rows;
    if (sculpt->counting)
        return;
    for (unsigned j = 0; j <= rows; j++)
        for (unsigned i = 0; i <= columns; i++) {
            float point[3];
            at(data, (float)i / (float)columns, (float)j / (float)rows, point);
            mesh_add_vertex(mesh, point);
        }
    for (unsigned j = 0; j < rows; j++)
        for (unsigned i = 0; i < columns; i++) {
            uint32_t a = first + j * stride + i, b = a + 1;
            uint32_t c = b + stride, d = a + stride;
            bool towards_middle = (2 * i < columns) == (2 * j < rows);
            mesh_add_face(mesh, a, b, towards_middle ? c : d);
            mesh_add_face(mesh, towards_middle ? a : b, c, d);
        }
}

/* data: origin, first side, second side. */
static void parallelogram(const float *data, float u, float v, float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = data[k] + u * data[3 + k] + v * data[6 + k];
}

/* A parallelogram with a corner and two sides, as a grid. */
static void add_quad(struct sculpt *sculpt, const float origin[3],
                     const float a[3], const float b[3], unsigned columns,
                     unsigned rows)
{
    const float data[9] = {origin[0], origin[1], origin[2], a[0], a[1],
                           a[2],      b[0],      b[1],      b[2]};
    add_surface(sculpt, parallelogram, data, columns, rows);
}

/* All six sides of a box with a corner and three edges. */
static void add_block(struct sculpt *sculpt, const float corner[3],
                      const float a[3], const float b[3], const float c[3])
{
    float opposite[3], back[3][3];
    for (int k = 0; k < 3; k++) {
        opposite[k] = corner[k] + a[k] + b[k] + c[k];
        back[0][k] = -a[k];
        back[1][k] = -b[k];
        back[2][k] = -c[k];
    }
    add_quad(sculpt, corner, a, b, 1, 1);
    add_quad(sculpt, corner, b, c, 1, 1);
    add_quad(sculpt, corner, c, a, 1, 1);
    add_quad(sculpt, opposite, back[0], back[1], 1, 1);
    add_quad(sculpt, opposite, back[1], back[2], 1, 1);
    add_quad(sculpt, opposite, back[2], back[0], 1, 1);
}

/* An upright box, axis-aligned. */
static void add_box(struct sculpt *sculpt, float x0, float y0, float z0,
                    float x1, float y1, float z1)
{
    add_block(sculpt, (float[]){x0, y0, z0}, (float[]){x1 - x0, 0, 0},
              (float[]){0, y1 - y0, 0}, (float[]){0, 0, z1 - z0});
}

/* A quarter circle's bulge between 0 and 1: 0 at both ends of s, 1 midway. */
static float bulge(float s)
{
    float sine, cosine;
    corbel_sincos_turns(s / 2, &sine, &cosine);
    return sine;
}

/*
 * Radius of a column at height h in [0, 1] of its own height: base with two
 * tori, a shaft that swells and narrows, a capital that widens to the top.
 */
static float column_radius(float h)
{
    if (h < 0.03f)
        return 0.36f + 0.05f * bulge(h / 0.03f);
    if (h < 0.05f)
        return 0.33f;
    if (h < 0.07f)
        return 0.32f + 0.03f * bulge((h - 0.05f) / 0.02f);
    if (h < 0.86f) {
        float s = (h - 0.07f) / 0.79f;
        return 0.29f - 0.04f * s * s + 0.012f * bulge(s);
    }
    if (h < 0.88f)
        return 0.255f + 0.03f * bulge((h - 0.86f) / 0.02f);
    float s = (h - 0.88f) / 0.12f;
    return 0.25f + 0.13f * s * s;
}

/* data: x, z of the axis, bottom, top. Around by u, up by v; 20 flutes. */
static void column(const float *data, float u, float v, float point[3])
{
    float sine, cosine, flute, unused, radius = column_radius(v);
    corbel_sincos_turns(u, &sine, &cosine);
    corbel_sincos_turns(u * 20, &unused, &flute);
    if (v > 0.08f && v < 0.85f)
        radius -= 0.014f * (1 - flute * flute);
    point[0] = data[0] + radius * cosine;
    point[1] = data[2] + v * (data[3] - data[2]);
    point[2] = data[1] + radius * sine;
}

/* Plinth, shaft and abacus. */
static void add_column(struct sculpt *sculpt, float x, float z)
{
    const float data[4] = {x, z, 0.18f, SPRING - 0.16f};
    add_box(sculpt, x - 0.46f, 0, z - 0.46f, x + 0.46f, 0.18f, z + 0.46f);
    add_surface(sculpt, column, data, resolution(sculpt, 64, 8),
                resolution(sculpt, 36, 12));
    add_box(sculpt, x - 0.44f, SPRING - 0.16f, z - 0.44f, x + 0.44f, SPRING,
            z + 0.44f);
}

/* A vase: data as of column(). */
static void vase(const float *data, float u, float v, float point[3])
{
    float sine, cosine, belly = bulge(0.1f + 0.75f * v), lip = v * v * v * v;
    corbel_sincos_turns(u, &sine, &cosine);
    float radius = 0.09f + 0.25f * belly * belly + 0.1f * lip * lip;
    radius += 0.008f * belly * bulge(12 * u - (float)(int)(12 * u));
    point[0] = data[0] + radius * cosine;
    point[1] = data[2] + v * (data[3] - data[2]);
    point[2] = data[1] + radius * sine;
}

/* A vase on a stepped pedestal. */
static void add_vase(struct sculpt *sculpt, float x, float z)
{
    const float data[4] = {x, z, 0.8f, 1.75f};
    add_box(sculpt, x - 0.34f, 0, z - 0.34f, x + 0.34f, 0.12f, z + 0.34f);
    add_box(sculpt, x - 0.27f, 0.12f, z - 0.27f, x + 0.27f, 0.72f, z + 0.27f);
    add_box(sculpt, x - 0.32f, 0.72f, z - 0.32f, x + 0.32f, 0.8f, z + 0.32f);
    add_surface(sculpt, vase, data, resolution(sculpt, 36, 8),
                resolution(sculpt, 30, 6));
}

/* Height of an arch of the bay above SPRING; s in [0, 1] across the bay. */
static float arch_height(float s)
{
    float x = (2 * s - 1) * (BAY / 2) / RADIUS, square = 1 - x * x;
    return square > 0 ? RADIUS * sqrtf(square) : 0;
}

/*
 * The wall above the arch of a bay: u along the arch, v from the arch up to
 * TOP. data: x, z of the bay's start. u is spread as on a circle, so the arch
 * is evenly divided.
 */
static float along_arch(float u)
{
    float sine, cosine;
    corbel_sincos_turns(u / 2, &sine, &cosine);
    return 0.5f - 0.5f * cosine;
}

/* One side of the wall, in the plane x = data[0]. */
static void spandrel(const float *data, float u, float v, float point[3])
{
    float s = along_arch(u), low = SPRING + arch_height(s);
    point[0] = data[0];
    point[1] = low + v * (TOP - low);
    point[2] = data[1] + s * BAY;
}

/* Underside of an arch: u along it, v across. data: x0, x1, z of the bay. */
static void intrados(const float *data, float u, float v, float point[3])
{
    float s = along_arch(u);
    point[0] = data[0] + v * (data[1] - data[0]);
    point[1] = SPRING + arch_height(s);
    point[2] = data[2] + s * BAY;
}

/* The wall over one bay: both sides, the underside, and the mouldings. */
static void add_arch(struct sculpt *sculpt, float x, float z)
{
    const float inner[2] = {x - PIER, z}, outer[2] = {x + PIER, z};
    const float under[3] = {x - PIER, x + PIER, z};
    const unsigned around = resolution(sculpt, 48, 8);
    add_surface(sculpt, spandrel, inner, around, resolution(sculpt, 8, 1));
    add_surface(sculpt, spandrel, outer, around, resolution(sculpt, 8, 1));
    add_surface(sculpt, intrados, under, around, resolution(sculpt, 6, 1));
    for (int i = 0; i < 2; i++) { /* a moulding along each edge */
        float edge = i == 0 ? x - PIER : x + PIER;
        float side = i == 0 ? -0.06f : 0.06f;
        const float band[3] = {edge, edge + side, z};
        add_surface(sculpt, intrados, band, around, 1);
    }
}

/*
 * Groin vault over the arch of a bay: the higher one of two barrels that
 * cross. Both are evenly divided, so the groins run along diagonals of the
 * grid. data: x0, x1, z of the bay.
 */
static void vault(const float *data, float u, float v, float point[3])
{
    float s = along_arch(u), across = bulge(u), along = bulge(v);
    point[0] = data[0] + s * (data[1] - data[0]);
    point[1] = SPRING + 0.02f + RADIUS * (across > along ? across : along);
    point[2] = data[2] + BAY / 2 + RADIUS * (2 * along_arch(v) - 1);
}

/* The barrel alone, beside an arch. data: x0, x1, z0, z1. */
static void barrel(const float *data, float u, float v, float point[3])
{
    point[0] = data[0] + along_arch(u) * (data[1] - data[0]);
    point[1] = SPRING + 0.02f + RADIUS * bulge(u);
    point[2] = data[2] + v * (data[3] - data[2]);
}

/* A groin vault, with a piece of barrel before and behind it up to the bay's
 * ends. */
static void add_vault(struct sculpt *sculpt, float x0, float x1, float z)
{
    const float margin = BAY / 2 - RADIUS, end = z + BAY;
    const float before[4] = {x0, x1, z, z + margin};
    const float after[4] = {x0, x1, end - margin, end};
    const float middle[3] = {x0, x1, z};
    const unsigned n = resolution(sculpt, 18, 4) * 2;
    add_surface(sculpt, barrel, before, n, 1);
    add_surface(sculpt, vault, middle, n, n);
    add_surface(sculpt, barrel, after, n, 1);
}

/* A rib that crosses the corridor on a pair of columns: an arch's underside
 * and sides. data: z0, z1, radius; u along the arch, v across. */
static void rib(const float *data, float u, float v, float point[3])
{
    float sine, cosine;
    corbel_sincos_turns(u / 2, &sine, &cosine);
    point[0] = -(HALF - PIER + 0.02f) * cosine;
    point[1] = SPRING + data[2] * sine;
    point[2] = data[0] + v * (data[1] - data[0]);
}

/* Two undersides, the inner one narrower and lower. */
static void add_rib(struct sculpt *sculpt, float z)
{
    const unsigned around = resolution(sculpt, 48, 8);
    const float under[3] = {z - 0.16f, z + 0.16f, RADIUS - 0.18f};
    const float lower[3] = {z - 0.22f, z + 0.22f, RADIUS - 0.08f};
    add_surface(sculpt, rib, under, around, resolution(sculpt, 4, 1));
    add_surface(sculpt, rib, lower, around, resolution(sculpt, 4, 1));
}

static float tile_height(unsigned column, unsigned row)
{
    return 0.004f + 0.01f * corbel_random_float(column, row, 0);
}

/* Slabs with gaps between them, each a little higher or lower. */
static void add_floor(struct sculpt *sculpt)
{
    const float x0 = -HALF - 1, width = AISLE - x0;
    const unsigned columns = resolution(sculpt, 15, 6);
    const unsigned rows = resolution(sculpt, 46, 18);
    const float a = width / (float)columns, b = LENGTH / (float)rows;
    for (unsigned j = 0; j < rows; j++)
        for (unsigned i = 0; i < columns; i++) {
            float x = x0 + a * (float)i, z = b * (float)j, gap = 0.006f;
            add_box(sculpt, x + gap, -0.02f, z + gap, x + a - gap,
                    tile_height(i, j), z + b - gap);
        }
}

/* Three steps down to the court on the left. */
static void add_steps(struct sculpt *sculpt)
{
    for (int i = 0; i < 3; i++) {
        float x = -HALF - 1 - 0.35f * (float)i, y = -0.16f * (float)i;
        add_box(sculpt, x - 0.35f, y - 0.3f, 0, x, y - 0.02f, LENGTH);
    }
}

/* What repeats from column to column. */
static void add_bay(struct sculpt *sculpt, float z)
{
    add_arch(sculpt, -HALF, z);
    add_arch(sculpt, HALF, z);
    add_vault(sculpt, -HALF + PIER, HALF - PIER, z);
    add_vault(sculpt, HALF + PIER, AISLE, z);
    add_vase(sculpt, AISLE - 0.75f, z + BAY / 2);
}

/* Roof, walls, and a cornice towards the court. */
static void add_shell(struct sculpt *sculpt)
{
    add_box(sculpt, -HALF - 0.9f, TOP, -0.6f, AISLE + 0.5f, TOP + 0.25f,
            LENGTH + 0.6f);
    add_box(sculpt, -HALF - 0.7f, TOP - 0.14f, -0.4f, -HALF - PIER, TOP,
            LENGTH + 0.4f);
    add_box(sculpt, -HALF - 0.55f, TOP - 0.28f, -0.4f, -HALF - PIER,
            TOP - 0.14f, LENGTH + 0.4f);
    add_box(sculpt, AISLE, -1, 0, AISLE + 0.4f, TOP, LENGTH);
    for (unsigned i = 0; i <= BAYS; i++) {
        float z = BAY * (float)i;
        add_box(sculpt, AISLE - 0.25f, 0, z - 0.4f, AISLE + 0.05f, SPRING,
                z + 0.4f);
    }
}

/* Low hills around the court. data: x0, z0, side. */
static void ground(const float *data, float u, float v, float point[3])
{
    float sine, cosine, rise = (u - 0.5f) * (u - 0.5f);
    corbel_sincos_turns(3 * u + 2 * v, &sine, &cosine);
    rise += (v - 0.5f) * (v - 0.5f);
    rise = rise > 0.09f ? rise - 0.09f : 0;
    point[0] = data[0] + u * data[2];
    point[1] = -0.5f + 14 * rise * (1.2f + 0.5f * sine);
    point[2] = data[1] + v * data[2];
}

/* From the ground up. The order decides the triangles' numbers. */
void sculpt_arcade(struct sculpt *sculpt)
{
    const float court[3] = {-60, LENGTH / 2 - 60, 120};
    const unsigned n = resolution(sculpt, 64, 16);
    add_surface(sculpt, ground, court, n, n);
    add_floor(sculpt);
    add_steps(sculpt);
    for (unsigned i = 0; i <= BAYS; i++) {
        float z = BAY * (float)i;
        add_column(sculpt, -HALF, z);
        add_column(sculpt, HALF, z);
        add_rib(sculpt, z);
    }
    for (unsigned i = 0; i < BAYS; i++)
        add_bay(sculpt, BAY * (float)i);
    add_shell(sculpt);
}

/* A block that stands on the floor, turned about its upright axis. */
static void add_turned_block(struct sculpt *sculpt, float x, float z,
                             float side, float height, float turns)
{
    float sine, cosine;
    corbel_sincos_turns(turns, &sine, &cosine);
    const float a[3] = {side * cosine, 0, side * sine};
    const float b[3] = {-side * sine, 0, side * cosine};
    const float corner[3] = {x - (a[0] + b[0]) / 2, 0, z - (a[2] + b[2]) / 2};
    add_block(sculpt, corner, a, b, (float[]){0, height, 0});
}

/* A room of 2 x 2 x 2 that is open to the front: floor, ceiling, three walls, a
 * lamp and two blocks. */
void sculpt_cornell(struct sculpt *sculpt)
{
    static const float right[3] = {2, 0, 0}, up[3] = {0, 2, 0};
    static const float back[3] = {0, 0, -2};
    add_quad(sculpt, (float[]){-1, 0, 1}, right, back, 1, 1);
    add_quad(sculpt, (float[]){-1, 2, 1}, right, back, 1, 1);
    add_quad(sculpt, (float[]){-1, 0, -1}, right, up, 1, 1);
    add_quad(sculpt, (float[]){-1, 0, 1}, up, back, 1, 1);
    add_quad(sculpt, (float[]){1, 0, 1}, up, back, 1, 1);
    add_quad(sculpt, (float[]){-0.25f, 1.99f, 0.2f}, (float[]){0.5f, 0, 0},
             (float[]){0, 0, -0.4f}, 1, 1);
    add_turned_block(sculpt, -0.35f, -0.3f, 0.6f, 1.2f, 0.047f);
    add_turned_block(sculpt, 0.35f, 0.35f, 0.6f, 0.6f, -0.05f);
}
