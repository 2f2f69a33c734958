#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a of the bytes. */
uint32_t checksum(const void *data, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
