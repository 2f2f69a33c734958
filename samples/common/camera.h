/*
 * A pinhole camera. The ray through the pixel in column i and row j (j = 0 is
 * the bottom row) of a picture of width x height pixels starts at the eye and
 * has the direction
 *
 *   normalize(h u x + h v y - z),  h = 2 tan(fov / 2)
 *   u = ((i + 0.5) / width - 0.5) width / height,  v = (j + 0.5) / height - 0.5
 *
 * with z = -normalize(look - eye), x = normalize(up cross z), y = z cross x,
 * up = (0, 1, 0), or (0, 0, -1) for a camera that looks straight up or down.
 *
 * The frame is set up once in double precision, by operations that IEEE 754
 * rounds correctly; kernels compute rays in binary32.
 */
#ifndef SAMPLES_CAMERA_H
#define SAMPLES_CAMERA_H

#include <corbel/types.h>
#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct camera {
    float eye[3];
    float forward[3]; /* -z */
    float right[3];   /* h x width / height */
    float up[3];      /* h y */
    float du, dv;     /* 1 / width, 1 / height */
};

/* False: eye and look are the same point. fov in degrees. */
bool camera_init(struct camera *camera, const double eye[3],
                 const double look[3], double fov, unsigned width,
                 unsigned height);

/* The ray through the point (x, y) of the picture, in pixels from below left.
 */
static inline void camera_ray(const struct camera *camera, float x, float y,
                              struct corbel_ray *ray)
{
    float u = x * camera->du - 0.5f;
    float v = y * camera->dv - 0.5f;
    float d[3], square = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = u * camera->right[i] + v * camera->up[i] + camera->forward[i];
        square = square + d[i] * d[i];
    }
    float length = sqrtf(square);
    for (int i = 0; i < 3; i++) {
        ray->o[i] = camera->eye[i];
        ray->d[i] = d[i] / length; /* the reciprocal would round twice */
    }
    ray->tmin = 0;
    ray->tmax = INFINITY;
}

#ifdef __cplusplus
}
#endif
#endif
