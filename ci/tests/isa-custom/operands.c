#include "operands.h"
#include <corbel/intersect.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- rays ---- */

/* tmin and tmax: empty, reversed, one point, NaN at either end. */
static void draw_range(struct stream *s, struct corbel_ray *ray)
{
    static const uint32_t ranges[][2] = {
        {0x00000000, 0x7f800000}, {0x00000000, 0x7f800000},
        {0x00000000, 0x7f7fffff}, {0x00000000, 0x3f800000},
        {0x00000000, 0x40000000}, {0x3f800000, 0x3f800000},
        {0x3f800001, 0x7f800000}, {0x80000000, 0x3f7fffff},
        {0x40000000, 0x3f800000}, {0xff800000, 0x7f800000},
        {0xc0000000, 0x00000000}, {0xff800000, 0xff800000},
        {0x7fc00000, 0x7f800000}, {0x00000000, 0x7fa00000},
    };
    enum { COUNT = sizeof ranges / sizeof ranges[0] };
    uint32_t n = draw_below(s, 2 * COUNT + 4);
    n = n < COUNT + 4 ? n : 0;
    if (n < COUNT) {
        ray->tmin = float_of(ranges[n][0]);
        ray->tmax = float_of(ranges[n][1]);
        return;
    }
    enum kind kind = draw_kind(s);
    ray->tmin = draw_float(s, kind);
    ray->tmax = draw_float(s, kind);
}

/* A direction, often parallel to planes of the axes or to an axis. */
static void draw_direction(struct stream *s, enum kind kind, float d[3])
{
    draw_floats(s, kind, d, 3);
    uint32_t zeros = draw(s);
    for (int i = 0; i < 3; i++, zeros >>= 3)
        if ((zeros & 3) == 0)
            d[i] = zeros & 4 ? -0.0f : 0.0f;
}

/* A ray in this direction that is at p for t = 0, 1/2, 1, 2 or 1024. */
static void aim(struct stream *s, struct corbel_ray *ray, const float p[3])
{
    static const float distances[] = {0, 0.5f, 1, 1, 1, 2, 2, 1024};
    float t = distances[draw_below(s, 8)];
    for (int i = 0; i < 3; i++)
        ray->o[i] = t > 0 ? canonical(p[i] - t * ray->d[i]) : p[i];
}

static void draw_ray(struct stream *s, enum kind kind, const float p[3],
                     struct corbel_ray *ray)
{
    draw_direction(s, kind, ray->d);
    draw_floats(s, kind, ray->o, 3);
    draw_range(s, ray);
    if (draw_below(s, 8))
        aim(s, ray, p);
}

/* ---- boxes ---- */

static void order(float *min, float *max)
{
    if (*min > *max) {
        float f = *min;
        *min = *max;
        *max = f;
    }
}

/* Flat, turned inside out or without end in an axis now and then. */
static void draw_box(struct stream *s, enum kind kind, struct corbel_box *box)
{
    draw_floats(s, kind, box->min, 3);
    draw_floats(s, kind, box->max, 3);
    for (int i = 0; i < 3; i++) {
        uint32_t n = draw_below(s, 12);
        if (n)
            order(&box->min[i], &box->max[i]);
        if (n == 1 || n == 2)
            box->max[i] = box->min[i];
        if (n == 3)
            box->min[i] = -__builtin_inff();
        if (n == 4)
            box->max[i] = __builtin_inff();
    }
}

/* A corner, a point of an edge or of a face, the middle. */
static void point_of_box(struct stream *s, const struct corbel_box *box,
                         float p[3])
{
    for (int i = 0; i < 3; i++) {
        uint32_t n = draw_below(s, 4);
        p[i] = n == 0   ? box->min[i]
               : n == 1 ? box->max[i]
                        : canonical((box->min[i] + box->max[i]) * 0.5f);
    }
}

/* As programs make it, or each component for itself, 1 / 0 included. */
static void invert(struct stream *s, struct corbel_ray *ray)
{
    struct corbel_ray inverse;
    if (draw_below(s, 4) && corbel_ray_invert(ray, &inverse)) {
        *ray = inverse;
        return;
    }
    for (int i = 0; i < 3; i++)
        ray->d[i] = canonical(1 / ray->d[i]);
}

static void make_box(struct operands *o, struct stream *s)
{
    enum kind kind = draw_kind(s);
    float p[3];
    draw_box(s, kind, &o->box);
    point_of_box(s, &o->box, p);
    draw_ray(s, kind, p, &o->ray);
    invert(s, &o->ray);
    if (draw_below(s, 4) == 0)
        spoil(s, (float *)&o->ray, 8);
    if (draw_below(s, 8) == 0)
        spoil(s, (float *)&o->box, 6);
}

/* ---- triangles ---- */

/* v[2] on the line through the others, equal to one, all equal; or flat. */
static void degenerate(struct stream *s, struct corbel_triangle *t)
{
    uint32_t n = draw_below(s, 12);
    for (int i = 0; i < 3; i++) {
        if (n == 0)
            t->v[2][i] = canonical(2 * t->v[1][i] - t->v[0][i]);
        if (n == 1 || n == 2)
            t->v[2][i] = t->v[0][i];
        if (n == 2)
            t->v[1][i] = t->v[0][i];
    }
    if (n >= 3 && n < 6)
        t->v[0][n - 3] = t->v[1][n - 3] = t->v[2][n - 3];
}

/* A vertex, a point of an edge or within. */
static void point_of_triangle(struct stream *s, const struct corbel_triangle *t,
                              float p[3])
{
    static const float weights[][3] = {
        {1, 0, 0},       {0, 1, 0},       {0, 0, 1},  {0.5f, 0.5f, 0},
        {0, 0.5f, 0.5f}, {0.5f, 0, 0.5f}, {2, -1, 0}, /* beyond an edge */
    };
    enum { COUNT = sizeof weights / sizeof weights[0] };
    uint32_t n = draw_below(s, 2 * COUNT);
    float w[3];
    if (n < COUNT) {
        memcpy(w, weights[n], sizeof w);
    } else {
        w[0] = (float)draw_below(s, 256) / 256;
        w[1] = (1 - w[0]) * (float)draw_below(s, 256) / 256;
        w[2] = 1 - w[0] - w[1];
    }
    for (int i = 0; i < 3; i++)
        p[i] = canonical(t->v[0][i] * w[0] + t->v[1][i] * w[1] +
                         t->v[2][i] * w[2]);
}

static uint32_t draw_index(struct stream *s)
{
    uint32_t n = draw_below(s, 8);
    return n < 5    ? n
           : n == 5 ? CORBEL_MISS
           : n == 6 ? CORBEL_MISS - 1
                    : draw(s);
}

/* None yet, or one that may be as far away: aim()'s rays hit at such t. */
static void draw_hit(struct stream *s, const struct corbel_ray *ray,
                     struct corbel_hit *hit)
{
    static const float ties[] = {0, -0.0f, 0.5f, 1, 1, 1, 2, 2};
    *hit = (struct corbel_hit){.t = ray->tmax, .index = CORBEL_MISS};
    uint32_t n = draw_below(s, 8);
    if (n < 4)
        return;
    hit->t = n < 7 ? ties[draw_below(s, 8)] : draw_float(s, draw_kind(s));
    hit->b1 = draw_float(s, draw_kind(s));
    hit->b2 = draw_float(s, draw_kind(s));
    hit->index = draw_index(s);
}

static void make_triangle(struct operands *o, struct stream *s)
{
    enum kind kind = draw_kind(s);
    float p[3];
    draw_floats(s, kind, &o->triangle.v[0][0], 9);
    degenerate(s, &o->triangle);
    point_of_triangle(s, &o->triangle, p);
    draw_ray(s, kind, p, &o->ray);
    o->index = draw_index(s);
    if (draw_below(s, 6) == 0)
        spoil(s, (float *)&o->ray, 8);
    if (draw_below(s, 8) == 0)
        spoil(s, &o->triangle.v[0][0], 9);
    draw_hit(s, &o->ray, &o->hit);
}

/* ---- rays through a scene ---- */

static void point_of_scene(struct stream *s, const struct corbel_scene *scene,
                           float p[3])
{
    struct corbel_triangle t;
    corbel_scene_triangle(scene, draw_below(s, scene->triangles), &t);
    point_of_triangle(s, &t, p);
}

/* Towards p: from another point of the scene, from anywhere, from afar. */
static void look_at(struct stream *s, const struct corbel_scene *scene,
                    const float p[3], struct corbel_ray *ray)
{
    static const float scales[] = {1,        1,       1, 0.5f,
                                   0x1p-70f, 0x1p50f, 3, 0x1p-9f};
    uint32_t from = draw_below(s, 4);
    if (from == 0)
        point_of_scene(s, scene, ray->o);
    else
        draw_floats(s, from == 1 ? WILD : TAME, ray->o, 3);
    float scale = scales[draw_below(s, 8)];
    for (int i = 0; i < 3; i++)
        ray->d[i] = canonical((p[i] - ray->o[i]) * scale);
}

static void make_trace(struct operands *o, struct stream *s,
                       const struct corbel_scene *scene)
{
    float p[3];
    point_of_scene(s, scene, p);
    draw_ray(s, draw_kind(s), p, &o->ray);
    if (draw(s) & 1)
        look_at(s, scene, p, &o->ray);
    if (draw_below(s, 6) == 0)
        spoil(s, (float *)&o->ray, 8);
    o->flags = draw(s) & 1 ? CORBEL_ANY : CORBEL_CLOSEST;
}

/* ---- by shape ---- */

static uint64_t draw_integer(struct stream *s)
{
    static const uint64_t some[] = {
        0,         1,          UINT64_MAX,         INT64_MAX, UINT64_C(1) << 63,
        INT32_MAX, UINT32_MAX, 0xffffffff80000000u};
    uint32_t n = draw_below(s, 16);
    uint64_t bits = (uint64_t)draw(s) << 32;
    bits |= draw(s);
    return n < 8 ? some[n] : n < 12 ? bits >> draw_below(s, 64) : bits;
}

void operands_make(struct operands *o, enum shape shape, struct stream s,
                   const struct corbel_scene *scene)
{
    memset(o, 0, sizeof *o);
    switch (shape) {
    case SHAPE_NEXT:
        break;
    case SHAPE_X_XX:
        o->x[0] = draw_integer(&s);
        o->x[1] = draw_integer(&s);
        break;
    case SHAPE_F_FF:
    case SHAPE_F_FFF:
        draw_floats(&s, draw_kind(&s), o->f, 3);
        if (draw(&s) & 1)
            spoil(&s, o->f, 3);
        break;
    case SHAPE_BOX:
        make_box(o, &s);
        break;
    case SHAPE_TRI:
        make_triangle(o, &s);
        break;
    case SHAPE_TRACE:
        make_trace(o, &s, scene);
        break;
    }
}

unsigned result_words(enum shape shape)
{
    switch (shape) {
    case SHAPE_X_XX:
        return 2;
    case SHAPE_TRI:
        return 5;
    case SHAPE_TRACE:
        return 4;
    default:
        return 1;
    }
}

static void print_words(const char *name, const void *words, size_t bytes)
{
    const unsigned char *from = words;
    printf(" %s", name);
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, from + i, 4);
        printf(" %08" PRIx32, word);
    }
}

void operands_print(const struct operands *o, enum shape shape)
{
    printf("  operands");
    if (shape == SHAPE_X_XX)
        printf(" %016" PRIx64 " %016" PRIx64, o->x[0], o->x[1]);
    if (shape == SHAPE_F_FF || shape == SHAPE_F_FFF)
        print_words("f", o->f, shape == SHAPE_F_FF ? 8 : 12);
    if (shape == SHAPE_BOX || shape == SHAPE_TRI || shape == SHAPE_TRACE)
        print_words("ray", &o->ray, sizeof o->ray);
    if (shape == SHAPE_BOX)
        print_words("box", &o->box, sizeof o->box);
    if (shape == SHAPE_TRI) {
        print_words("triangle", &o->triangle, sizeof o->triangle);
        print_words("index", &o->index, 4);
        print_words("hit", &o->hit, sizeof o->hit);
    }
    if (shape == SHAPE_TRACE)
        print_words("flags", &o->flags, 4);
    printf("\n");
}
