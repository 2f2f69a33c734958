/* Pictures: PNG, or binary PPM, of 8 bits a channel. */
#ifndef SDK_WHOLE_PICTURE_FILE_H
#define SDK_WHOLE_PICTURE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* rgb: 3 bytes for each pixel, line by line. */
void picture_file_write(FILE *out, bool png, const uint8_t *rgb, uint32_t width,
                        uint32_t height);

#endif
