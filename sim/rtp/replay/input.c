#include "sim/rtp/replay/input.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

char *input_read(const char *path, struct error *error)
{
    size_t size = 0, room = 1 << 20;
    gzFile file = gzopen(path, "rb");
    int n, status = Z_OK;
    if (!file) {
        error_set(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = heap_resize(NULL, room + 1, 1, "a file");
    while ((n = gzread(file, text + size, (unsigned)(room - size))) > 0) {
        size += (size_t)n;
        if (size == room)
            text = heap_resize(text, (room *= 2) + 1, 1, "a file");
    }
    const char *why = gzerror(file, &status);
    if (n < 0 || status != Z_OK) {
        error_set(error, "%s: %s", path,
                  status == Z_ERRNO ? strerror(errno) : why);
        free(text);
        text = NULL;
    } else
        text[size] = '\0';
    gzclose(file);
    return text;
}

char *input_line(char **text)
{
    char *line = *text;
    if (!*line)
        return NULL;
    char *end = line + strcspn(line, "\n");
    *text = end + (*end == '\n');
    *end = '\0';
    return line;
}

unsigned input_cells(char *row, char **cells, unsigned most)
{
    unsigned count = 0;
    while (count < most) {
        cells[count++] = row;
        row += strcspn(row, ",");
        if (!*row)
            break;
        *row++ = '\0';
    }
    return count;
}

uint32_t input_word(const cJSON *text)
{
    const char *digits = cJSON_GetStringValue(text);
    return digits ? (uint32_t)strtoul(digits, NULL, 16) : 0;
}

uint64_t input_number(const cJSON *object, const char *name)
{
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(n) ? (uint64_t)n->valuedouble : 0;
}

bool input_flag(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name));
}

const char *input_text(const cJSON *object, const char *name)
{
    const char *text =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "(no name)";
}

uint32_t input_words(const cJSON *array, uint32_t *words, uint32_t most)
{
    const cJSON *item;
    uint32_t count = 0;
    cJSON_ArrayForEach(item, array) if (count < most) words[count++] =
        input_word(item);
    return count;
}

bool differs(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s: ", name);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    return false;
}
