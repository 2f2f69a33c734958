/* Files of text, plain or compressed by gzip. */
#ifndef SIM_GZ_TEXT_H
#define SIM_GZ_TEXT_H

#include "sim/core/error.h"
#include <stdint.h>

/* All of a file, ended by 0, for free(). NULL: it cannot be read, is cut short,
 * unpacks to more than corbel/unpack.h allows, or has a byte of 0; the error
 * names the file. */
char *gz_text_read(const char *path, struct error *error);

/* Its lines: one more than it has '\n'. */
uint32_t gz_text_lines(const char *text);

#endif
