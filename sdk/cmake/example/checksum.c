#include "checksum.h"

uint32_t checksum(const void *data, size_t bytes)
{
    const uint8_t *byte = data;
    uint32_t hash = 0x811c9dc5;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x01000193;
    return hash;
}
