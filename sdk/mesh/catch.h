/*
 * For tests and the fuzzer: a fail() that does not end the program. Linked
 * instead of sdk/common/report.c. A refused file leaves memory behind.
 */
#ifndef MESH_CATCH_H
#define MESH_CATCH_H

#include "read.h"

#include <stdbool.h>

typedef void reader(const char *path, const void *data, size_t bytes,
                    struct mesh *mesh);

/* The last message of fail(), without the program's name. */
extern char caught[1024];

/*
 * Reads into an empty mesh. false: the file was refused, caught says why. The
 * reader gets a copy of the data that ends where its memory ends, so that
 * sanitizers see what is read beyond.
 */
bool catch_read(reader *read, const char *path, const void *data, size_t bytes,
                struct mesh *mesh);

#endif
