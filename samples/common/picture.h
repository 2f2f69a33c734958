/* A picture of 32-bit words, as a file. */
#ifndef SAMPLES_PICTURE_H
#define SAMPLES_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does the name end in .png or .ppm? */
bool picture_name(const char *path);

/*
 * Writes pixels, red | green << 8 | blue << 16, row 0 at the bottom; what is
 * above is not looked at. -1 and errno on failure, and no file.
 */
int picture_write(const char *path, const uint32_t *pixels, uint32_t width,
                  uint32_t height);

#ifdef __cplusplus
}
#endif
#endif
