/*
 * Reads meshes: those within scenes, and others by the readers of sdk/mesh. The
 * ending of the name says what a file is.
 */
#include "sdk/common/file.h"
#include "sdk/common/report.h"
#include "sdk/mesh/mesh.h"

#include "sdk/mesh/read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef void read_mesh(const char *path, const void *data, size_t bytes,
                       struct mesh *mesh);

/* Readers by the ending of the name. */
static const struct {
    const char *ending;
    read_mesh *read;
} readers[] = {
    {"ply", ply_read},
    {"obj", obj_read},
    {"gltf", gltf_read},
    {"glb", gltf_read},
};

/* The ending without the dot and without .gz or .xz. */
static void format_hint(const char *path, char *hint, size_t size)
{
    size_t end = path_uncompressed(path), start = end;
    while (start > 0 && path[start - 1] != '.' && path[start - 1] != '/')
        start--;
    size_t length = end - start < size ? end - start : size - 1;
    memcpy(hint, path + start, length);
    hint[length] = 0;
}

/* NULL: the ending is of no mesh. */
static read_mesh *find_reader(const char *path)
{
    char hint[16];
    format_hint(path, hint, sizeof hint);
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(hint, readers[i].ending) == 0)
            return readers[i].read;
    return NULL;
}

bool mesh_is_scene(const char *path)
{
    return find_reader(path) == NULL;
}

/* The reader keeps nothing of the file's bytes. */
static void load_file(const char *path, struct mesh *mesh)
{
    size_t bytes;
    read_mesh *read = find_reader(path);
    void *data = file_read(path, &bytes);
    if (read == NULL)
        fail(STATUS_INPUT,
             "%s: a file of unknown kind, expected .obj, .ply, .gltf, .glb or "
             ".scene, with or without .gz or .xz",
             path);
    read(path, data, bytes, mesh);
    free(data);
}

/* The mesh that a scene was made from, and its camera; the tree is left. */
static void load_scene(const char *path, struct mesh *mesh)
{
    struct corbel_scene *scene = scene_read_one(path, "encoding it anew");
    for (uint32_t i = 0; i < scene->vertices; i++)
        mesh_add_vertex(mesh, corbel_scene_vertex(scene, i));
    for (uint32_t i = 0; i < scene->triangles; i++) {
        const uint32_t *face = corbel_scene_face(scene, i);
        mesh_add_face(mesh, face[0], face[1], face[2]);
    }
    memcpy(mesh->camera.eye, scene->eye, sizeof scene->eye);
    memcpy(mesh->camera.look, scene->look, sizeof scene->look);
    mesh->camera.fov = scene->fov;
    free(scene);
}

/* A scene is loaded as a mesh, too: to be encoded in other formats. */
void mesh_load(const char *path, struct mesh *mesh)
{
    char hint[16];
    memset(mesh, 0, sizeof *mesh);
    progress("reading");
    format_hint(path, hint, sizeof hint);
    if (strcasecmp(hint, "scene") == 0)
        load_scene(path, mesh);
    else
        load_file(path, mesh);
}
