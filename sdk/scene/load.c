/*
 * Reads meshes: those within scenes, and others by assimp. Its steps that
 * improve a mesh are all left out, but for the one that cuts polygons into
 * triangles: they would merge vertices, reorder faces or drop degenerate ones.
 */
#include "file.h"
#include "mesh.h"
#include "report.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IMPORT_STEPS aiProcess_Triangulate

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

/*
 * A plain file is read by name, since glTF refers to files beside it; a
 * compressed one from memory.
 */
static const struct aiScene *import(const char *path, const char *hint)
{
    size_t bytes;
    void *data = file_read(path, &bytes);
    const struct aiScene *scene =
        path[path_uncompressed(path)] == 0
            ? aiImportFile(path, IMPORT_STEPS)
            : aiImportFileFromMemory(data, (unsigned)bytes, IMPORT_STEPS, hint);
    free(data);
    if (scene == NULL)
        fail(STATUS_INPUT, "%s: %s", path, aiGetErrorString());
    return scene;
}

static void add_mesh(struct mesh *mesh, const struct aiMesh *part,
                     const struct aiMatrix4x4 *place)
{
    const uint32_t first = mesh->vertices;
    const bool moved = !aiMatrix4IsIdentity(place);
    for (unsigned i = 0; i < part->mNumVertices; i++) {
        struct aiVector3D v = part->mVertices[i];
        if (moved)
            aiTransformVecByMatrix4(&v, place);
        mesh_add_vertex(mesh, (float[3]){v.x, v.y, v.z});
    }
    for (unsigned i = 0; i < part->mNumFaces; i++) {
        const struct aiFace *face = &part->mFaces[i];
        if (face->mNumIndices == 3) /* others are points and lines */
            mesh_add_face(mesh, first + face->mIndices[0],
                          first + face->mIndices[1], first + face->mIndices[2]);
    }
}

static void add_node(struct mesh *mesh, const struct aiScene *scene,
                     const struct aiNode *node,
                     const struct aiMatrix4x4 *parent)
{
    struct aiMatrix4x4 place = *parent;
    aiMultiplyMatrix4(&place, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        add_mesh(mesh, scene->mMeshes[node->mMeshes[i]], &place);
    for (unsigned i = 0; i < node->mNumChildren; i++)
        add_node(mesh, scene, node->mChildren[i], &place);
}

static void load_file(const char *path, const char *hint, struct mesh *mesh)
{
    struct aiMatrix4x4 identity;
    const struct aiScene *scene = import(path, hint);
    aiIdentityMatrix4(&identity);
    if (scene->mRootNode != NULL)
        add_node(mesh, scene, scene->mRootNode, &identity);
    aiReleaseImport(scene);
}

/* The mesh that a scene was made from, and its camera; the tree is left. */
static void load_scene(const char *path, struct mesh *mesh)
{
    struct corbel_scene *scene = scene_read(path);
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

void mesh_load(const char *path, struct mesh *mesh)
{
    char hint[16];
    memset(mesh, 0, sizeof *mesh);
    progress("reading");
    format_hint(path, hint, sizeof hint);
    if (strcasecmp(hint, "scene") == 0)
        load_scene(path, mesh);
    else
        load_file(path, hint, mesh);
}
