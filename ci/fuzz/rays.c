/* Buffers of rays whose hash is right. */
#include "ci/fuzz/fuzz.h"
#include <corbel/rays.h>
#include <stdlib.h>
#include <string.h>

/* All rays of a buffer that was taken can be read, and those that are dead are
 * as many as its header says. */
static void read_all(const struct corbel_rays *rays)
{
    uint32_t dead = 0;
    for (uint32_t i = 0; i < rays->count; i++)
        dead += corbel_ray_is_dead(&corbel_rays_first(rays)[i]);
    if (dead != rays->dead)
        abort();
}

/* The hash is that of the bytes that there are, whatever the header says. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *why = NULL;
    const size_t skip = offsetof(struct corbel_rays, version);
    struct corbel_rays *rays = malloc(size + 1);
    if (!rays)
        return 0;
    memcpy(rays, data, size);
    if (size >= sizeof *rays)
        rays->hash = corbel_hash((const char *)rays + skip, size - skip, 0);
    if (corbel_rays_check(rays, size, &why))
        read_all(rays);
    else if (!why)
        abort();
    free(rays);
    return 0;
}
