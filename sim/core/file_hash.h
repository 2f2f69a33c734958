/* The XXH64 of a file, as xxh64sum computes it. */
#ifndef SIM_FILE_HASH_H
#define SIM_FILE_HASH_H

#include <stdbool.h>
#include <stdint.h>

/* False: there is no such regular file, or it cannot be read. */
bool file_hash(const char *path, uint64_t *hash);
/* The same of one that is open to be read. */
bool file_hash_open(int fd, uint64_t *hash);

#endif
