/*
 * Traces a buffer of rays that corbel-rays wrote as work items of ray streams
 * (corbel/streams.h): every ray is worked on in one treelet at a time.
 *
 *   streams SCENE.scene RAYS.rays [--mode software|rt]
 *           [--machine dual|strata] [--early off|on|delayed] [--buffer BYTES]
 *           [--hits FILE] [--colours] [--image FILE]
 *
 * One launch sets the hit records, another one is the region of interest: a
 * hart sends the items of rays, works on items until there are none, and turns
 * hits into colours. With --machine strata rays move instead (moving.c). Exit
 * status: 0 done, 1 failed, 2 bad usage.
 */
/* Entries of a traversal's stack, and treelets remembered: few, so that a
 * kernel fits into 1 KiB. */
#define CORBEL_STACK_MAX 8
#define CORBEL_TREELET_REST 8

#include "streams.h"

#include "../common/picture.h"

#include <corbel/traverse_treelet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* When a hart reads the record of the ray that it has an item of: a hit that is
 * stored already makes the ray shorter, or keeps items from being sent. */
enum early { EARLY_OFF, EARLY_ON, EARLY_DELAYED, EARLY_WAYS };

/* BUFFER_BYTES: what the ray stores of all chips have at least. */
enum { BUFFER_BYTES = 8 << 20, RAY_BYTES = 64 };

struct files {
    const char *scene, *rays, *hits, *image;
};

struct way {
    bool moves;        /* --machine strata */
    bool early, sized; /* --early, --buffer were given */
    uint64_t buffer;
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

static void parse_machine(struct way *way, const char *text)
{
    way->moves = !strcmp(text, "strata");
    if (!way->moves && strcmp(text, "dual"))
        die(2, text, "expected --machine dual or strata");
}

static void parse_buffer(struct way *way, const char *text)
{
    char *end;
    way->buffer = strtoull(text, &end, 10);
    if (*end || *text < '0' || *text > '9' || way->buffer < RAY_BYTES)
        die(2, text, "expected --buffer BYTES, 64 or more");
}

/* An option with a value. False: it is none. */
static bool parse_option(struct job *job, struct files *files, struct way *way,
                         const char *option, const char *value)
{
    if (!strcmp(option, "--hits"))
        files->hits = value;
    else if (!strcmp(option, "--image"))
        files->image = value;
    else if (!strcmp(option, "--mode"))
        parse_mode(job, value);
    else if (!strcmp(option, "--machine"))
        parse_machine(way, value);
    else if (!strcmp(option, "--buffer"))
        parse_buffer(way, value);
    else if (!strcmp(option, "--early"))
        parse_early(job, value);
    else
        return false;
    way->early |= !strcmp(option, "--early");
    way->sized |= !strcmp(option, "--buffer");
    return true;
}

/* Options that would have no effect. */
static void check_ways(const struct job *job, const struct way *way)
{
    if (way->early && (way->moves || job->rtcores))
        die(2, "--early",
            "expected --machine dual and --mode software, in which harts read "
            "records");
    if (way->sized && !way->moves)
        die(2, "--buffer", "expected --machine strata, whose rays are in one");
}

static void parse(struct job *job, struct files *files, struct way *way,
                  int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' && !files->scene) /* no look at their length */
            files->scene = word;
        else if (word[0] != '-' && !files->rays)
            files->rays = word;
        else if (!strcmp(word, "--colours"))
            job->colours = true;
        else if (i + 1 < argc &&
                 parse_option(job, files, way, word, argv[i + 1]))
            i++;
        else
            die(2, word,
                "expected SCENE.scene RAYS.rays [--mode software|rt] "
                "[--machine dual|strata] [--early off|on|delayed] "
                "[--buffer BYTES] [--hits FILE] [--colours] [--image FILE]");
    }
    if (!files->rays)
        die(2, "too few arguments", "expected SCENE.scene and RAYS.rays");
    if (files->image && !picture_name(files->image))
        die(2, files->image, "expected a name that ends in .png or .ppm");
    check_ways(job, way);
}

/* As many rays move at a time as the buffer holds. */
static void prepare_moving(struct job *job, const struct files *files,
                           const struct way *way)
{
    const uint64_t room = way->buffer / RAY_BYTES;
    const char *why = moving_refuses(job);
    if (why)
        die(1, files->scene, why);
    if (job->buffer.count > 1u << CORBEL_RAY_ID_BITS)
        die(1, files->rays,
            "has too many rays for rays that move, expected 67108864 at most");
    job->live = room < job->buffer.count ? (uint32_t)room : job->buffer.count;
    job->keeps = !job->colours || files->hits;
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

static void trace(struct job *job, const struct files *files,
                  const struct way *way)
{
    void (*kernel)(void *) = job->rtcores ? rtcores : software;
    uint64_t indices = 2 * (uint64_t)job->buffer.count;
    if (way->moves) {
        prepare_moving(job, files, way);
        kernel = job->rtcores ? moving_rtcores : moving_software;
        indices = job->live + (job->rtcores ? (uint64_t)job->buffer.count : 0);
    } else {
        corbel_launch(set_records, job);
    }
    corbel_frame(job->pixels, job->buffer.count * sizeof *job->pixels);
    corbel_work(indices);
    corbel_roi_begin();
    corbel_launch(kernel, job);
    corbel_roi_end();
}

int main(int argc, char **argv)
{
    static struct job job;
    struct files files = {0};
    struct way way = {.buffer = BUFFER_BYTES};
    parse(&job, &files, &way, argc, argv);
    prepare(&job, &files);
    trace(&job, &files, &way);
    finish(&job, &files);
    free(job.records);
    free(job.pixels);
    return 0;
}
