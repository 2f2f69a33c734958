/*
 * The forest: four trees of a trunk, branches and leaves, each of them many
 * times. Leaves are squares that are not opaque: a texture of opacity has their
 * shape. Metres, +y is up.
 */
#include "forest.h"

#include "sdk/common/report.h"

#include <corbel/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KINDS 4
#define INSTANCES 1000u
#define SPACING 3.0f /* of trunks */
#define TEXELS 32    /* of the texture's side */
#define BRANCHES 14
#define LEAVES 22 /* of a branch */

/* A number from 0 to 1; the same sequence for the same seed. */
static float draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) * 0x1p-24f;
}

static float between(uint32_t *seed, float low, float high)
{
    return low + (high - low) * draw(seed);
}

/* A tube of `sides` sides between two circles in planes of y; front outside. */
static void add_tube(struct mesh *mesh, const float from[3], float wide,
                     const float to[3], float narrow, uint32_t sides)
{
    const uint32_t first = mesh->vertices;
    for (uint32_t i = 0; i < 2 * sides; i++) {
        const float turn = (float)(i % sides) / (float)sides;
        const float *at = i < sides ? from : to;
        const float radius = i < sides ? wide : narrow;
        float sine, cosine;
        corbel_sincos_turns(turn, &sine, &cosine);
        mesh_add_vertex(mesh, (float[]){at[0] + radius * cosine, at[1],
                                        at[2] - radius * sine});
    }
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t a = first + i, b = first + (i + 1) % sides;
        mesh_add_face(mesh, a, b, b + sides);
        mesh_add_face(mesh, a, b + sides, a + sides);
    }
}

/* A square leaf, anyhow turned. */
static void add_leaf(struct mesh *mesh, const float at[3], float size,
                     uint32_t *seed)
{
    const uint32_t first = mesh->vertices;
    float u[3], v[3], sine, cosine, tilt, rest;
    corbel_sincos_turns(draw(seed), &sine, &cosine);
    corbel_sincos_turns(between(seed, .05f, .2f), &tilt, &rest);
    u[0] = cosine, u[1] = 0, u[2] = sine;
    v[0] = -sine * rest, v[1] = tilt, v[2] = cosine * rest;
    for (int i = 0; i < 4; i++) {
        const float a = i == 1 || i == 2 ? size : -size;
        const float b = i >= 2 ? size : -size;
        float point[3];
        for (int k = 0; k < 3; k++)
            point[k] = at[k] + a * u[k] + b * v[k];
        mesh_add_vertex(mesh, point);
    }
    mesh_add_face(mesh, first, first + 1, first + 2);
    mesh_add_face(mesh, first, first + 2, first + 3);
}

struct branch {
    float from[3], to[3];
};

/* The wood of a tree of that height: its branches are kept for the leaves. */
static void add_wood(struct mesh *mesh, float height, struct branch *branch,
                     uint32_t *seed)
{
    const float foot[3] = {0, 0, 0}, top[3] = {0, height, 0};
    add_tube(mesh, foot, .04f * height, top, .008f * height, 7);
    for (int i = 0; i < BRANCHES; i++) {
        const float up = .3f + .65f * (float)i / BRANCHES;
        const float length = height * (.42f - .36f * up);
        float sine, cosine;
        corbel_sincos_turns(.382f * (float)i + .06f * draw(seed), &sine,
                            &cosine);
        branch[i] = (struct branch){
            {0, up * height, 0},
            {length * cosine, up * height + .35f * length, length * sine}};
        add_tube(mesh, branch[i].from, .012f * height, branch[i].to,
                 .004f * height, 4);
    }
}

static void add_leaves(struct mesh *mesh, float height,
                       const struct branch *branch, uint32_t *seed)
{
    for (int i = 0; i < BRANCHES; i++)
        for (int k = 0; k < LEAVES; k++) {
            const float along = between(seed, .3f, 1.1f);
            float at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = branch[i].from[axis] +
                           along * (branch[i].to[axis] - branch[i].from[axis]) +
                           .05f * height * between(seed, -1, 1);
            add_leaf(mesh, at, .03f * height * between(seed, .7f, 1.3f), seed);
        }
}

/* Opacity of a leaf's square: pointed at two corners, with a cut stalk. */
static void draw_texture(uint8_t texel[TEXELS][TEXELS])
{
    for (int y = 0; y < TEXELS; y++)
        for (int x = 0; x < TEXELS; x++) {
            const float u = ((float)x + .5f) / TEXELS;
            const float v = ((float)y + .5f) / TEXELS;
            const float along = (u + v) / 2, across = fabsf(u - v);
            const float width = 1.7f * along * (1 - along);
            const float in = (width - across) * TEXELS / 2;
            texel[y][x] = (uint8_t)(255 * (in < 0 ? 0 : in > 1 ? 1 : in) + .5f);
        }
}

/* Where the corners of leaves lie on the texture: of two faces, in turn. */
static uint64_t add_corners(struct model *model, uint32_t faces)
{
    static const float corners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}},
                                           {{0, 0}, {1, 1}, {0, 1}}};
    float(*all)[3][2] = allocate(faces, sizeof *all);
    for (uint32_t i = 0; i < faces; i++)
        memcpy(all[i], corners[i % 2], sizeof all[i]);
    const uint64_t at = model_add_extra(model, all, faces * sizeof *all);
    free(all);
    return at;
}

static void add_tree(struct model *model, uint32_t kind, uint64_t texture)
{
    uint32_t seed = 77 * kind + 5;
    const float height = 5 + .8f * (float)kind;
    struct branch branch[BRANCHES];
    model_add_tree(model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(model, CORBEL_GEOMETRY_OPAQUE, 0);
    add_wood(&model->mesh, height, branch, &seed);
    struct corbel_geometry *leaves = model_add_geometry(model, 0, 1);
    const uint32_t first = model->mesh.triangles;
    add_leaves(&model->mesh, height, branch, &seed);
    leaves->texels_offset = texture;
    leaves->width = leaves->height = TEXELS;
    leaves->cutoff = .5f;
    leaves->corners_offset = add_corners(model, model->mesh.triangles - first);
}

/* A square of that half side. */
static void add_ground(struct model *model, float half)
{
    struct mesh *mesh = &model->mesh;
    model_add_tree(model, CORBEL_TREE_TRIANGLES);
    model_add_geometry(model, CORBEL_GEOMETRY_OPAQUE, 0);
    const uint32_t a = mesh_add_vertex(mesh, (float[]){-half, 0, half});
    mesh_add_vertex(mesh, (float[]){half, 0, half});
    mesh_add_vertex(mesh, (float[]){half, 0, -half});
    mesh_add_vertex(mesh, (float[]){-half, 0, -half});
    mesh_add_face(mesh, a, a + 1, a + 2);
    mesh_add_face(mesh, a, a + 2, a + 3);
    model_add_instance(
        model, &(struct model_instance){
                   .transform = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                   .tree = model->trees - 1,
                   .record = 4,
                   .mask = 0xFF});
}

/* Tree number i of a square of `side` in each direction. */
static void add_instance(struct model *model, uint32_t i, uint32_t side)
{
    uint32_t seed = i * 2654435761u + 1;
    const float half = SPACING * (float)side / 2;
    float sine, cosine;
    draw(&seed);
    corbel_sincos_turns(draw(&seed), &sine, &cosine);
    const float scale = between(&seed, .7f, 1.3f);
    const float x = SPACING * ((float)(i % side) + .7f * draw(&seed)) - half;
    const float z = SPACING * ((float)(i / side) + .7f * draw(&seed)) - half;
    const uint32_t kind = (uint32_t)(draw(&seed) * KINDS) % KINDS;
    model_add_instance(model,
                       &(struct model_instance){
                           .transform = {{scale * cosine, 0, scale * sine, x},
                                         {0, scale, 0, 0},
                                         {-scale * sine, 0, scale * cosine, z}},
                           .tree = 1 + kind,
                           .custom = i,
                           .mask = 0xFF});
}

void forest_make(unsigned instances, struct model *model)
{
    uint8_t texel[TEXELS][TEXELS];
    const uint32_t trees = (instances > 0 ? instances : INSTANCES) - 1;
    const uint32_t side = (uint32_t)ceilf(sqrtf((float)(trees + 1)));
    const float half = SPACING * (float)side / 2;
    model_begin(model, CORBEL_TREE_INSTANCES);
    draw_texture(texel);
    const uint64_t texture = model_add_extra(model, texel, sizeof texel);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        add_tree(model, kind, texture);
    add_ground(model, 1.5f * half + 20);
    for (uint32_t i = 0; i < trees; i++)
        add_instance(model, i, side);
    model->mesh.camera = (struct camera){
        .eye = {.1f * half, 9, half + 14}, .look = {0, 2, 0}, .fov = 50};
}
