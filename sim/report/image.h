/* Images within a page. */
#ifndef SIM_REPORT_IMAGE_H
#define SIM_REPORT_IMAGE_H

#include "sim/core/error.h"
#include <stdio.h>

/* Writes a PNG file as a JSON string that holds a data: address. False: the
 * error says why it cannot be read, or that it is no PNG. */
bool image_put(FILE *out, const char *path, struct error *error);

#endif
