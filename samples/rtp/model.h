/* What the models of the samples are made of: the processor's float operations
 * in the processor's order, and the scene of a linked program. A model is its
 * function pixel(); main() is in model.c. */
#ifndef SAMPLES_RTP_MODEL_H
#define SAMPLES_RTP_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct vec {
    float lane[4];
};

/* The constants in scene.s. */
struct constants {
    uint32_t width, height;
    float spread, slope;
    struct vec eye, light;
    float ambient, above, half, one;
    struct vec sky;
};

struct scene {
    const struct constants *constants;
    const unsigned char *triangles; /* records of 16 bytes */
};

struct ray {
    struct vec origin, direction;
};

/* A shader word of 0: nothing was hit. */
struct hit {
    uint32_t shader;
    struct vec point, normal;
};

struct hit trace(const struct scene *, struct ray);

/* The four constants at an address. */
struct vec load(const struct scene *, uint32_t address);

/* The camera ray of a pixel. */
struct ray camera_ray(const struct scene *, uint32_t pixel);

/* The program's subroutines of these names. */
struct vec unit(struct vec);
struct vec shade(const struct scene *, const struct hit *);

/* What the model is: the colour of a pixel; lane 3 is not looked at. */
struct vec pixel(const struct scene *, uint32_t pixel);

static inline struct vec add(struct vec a, struct vec b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] + b.lane[i];
    return a;
}

static inline struct vec sub(struct vec a, struct vec b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] - b.lane[i];
    return a;
}

static inline struct vec scale(struct vec a, float b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] * b;
    return a;
}

/* v_reduce of vv_mul_ele. */
static inline float product(struct vec a, struct vec b)
{
    return (a.lane[0] * b.lane[0] + a.lane[1] * b.lane[1]) +
           (a.lane[2] * b.lane[2] + a.lane[3] * b.lane[3]);
}

#endif
