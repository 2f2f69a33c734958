/*
 * The triangles of a mesh in the format of the small ray-tracing processor
 * (rtp), as its host loads them.
 *
 * Records of four little-endian words: one for each triangle, its vertices'
 * numbers and its shader word; one of zeros; one for each vertex, x, y, z as
 * floats and 1; one of zeros.
 */
#ifndef SCENE_RTP_EXPORT_H
#define SCENE_RTP_EXPORT_H

#include "sdk/mesh/mesh.h"

#include <stddef.h>

/* RTP_TRIANGLES_MAX, RTP_VERTICES_MAX */
enum {
#define RTP_LIMIT(id, value, meaning) RTP_##id = value,
#include "sdk/isa/rtp.def"
};

/*
 * The records, to be freed. The mesh has passed mesh_check; name: for messages.
 * shader: the word of all triangles; 0: each one has the number of its
 * material, and those without a material the next after the highest. Fails if
 * the mesh has more triangles or vertices than fit.
 */
uint32_t *rtp_encode(const struct mesh *mesh, const char *name, uint32_t shader,
                     size_t *words);

void rtp_write(const struct mesh *mesh, const char *name, uint32_t shader,
               const char *path);

#endif
