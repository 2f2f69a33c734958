/* The model of lambert.s: matt surfaces in the light of a sun. */
#include "model.h"

struct vec pixel(const struct scene *s, uint32_t pixel)
{
    struct hit hit = trace(s, camera_ray(s, pixel));

    return hit.shader ? shade(s, &hit) : s->constants->sky;
}
