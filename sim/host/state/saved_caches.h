/*
 * --save-caches and --warm-caches: the lines that all caches of a chip hold at
 * the end of a run, and another run that begins with them. A text file: a line
 * that names the format, then what each cache writes (cache.h), in the order of
 * the chip.
 */
#ifndef SIM_HOST_STATE_SAVED_CACHES_H
#define SIM_HOST_STATE_SAVED_CACHES_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct chip;

/* Fills the caches of a chip that has not run, the program in memory. *hash:
 * of the file. */
bool caches_load(const struct chip *chip, const char *path, uint64_t *hash,
                 struct error *error);

/* Writes the file; there is none, or the old one, if it cannot be written. */
bool caches_save(const struct chip *chip, const char *path,
                 struct error *error);

#endif
