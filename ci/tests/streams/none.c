/*
 * Kernels that use ray streams for no ray at all, one after the other, and one
 * that sends a dead ray only.
 *
 *   none SCENE.scene dual-streaming|dual-streaming-rt|strata|strata-rt
 *
 * Exit status: 0 all have ended and said so, 1 not, 2 bad usage.
 */
#include <corbel/corbel.h>

#include <stdio.h>
#include <string.h>

static struct corbel_hit record __attribute__((aligned(64)));
static const struct corbel_ray dead = {{0, 0, 0}, 0, {0, 0, 1}, -1};
static uint32_t wrong;

static void count_wrong(bool is_wrong)
{
    if (is_wrong)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

/* arg: NULL, or a dead ray is sent. */
static void copied_software(void *arg)
{
    struct corbel_item item = {dead, 0, 0};
    if (corbel_next() == 0) {
        corbel_stream_roots(arg != NULL, NULL);
        if (arg)
            corbel_stream_push(&item);
    }
    count_wrong(corbel_stream_pop(&item));
}

static void copied_rtcores(void *arg)
{
    const struct corbel_item item = {dead, 0, 0};
    struct corbel_hit hit;
    if (corbel_next() == 0) {
        corbel_stream_roots(arg != NULL, &record);
        if (arg)
            corbel_stream_push(&item);
    }
    corbel_hit_load(&record, &hit);
    count_wrong(hit.index != CORBEL_MISS);
}

/* A dead ray: harts send it as a finished one, RT cores find that out. */
static void send_dead(uint32_t state)
{
    struct corbel_stored_ray ray = {.ray = dead,
                                    .hit = {-1, 0, 0, CORBEL_MISS},
                                    .word = corbel_ray_word(0, state)};
    struct corbel_ray_end end;
    corbel_ray_store(&ray);
    corbel_ray_finished(true, &end);
    count_wrong(end.id != 0 || end.hit.index != CORBEL_MISS);
}

static void moving_rtcores(void *arg)
{
    if (arg && corbel_next() == 0)
        send_dead(CORBEL_RAY_DOWN);
}

static void moving_software(void *arg)
{
    struct corbel_stored_ray ray;
    if (arg && corbel_next() == 0)
        send_dead(CORBEL_RAY_OVER);
    corbel_ray_close();
    count_wrong(corbel_ray_load(&ray));
}

int main(int argc, char **argv)
{
    static const struct way {
        const char *name;
        void (*kernel)(void *arg);
    } ways[] = {{"dual-streaming", copied_software},
                {"dual-streaming-rt", copied_rtcores},
                {"strata", moving_software},
                {"strata-rt", moving_rtcores}};
    const struct way *way = ways;
    if (argc != 3 || !corbel_scene_open(argv[1]))
        return 2;
    while (strcmp(way->name, argv[2]))
        if (++way == ways + sizeof ways / sizeof *ways)
            return 2;
    record = (struct corbel_hit){-1, 0, 0, CORBEL_MISS};
    for (int i = 0; i < 6; i++)
        corbel_launch(way->kernel, i % 3 ? NULL : &record);
    return wrong > 0;
}
