/*
 * corbel-scene: makes, describes, checks and traces .scene files. A command is
 * one function here and one row of the table at the end.
 */
#include "forest.h"
#include "generate.h"
#include "info.h"
#include "rtp_export.h"
#include "scene_options.h"
#include "scene_trace.h"
#include "sdk/common/file.h"
#include "sdk/common/report.h"
#include "sdk/whole/meant.h"
#include "sdk/whole/reads.h"
#include "tree.h"

#include <corbel/intersect.h>
#include <corbel/line.h>
#include <corbel/rays.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is so small that directions between its points are no valid ones
 * (docs/reference/exactness.md). */
static void note_small(const struct corbel_box *bounds, const char *name)
{
    /* The largest of the three sides. */
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)bounds->max[axis] - bounds->min[axis]);
    if (extent > 0 && extent < CORBEL_DIRECTION_MIN)
        note("%s: all of it is within %.3g units; rays hit nothing whose "
             "direction has no component of 2^-60 (8.7e-19)",
             name, extent);
}

/* What is written, in a line. */
static void tell_written(const struct corbel_scene *scene, const char *path)
{
    corbel_line_put(stdout, path);
    printf(": %u triangles, ", scene->triangles);
    if (scene->instances > 0)
        printf("%u instances, ", scene->instances);
    printf("%s, %s\n", corbel_node_name(scene->format),
           corbel_leaf_name(scene->leaf_format));
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
    tell_written(scene, path);
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
        note("%s: left out: %s", name, notes);
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
    output_check(argument[1]);
    progress(NULL);
    tell_notes(&mesh, argument[0]);
    write_scene(&mesh, argument[0], argument[1], o);
    mesh_free(&mesh);
    return STATUS_OK;
}

/* A scene of instances, which no mesh file can hold. */
static int generate_forest(int count, const char *path, const struct options *o)
{
    struct model model = {0};
    if (count < 2 || o->ply != NULL || o->obj != NULL || o->triangles > 0 ||
        o->layout.treelet_bytes > 0)
        fail(STATUS_USAGE, "generate: a forest has instances: expected "
                           "OUTPUT.scene, and no --ply, --obj, --triangles or "
                           "--treelets");
    output_check(path);
    forest_make(o->instances, &model);
    struct corbel_scene *scene = model_encode(&model, &o->layout, o->quality);
    scene_write(scene, path);
    progress(NULL);
    tell_written(scene, path);
    free(scene);
    model_free(&model);
    return STATUS_OK;
}

/* At least one output is needed: the scene, or the mesh as PLY or OBJ. */
static int command_generate(char **argument, int count, struct options *o)
{
    struct mesh mesh = {0};
    if (strcmp(argument[0], "forest") == 0)
        return generate_forest(count, count == 2 ? argument[1] : NULL, o);
    if (o->instances > 0)
        fail(STATUS_USAGE, "--instances: only a forest has instances");
    if (count < 2 && o->ply == NULL && o->obj == NULL)
        fail(STATUS_USAGE, "generate: no output: give OUTPUT.scene, --ply FILE "
                           "or --obj FILE");
    const char *scene = count == 2 ? argument[1] : NULL;
    if (reads_same(o->ply, o->obj) || reads_same(o->ply, scene) ||
        reads_same(o->obj, scene))
        fail(STATUS_USAGE, "generate: two outputs are one file, expected a "
                           "name for each");
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
    corbel_line_put(stdout, argument[0]);
    printf(": good, %u triangles, hash %016llx\n", scene->triangles,
           (unsigned long long)scene->hash);
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
    output_check(o->hits);
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
    struct corbel_scene *scene = scene_read_one(argument[0], "trace");
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
    output_check(o->hits);
    trace_view(scene, &o->view, o->hits);
    free(scene);
    return STATUS_OK;
}

/* Without a scene the records are those of views; with one they are full. */
static int command_compare(char **argument, int count, struct options *o)
{
    struct corbel_scene *scene =
        count == 3 ? scene_read_one(argument[2], "compare") : NULL;
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
    output_check(argument[1]);
    progress(NULL);
    if (o->shader == 0)
        mesh.note[MESH_NOTE_materials] = 0; /* they are used */
    tell_notes(&mesh, argument[0]);
    rtp_write(&mesh, argument[0], o->shader, argument[1]);
    corbel_line_put(stdout, argument[1]);
    printf(": %u triangles, %u vertices\n", mesh.triangles, mesh.vertices);
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

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Ends the program if there is no such command. */
static const struct command *find_command(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        names[i] = commands[i].name;
    }
    const struct meant near = meant("", name, names, COMMANDS);
    fail(STATUS_USAGE, "'%s' is no command%s", name,
         *near.text ? near.text : "; corbel-scene --help lists them");
}

int main(int argc, char **argv)
{
    struct options options;
    begin();
    const int first = options_read(argc, argv, &options);
    if (first == argc)
        fail(STATUS_USAGE, "no command; corbel-scene --help lists them");
    const struct command *command = find_command(argv[first]);
    const int count = argc - first - 1;
    if (count < command->least || count > command->most)
        fail(STATUS_USAGE,
             "%s: wrong number of arguments; corbel-scene --help "
             "shows them",
             command->name);
    return finish(command->run(argv + first + 1, count, &options));
}
