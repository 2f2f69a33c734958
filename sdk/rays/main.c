/*
 * corbel-rays: writes buffers of rays for a scene and a camera, and describes
 * them.
 */
#include "bounce.h"

#include "sdk/common/arguments.h"
#include "sdk/common/file.h"
#include "sdk/common/report.h"
#include "sdk/version/version.h"
#include "sdk/whole/whole.h"

#include <corbel/line.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE_DEFAULT 256
#define THREADS_MAX 256
/* tmin of bounced rays as a part of the scene's largest extent. For Crytek
 * Sponza that is 0.0284, about the 1/32 that Arches starts rays at. */
#define TMIN_OF_EXTENT 0x1p-17f
/* tmax is this, or a larger power of two where a scene needs it. */
#define TMAX_LEAST 0x1p20f

static const char usage_text[] =
    "usage:\n"
    "  corbel-rays SCENE.scene OUT.rays --kind primary|secondary|tertiary\n"
    "      [options]\n"
    "  corbel-rays info FILE.rays\n"
    "options:\n"
    "  --size W[xH]      rays across and up, 1..16384 (256)\n"
    "  --eye X,Y,Z  --look X,Y,Z  --fov DEGREES\n"
    "                    the camera (the scene's own)\n"
    "  --seed N          of the random numbers, 0..4294967295 (0)\n"
    "  --normals geometric|facing\n"
    "                    bounces go around the normal as the triangle is "
    "wound,\n"
    "                    or turned towards the incoming ray (geometric)\n"
    "  --tmin T          where rays begin (primary: 0; others: the scene's\n"
    "                    largest extent times 2^-17)\n"
    "  --threads N       1..256 (one for each processor); changes nothing "
    "else\n"
    "  --help, --version\n"
    "exit status: 0, 2 usage, 3 bad input, 4 output cannot be written\n";

/* Words in the order of the constants of corbel/rays.h. */
static const char *const kind_names[] = {"primary", "secondary", "tertiary"};
static const char *const normals_names[] = {"geometric", "facing"};

/* The command line. Numbers whose default is the scene's have a flag: whether
 * they were given. */
struct options {
    int kind; /* -1: not given */
    unsigned width, height, seed, normals, threads;
    bool eye_given, look_given, fov_given, tmin_given;
    double eye[3], look[3], fov, tmin;
};

/* Codes of the options, behind all characters. */
enum {
    OPTION_KIND = 256,
    OPTION_SIZE,
    OPTION_EYE,
    OPTION_LOOK,
    OPTION_FOV,
    OPTION_SEED,
    OPTION_NORMALS,
    OPTION_TMIN,
    OPTION_THREADS,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct option long_options[] = {
    {"kind", required_argument, NULL, OPTION_KIND},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"eye", required_argument, NULL, OPTION_EYE},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"fov", required_argument, NULL, OPTION_FOV},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"normals", required_argument, NULL, OPTION_NORMALS},
    {"tmin", required_argument, NULL, OPTION_TMIN},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

/* ---- command line ---- */

/* Notes an option's value; one that is out of range ends the program. */
static void parse_option(int option, char **argv, struct options *o)
{
    switch (option) {
    case OPTION_KIND:
        o->kind = (int)argument_word("--kind", optarg, kind_names, 3,
                                     "primary, secondary or tertiary");
        break;
    case OPTION_SIZE:
        argument_size("--size", optarg, CORBEL_RAYS_SIDE_MAX, &o->width,
                      &o->height);
        break;
    case OPTION_EYE:
        argument_point("--eye", optarg, o->eye);
        o->eye_given = true;
        break;
    case OPTION_LOOK:
        argument_point("--look", optarg, o->look);
        o->look_given = true;
        break;
    case OPTION_FOV:
        o->fov = argument_fov("--fov", optarg);
        o->fov_given = true;
        break;
    case OPTION_SEED:
        o->seed = argument_unsigned("--seed", optarg, 0, UINT32_MAX);
        break;
    case OPTION_NORMALS:
        o->normals = argument_word("--normals", optarg, normals_names, 2,
                                   "geometric or facing");
        break;
    case OPTION_TMIN:
        o->tmin = argument_number("--tmin", optarg, 0, 0x1p40,
                                  "a distance from 0 to 2^40");
        o->tmin_given = true;
        break;
    case OPTION_THREADS:
        o->threads = argument_unsigned("--threads", optarg, 1, THREADS_MAX);
        break;
    case OPTION_HELP:
        fputs(usage_text, stdout);
        exit(finish(STATUS_OK));
    case OPTION_VERSION:
        version_print("corbel-rays");
        exit(finish(STATUS_OK));
    default:
        argument_wrong(option, argv, long_options);
    }
}

/* ---- making rays ---- */

/* A hash of faces and vertices alone, so that it is the same for every node
 * format and tree: it tells whether rays and a scene belong together. */
static uint64_t mesh_hash(const struct corbel_scene *scene)
{
    uint64_t faces = corbel_hash(corbel_scene_at(scene, scene->faces_offset),
                                 (size_t)scene->triangles * 12, 0);
    return corbel_hash(corbel_scene_at(scene, scene->vertices_offset),
                       (size_t)scene->vertices * 12, faces);
}

/* What the options do not say is the scene's. The header has it in single
 * precision. */
static void set_camera(const struct corbel_scene *scene,
                       const struct options *o, struct corbel_rays *header)
{
    for (int i = 0; i < 3; i++) {
        header->eye[i] = o->eye_given ? (float)o->eye[i] : scene->eye[i];
        header->look[i] = o->look_given ? (float)o->look[i] : scene->look[i];
    }
    header->fov = o->fov_given ? (float)o->fov : scene->fov;
}

/*
 * tmin and tmax of all rays. tmax reaches beyond all of the scene, from
 * anywhere in it and from the eye: the sum of the distances on three axes is at
 * least the distance.
 */
static void set_interval(const struct corbel_scene *scene,
                         const struct options *o, struct corbel_rays *header)
{
    float extent = 0, reach = 0;
    for (int i = 0; i < 3; i++) {
        const float low = scene->bounds.min[i], high = scene->bounds.max[i];
        extent = fmaxf(extent, high - low);
        reach += fmaxf(
            fmaxf(fabsf(header->eye[i] - low), fabsf(header->eye[i] - high)),
            high - low);
    }
    header->tmin = o->tmin_given ? (float)o->tmin
                   : header->kind == CORBEL_RAYS_PRIMARY
                       ? 0
                       : extent * TMIN_OF_EXTENT;
    header->tmax = TMAX_LEAST;
    while (header->tmax < reach)
        header->tmax *= 2;
    if (header->tmin >= header->tmax)
        fail(STATUS_USAGE, "--tmin: %g, expected less than tmax, %g",
             (double)header->tmin, (double)header->tmax);
}

/* All of the header but the number of dead rays and the hash, which are known
 * at the end. */
static void set_header(const struct corbel_scene *scene,
                       const struct options *o, struct corbel_rays *header)
{
    *header = (struct corbel_rays){
        .magic = CORBEL_RAYS_MAGIC,
        .version = CORBEL_RAYS_VERSION,
        .kind = (uint32_t)o->kind,
        .width = o->width,
        .height = o->height,
        .count = o->width * o->height,
        .mesh = mesh_hash(scene),
        .triangles = scene->triangles,
        .vertices = scene->vertices,
        .seed = o->seed,
        .normals = o->normals,
    };
    header->bytes =
        sizeof *header + (uint64_t)header->count * sizeof(struct corbel_ray);
    set_camera(scene, o, header);
    set_interval(scene, o, header);
}

/* The camera is set up in double precision, from the options where they say it:
 * the header's numbers are rounded. */
static void make(const struct corbel_scene *scene, const struct options *o,
                 const char *path)
{
    struct corbel_rays header, *rays;
    struct bounce bounce = {.scene = scene, .header = &header};
    double eye[3], look[3];
    set_header(scene, o, &header);
    for (int i = 0; i < 3; i++) {
        eye[i] = o->eye_given ? o->eye[i] : (double)scene->eye[i];
        look[i] = o->look_given ? o->look[i] : (double)scene->look[i];
    }
    if (!corbel_camera_init(&bounce.camera, eye, look,
                            o->fov_given ? o->fov : (double)scene->fov,
                            o->width, o->height))
        fail(STATUS_USAGE, "--eye and --look are the same point");
    rays = allocate(1, header.bytes);
    progress("tracing");
    header.dead =
        bounce_all(&bounce, o->threads, (struct corbel_ray *)(rays + 1));
    progress(NULL);
    *rays = header;
    rays->hash = corbel_rays_hash(rays);
    struct whole output;
    output_open(&output, path);
    fwrite(rays, 1, rays->bytes, output.file);
    output_close(&output);
    corbel_line_put(stdout, path);
    printf(": %u %s rays, %u dead\n", rays->count, kind_names[rays->kind],
           rays->dead);
    free(rays);
}

/* ---- describing them ---- */

/* Prints what the header says, after the file has been checked. */
static void info(const char *path)
{
    size_t bytes;
    const char *why;
    struct corbel_rays *rays = file_read(path, &bytes);
    if (!corbel_rays_check(rays, bytes, &why))
        fail(STATUS_INPUT, "%s: %s", path, why);
    printf("kind       %s\n", kind_names[rays->kind]);
    printf("rays       %u (%u x %u)\n", rays->count, rays->width, rays->height);
    printf("dead       %u (%.2f %%)\n", rays->dead,
           100.0 * rays->dead / rays->count);
    printf("interval   %.9g .. %.9g\n", (double)rays->tmin, (double)rays->tmax);
    printf("normals    %s\n", normals_names[rays->normals]);
    printf("seed       %u\n", rays->seed);
    printf("camera     eye %.9g,%.9g,%.9g look %.9g,%.9g,%.9g fov %.9g\n",
           (double)rays->eye[0], (double)rays->eye[1], (double)rays->eye[2],
           (double)rays->look[0], (double)rays->look[1], (double)rays->look[2],
           (double)rays->fov);
    printf("mesh       %u triangles, %u vertices, hash %016" PRIx64 "\n",
           rays->triangles, rays->vertices, rays->mesh);
    printf("hash       %016" PRIx64 "\n", rays->hash);
    free(rays);
}

/* At least 1, at most as many threads as can be asked for. */
static unsigned processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : online;
}

int main(int argc, char **argv)
{
    struct options options = {.kind = -1,
                              .width = SIDE_DEFAULT,
                              .height = SIDE_DEFAULT,
                              .threads = processors()};
    int option;
    begin();
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1)
        parse_option(option, argv, &options);
    if (argc - optind != 2)
        fail(STATUS_USAGE, "expected SCENE.scene and OUT.rays, or info and "
                           "FILE.rays; corbel-rays --help shows more");
    if (strcmp(argv[optind], "info") == 0) {
        info(argv[optind + 1]);
    } else {
        if (options.kind < 0)
            fail(STATUS_USAGE,
                 "no --kind given, expected primary, secondary or tertiary");
        struct corbel_scene *scene =
            scene_read_one(argv[optind], "corbel-rays");
        output_check(argv[optind + 1]);
        make(scene, &options, argv[optind + 1]);
        free(scene);
    }
    return finish(STATUS_OK);
}
