/*
 * Rays for measuring RT cores: each hart sends one and the same ray, from its
 * registers, again and again, so that nothing but the RT core uses the caches,
 * and what each ray needs is known beforehand.
 *
 *   rtbench LAYERS.scene --rays gap|one|hit|all [--count N] [--harts N]
 *   rtbench LAYERS.scene --rays gap|one|hit|all [--harts N] --work
 *           [--stack ENTRIES] [--pop-cull]
 *
 * The first form measures; the second says, by the traversal in software, what
 * the rays fetch. README.md has more. Exit status: 0 done, 1 failed, 2 bad
 * usage.
 */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include "../common/say.h"

#include <corbel/corbel.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 2, HARTS_MOST = 1 << 20, COUNT_MOST = 1 << 24 };

enum way { GAP, ONE, HIT, ALL, WAYS };

static const char *const ways[WAYS] = {
    [GAP] = "gap", [ONE] = "one", [HIT] = "hit", [ALL] = "all"};

/* When a hart worked. */
struct span {
    uint64_t begin, end;
};

struct job {
    const struct corbel_scene *scene;
    enum way way;
    uint32_t harts, count; /* that work; rays of each */
    struct span *spans;    /* of the harts */
    uint32_t *hits;
};

struct request {
    const char *scene;
    enum way way;
    uint32_t harts, count, stack;
    bool work, pop_cull;
};

/* ---- rays ---- */

/* A ray along z at x = y, from one z to the other. */
static struct corbel_ray ray_along(float x, float from, float to)
{
    return (struct corbel_ray){
        .o = {x, x, from}, .tmin = 0, .d = {0, 0, 1}, .tmax = to - from};
}

static float layer(const struct corbel_scene *scene, uint32_t i)
{
    struct corbel_triangle triangle;
    corbel_scene_triangle(scene, i, &triangle);
    return triangle.v[0][2];
}

/*
 * Hart h works at layer 2 h, round and round: between it and the next one, 1
 * away, or through it alone. Layers are halves of squares: x = y = 0.75 is
 * beside them.
 */
static struct corbel_ray ray_of(const struct job *job, uint32_t hart)
{
    const uint32_t layers = job->scene->triangles;
    const float z = layer(job->scene, 2 * (hart % ((layers + 1) / 2)));
    switch (job->way) {
    case GAP:
        return ray_along(0.75f, z + 0.25f, z + 0.75f);
    case ONE:
        return ray_along(0.75f, z - 0.25f, z + 0.25f);
    case HIT:
        return ray_along(0.25f, z - 0.25f, z + 0.25f);
    default:
        return ray_along(0.75f, layer(job->scene, 0) - 0.25f,
                         layer(job->scene, layers - 1) + 0.25f);
    }
}

/* ---- measuring ---- */

static void kernel(void *arg)
{
    struct job *job = arg;
    const uint32_t hart = corbel_hart();
    if (hart >= job->harts)
        return;
    struct corbel_ray ray = ray_of(job, hart);
    uint32_t hits = 0;
    uint64_t begin = corbel_cycles();
    for (uint32_t n = job->count; n; n--) {
        struct corbel_hit hit;
        corbel_trace(&ray, CORBEL_CLOSEST, &hit);
        hits += hit.index != CORBEL_MISS;
    }
    job->spans[hart] = (struct span){begin, corbel_cycles()};
    job->hits[hart] = hits;
}

/* From the first hart's begin to the last one's end. */
static uint64_t duration(const struct job *job)
{
    struct span all = job->spans[0];
    for (uint32_t i = 1; i < job->harts; i++) {
        const struct span *s = &job->spans[i];
        all.begin = s->begin < all.begin ? s->begin : all.begin;
        all.end = s->end > all.end ? s->end : all.end;
    }
    return all.end - all.begin;
}

/* Once to have the caches hold what the rays fetch, once to measure. */
static void measure(struct job *job, uint32_t count)
{
    uint64_t hits = 0, rays = (uint64_t)job->harts * count;
    job->count = WARM;
    corbel_launch(kernel, job);
    job->count = count;
    corbel_work(rays);
    corbel_roi_begin();
    corbel_launch(kernel, job);
    corbel_roi_end();
    for (uint32_t i = 0; i < job->harts; i++)
        hits += job->hits[i];
    printf("rays,cycles,hits,scene\n%" PRIu64 ",%" PRIu64 ",%" PRIu64
           ",%" PRIuPTR "\n",
           rays, duration(job), hits, (uintptr_t)job->scene);
}

/* ---- what rays need ---- */

/* Boxes (empty slots too) or triangles tested when this has come. */
static unsigned tests(const struct corbel_traversal *t,
                      const struct corbel_scene *scene,
                      const struct corbel_fetch *fetch)
{
    if (fetch->kind == CORBEL_FETCH_NODE)
        return corbel_node_width(t->format);
    if (fetch->kind == CORBEL_FETCH_LEAF && corbel_leaf_apart(t->leaf_format))
        return 0;
    return corbel_traversal_triangles(t, scene);
}

static void print_work(const struct job *job, const struct request *r)
{
    static const char *const kinds[] = {"node", "leaf", "vertices"};
    const struct corbel_traversal_setup setup = {
        r->stack ? r->stack : CORBEL_STACK_MAX, r->pop_cull};
    static struct corbel_traversal t;
    struct corbel_fetch fetch;
    printf("hart,kind,tests,bytes,offsets\n");
    for (uint32_t i = 0; i < job->harts; i++) {
        const struct corbel_ray ray = ray_of(job, i);
        corbel_traversal_start(&t, job->scene, &ray, CORBEL_CLOSEST, &setup);
        for (; corbel_traversal_fetch(&t, job->scene, &fetch);
             corbel_traversal_step(&t, job->scene)) {
            printf("%" PRIu32 ",%s,%u,%" PRIu32 ",", i, kinds[fetch.kind],
                   tests(&t, job->scene, &fetch), fetch.bytes);
            for (uint32_t k = 0; k < fetch.pieces; k++)
                printf("%s%" PRIu64, k ? " " : "", fetch.offset[k]);
            printf("\n");
        }
    }
}

/* ---- command line ---- */

static _Noreturn void die(int status, const char *what, const char *why)
{
    say("rtbench", "%s: %s", what, why);
    exit(status);
}

static uint32_t parse_number(const char *text, uint32_t least, uint32_t most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || *text == '-' || value < least || value > most) {
        say("rtbench", "%s: expected a number, %" PRIu32 " to %" PRIu32, text,
            least, most);
        exit(2);
    }
    return (uint32_t)value;
}

static enum way parse_way(const char *text)
{
    for (unsigned way = 0; way < WAYS; way++)
        if (!strcmp(text, ways[way]))
            return (enum way)way;
    die(2, text, "expected --rays gap, one, hit or all");
}

/* An option with a value; false: there is none of this name. */
static bool parse_option(struct request *r, const char *option,
                         const char *value)
{
    if (!strcmp(option, "--rays"))
        r->way = parse_way(value);
    else if (!strcmp(option, "--count"))
        r->count = parse_number(value, 1, COUNT_MOST);
    else if (!strcmp(option, "--harts"))
        r->harts = parse_number(value, 1, HARTS_MOST);
    else if (!strcmp(option, "--stack"))
        r->stack = parse_number(value, 0, CORBEL_STACK_MAX);
    else
        return false;
    return true;
}

static void parse(struct request *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' && !r->scene) /* no look at its length */
            r->scene = argv[i];
        else if (!strcmp(argv[i], "--work"))
            r->work = true;
        else if (!strcmp(argv[i], "--pop-cull"))
            r->pop_cull = true;
        else if (i + 1 < argc && parse_option(r, argv[i], argv[i + 1]))
            i++;
        else
            die(2, argv[i],
                "expected LAYERS.scene --rays gap|one|hit|all [--count N] "
                "[--harts N] [--work [--stack N] [--pop-cull]]");
    }
    if (!r->scene || r->way == WAYS)
        die(2, "too few arguments", "expected LAYERS.scene and --rays");
    if (!r->work && r->harts > corbel_harts())
        die(2, "--harts", "more than the chip has");
}

static struct job plan(const struct request *r)
{
    struct job job = {.way = r->way, .harts = r->harts};
    job.scene = corbel_scene_open(r->scene);
    if (!job.scene)
        die(1, r->scene,
            errno == EINVAL ? "not a usable scene" : strerror(errno));
    job.spans = malloc(job.harts * sizeof *job.spans);
    job.hits = malloc(job.harts * sizeof *job.hits);
    if (!job.spans || !job.hits)
        die(1, "no memory for results", "expected fewer harts");
    return job;
}

int main(int argc, char **argv)
{
    struct request request = {
        .way = WAYS, .harts = corbel_harts(), .count = 64};
    parse(&request, argc, argv);
    struct job job = plan(&request);
    if (request.work)
        print_work(&job, &request);
    else
        measure(&job, request.count);
    free(job.spans);
    free(job.hits);
    return 0;
}
