/*
 * Recorded programs and rays, as rtp-run reads them: a line is a case, an
 * object of JSON or, if the first one begins with "case,", a row of a table.
 */
#include "ci/fuzz/fuzz.h"
#include "sim/rtp-run/case_input.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 24

static void object(const char *line)
{
    static const struct replay_options options = {.quirks = true};
    cJSON *o = cJSON_Parse(line);
    struct error error = {""};
    if (cJSON_IsObject(o) && !input_check(o, &error))
        fuzz_check_error(&error);
    else if (cJSON_IsObject(o) && cJSON_GetObjectItemCaseSensitive(o, "init_s"))
        replay_core(o, &options);
    cJSON_Delete(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text, *line;
    char *cells[CELLS];
    const bool table = !strncmp(text, "case,", 5);
    while ((line = input_line(&rest)))
        if (table)
            replay_ray(cells, input_cells(line, cells, CELLS));
        else
            object(line);
    free(text);
    return 0;
}
