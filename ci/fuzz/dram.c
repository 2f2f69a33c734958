/*
 * What dram-run reads: the three tables of a device's folder and a file of
 * requests, with @ between them; then the requests are replayed.
 */
#include "ci/fuzz/fuzz.h"
#include "sim/dram/replay/dram_report.h"
#include "sim/dram/replay/settings.h"
#include <stdlib.h>
#include <string.h>

#define PATH 256

/* The next part of the input becomes a file. */
static void write_part(const char *name, const uint8_t **data, size_t *size)
{
    char path[PATH];
    const uint8_t *end = memchr(*data, '@', *size);
    const size_t bytes = end ? (size_t)(end - *data) : *size;
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(*data, 1, bytes, f) != bytes || fclose(f))
        abort();
    *size -= bytes + (end != NULL);
    *data += bytes + (end != NULL);
}

static void replay(const struct trace *trace, const struct settings *settings,
                   struct dram_device *device)
{
    struct error error = {""};
    struct replay result = {0};
    const struct dram_options options = settings_options(settings, device);
    if (!replay_run(&result, trace, &options, false, &error))
        fuzz_check_error(&error);
    replay_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct settings settings;
    struct trace trace;
    char path[PATH], how[128];
    write_part("organisation.csv", &data, &size);
    write_part("timing.csv", &data, &size);
    write_part("constraints.csv", &data, &size);
    write_part("requests.csv", &data, &size);
    struct dram_device *device =
        settings_choose(fuzz_folder(), NULL, 0, &settings, how, &error);
    if (!device)
        fuzz_check_error(&error);
    snprintf(path, sizeof path, "%s/requests.csv", fuzz_folder());
    if (!trace_read(&trace, path, &error)) {
        fuzz_check_error(&error);
    } else {
        if (device)
            replay(&trace, &settings, device);
        trace_free(&trace);
    }
    dram_device_free(device);
    return 0;
}
