/*
 * Readers of mesh files, one for each format. A file is read as its format
 * says, or refused: the program ends with STATUS_INPUT and a line that says
 * where (a line of text, a byte, an object of a glTF file), what is wrong and
 * what was expected.
 *
 * Triangles come in the order of the file, vertices as the file has them:
 * nothing is merged, sorted or dropped. Polygons become triangles, see
 * polygon.h. What has no place in a mesh is counted in mesh->note.
 */
#ifndef MESH_READ_H
#define MESH_READ_H

#include "sdk/mesh/mesh.h"

#include <stddef.h>

/*
 * Each adds to an empty mesh what is in `bytes` bytes of data, the contents of
 * the file at path (decompressed). path is for messages, and where files are
 * found that a glTF file names. Coordinates are finite and within +-2^40.
 */
void ply_read(const char *path, const void *data, size_t bytes,
              struct mesh *mesh);
void obj_read(const char *path, const void *data, size_t bytes,
              struct mesh *mesh);
void gltf_read(const char *path, const void *data, size_t bytes,
               struct mesh *mesh); /* .gltf and .glb */

#endif
