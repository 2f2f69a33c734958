/*
 * JSON as files have it. Numbers of 64 bits are written as they are, where a
 * JSON library would make a double of them and lose the last digits.
 */
#ifndef SIM_HOST_RESULTS_JSON_TEXT_H
#define SIM_HOST_RESULTS_JSON_TEXT_H

#include "runtime/include/corbel/line.h"
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

/* A list of them. */
static inline void json_u64s(cJSON *to, const char *name,
                             const uint64_t *values, unsigned count)
{
    cJSON *list = cJSON_AddArrayToObject(to, name);
    for (unsigned i = 0; i < count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, values[i]);
        cJSON_AddItemToArray(list, cJSON_CreateRaw(text));
    }
}

/* A string of 16 hexadecimal digits, as xxh64sum prints a hash. */
static inline void json_hash(cJSON *to, const char *name, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(to, name, text);
}

/*
 * All JSON is written here: strings may hold any bytes, files are UTF-8. The
 * text has the end of its last line, for free(). cJSON gives NULL for a lack of
 * memory.
 */
static inline char *json_text_of(char *printed)
{
    static const char what[] = "a text of JSON";
    if (!printed)
        heap_lacks(1, BUFSIZ, what);
    const size_t length = corbel_line_json(NULL, printed);
    char *text = heap_new(length + 2, 1, what);
    corbel_line_json(text, printed);
    memcpy(text + length, "\n", 2);
    free(printed);
    return text;
}

static inline char *json_text(const cJSON *json)
{
    return json_text_of(cJSON_Print(json));
}

/* All in one line. */
static inline char *json_small_text(const cJSON *json)
{
    return json_text_of(cJSON_PrintUnformatted(json));
}

#endif
