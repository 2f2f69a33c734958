/*
 * Files of --warm-caches. What was taken is what a cache would save again: the
 * file that is written then is taken as well, and is written again equal.
 */
#include "sim/host/warm.h"
#include "ci/fuzz/fuzz.h"
#include "sim/core/whole.h"
#include "sim/host/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine machine = {.profile.xlen = 64};

/* A chip whose caches hold nothing. */
static struct chip *fresh(void)
{
    struct error error;
    if (!machine.memory && !memory_reserve(&machine, 64 << 20, &error))
        abort();
    machine = (struct machine){.profile = machine.profile,
                               .memory = machine.memory,
                               .ram_start = machine.ram_start,
                               .ram_end = machine.ram_end};
    return fuzz_chip("sim/arch/tiny.lua", &machine);
}

/* What the chip's caches save, for free(). */
static char *saved(const struct chip *chip, size_t *bytes)
{
    char path[256];
    struct error error;
    snprintf(path, sizeof path, "%s/saved", fuzz_folder());
    if (!caches_save(chip, path, &error))
        abort();
    FILE *f = fopen(path, "rb");
    char *text = malloc(1 << 24);
    if (!f || !text)
        abort();
    *bytes = fread(text, 1, 1 << 24, f);
    fclose(f);
    return text;
}

static bool load(const struct chip *chip, const void *data, size_t size)
{
    uint64_t hash;
    struct error error = {""};
    if (caches_load(chip, fuzz_path(data, size), &hash, &error))
        return true;
    fuzz_check_error(&error);
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct chip *first = fresh();
    if (load(first, data, size)) {
        size_t bytes, more;
        char *text = saved(first, &bytes);
        struct chip *second = fresh();
        if (!load(second, text, bytes))
            abort();
        char *again = saved(second, &more);
        if (more != bytes || memcmp(text, again, bytes))
            abort();
        chip_free(second);
        free(text);
        free(again);
    }
    chip_free(first);
    return 0;
}
