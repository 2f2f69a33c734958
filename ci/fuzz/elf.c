/*
 * Programs: what can be opened and placed is run for some instructions without
 * timing, so that the calls of a hostile program are tried as well.
 */
#include "ci/fuzz/program_run.h"
#include "sim/core/heap.h"
#include "sim/units/units.h"
#include <string.h>

#define INSTRUCTIONS 20000u

/* Names of places in a file that was taken. */
static void look_up(const struct program *p)
{
    static const char *const names[] = {"tohost", "main", ""};
    char text[300];
    for (unsigned i = 0; i < 3; i++)
        program_symbol(p, names[i]);
    for (uint64_t i = 0; i < 8; i++)
        program_where(p, p->entry + 2 * i, text, sizeof text);
    program_where(p, 0, text, sizeof text);
    program_where(p, UINT64_MAX, text, sizeof text);
}

static void run(const char *path)
{
    static struct options options;
    static char name[4096], option[] = "--pixels", pixels[] = "4";
    char *argv[] = {name, option, pixels, NULL};
    snprintf(name, sizeof name, "%s", path);
    options = fuzz_options(MODE_FUNCTIONAL, argv, 3, INSTRUCTIONS);
    fuzz_functional(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct program program;
    const char *path = fuzz_path(data, size);
    const bool good = program_open(&program, path, unit_kinds, &error);
    if (good)
        look_up(&program);
    else
        fuzz_check_error(&error);
    program_close(&program);
    if (good)
        run(path);
    return 0;
}
