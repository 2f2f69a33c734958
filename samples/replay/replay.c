/*
 * Traces a buffer of rays that corbel-rays wrote, and nothing else: what a
 * chip's RT cores do with rays, without a kernel that makes or shades them.
 *
 *   replay SCENE.scene RAYS.rays [--mode rt|isect|software] [--any]
 *          [[--hits FILE] [--counts FILE] | [--colours] [--image FILE]]
 *
 * The region of interest is the launch. Exit status: 0 done, 1 failed, 2 bad
 * usage.
 */
#include "../common/picture.h"
#include "../common/say.h"
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
enum { ROW_SHIFT = 40, LOG2_BITS = 4, LOG2_MASK = (1 << LOG2_BITS) - 1 };
_Static_assert(CORBEL_RAYS_SIDE_MAX < 1 << (1 << LOG2_BITS),
               "the kernel's argument holds the width's logarithm");
/* Of the results: bytes that are hashed together. A hart takes a few such
 * pieces at a time, or harts wait for each other when they add their sums; one
 * if many harts take part, whose L1s hold no more. */
enum { PIECE = 64, FEW = 4 * PIECE, MANY_HARTS = 16384 };

/* What all kernels load is first, in one sector. */
struct job {
    _Alignas(32) const struct corbel_ray *rays;
    void *results; /* of each ray: its hit, or a colour */
    const struct corbel_scene *scene;
    uint64_t row_scale; /* 2^40 / tiles in a row, and a little more */
    uint32_t count, width;
    enum traversal mode;
    bool any, colours;
};

/* The kernels', as their argument is a number. */
static struct job launched;

/*
 * What is printed: by many harts, since one would take much longer than the
 * rays did.
 */
struct summary {
    const struct job *job;
    size_t bytes, shares, share_bytes;
    _Atomic uint32_t found;
    _Atomic uint32_t low, high; /* exclusive or of all pieces' hashes */
};

struct files {
    const char *scene, *rays, *hits, *counts, *image;
};

/* ---- the kernel ---- */

/*
 * Thousands of harts begin at once, and most come when all rays are taken: the
 * argument says how many there are, and nothing has to be loaded for that. Its
 * low bits mean nothing where the width is no power of two.
 */
static void *argument_of(const struct job *job)
{
    uintptr_t log2_width = (uintptr_t)__builtin_ctz(job->width);
    return (void *)((uintptr_t)job->count << LOG2_BITS | log2_width);
}

static inline size_t rays_of(const void *arg)
{
    return (uintptr_t)arg >> LOG2_BITS;
}

static inline unsigned log2_width_of(const void *arg)
{
    return (uintptr_t)arg & LOG2_MASK;
}

/*
 * The place in the buffer of an index. The row of its tile is tile / tiles in a
 * row, by a multiplication; exact, since these are at most 2^23 and 2^12.
 */
static inline size_t place_in_rows(size_t index, const struct job *job)
{
    size_t tile = index / TILE_RAYS;
    size_t row = (size_t)(tile * job->row_scale >> ROW_SHIFT);
    size_t in_tile = index % TILE_RAYS / TILE_WIDTH;
    /* One row of rays for each row of tiles is in tile * TILE_WIDTH. */
    return (row * (TILE_HEIGHT - 1) + in_tile) * job->width +
           tile * TILE_WIDTH + index % TILE_WIDTH;
}

/*
 * The same where the width is a power of two: of the index's bits, which are
 * row of tiles, tile, row in it, column, the middle two change places. So there
 * is no multiplication, a trip to a unit that many cores share.
 */
static inline size_t place_by_bits(size_t index, unsigned log2_width)
{
    size_t width = (size_t)1 << log2_width;
    size_t in_tile = index / TILE_WIDTH % TILE_HEIGHT;
    return (index & -(width * TILE_HEIGHT)) + (in_tile << log2_width) +
           (index / TILE_HEIGHT & (width - TILE_WIDTH)) + index % TILE_WIDTH;
}

/*
 * A colour for each triangle: red | green << 8 | blue << 16, and 255 << 24, so
 * that a hit is not 0. The hash is Marsaglia's xorshift (Journal of Statistical
 * Software 8(14), 2003).
 */
static inline uint32_t colour_of(const struct corbel_hit *hit)
{
    uint32_t hash = hit->index + 1;
    hash ^= hash << 13;
    hash ^= hash >> 17;
    hash ^= hash << 5;
    return hash ? hash | 0xff000000u : 0; /* CORBEL_MISS + 1 is 0 */
}

/*
 * A kernel for each way to trace: nothing is decided for each hart or ray, and
 * what a kernel does not use none of its harts loads.
 */
#define KERNEL(name, its_place, result)                                        \
    static void name(void *arg)                                                \
    {                                                                          \
        size_t rays = rays_of(arg), index = corbel_next();                     \
        if (index >= rays)                                                     \
            return;                                                            \
        const struct job job = launched;                                       \
        do {                                                                   \
            size_t place = its_place;                                          \
            const struct corbel_ray *ray = &job.rays[place];                   \
            result;                                                            \
        } while ((index = corbel_next()) < rays);                              \
    }

#define TO_RECORD(trace)                                                       \
    struct corbel_hit *hit = &((struct corbel_hit *)job.results)[place];       \
    trace
#define TO_COLOUR(trace)                                                       \
    struct corbel_hit own;                                                     \
    struct corbel_hit *hit = &own;                                             \
    trace;                                                                     \
    ((uint32_t *)job.results)[place] = colour_of(hit)

typedef void kernel(void *arg);

/* For any width, and for one that is a power of two. */
#define KERNELS(name, result)                                                  \
    KERNEL(name##_in_rows, place_in_rows(index, &job), result)                 \
    KERNEL(name##_by_bits, place_by_bits(index, log2_width_of(arg)), result)   \
    static kernel *const name[] = {name##_in_rows, name##_by_bits};
#define BOTH_RESULTS(name, trace)                                              \
    KERNELS(name##_to_record, TO_RECORD(trace))                                \
    KERNELS(name##_to_colour, TO_COLOUR(trace))

BOTH_RESULTS(closest, corbel_trace(ray, CORBEL_CLOSEST, hit))
BOTH_RESULTS(any, corbel_trace(ray, CORBEL_ANY, hit))
BOTH_RESULTS(isect, view_trace_isect(job.scene, ray, job.any, hit))
BOTH_RESULTS(software, view_trace_software(job.scene, ray, job.any, hit))

/* What the RT core did for each ray, in place of its hit. */
#define COUNTS(flags) TO_RECORD(corbel_trace(ray, (flags) | CORBEL_COUNTS, hit))
KERNELS(count_closest, COUNTS(CORBEL_CLOSEST))
KERNELS(count_any, COUNTS(CORBEL_ANY))

static void launch(const struct job *job, kernel *const kernels[])
{
    bool power_of_two = !(job->width & (job->width - 1));
    launched = *job;
    corbel_launch(kernels[power_of_two], argument_of(job));
}

static void replay(const struct job *job)
{
    bool colours = job->colours;
    if (job->mode == TRAVERSAL_ISECT)
        launch(job, colours ? isect_to_colour : isect_to_record);
    else if (job->mode == TRAVERSAL_SOFTWARE)
        launch(job, colours ? software_to_colour : software_to_record);
    else if (job->any)
        launch(job, colours ? any_to_colour : any_to_record);
    else
        launch(job, colours ? closest_to_colour : closest_to_record);
}

/* ---- around it ---- */

static _Noreturn void die(int status, const char *what, const char *why)
{
    say("replay", "%s: %s", what, why);
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
        else if (!strcmp(word, "--colours"))
            job->colours = true;
        else if (!strcmp(word, "--image") && i + 1 < argc)
            files->image = argv[++i];
        else if (!strcmp(word, "--counts") && i + 1 < argc)
            files->counts = argv[++i];
        else if (!strcmp(word, "--mode") && i + 1 < argc)
            parse_mode(job, argv[++i]);
        else if (word[0] == '-' || files->rays)
            die(2, word,
                "expected SCENE.scene RAYS.rays [--mode rt|isect|software] "
                "[--any] [[--hits FILE] [--counts FILE] | [--colours] "
                "[--image FILE]]");
        else if (files->scene)
            files->rays = word;
        else
            files->scene = word;
    }
    if (!files->rays)
        die(2, "too few arguments", "expected SCENE.scene and RAYS.rays");
    if (files->image && !picture_name(files->image))
        die(2, files->image, "expected a name that ends in .png or .ppm");
    job->colours |= files->image != NULL;
    if (job->colours && (files->hits || files->counts))
        die(2, "--hits, --counts", "expected neither --colours nor --image");
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

static size_t result_bytes(const struct job *job)
{
    return job->colours ? sizeof(uint32_t) : sizeof(struct corbel_hit);
}

/* A frame that is not whole tiles is walked as one that is a tile wide, which
 * is the buffer's order. */
static void plan(struct job *job, const struct corbel_rays *rays)
{
    bool tiled =
        rays->width % TILE_WIDTH == 0 && rays->height % TILE_HEIGHT == 0;
    job->rays = corbel_rays_first(rays);
    job->count = rays->count;
    job->width = tiled ? rays->width : TILE_WIDTH;
    job->row_scale = (1ull << ROW_SHIFT) / (job->width / TILE_WIDTH) + 1;
    job->results = memalign(ALIGNMENT, rays->count * result_bytes(job));
    if (!job->results)
        die(1, "no memory for the results", "expected fewer rays");
}

static uint32_t hits_in(const struct job *job, const void *piece, size_t bytes)
{
    const struct corbel_hit *records = piece;
    const uint32_t *colours = piece;
    uint32_t found = 0;
    for (size_t i = 0; i < bytes / result_bytes(job); i++)
        found +=
            job->colours ? colours[i] != 0 : records[i].index != CORBEL_MISS;
    return found;
}

/* Hashes pieces and counts hits. A piece's number is in its hash, so their
 * order does not matter. */
static CORBEL_NOT_INLINED void sum_shares(struct summary *s, size_t share)
{
    const char *results = s->job->results;
    uint32_t found = 0;
    uint64_t hash = 0;
    do {
        size_t at = share * s->share_bytes, left = s->bytes - at;
        for (size_t end = at + (left < s->share_bytes ? left : s->share_bytes);
             at < end;) {
            size_t bytes = end - at < PIECE ? end - at : PIECE;
            found += hits_in(s->job, results + at, bytes);
            hash ^= corbel_hash(results + at, bytes, at / PIECE);
            at += bytes;
        }
    } while ((share = corbel_next()) < s->shares);
    atomic_fetch_add(&s->found, found);
    atomic_fetch_xor(&s->low, (uint32_t)hash);
    atomic_fetch_xor(&s->high, (uint32_t)(hash >> 32));
}

/* Harts that come when all is taken have nothing to add, nor registers to save.
 */
static void sum_up(void *arg)
{
    struct summary *s = arg;
    size_t share = corbel_next();
    if (share < s->shares)
        sum_shares(s, share);
}

static void print_summary(const struct job *job, uint32_t count)
{
    size_t bytes = count * result_bytes(job);
    size_t share_bytes = bytes <= (size_t)FEW * MANY_HARTS ? FEW : PIECE;
    struct summary s = {.job = job,
                        .bytes = bytes,
                        .share_bytes = share_bytes,
                        .shares = (bytes + share_bytes - 1) / share_bytes};
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
    size_t bytes = rays->count * result_bytes(&job);
    corbel_work(rays->count);
    corbel_roi_begin();
    replay(&job);
    corbel_roi_end();
    print_summary(&job, rays->count);
    if (files.hits)
        write_records(files.hits, job.results, bytes);
    if (files.image &&
        picture_write(files.image, job.results, rays->width, rays->height))
        die(1, files.image, strerror(errno));
    if (files.counts) {
        launch(&job, job.any ? count_any : count_closest);
        write_records(files.counts, job.results, bytes);
    }
    free(job.results);
    return 0;
}
