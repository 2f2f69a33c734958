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
#include "../common/raybuffer.h"
#include "../common/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LOG2_BITS = 4, LOG2_MASK = (1 << LOG2_BITS) - 1 };
_Static_assert(CORBEL_RAYS_SIDE_MAX < 1 << (1 << LOG2_BITS),
               "the kernel's argument holds the width's logarithm");
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
    ((uint32_t *)job.results)[place] = raybuffer_colour(hit)

typedef void kernel(void *arg);

/* For any width, and for one that is a power of two. */
#define KERNELS(name, result)                                                  \
    KERNEL(name##_in_rows,                                                     \
           raybuffer_place_in_rows(index, job.width, job.row_scale), result)   \
    KERNEL(name##_by_bits, raybuffer_place_by_bits(index, log2_width_of(arg)), \
           result)                                                             \
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
    raybuffer_die("replay", status, what, why);
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
        if (word[0] != '-' && !files->scene) /* no look at their length */
            files->scene = word;
        else if (word[0] != '-' && !files->rays)
            files->rays = word;
        else if (!strcmp(word, "--any"))
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
        else
            die(2, word,
                "expected SCENE.scene RAYS.rays [--mode rt|isect|software] "
                "[--any] [[--hits FILE] [--counts FILE] | [--colours] "
                "[--image FILE]]");
    }
    if (!files->rays)
        die(2, "too few arguments", "expected SCENE.scene and RAYS.rays");
    if (files->image && !picture_name(files->image))
        die(2, files->image, "expected a name that ends in .png or .ppm");
    job->colours |= files->image != NULL;
    if (job->colours && (files->hits || files->counts))
        die(2, "--hits, --counts", "expected neither --colours nor --image");
}

static size_t result_bytes(const struct job *job)
{
    return job->colours ? sizeof(uint32_t) : sizeof(struct corbel_hit);
}

static void prepare(struct job *job, const struct files *files,
                    struct raybuffer *buffer)
{
    job->scene = raybuffer_open(buffer, "replay", files->scene, files->rays);
    job->rays = buffer->rays;
    job->count = buffer->count;
    job->width = buffer->width;
    job->row_scale = buffer->row_scale;
    job->results = raybuffer_results("replay", job->count, result_bytes(job));
}

int main(int argc, char **argv)
{
    struct job job = {.mode = TRAVERSAL_RTCORE};
    struct files files = {0};
    struct raybuffer buffer;
    parse(&job, &files, argc, argv);
    prepare(&job, &files, &buffer);
    size_t bytes = buffer.count * result_bytes(&job);
    corbel_work(buffer.count);
    corbel_roi_begin();
    replay(&job);
    corbel_roi_end();
    raybuffer_summary(job.results, job.count, job.colours);
    if (files.hits)
        raybuffer_write("replay", files.hits, job.results, bytes);
    if (files.image && picture_write(files.image, job.results,
                                     buffer.file->width, buffer.file->height))
        die(1, files.image, strerror(errno));
    if (files.counts) {
        launch(&job, job.any ? count_any : count_closest);
        raybuffer_write("replay", files.counts, job.results, bytes);
    }
    free(job.results);
    return 0;
}
