/*
 * Files of --warm-caches. The first byte, a digit, chooses the policy of the
 * caches, the second one what the rest is: a whole file; what stands in one
 * between the heads and ends of the caches, with an "end" between two; or such
 * lines, coded. What was taken is what a cache would save again: the file that
 * is written then is taken as well, and is written again equal.
 */
#include "ci/fuzz/fuzz.h"
#include "sdk/whole/whole.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/state/saved_caches.h"
#include "sim/units/cache/cache_replacement.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine machine = {.profile.xlen = 64};

/* From the folder of the tree. */
#define WARM_CHIP "ci/fuzz/warm.lua"

#define POLICY(name) "cache.replacement=" #name,
static const char *const policies[] = {CACHE_REPLACEMENTS(POLICY, POLICY)};
enum { POLICIES = sizeof policies / sizeof *policies };

/* A chip whose caches hold nothing. */
static struct chip *fresh(unsigned policy)
{
    struct error error;
    if (!machine.memory && !memory_reserve(&machine, 64 << 20, &error))
        abort();
    machine = (struct machine){.profile = machine.profile,
                               .memory = machine.memory,
                               .ram_start = machine.ram_start,
                               .ram_end = machine.ram_end};
    return fuzz_chip(WARM_CHIP, policies[policy], &machine);
}

#define SAVED_MAX (1u << 24) /* bytes, more than they ever are */

/* What the chip's caches save, for free(). There is room for a 0 behind it. */
static char *saved(const struct chip *chip, size_t *bytes)
{
    char path[256];
    struct error error;
    snprintf(path, sizeof path, "%s/saved", fuzz_folder());
    if (!caches_save(chip, path, &error))
        abort();
    FILE *f = fopen(path, "rb");
    char *text = malloc(SAVED_MAX + 1);
    if (!f || !text)
        abort();
    *bytes = fread(text, 1, SAVED_MAX, f);
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

/* What the chip saves, with a part of the body in each cache that has no line.
 * For free(). */
static char *with_heads(const struct chip *chip, const char *body)
{
    size_t bytes, size;
    char *empty = saved(chip, &bytes), *text, *rest = empty, *line;
    FILE *out = open_memstream(&text, &size);
    empty[bytes] = 0;
    while ((line = strsep(&rest, "\n")) && rest) {
        const char *end = strstr(body, "end\n");
        const bool ends = !strcmp(line, "end");
        if (ends)
            fwrite(body, 1, end ? (size_t)(end - body) : strlen(body), out);
        if (ends)
            body = end ? end + strlen("end\n") : "";
        fprintf(out, "%s\n", line);
    }
    fclose(out);
    free(empty);
    return text;
}

/* What the first chip has taken, a second one takes, and both hold the same. */
static void compare(const struct chip *first, unsigned policy)
{
    size_t bytes, more;
    char *text = saved(first, &bytes);
    struct chip *second = fresh(policy);
    if (!load(second, text, bytes))
        abort();
    char *again = saved(second, &more);
    if (more != bytes || memcmp(text, again, bytes))
        abort();
    chip_free(second);
    free(text);
    free(again);
}

/* Lines of the caches that are near to right, four bytes each. For free(). */
static char *as_lines(const uint8_t *data, size_t size)
{
    enum { SETS = 2, LINE = 128, FIRST = 0x100000 };
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    for (; size >= 4; data += 4, size -= 4) {
        const unsigned set = data[0] % SETS, way = data[1] % 9;
        const unsigned number = FIRST / LINE + data[2] % 16 * SETS + set;
        if (data[0] >= 250)
            fprintf(out, "end\n");
        else
            fprintf(out, "line %u %u %x %x %x %u\n", set, way, number,
                    number * LINE, data[3] % 17u, data[1] / 16u);
    }
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const unsigned policy = data[0] % POLICIES, how = data[1] % 4;
    char *text =
        how == 2 ? as_lines(data + 2, size - 2) : fuzz_text(data + 2, size - 2);
    struct chip *chip = fresh(policy);
    char *whole = how ? with_heads(chip, text) : NULL;
    if (load(chip, whole ? whole : text, whole ? strlen(whole) : size - 2))
        compare(chip, policy);
    free(whole);
    free(text);
    chip_free(chip);
    return 0;
}
