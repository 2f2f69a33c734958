/*
 * Numbers of 64 bits in JSON: written as they are, where a JSON library would
 * make a double of them and lose the last digits.
 */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

/* A decimal number. */
static inline void json_u64(cJSON *to, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    cJSON_AddRawToObject(to, name, text);
}

/* A string of 16 hexadecimal digits, as xxh64sum prints a hash. */
static inline void json_hash(cJSON *to, const char *name, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(to, name, text);
}

#endif
