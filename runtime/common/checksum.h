/* The checksums of PNG files, fast on cores whose loads take long. */
#ifndef CORBEL_COMMON_CHECKSUM_H
#define CORBEL_COMMON_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Tables for CRC-32 (ISO 3309), and room to work in; for free(). NULL: there is
 * no memory. */
struct corbel_crc *corbel_crc_new(void);

/* The CRC-32 of size bytes. */
uint32_t corbel_crc_of(struct corbel_crc *crc, const uint8_t *p, size_t size);

/* Continues an Adler-32 checksum (RFC 1950), which starts at 1. */
uint32_t corbel_adler(uint32_t value, const uint8_t *p, size_t size);

#endif
