/*
 * Files of corbel-scene: inputs read whole (and decompressed), outputs that
 * appear under their name only when they are complete.
 */
#ifndef SDK_FILE_H
#define SDK_FILE_H

#include "sdk/whole/whole.h"
#include <corbel/scene.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the path end so? Case does not matter. */
bool path_ends(const char *path, const char *ending);

/*
 * The bytes of a file, decompressed if its name ends in .gz or .xz, 64-byte
 * aligned, to be freed. Fails if it cannot be read, or unpacks to more than
 * corbel/unpack.h allows.
 */
void *file_read(const char *path, size_t *bytes);

/* Length of the path without .gz or .xz. */
size_t path_uncompressed(const char *path);

/* Fails if the file cannot be written, or is one that was read: before work
 * that takes long. NULL: there is none. */
void output_check(const char *path);
/* A file that is being written; fails if it cannot be. */
void output_open(struct whole *output, const char *path);
void output_close(struct whole *output); /* complete: takes its name */

/* A .scene that can be traversed (corbel/verify.h); to be freed. Fails if it is
 * not one. */
struct corbel_scene *scene_read(const char *path);
/* The same, and of one tree: `what` cannot take another one, and says so. */
struct corbel_scene *scene_read_one(const char *path, const char *what);
void scene_write(const struct corbel_scene *scene, const char *path);

#endif
