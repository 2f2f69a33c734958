/* Vectors of unified virtual memory, as page-run reads and replays them. */
#include "ci/fuzz/fuzz.h"
#include "sim/uvm/replay/page_replay.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct replay_options options = {.seed = 1, .a = 12};
    struct error error = {""};
    struct sheet sheet;
    char *results = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&results, &bytes);
    const struct replay_kind *kind =
        sheet_open(&sheet, fuzz_path(data, size), &error)
            ? replay_kind_of(&sheet)
            : NULL;
    if (!kind || !replay_run(kind, &sheet, &options, out))
        fuzz_check_error(&error);
    sheet_close(&sheet);
    fclose(out);
    free(results);
    return 0;
}
