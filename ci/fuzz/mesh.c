/*
 * Mesh files, each by the reader that its first bytes are for. A refused file
 * leaves memory behind (sdk/mesh/catch.h), which is freed here.
 */
#include "ci/fuzz/fuzz.h"
#include "sdk/mesh/catch.h"
#include <sanitizer/allocator_interface.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is left behind ---- */

/* Blocks that live, by address: open addressing, of which few are taken. */
#define BLOCKS (1u << 16)
static const void *blocks[BLOCKS];
static unsigned block_count;
static _Thread_local bool watching; /* libFuzzer has a thread of its own */

static unsigned place_of(const void *block)
{
    unsigned at = (unsigned)((uintptr_t)block / 16 % BLOCKS);
    while (blocks[at] && blocks[at] != block)
        at = (at + 1) % BLOCKS;
    return at;
}

static void note_malloc(const volatile void *block, size_t bytes)
{
    if (!watching || !block)
        return;
    if (++block_count == BLOCKS / 2)
        abort();
    blocks[place_of((const void *)block)] = (const void *)block;
}

/* Those behind it move up, so that they are found from their own places. */
static void note_free(const volatile void *block)
{
    unsigned hole = watching && block ? place_of((const void *)block) : 0;
    if (!watching || !block || !blocks[hole])
        return;
    block_count--;
    blocks[hole] = NULL;
    for (unsigned i = (hole + 1) % BLOCKS; blocks[i]; i = (i + 1) % BLOCKS) {
        const void *moved = blocks[i];
        blocks[i] = NULL;
        blocks[place_of(moved)] = moved;
    }
}

static void watch(void)
{
    static bool installed;
    if (!installed)
        __sanitizer_install_malloc_and_free_hooks(note_malloc, note_free);
    installed = watching = true;
}

static void free_rest(void)
{
    watching = false;
    for (unsigned i = 0; block_count && i < BLOCKS; i++)
        if (blocks[i]) {
            free((void *)(uintptr_t)blocks[i]);
            blocks[i] = NULL;
        }
    block_count = 0;
}

/* ---- the readers ---- */

static bool begins(const uint8_t *data, size_t size, const char *with)
{
    return size >= strlen(with) && !memcmp(data, with, strlen(with));
}

static void check(const struct mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertices; i++)
        if (!mesh_vertex_valid(mesh->vertex[i]))
            abort();
    for (uint32_t i = 0; i < mesh->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->face[i][k] >= mesh->vertices)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mesh mesh;
    reader *read = begins(data, size, "ply")    ? ply_read
                   : begins(data, size, "{")    ? gltf_read
                   : begins(data, size, "glTF") ? gltf_read
                                                : obj_read;
    watch();
    if (catch_read(read, "none/mesh", data, size, &mesh)) {
        check(&mesh);
        mesh_free(&mesh);
    }
    free_rest();
    return 0;
}
