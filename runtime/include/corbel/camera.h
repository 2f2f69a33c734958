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
#ifndef CORBEL_CAMERA_H
#define CORBEL_CAMERA_H

#include <corbel/types.h>
#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_camera {
    float eye[3];
    float forward[3]; /* -z */
    float right[3];   /* h x width / height */
    float up[3];      /* h y */
    float du, dv;     /* 1 / width, 1 / height */
};

static inline void corbel_camera_cross(const double a[3], const double b[3],
                                       double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline bool corbel_camera_normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

/*
 * tan for 0 < x < pi/2 as the quotient of the Taylor series: C libraries
 * differ in the last bits of theirs.
 */
static inline double corbel_camera_tangent(double x)
{
    double sine = 0, cosine = 0, term = 1;
    for (int n = 1; n < 32; n += 2) {
        cosine += term;
        term *= x / n;
        sine += term;
        term *= -x / (n + 1);
    }
    return sine / cosine;
}

/* False: eye and look are the same point. fov in degrees. */
static inline bool corbel_camera_init(struct corbel_camera *camera,
                                      const double eye[3], const double look[3],
                                      double fov, unsigned width,
                                      unsigned height)
{
    const double degree = 3.14159265358979323846 / 180;
    const double h = 2 * corbel_camera_tangent(fov / 2 * degree);
    double x[3], y[3], z[3], up[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++)
        z[i] = eye[i] - look[i];
    if (!corbel_camera_normalize(z))
        return false;
    corbel_camera_cross(up, z, x);
    if (!corbel_camera_normalize(x)) {
        up[1] = 0;
        up[2] = -1;
        corbel_camera_cross(up, z, x);
        corbel_camera_normalize(x);
    }
    corbel_camera_cross(z, x, y);
    for (int i = 0; i < 3; i++) {
        camera->eye[i] = (float)eye[i];
        camera->forward[i] = (float)-z[i];
        camera->right[i] = (float)(h * x[i] * width / height);
        camera->up[i] = (float)(h * y[i]);
    }
    camera->du = 1.0f / (float)width;
    camera->dv = 1.0f / (float)height;
    return true;
}

/* The ray through the point (x, y) of the picture, in pixels from below left.
 */
static inline void corbel_camera_ray(const struct corbel_camera *camera,
                                     float x, float y, struct corbel_ray *ray)
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
