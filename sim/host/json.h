/*
 * JSON as files have it. Numbers of 64 bits are written as they are, where a
 * JSON library would make a double of them and lose the last digits.
 */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include "sim/core/heap.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* The text, with the end of its last line, for free(). cJSON gives NULL for a
 * lack of memory. */
static inline char *json_text(const cJSON *json)
{
    static const char what[] = "a text of JSON";
    char *text = cJSON_Print(json);
    if (!text)
        heap_lacks(1, BUFSIZ, what);
    size_t length = strlen(text);
    text = heap_resize(text, length + 2, 1, what);
    memcpy(text + length, "\n", 2);
    return text;
}

#endif
