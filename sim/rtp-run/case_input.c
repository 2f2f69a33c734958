#include "sim/rtp-run/case_input.h"
#include "sim/core/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

uint64_t input_value(const cJSON *number)
{
    return cJSON_IsNumber(number) ? (uint64_t)number->valuedouble : 0;
}

uint64_t input_number(const cJSON *object, const char *name)
{
    return input_value(cJSON_GetObjectItemCaseSensitive(object, name));
}

uint32_t input_key(const cJSON *member, int base)
{
    return (uint32_t)strtoul(member->string, NULL, base);
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
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    corbel_line_put(stdout, name);
    fputs(": ", stdout);
    corbel_line_put(stdout, text ? text : "differs");
    putchar('\n');
    free(text);
    va_end(arguments);
    return false;
}
