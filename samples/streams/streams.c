/*
 * Traces a buffer of rays that corbel-rays wrote as work items of ray streams
 * (corbel/streams.h): every ray is worked on in one treelet at a time.
 *
 *   streams SCENE.scene RAYS.rays [--mode software|rt]
 *           [--early off|on|delayed] [--hits FILE] [--colours] [--image FILE]
 *
 * One launch sets the hit records, another one is the region of interest: a
 * hart sends the items of rays, works on items until there are none, and turns
 * hits into colours. Exit status: 0 done, 1 failed, 2 bad usage.
 */
/* Entries of a traversal's stack, and treelets remembered: few, so that a
 * kernel fits into 1 KiB. */
#define CORBEL_STACK_MAX 8
#define CORBEL_TREELET_REST 8

#include "../common/picture.h"
#include "../common/raybuffer.h"

#include <corbel/traverse_treelet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* When a hart reads the record of the ray that it has an item of: a hit that is
 * stored already makes the ray shorter, or keeps items from being sent. */
enum early { EARLY_OFF, EARLY_ON, EARLY_DELAYED, EARLY_WAYS };

struct job {
    struct raybuffer buffer;
    const struct corbel_scene *scene;
    struct corbel_hit *records;
    uint32_t *pixels;
    enum early early;
    bool rtcores, colours;
};

struct files {
    const char *scene, *rays, *hits, *image;
};

/* ---- kernels ---- */

/* A record is a miss until a closer hit is stored. */
static void set_records(void *arg)
{
    const struct job *job = arg;
    for (uint32_t i; (i = corbel_next()) < job->buffer.count;)
        job->records[i] =
            (struct corbel_hit){job->buffer.rays[i].tmax, 0, 0, CORBEL_MISS};
}

static inline size_t place_of(const struct job *job, uint32_t index)
{
    return raybuffer_place_in_rows(index, job->buffer.width,
                                   job->buffer.row_scale);
}

/* Sends an item for each ray. Returns the index after them that the hart has
 * got. */
static inline uint32_t send_rays(const struct job *job)
{
    const uint32_t count = job->buffer.count;
    uint32_t i;
    while ((i = corbel_next()) < count) {
        const size_t place = place_of(job, i);
        const struct corbel_item item = {job->buffer.rays[place],
                                         (uint32_t)place, 0};
        if (i == 0)
            corbel_stream_roots(count, job->rtcores ? job->records : NULL);
        corbel_stream_push(&item);
    }
    return i;
}

/* Distance of the hit that is stored for the ray. */
static inline float stored(const struct job *job,
                           const struct corbel_item *item)
{
    struct corbel_hit hit;
    corbel_hit_load(&job->records[item->id], &hit);
    return hit.t;
}

static CORBEL_NOT_INLINED void work_on(const struct job *job,
                                       struct corbel_item *item)
{
    struct corbel_treelet_rest rest;
    struct corbel_hit hit;
    float *tmax = &item->ray.tmax, closest;
    if (job->early == EARLY_ON && (closest = stored(job, item)) < *tmax)
        *tmax = closest;
    corbel_treelet_traverse(job->scene, item, &hit, &rest);
    closest = hit.t;
    if (job->early == EARLY_DELAYED && rest.count > 0) {
        const float t = stored(job, item);
        closest = t < closest ? t : closest;
    }
    if (hit.index != CORBEL_MISS)
        corbel_hit_store(&hit, &job->records[item->id]);
    corbel_treelet_send(job->scene, item, closest, &rest);
}

/* A colour for each ray, from the index on that the hart has got. */
static inline void paint(const struct job *job, uint32_t index)
{
    const uint32_t count = job->buffer.count;
    for (; index - count < count; index = corbel_next()) {
        const size_t place = place_of(job, index - count);
        struct corbel_hit hit;
        corbel_hit_load(&job->records[place], &hit);
        job->pixels[place] = raybuffer_colour(&hit);
    }
}

/* The treelets are traversed by harts, or by RT cores: then a hit is loaded
 * when all are final. */
static void software(void *arg)
{
    struct job *job = arg;
    const uint32_t index = send_rays(job);
    for (struct corbel_item item; corbel_stream_pop(&item);)
        work_on(job, &item);
    paint(job, index);
}

static void rtcores(void *arg)
{
    struct job *job = arg;
    paint(job, send_rays(job));
}

/* ---- around them ---- */

static _Noreturn void die(int status, const char *what, const char *why)
{
    raybuffer_die("streams", status, what, why);
}

static void parse_mode(struct job *job, const char *text)
{
    job->rtcores = !strcmp(text, "rt");
    if (!job->rtcores && strcmp(text, "software"))
        die(2, text, "expected --mode software or rt");
}

static void parse_early(struct job *job, const char *text)
{
    static const char *const ways[EARLY_WAYS] = {"off", "on", "delayed"};
    for (unsigned i = 0; i < EARLY_WAYS; i++)
        if (!strcmp(text, ways[i])) {
            job->early = i;
            return;
        }
    die(2, text, "expected --early off, on or delayed");
}

static void parse(struct job *job, struct files *files, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--colours"))
            job->colours = true;
        else if (!strcmp(word, "--hits") && i + 1 < argc)
            files->hits = argv[++i];
        else if (!strcmp(word, "--image") && i + 1 < argc)
            files->image = argv[++i];
        else if (!strcmp(word, "--mode") && i + 1 < argc)
            parse_mode(job, argv[++i]);
        else if (!strcmp(word, "--early") && i + 1 < argc)
            parse_early(job, argv[++i]);
        else if (word[0] == '-' || files->rays)
            die(2, word,
                "expected SCENE.scene RAYS.rays [--mode software|rt] "
                "[--early off|on|delayed] [--hits FILE] [--colours] "
                "[--image FILE]");
        else if (files->scene)
            files->rays = word;
        else
            files->scene = word;
    }
    if (!files->rays)
        die(2, "too few arguments", "expected SCENE.scene and RAYS.rays");
    if (files->image && !picture_name(files->image))
        die(2, files->image, "expected a name that ends in .png or .ppm");
}

static void prepare(struct job *job, const struct files *files)
{
    const uint32_t *count = &job->buffer.count;
    job->scene =
        raybuffer_open(&job->buffer, "streams", files->scene, files->rays);
    if (!job->scene->treelets)
        die(1, files->scene,
            "has no treelets, expected a scene made with --treelets");
    job->records = raybuffer_results("streams", *count, sizeof *job->records);
    job->pixels = raybuffer_results("streams", *count, sizeof *job->pixels);
}

static void finish(const struct job *job, const struct files *files)
{
    const struct corbel_rays *file = job->buffer.file;
    const uint32_t count = job->buffer.count;
    raybuffer_summary(job->colours ? (void *)job->pixels : job->records, count,
                      job->colours);
    if (files->hits)
        raybuffer_write("streams", files->hits, job->records,
                        count * sizeof *job->records);
    if (files->image &&
        picture_write(files->image, job->pixels, file->width, file->height))
        die(1, files->image, strerror(errno));
}

int main(int argc, char **argv)
{
    static struct job job;
    struct files files = {0};
    parse(&job, &files, argc, argv);
    prepare(&job, &files);
    corbel_launch(set_records, &job);
    corbel_work(2 * (uint64_t)job.buffer.count);
    corbel_roi_begin();
    corbel_launch(job.rtcores ? rtcores : software, &job);
    corbel_roi_end();
    finish(&job, &files);
    free(job.records);
    free(job.pixels);
    return 0;
}
