/* Sets up the camera's frame; see camera.h for the convention. */
#include "camera.h"

#include <string.h>

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(double v[3])
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
static double tangent(double x)
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

bool camera_init(struct camera *camera, const double eye[3],
                 const double look[3], double fov, unsigned width,
                 unsigned height)
{
    const double degree = 3.14159265358979323846 / 180;
    const double h = 2 * tangent(fov / 2 * degree);
    double x[3], y[3], z[3], up[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++)
        z[i] = eye[i] - look[i];
    if (!normalize(z))
        return false;
    cross(up, z, x);
    if (!normalize(x)) {
        memcpy(up, (double[3]){0, 0, -1}, sizeof up);
        cross(up, z, x);
        normalize(x);
    }
    cross(z, x, y);
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
