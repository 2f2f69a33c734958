/*
 * corbel-scene: makes, describes, checks and traces .scene files. A command is
 * one function here and one row of the table at the end.
 */
#include "arguments.h"
#include "file.h"
#include "generate.h"
#include "info.h"
#include "report.h"
#include "rtp.h"
#include "trace.h"
#include "tree.h"

#include "sdk/version/version.h"

#include <corbel/traverse.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_LIMIT_DEFAULT 4
#define PICTURE_SIDE_MAX 16384

/*
 * The names of the formats, each after a space, as usage and errors list them.
 */
#define SPACE_NAME(id, name, ...) " " #name
#define NODE_NAMES CORBEL_NODE_FORMATS(SPACE_NAME)
#define LEAF_NAMES CORBEL_LEAF_FORMATS(SPACE_NAME)

static const char usage_text[] =
    "usage:\n"
    "  corbel-scene convert INPUT OUTPUT.scene [tree options]\n"
    "      INPUT: .obj, .ply, .gltf, .glb, or a .scene to be encoded anew;\n"
    "      also with .gz or .xz after it\n"
    "  corbel-scene generate arcade|cornell|layers [OUTPUT.scene]\n"
    "      [--triangles N] [--ply FILE] [--obj FILE] [tree options]\n"
    "  corbel-scene info FILE.scene|INPUT [--json]\n"
    "      of a mesh: what is read of it and what is left out\n"
    "  corbel-scene check FILE.scene\n"
    "  corbel-scene trace FILE.scene [--eye X,Y,Z] [--look X,Y,Z]\n"
    "      [--fov DEGREES] [--size W[xH]] [--stack ENTRIES] [--hits FILE]\n"
    "  corbel-scene trace FILE.scene RAYS.rays [--stack ENTRIES] [--hits "
    "FILE]\n"
    "      [--by corbel|embree] [--quality low|medium|high]\n"
    "      ENTRIES: 0 as many as are needed (0); --by embree: another "
    "program,\n"
    "      to compare with, and the quality of its tree (high)\n"
    "  corbel-scene compare A.hits B.hits[.xz]\n"
    "  corbel-scene compare A.hits B.hits FILE.scene [--limit N]\n"
    "      with the scene: records of trace RAYS.rays or replay; N may differ\n"
    "      (0)\n"
    "  corbel-scene export-rtp INPUT OUTPUT.tri [--shader WORD]\n"
    "      the triangles of the processor rtp, 511 at most; WORD: shader word "
    "of\n"
    "      all, not 0 (the number of the material, counted from 1)\n"
    "tree options:\n"
    "  --nodes FORMAT               node format (cwbvh6), one of\n"
    "     " NODE_NAMES "\n"
    "  --leaves FORMAT              triangle format (plain), one of\n"
    "     " LEAF_NAMES "\n"
    "  --quality low|medium|high    effort of the tree builder (high)\n"
    "  --leaf N                     most triangles in a leaf, 1..8 (4)\n"
    "--help, --version\n"
    "exit status: 0, 1 compare found differences, 2 usage, 3 bad input,\n"
    "  4 output cannot be written\n";

/* All options of all commands. A command looks at its own and leaves the others
 * alone. */
struct options {
    struct layout layout;
    enum quality quality;
    unsigned triangles; /* 0: the default of what is generated */
    bool json;
    bool embree;
    bool eye_given, look_given, fov_given;
    unsigned limit;
    struct view view;
    uint32_t shader; /* 0: by material */
    const char *hits, *ply, *obj;
};

/* Codes of the options, behind all characters. */
enum {
    OPTION_NODES = 256,
    OPTION_LEAVES,
    OPTION_QUALITY,
    OPTION_LEAF,
    OPTION_TRIANGLES,
    OPTION_JSON,
    OPTION_EYE,
    OPTION_LOOK,
    OPTION_FOV,
    OPTION_SIZE,
    OPTION_STACK,
    OPTION_HITS,
    OPTION_BY,
    OPTION_LIMIT,
    OPTION_PLY,
    OPTION_OBJ,
    OPTION_SHADER,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct option long_options[] = {
    {"nodes", required_argument, NULL, OPTION_NODES},
    {"leaves", required_argument, NULL, OPTION_LEAVES},
    {"quality", required_argument, NULL, OPTION_QUALITY},
    {"leaf", required_argument, NULL, OPTION_LEAF},
    {"triangles", required_argument, NULL, OPTION_TRIANGLES},
    {"json", no_argument, NULL, OPTION_JSON},
    {"eye", required_argument, NULL, OPTION_EYE},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"fov", required_argument, NULL, OPTION_FOV},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"stack", required_argument, NULL, OPTION_STACK},
    {"hits", required_argument, NULL, OPTION_HITS},
    {"by", required_argument, NULL, OPTION_BY},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"ply", required_argument, NULL, OPTION_PLY},
    {"obj", required_argument, NULL, OPTION_OBJ},
    {"shader", required_argument, NULL, OPTION_SHADER},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

/* The number of a node format by its name. */
static uint32_t parse_nodes(const char *text)
{
#define X(id, name, ...)                                                       \
    if (strcmp(text, #name) == 0)                                              \
        return id;
    CORBEL_NODE_FORMATS(X)
    fail(STATUS_USAGE, "--nodes: '%s', expected one of" NODE_NAMES, text);
}

/* Likewise of a format of leaves. */
static uint32_t parse_leaves(const char *text)
{
    CORBEL_LEAF_FORMATS(X)
    fail(STATUS_USAGE, "--leaves: '%s', expected one of" LEAF_NAMES, text);
}
#undef X

/* In the order of enum quality, and of no and yes for options.embree. */
static const char *const quality_words[] = {"low", "medium", "high"};
static const char *const by_words[] = {"corbel", "embree"};

/* Options of the view that is traced. False: it is another one. */
static bool parse_view(int option, struct options *o)
{
    switch (option) {
    case OPTION_EYE:
        argument_point("--eye", optarg, o->view.eye);
        o->eye_given = true;
        break;
    case OPTION_LOOK:
        argument_point("--look", optarg, o->view.look);
        o->look_given = true;
        break;
    case OPTION_FOV:
        o->view.fov = argument_fov("--fov", optarg);
        o->fov_given = true;
        break;
    case OPTION_SIZE:
        argument_size("--size", optarg, PICTURE_SIDE_MAX, &o->view.width,
                      &o->view.height);
        break;
    case OPTION_STACK:
        o->view.stack_entries =
            argument_unsigned("--stack", optarg, 0, CORBEL_STACK_MAX);
        break;
    default:
        return false;
    }
    return true;
}

/* Notes an option's value; one that is out of range ends the program. */
static void parse_option(int option, char **argv, struct options *o)
{
    if (parse_view(option, o))
        return;
    switch (option) {
    case OPTION_NODES:
        o->layout.nodes = parse_nodes(optarg);
        break;
    case OPTION_LEAVES:
        o->layout.leaves = parse_leaves(optarg);
        break;
    case OPTION_QUALITY:
        o->quality = (enum quality)argument_word(
            "--quality", optarg, quality_words, 3, "low, medium or high");
        break;
    case OPTION_LEAF:
        o->layout.leaf_limit =
            argument_unsigned("--leaf", optarg, 1, CORBEL_LEAF_MAX);
        break;
    case OPTION_TRIANGLES:
        o->triangles = argument_unsigned("--triangles", optarg, 1, 100000000);
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case OPTION_HITS:
        o->hits = optarg;
        break;
    case OPTION_BY:
        o->embree =
            argument_word("--by", optarg, by_words, 2, "corbel or embree");
        break;
    case OPTION_LIMIT:
        o->limit = argument_unsigned("--limit", optarg, 0, UINT_MAX);
        break;
    case OPTION_PLY:
        o->ply = optarg;
        break;
    case OPTION_OBJ:
        o->obj = optarg;
        break;
    case OPTION_SHADER:
        o->shader = argument_nonzero("--shader", optarg);
        break;
    case OPTION_HELP:
        fputs(usage_text, stdout);
        exit(finish(STATUS_OK));
    case OPTION_VERSION:
        version_print("corbel-scene");
        exit(finish(STATUS_OK));
    default:
        argument_wrong(option, argv);
    }
}

/* What is so small that products of distances underflow (docs/exactness.md). */
static void note_small(const struct corbel_box *bounds, const char *name)
{
    /* The largest of the three sides. */
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)bounds->max[axis] - bounds->min[axis]);
    if (extent > 0 && extent < 0x1p-30)
        note("%s: all of it is within %.3g units; below 2^-30 (9.3e-10) "
             "distances lose their digits",
             name, extent);
}

/* Builds and writes the scene of a mesh. */
static void write_scene(const struct mesh *mesh, const char *name,
                        const char *path, const struct options *o)
{
    struct tree tree;
    tree_build(mesh, o->quality, &tree);
    struct corbel_scene *scene =
        scene_encode(mesh, &tree, &o->layout, o->quality);
    progress("writing");
    scene_write(scene, path);
    progress(NULL);
    printf("%s: %u triangles, %s, %s\n", path, scene->triangles,
           corbel_node_name(scene->format),
           corbel_leaf_name(scene->leaf_format));
    if (scene->degenerate > 0)
        note("%s: %u of %u triangles have no area; they are kept, no ray hits "
             "them",
             name, scene->degenerate, scene->triangles);
    note_small(&scene->bounds, name);
    free(scene);
    tree_free(&tree);
}

/* What of the mesh is not in the scene. */
static void tell_notes(const struct mesh *mesh, const char *name)
{
    char *notes = mesh_notes(mesh);
    if (notes != NULL)
        fprintf(stderr, "corbel-scene: %s: left out: %s\n", name, notes);
    free(notes);
}

/*
 * The commands. arguments: those behind the command's name, as many as its row
 * allows. Each returns the exit status; whatever else goes wrong ends the
 * program by fail().
 */
static int command_convert(char **argument, int count, struct options *o)
{
    struct mesh mesh;
    mesh_load(argument[0], &mesh);
    mesh_check(&mesh, argument[0]);
    progress(NULL);
    tell_notes(&mesh, argument[0]);
    write_scene(&mesh, argument[0], argument[1], o);
    mesh_free(&mesh);
    return STATUS_OK;
}

/* At least one output is needed: the scene, or the mesh as PLY or OBJ. */
static int command_generate(char **argument, int count, struct options *o)
{
    struct mesh mesh = {0};
    if (count < 2 && o->ply == NULL && o->obj == NULL)
        fail(STATUS_USAGE, "generate: no output: give OUTPUT.scene, --ply FILE "
                           "or --obj FILE");
    generate_mesh(argument[0], o->triangles, &mesh);
    mesh_check(&mesh, argument[0]);
    if (o->ply != NULL)
        mesh_write_ply(&mesh, o->ply);
    if (o->obj != NULL)
        mesh_write_obj(&mesh, o->obj);
    if (count == 2)
        write_scene(&mesh, argument[0], argument[1], o);
    mesh_free(&mesh);
    return STATUS_OK;
}

/*
 * A mesh is read as convert reads it, so that its notes are those of convert.
 */
static void info_of_mesh(const char *path, bool json)
{
    struct mesh mesh;
    mesh_load(path, &mesh);
    mesh_check(&mesh, path);
    progress(NULL);
    if (json)
        info_mesh_json(&mesh);
    else
        info_mesh_text(&mesh);
    mesh_free(&mesh);
}

/* A file is a mesh if its ending says so, otherwise a scene. */
static int command_info(char **argument, int count, struct options *o)
{
    if (!mesh_is_scene(argument[0])) {
        info_of_mesh(argument[0], o->json);
        return STATUS_OK;
    }
    struct corbel_scene *scene = scene_read(argument[0]);
    if (o->json)
        info_json(scene);
    else
        info_text(scene);
    free(scene);
    return STATUS_OK;
}

/* scene_read has checked that the scene can be traversed safely; info_verify
 * checks that its tree is right. */
static int command_check(char **argument, int count, struct options *o)
{
    struct corbel_scene *scene = scene_read(argument[0]);
    char why[CORBEL_WHY];
    if (!info_verify(scene, why))
        fail(STATUS_INPUT, "%s: %s", argument[0], why);
    printf("%s: good, %u triangles, hash %016llx\n", argument[0],
           scene->triangles, (unsigned long long)scene->hash);
    free(scene);
    return STATUS_OK;
}

/* Rays from a file: the camera is theirs. */
static void trace_file(const struct corbel_scene *scene, const char *path,
                       const struct options *o)
{
    size_t bytes;
    const char *why;
    struct corbel_rays *rays = file_read(path, &bytes);
    const struct tracer by = {o->embree, o->quality, o->view.stack_entries};
    if (o->eye_given || o->look_given || o->fov_given)
        fail(STATUS_USAGE, "trace: of a buffer of rays no view can be chosen");
    if (!corbel_rays_check(rays, bytes, &why))
        fail(STATUS_INPUT, "%s: %s", path, why);
    trace_rays(scene, rays, &by, o->hits);
    free(rays);
}

/* A view by the camera of the scene, or as far as it is given by that of the
 * options. */
static int command_trace(char **argument, int count, struct options *o)
{
    struct corbel_scene *scene = scene_read(argument[0]);
    if (count == 2) {
        trace_file(scene, argument[1], o);
        free(scene);
        return STATUS_OK;
    }
    if (o->embree)
        fail(STATUS_USAGE, "trace: --by embree needs RAYS.rays");
    for (int i = 0; i < 3; i++) {
        if (!o->eye_given)
            o->view.eye[i] = scene->eye[i];
        if (!o->look_given)
            o->view.look[i] = scene->look[i];
    }
    if (!o->fov_given)
        o->view.fov = scene->fov;
    trace_view(scene, &o->view, o->hits);
    free(scene);
    return STATUS_OK;
}

/* Without a scene the records are those of views; with one they are full. */
static int command_compare(char **argument, int count, struct options *o)
{
    struct corbel_scene *scene = count == 3 ? scene_read(argument[2]) : NULL;
    const bool agree = scene == NULL ? hits_compare(argument[0], argument[1])
                                     : hits_compare_full(scene, argument[0],
                                                         argument[1], o->limit);
    free(scene);
    return agree ? STATUS_OK : STATUS_DIFFERENT;
}

/* Materials become shader words unless one is given for all. */
static int command_export_rtp(char **argument, int count, struct options *o)
{
    struct mesh mesh;
    mesh_load(argument[0], &mesh);
    mesh_check(&mesh, argument[0]);
    progress(NULL);
    if (o->shader == 0)
        mesh.note[MESH_NOTE_materials] = 0; /* they are used */
    tell_notes(&mesh, argument[0]);
    rtp_write(&mesh, argument[0], o->shader, argument[1]);
    printf("%s: %u triangles, %u vertices\n", argument[1], mesh.triangles,
           mesh.vertices);
    mesh_free(&mesh);
    return STATUS_OK;
}

/* What commands there are, and how many arguments each takes. */
static const struct command {
    const char *name;
    int least, most; /* arguments */
    int (*run)(char **argument, int count, struct options *options);
} commands[] = {
    {"convert", 2, 2, command_convert},
    {"generate", 1, 2, command_generate},
    {"info", 1, 1, command_info},
    {"check", 1, 1, command_check},
    {"trace", 1, 2, command_trace},
    {"compare", 2, 3, command_compare},
    {"export-rtp", 2, 2, command_export_rtp},
};

/* Ends the program if there is no such command. */
static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    fail(STATUS_USAGE, "'%s' is no command; corbel-scene --help lists them",
         name);
}

/* Options may stand anywhere on the line. What remains are the command and its
 * arguments. */
int main(int argc, char **argv)
{
    struct options options = {
        .layout = {CORBEL_NODES_cwbvh6, CORBEL_LEAVES_plain,
                   LEAF_LIMIT_DEFAULT},
        .quality = QUALITY_HIGH,
        .view = {.width = 256, .height = 256},
    };
    int option;
    signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1)
        parse_option(option, argv, &options);
    if (optind == argc)
        fail(STATUS_USAGE, "no command; corbel-scene --help lists them");
    const struct command *command = find_command(argv[optind++]);
    const int count = argc - optind;
    if (count < command->least || count > command->most)
        fail(STATUS_USAGE,
             "%s: wrong number of arguments; corbel-scene --help "
             "shows them",
             command->name);
    return finish(command->run(argv + optind, count, &options));
}
