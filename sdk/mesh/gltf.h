/*
 * Inside the glTF reader: objects of the JSON text by kind and number, data of
 * accessors as arrays of numbers, and primitives as triangles.
 *
 * A message names the object: "scene.gltf: accessors[3]: count is -1, ...".
 */
#ifndef MESH_GLTF_H
#define MESH_GLTF_H

#include "sdk/mesh/mesh.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* The top-level arrays that are looked things up in. */
#define GLTF_KINDS(X) X(nodes) X(meshes) X(accessors) X(bufferViews) X(buffers)

enum gltf_kind {
#define X(name) GLTF_##name,
    GLTF_KINDS(X)
#undef X
        GLTF_KIND_COUNT
};

/* The objects of one kind, by number. */
struct gltf_array {
    const cJSON **item;
    uint32_t count;
};

/* Bytes of a buffer, or a part of them. */
struct gltf_bytes {
    const unsigned char *data; /* NULL: not read yet */
    size_t bytes;
    void *owned; /* to be freed */
};

/* An opened file. What it has, other structs point into. */
struct gltf {
    const char *path;
    cJSON *root;
    struct gltf_array array[GLTF_KIND_COUNT];
    struct gltf_bytes *buffer; /* by number */
    struct gltf_bytes chunk;   /* BIN of a .glb */
    uint64_t bytes;            /* that were read, of all files */
    uint64_t elements;         /* of accessors that were decoded */
};

/*
 * A file may name the same data any number of times. What becomes of it has
 * bounds by the bytes that were read, and small files some for nothing.
 */
#define GLTF_TRIANGLES_MAX(bytes) ((UINT64_C(1) << 22) + 16 * (bytes))
#define GLTF_ELEMENTS_MAX(bytes) ((UINT64_C(1) << 26) + 64 * (bytes))

/* An object of the file, for messages too. */
struct gltf_item {
    const struct gltf *gltf;
    const char *kind; /* "nodes" */
    uint32_t index;
    const cJSON *json;
};

/* Ends the program with a message that begins with the file and the object. */
_Noreturn void gltf_fail(struct gltf_item item, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- gltf_json.c ---- */

/* Splits a .glb, parses the JSON text, fills gltf->array. */
void gltf_open(struct gltf *gltf, const char *path, const void *data,
               size_t bytes);
/* Frees what was read, but not the file's bytes. */
void gltf_close(struct gltf *gltf);

/* What `value`, a part of `user`, names: an object of a kind by its number. */
struct gltf_item gltf_refer(struct gltf_item user, const cJSON *value,
                            enum gltf_kind kind);
struct gltf_item gltf_item(const struct gltf *gltf, enum gltf_kind kind,
                           uint32_t index);

/* A member, or NULL. */
const cJSON *gltf_member(const cJSON *json, const char *name);

/* The extension of that name of an object, or NULL. */
const cJSON *gltf_extension(const cJSON *json, const char *name);

/* A whole number from 0 to most; a member that is missing is `fallback`. */
#define GLTF_REQUIRED UINT64_MAX /* as fallback: it may not be missing */
uint64_t gltf_whole(struct gltf_item item, const cJSON *json, const char *name,
                    uint64_t fallback, uint64_t most);

/* count numbers; false: the member is missing. */
bool gltf_numbers(struct gltf_item item, const cJSON *json, const char *name,
                  uint32_t count, double *numbers);

/* ---- gltf_buffer.c ---- */

/* The bytes of a buffer: of the file's own chunk, in the text, or beside it. */
struct gltf_bytes gltf_buffer(struct gltf *gltf, struct gltf_item buffer);

/* ---- gltf_accessor.c ---- */

/*
 * The elements of an accessor, of `components` numbers each, to be freed;
 * normalised integers as -1..1 or 0..1. count: of elements. Those without bytes
 * in the file are zeros, at most `zeros` of them.
 */
double *gltf_accessor(struct gltf *gltf, struct gltf_item accessor,
                      uint32_t components, uint32_t zeros, uint32_t *count);
#define GLTF_ZEROS (UINT32_C(1) << 20) /* where no other count says more */

/* Indices of vertices, each below `vertices`, to be freed. */
uint32_t *gltf_indices(struct gltf *gltf, struct gltf_item accessor,
                       uint32_t vertices, uint32_t *count);

/* ---- gltf_primitive.c ---- */

/* 4 x 4, rows of columns; the last row is 0 0 0 1. */
struct gltf_place {
    double m[3][4];
    bool moved; /* false: m is the identity */
};

/* Adds the triangles of a mesh for a node, at a place. */
void gltf_add_mesh(struct gltf *gltf, struct gltf_item node,
                   struct gltf_item mesh, const struct gltf_place *place,
                   struct mesh *out);

#endif
