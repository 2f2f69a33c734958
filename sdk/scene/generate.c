/*
 * The procedural scenes by name. Layers are for measurements: how many nodes
 * and triangles a ray along z meets is known. And the arcade's search for its
 * detail: the finest whose triangles are not more than wanted. The rest is
 * filled up by splitting triangles of the ground, which changes no surface.
 */
#include "generate.h"

#include "sculpt.h"
#include "sdk/common/report.h"

#include <string.h>

#define ARCADE_TRIANGLES 262144u
#define LAYERS 512u
#define LAYERS_MOST 1024u /* more would need the padding of boxes apart */

/* Triangles of an arcade of this detail, without making them. */
static uint32_t arcade_count(float detail)
{
    struct mesh mesh = {0};
    struct sculpt count = {.mesh = &mesh, .detail = detail, .counting = true};
    sculpt_arcade(&count);
    return count.triangles;
}

/* Detail in steps of 2^-12: counts grow with it, but not at every step. */
static float arcade_detail(uint32_t wanted)
{
    const uint32_t least = arcade_count(0);
    if (wanted < least)
        fail(STATUS_USAGE, "--triangles: %u, an arcade has at least %u", wanted,
             least);
    uint32_t low = 0, high = 1u << 20;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (arcade_count((float)middle * 0x1p-12f) <= wanted)
            low = middle;
        else
            high = middle;
    }
    return (float)low * 0x1p-12f;
}

/* Two more triangles: triangle becomes three around its centre. */
static void split_at_centre(struct mesh *mesh, uint32_t triangle)
{
    uint32_t face[3];
    float centre[3];
    memcpy(face, mesh->face[triangle], sizeof face);
    for (int axis = 0; axis < 3; axis++)
        centre[axis] =
            (mesh->vertex[face[0]][axis] + mesh->vertex[face[1]][axis] +
             mesh->vertex[face[2]][axis]) /
            3;
    uint32_t middle = mesh_add_vertex(mesh, centre);
    mesh->face[triangle][2] = middle;
    mesh_add_face(mesh, face[1], face[2], middle);
    mesh_add_face(mesh, face[2], face[0], middle);
}

/* One more triangle: halves the edge from corner 0 to corner 1. */
static void split_edge(struct mesh *mesh, uint32_t triangle)
{
    uint32_t face[3];
    float half[3];
    memcpy(face, mesh->face[triangle], sizeof face);
    for (int axis = 0; axis < 3; axis++)
        half[axis] =
            (mesh->vertex[face[0]][axis] + mesh->vertex[face[1]][axis]) / 2;
    uint32_t middle = mesh_add_vertex(mesh, half);
    mesh->face[triangle][1] = middle;
    mesh_add_face(mesh, middle, face[1], face[2]);
}

/* An arcade of exactly `triangles` triangles; 0: the usual number. */
static void generate_arcade(unsigned triangles, struct mesh *mesh)
{
    const uint32_t wanted = triangles > 0 ? triangles : ARCADE_TRIANGLES;
    struct sculpt sculpt = {.mesh = mesh, .detail = arcade_detail(wanted)};
    sculpt_arcade(&sculpt);
    /* Triangle 0 is of the ground, its first edge on the ground's border. */
    if ((wanted - mesh->triangles) % 2 == 1)
        split_edge(mesh, 0);
    for (uint32_t i = 0; mesh->triangles < wanted; i++)
        split_at_centre(mesh, i);
    mesh->camera = (struct camera){
        .eye = {-1.3f, 1.7f, 1.2f}, .look = {0.7f, 2.35f, 14}, .fov = 68};
}

/* The box has one number of triangles; another one asked for is an error. */
static void generate_cornell(unsigned triangles, struct mesh *mesh)
{
    struct sculpt sculpt = {.mesh = mesh};
    sculpt_cornell(&sculpt);
    if (triangles != 0 && triangles != mesh->triangles)
        fail(STATUS_USAGE, "--triangles: %u, cornell has %u", triangles,
             mesh->triangles);
    mesh->camera =
        (struct camera){.eye = {0, 1, 3.4f}, .look = {0, 1, 0}, .fov = 45};
}

/*
 * Layer i is one triangle: half of the square from (0, 0) to (1, 1), the half
 * with x + y < 1. A ray along z through the other half passes all boxes and
 * hits nothing. Layers lie at the sums of 3^b for the bits b of i, so that
 * halves of halves lie apart and a builder splits 2^k layers evenly.
 */
static float layer_height(uint32_t i)
{
    float z = 0;
    for (float step = 1; i > 0; i /= 2, step *= 3)
        z += i % 2 ? step : 0;
    return z;
}

/* The triangles lie one above the other along z. */
static void generate_layers(unsigned triangles, struct mesh *mesh)
{
    const uint32_t layers = triangles > 0 ? triangles : LAYERS;
    if (layers > LAYERS_MOST)
        fail(STATUS_USAGE, "--triangles: %u, layers are at most %u", layers,
             LAYERS_MOST);
    for (uint32_t i = 0; i < layers; i++) {
        const float z = layer_height(i);
        uint32_t a = mesh_add_vertex(mesh, (float[]){0, 0, z});
        uint32_t b = mesh_add_vertex(mesh, (float[]){1, 0, z});
        uint32_t c = mesh_add_vertex(mesh, (float[]){0, 1, z});
        mesh_add_face(mesh, a, b, c);
    }
    mesh->camera = (struct camera){
        .eye = {0.5f, 0.5f, -2}, .look = {0.5f, 0.5f, 0}, .fov = 45};
}

void generate_mesh(const char *name, unsigned triangles, struct mesh *mesh)
{
    if (strcmp(name, "arcade") == 0)
        generate_arcade(triangles, mesh);
    else if (strcmp(name, "cornell") == 0)
        generate_cornell(triangles, mesh);
    else if (strcmp(name, "layers") == 0)
        generate_layers(triangles, mesh);
    else
        fail(STATUS_USAGE,
             "generate: '%s', expected arcade, cornell, layers or forest",
             name);
}
