/*
 * Traces a buffer of rays that corbel-rays wrote, and nothing else: what a
 * chip's RT cores do with rays, without a kernel that makes or shades them.
 *
 *   replay SCENE.scene RAYS.rays [--hits FILE] [--counts FILE]
 *          [--mode rt|isect|software] [--any]
 *
 * The region of interest is the launch. Exit status: 0 done, 1 failed, 2 bad
 * usage.
 */
#include "../common/view.h"

#include <corbel/rays.h>

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TILE_WIDTH = 4, TILE_HEIGHT = 8, TILE_RAYS = 32, ALIGNMENT = 64 };
enum { ROW_SHIFT = 40 };
enum { PIECE = 4 }; /* records: 64 bytes, what a hart has at a time */

struct job {
    const struct corbel_ray *rays;
    struct corbel_hit *hits;
    size_t width, height;
    size_t indices; /* of work: whole tiles, which may hang over */
    size_t tiles_across;
    uint64_t row_scale; /* 2^40 / tiles_across, rounded up */
    const struct corbel_scene *scene;
    enum traversal mode;
    bool any;
};

/*
 * What is printed: by all harts, since one would take much longer than the
 * rays did.
 */
struct summary {
    const struct corbel_hit *hits;
    uint32_t count, pieces;
    _Atomic uint32_t found;
    _Atomic uint32_t low, high; /* exclusive or of all pieces' hashes */
};

struct files {
    const char *scene, *rays, *hits, *counts;
};

/* ---- the kernel ---- */

/*
 * Place of a work index in the buffer; false if it hangs over. The row of a
 * tile is tile / tiles_across, by a multiplication: exact since they are below
 * 2^23 and 2^13.
 */
static inline bool find_place(const struct job *job, size_t index,
                              size_t *place)
{
    size_t tile = index / TILE_RAYS;
    size_t row = (size_t)((uint64_t)tile * job->row_scale >> ROW_SHIFT);
    size_t column = tile - row * job->tiles_across;
    size_t x = column * TILE_WIDTH + index % TILE_WIDTH;
    size_t y = row * TILE_HEIGHT + index % TILE_RAYS / TILE_WIDTH;
    *place = y * job->width + x;
    return x < job->width && y < job->height;
}

/*
 * A loop for each way to trace: nothing is decided for each ray, and what is
 * the same for all is in registers.
 */
#define REPLAY(trace)                                                          \
    do {                                                                       \
        const struct job own = *job;                                           \
        for (size_t index, place; (index = corbel_next()) < own.indices;)      \
            if (find_place(&own, index, &place)) {                             \
                const struct corbel_ray *ray = &own.rays[place];               \
                struct corbel_hit *hit = &own.hits[place];                     \
                trace;                                                         \
            }                                                                  \
    } while (0)

static void kernel(void *arg)
{
    const struct job *job = arg;
    if (job->mode == TRAVERSAL_ISECT)
        REPLAY(view_trace_isect(job->scene, ray, job->any, hit));
    else if (job->mode == TRAVERSAL_SOFTWARE)
        REPLAY(view_trace_software(job->scene, ray, job->any, hit));
    else if (job->any)
        REPLAY(corbel_trace(ray, CORBEL_ANY, hit));
    else
        REPLAY(corbel_trace(ray, CORBEL_CLOSEST, hit));
}

/* What the RT core did for each ray, in place of its hit. */
static void count(void *arg)
{
    const struct job *job = arg;
    if (job->any)
        REPLAY(corbel_trace(ray, CORBEL_ANY | CORBEL_COUNTS, hit));
    else
        REPLAY(corbel_trace(ray, CORBEL_CLOSEST | CORBEL_COUNTS, hit));
}

/* ---- around it ---- */

static _Noreturn void die(int status, const char *what, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", what, why);
    exit(status);
}

static void parse_mode(struct job *job, const char *text)
{
    if (!strcmp(text, "rt"))
        job->mode = TRAVERSAL_RTCORE;
    else if (!strcmp(text, "isect"))
        job->mode = TRAVERSAL_ISECT;
    else if (!strcmp(text, "software"))
        job->mode = TRAVERSAL_SOFTWARE;
    else
        die(2, text, "expected --mode rt, isect or software");
}

static void parse(struct job *job, struct files *files, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--any"))
            job->any = true;
        else if (!strcmp(word, "--hits") && i + 1 < argc)
            files->hits = argv[++i];
        else if (!strcmp(word, "--counts") && i + 1 < argc)
            files->counts = argv[++i];
        else if (!strcmp(word, "--mode") && i + 1 < argc)
            parse_mode(job, argv[++i]);
        else if (word[0] == '-' || files->rays)
            die(2, word,
                "expected SCENE.scene RAYS.rays [--hits FILE] [--counts FILE] "
                "[--mode rt|isect|software] [--any]");
        else if (files->scene)
            files->rays = word;
        else
            files->scene = word;
    }
    if (!files->rays)
        die(2, "too few arguments", "expected SCENE.scene and RAYS.rays");
}

static const struct corbel_rays *open_files(struct job *job,
                                            const struct files *files)
{
    job->scene = corbel_scene_open(files->scene);
    if (!job->scene)
        die(1, files->scene,
            errno == EINVAL ? "not a usable scene" : strerror(errno));
    const struct corbel_rays *rays = corbel_rays_open(files->rays);
    if (!rays)
        die(1, files->rays,
            errno == EINVAL ? "not a usable buffer of rays, expected a .rays "
                              "file of corbel-rays"
                            : strerror(errno));
    if (rays->triangles != job->scene->triangles ||
        rays->vertices != job->scene->vertices)
        die(1, files->rays, "was made for another scene");
    return rays;
}

static void plan(struct job *job, const struct corbel_rays *rays)
{
    uint32_t up = (rays->height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    job->rays = corbel_rays_first(rays);
    job->width = rays->width;
    job->height = rays->height;
    job->tiles_across = (rays->width + TILE_WIDTH - 1) / TILE_WIDTH;
    job->indices = job->tiles_across * up * TILE_RAYS;
    job->row_scale = (1ull << ROW_SHIFT) / job->tiles_across + 1;
    job->hits = memalign(ALIGNMENT, (size_t)rays->count * sizeof *job->hits);
    if (!job->hits)
        die(1, "no memory for the hit records", "expected fewer rays");
}

/*
 * Hashes pieces of the records and counts hits, one work item a piece. A
 * piece's number is in its hash, so their order does not matter.
 */
static void sum_up(void *arg)
{
    struct summary *s = arg;
    uint32_t found = 0;
    uint64_t hash = 0;
    for (uint32_t i; (i = corbel_next()) < s->pieces;) {
        const struct corbel_hit *piece = s->hits + (size_t)i * PIECE;
        uint32_t left = s->count - i * PIECE;
        uint32_t count = left < PIECE ? left : PIECE;
        for (uint32_t k = 0; k < count; k++)
            found += piece[k].index != CORBEL_MISS;
        hash ^= corbel_hash(piece, count * sizeof *piece, i);
    }
    atomic_fetch_add(&s->found, found);
    atomic_fetch_xor(&s->low, (uint32_t)hash);
    atomic_fetch_xor(&s->high, (uint32_t)(hash >> 32));
}

static void print_summary(const struct job *job, uint32_t count)
{
    struct summary s = {.hits = job->hits,
                        .count = count,
                        .pieces = (count + PIECE - 1) / PIECE};
    corbel_launch(sum_up, &s);
    printf("%" PRIu32 " rays, %" PRIu32 " hits, hash %08" PRIx32 "%08" PRIx32
           "\n",
           count, (uint32_t)s.found, (uint32_t)s.high, (uint32_t)s.low);
}

/* A half-written file is removed. */
static void write_records(const char *path, const void *records, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        die(1, path, strerror(errno));
    setvbuf(file, NULL, _IONBF, 0);
    size_t written = fwrite(records, 1, bytes, file);
    if (fclose(file) || written != bytes) {
        int why = errno;
        unlink(path);
        die(1, path, strerror(why));
    }
}

int main(int argc, char **argv)
{
    struct job job = {.mode = TRAVERSAL_RTCORE};
    struct files files = {0};
    parse(&job, &files, argc, argv);
    const struct corbel_rays *rays = open_files(&job, &files);
    plan(&job, rays);
    corbel_work(rays->count);
    corbel_roi_begin();
    corbel_launch(kernel, &job);
    corbel_roi_end();
    print_summary(&job, rays->count);
    if (files.hits)
        write_records(files.hits, job.hits, rays->count * sizeof *job.hits);
    if (files.counts) {
        corbel_launch(count, &job);
        write_records(files.counts, job.hits, rays->count * sizeof *job.hits);
    }
    free(job.hits);
    return 0;
}
