/* main() of the models: NAME-model PROGRAM PICTURE reads the scene from the
 * segments of the linked program and writes four floats for each pixel, the
 * first row first, as sim-run's raw file has them. */
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { constants_at = 0x20000000, triangles_at = 0x40000000, most = 1 << 16 };

static unsigned char constants[most], triangles[most];

static _Noreturn void fail(const char *path, const char *what)
{
    fprintf(stderr, "model: %s: %s\n", path, what);
    exit(1);
}

static uint32_t word(const unsigned char *at)
{
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

static float number(const unsigned char *at)
{
    uint32_t bits = word(at);
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Copies the segment at an address out of an ELF file. */
static void load_segment(const char *path, const unsigned char *file, long size,
                         uint32_t address, unsigned char *to)
{
    for (int i = 0; i < file[44]; i++) {
        const unsigned char *header = file + word(file + 28) + 32 * i;
        uint32_t offset = word(header + 4), bytes = word(header + 16);
        if (word(header) != 1 || word(header + 8) != address)
            continue;
        if (bytes > most || offset > size || bytes > size - offset)
            fail(path, "a segment outside the file");
        memcpy(to, file + offset, bytes);
        return;
    }
    fail(path, "no segment of constants or triangles");
}

static void read_program(const char *path)
{
    static unsigned char file[1 << 20];
    FILE *f = fopen(path, "rb");
    long size = f ? (long)fread(file, 1, sizeof file, f) : 0;

    if (size < 52 || memcmp(file, "\177ELF\1\1", 6) != 0 ||
        word(file + 28) > size - 32 * file[44])
        fail(path, "expected a linked program of rtp");
    fclose(f);
    load_segment(path, file, size, constants_at, constants);
    load_segment(path, file, size, triangles_at, triangles);
}

/* ---- what trace does ---- */

static struct vec cross(struct vec p, struct vec q)
{
    const float *a = p.lane, *b = q.lane;

    return (struct vec){{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0], 0}};
}

static float dot(struct vec p, struct vec q)
{
    return (p.lane[0] * q.lane[0] + p.lane[1] * q.lane[1]) +
           p.lane[2] * q.lane[2];
}

static struct vec xyz(struct vec v)
{
    v.lane[3] = 0;
    return v;
}

static struct vec vertex(const unsigned char *vertices, uint32_t index)
{
    const unsigned char *at = vertices + 16 * index;

    return (struct vec){{number(at), number(at + 4), number(at + 8), 0}};
}

/* The distance in directions, if the triangle is hit from its front. */
static bool intersect(const struct vec v[3], struct ray r, float *t,
                      struct hit *hit)
{
    struct vec e1 = sub(v[1], v[0]), e2 = sub(v[2], v[0]);
    struct vec s = sub(r.origin, v[0]);
    struct vec p = cross(r.direction, e2), q = cross(s, e1);
    float det = dot(e1, p), inv = 1 / det;
    float u = dot(s, p) * inv, w = dot(r.direction, q) * inv;

    *t = dot(e2, q) * inv;
    if (u < 0 || w < 0 || det < 1e-8f || u > 1 || u + w > 1)
        return false;
    hit->point = add(scale(r.direction, *t), r.origin);
    hit->normal = cross(e1, e2);
    return true;
}

struct hit trace(const struct scene *s, struct ray r)
{
    const unsigned char *vertices = s->triangles;
    struct hit best = {0};
    float nearest = INFINITY;

    r.origin = xyz(r.origin);
    r.direction = xyz(r.direction);
    while (word(vertices + 12) != 0)
        vertices += 16;
    vertices += 16;
    for (const unsigned char *at = s->triangles; word(at + 12); at += 16) {
        const struct vec v[] = {vertex(vertices, word(at)),
                                vertex(vertices, word(at + 4)),
                                vertex(vertices, word(at + 8))};
        struct hit hit = {.shader = word(at + 12)};
        float t;
        if (intersect(v, r, &t, &hit) && t > 0 && t < nearest) {
            nearest = t;
            best = hit;
        }
    }
    return best;
}

/* ---- subroutines ---- */

struct vec load(const struct scene *s, uint32_t address)
{
    const unsigned char *at = (const unsigned char *)s->constants;
    struct vec v;

    memcpy(&v, at + (address - constants_at), sizeof v);
    return v;
}

struct ray camera_ray(const struct scene *s, uint32_t pixel)
{
    const struct constants *c = s->constants;
    int32_t row = pixel / c->width, column = pixel % c->width;
    float x = (float)(2 * column + 1 - (int32_t)c->width);
    float y = (float)((int32_t)c->height - (2 * row + 1));
    float height = (float)c->height;

    return (struct ray){c->eye,
                        {{x * c->spread / height,
                          y * c->spread / height - c->slope, c->one, 0}}};
}

struct vec unit(struct vec v)
{
    float length = sqrtf(product(v, v));

    for (int i = 0; i < 4; i++)
        v.lane[i] = v.lane[i] / length;
    return v;
}

struct vec shade(const struct scene *s, const struct hit *hit)
{
    const struct constants *c = s->constants;
    struct vec normal = unit(hit->normal);
    float cosine = product(normal, c->light);

    if (cosine > 0) {
        struct vec from = add(hit->point, scale(normal, c->above));
        if (trace(s, (struct ray){from, c->light}).shader != 0)
            cosine = 0;
    } else {
        cosine = 0;
    }
    return scale(load(s, hit->shader), cosine + c->ambient);
}

int main(int argc, char **argv)
{
    struct scene scene = {(const struct constants *)constants, triangles};

    if (argc != 3) {
        fprintf(stderr, "usage: %s PROGRAM PICTURE\n", argv[0]);
        return 2;
    }
    read_program(argv[1]);
    FILE *f = fopen(argv[2], "wb");
    if (!f)
        fail(argv[2], "cannot be written");
    uint32_t pixels = scene.constants->width * scene.constants->height;
    for (uint32_t i = 0; i < pixels; i++) {
        struct vec colour = pixel(&scene, i);
        colour.lane[3] = scene.constants->one;
        fwrite(&colour, sizeof colour, 1, f);
    }
    if (fclose(f) != 0)
        fail(argv[2], "cannot be written");
    return 0;
}
