#include "sim/report/page_json.h"
#include "sim/core/error.h"
#include "sim/core/heap.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* JSON that is known to be good, but for bytes that are no UTF-8. */
static void put_json(FILE *out, const char *json)
{
    char *text = heap_new(corbel_line_json(NULL, json) + 1, 1, "a text");
    corbel_line_json(text, json);
    for (const char *p = text; *p; p++) {
        if (strchr("<>&", *p))
            fprintf(out, "\\u%04x", (unsigned)*p);
        else if (!strncmp(p, "\xe2\x80\xa8", 3) ||
                 !strncmp(p, "\xe2\x80\xa9", 3)) {
            fputs(p[2] == '\xa8' ? "\\u2028" : "\\u2029", out);
            p += 2;
        } else
            fputc(*p, out);
    }
    free(text);
}

void json_put_text(FILE *out, const char *text)
{
    cJSON *string = cJSON_CreateString(text);
    char *json = cJSON_PrintUnformatted(string);
    if (!json)
        heap_lacks(strlen(text), 1, "a text");
    put_json(out, json);
    free(json);
    cJSON_Delete(string);
}

void json_put_file(FILE *out, const char *text)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    char *small = heap_text(text);
    cJSON_Minify(small);
    put_json(out, small);
    free(small);
}
