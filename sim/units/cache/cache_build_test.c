/*
 * What a description of a cache may not say: its parameters, its links and its
 * neighbours.
 */
#include "sim/units/cache/cache_bench.h"
#include <stdlib.h>

/* ---- what a description may not say ---- */

static void expect_error(const char *settings, const char *text)
{
    struct error e;
    struct bench b = {0};
    const struct unit_kind *const kinds[] = {&cache_kind, NULL};
    b.chip = chip_new(kinds, &b.machine);
    struct tile *tile = chip_tile(b.chip, "t");
    struct unit *u = chip_unit(b.chip, tile, "cache", "cache", NULL, &e);
    char *list = strdup(settings);
    for (char *s = strtok(list, " "); s; s = strtok(NULL, " ")) {
        char setting[64];
        snprintf(setting, sizeof setting, "cache.%s", s);
        assert_true(chip_override(b.chip, setting, &e));
    }
    free(list);
    assert_true(chip_link(b.chip, u, "reply", u, "cpu", 1, 0, &e));
    assert_true(chip_link(b.chip, u, "mem", u, "fill", 1, 0, &e));
    expect_refused_chip(b.chip, text);
}

static void impossible_caches_are_errors(void **state)
{
    expect_error("size=1000", "size: 1000 bytes are no power of two");
    expect_error("size=49152 ways=4", "size: 49152 bytes are no power of two");
    expect_error("ways=0", "ways");
    expect_error("line=96", "line: 96 is no power of two");
    expect_error("sector=48", "sector: 48 is no power of two");
    expect_error("sector=256", "sector: 256 bytes are more than a line (128)");
    expect_error("sector=64 fill=32",
                 "fill: 32 bytes are less than a sector (64)");
    expect_error("fill=256", "fill: 256 bytes are more than a line (128)");
    expect_error("banks=3", "banks: 3 is no power of two");
    expect_error("size=1024 ways=4 banks=4",
                 "banks: 4 are more than the sets (2)");
    expect_error("size=1073741824 ways=1 line=32",
                 "size: 33554432 lines are more than 16777215");
    expect_error("mshrs=2 fill=128", "mshrs: 2, but a miss fetches 4 sectors");
    expect_error("owner=owner atomics=here", "atomics: here is a choice");
    expect_error("map_stride=3000", "map_stride: 3000 is no power of two");
    expect_error("map_stride=64", "map_stride: 64 is less than the stripe");
    expect_error("map_line=96", "map_line: 96 is no power of two");
    expect_error("owner=owner map_line=64",
                 "map_line: 64 is less than a line (128)");
    expect_error("owner=copy", "owner: none of 8 caches below is one");
}

/* A copy before two owners of four slices. */
static void expect_map_error(const char *slices, const char *setting,
                             const char *text)
{
    struct error e;
    struct bench b = {0};
    const struct unit_kind *const kinds[] = {&cache_kind, NULL};
    b.chip = chip_new(kinds, &b.machine);
    struct tile *tile = chip_tile(b.chip, "t");
    struct unit *l1 = chip_unit(b.chip, tile, "cache", "l1", NULL, &e);
    assert_true(chip_override(b.chip, slices, &e));
    assert_true(chip_override(b.chip, setting, &e));
    assert_true(chip_override(b.chip, "l1.map_slices=2", &e));
    assert_true(chip_link(b.chip, l1, "reply", l1, "cpu", 1, 0, &e));
    for (unsigned i = 0; i < 2; i++) {
        struct unit *l2 =
            chip_unit(b.chip, tile, "cache", i ? "b" : "a", "l2", &e);
        assert_true(chip_set(b.chip, l2, "owner", 1, &e));
        assert_true(chip_link(b.chip, l1, "mem", l2, "cpu", 1, 1, &e));
        assert_true(chip_link(b.chip, l2, "reply", l1, "fill", 1, 0, &e));
        assert_true(chip_link(b.chip, l2, "mem", l2, "fill", 1, 0, &e));
    }
    expect_refused_chip(b.chip, text);
}

static void sender_and_owner_have_one_map(void **state)
{
    expect_map_error("l2.map_slices=4", "l2.line=128",
                     "map_slices: 2 here, 4 at a below");
    expect_map_error("l2.map_slices=2", "l2.map_hash=xor",
                     "map_hash: 0 here, 1 at a below");
    expect_map_error("l2.map_slices=2", "l1.map_line=256",
                     "map_line: 256 here, 128 at a below");
}

/* Makes what each word of the list says. */
static void each_word(struct chip *chip, const char *list,
                      void (*make)(struct chip *chip, const char *word))
{
    char *words = strdup(list), *rest = words;
    for (char *w; (w = strtok_r(rest, " ", &rest));)
        make(chip, w);
    free(words);
}

static void override(struct chip *chip, const char *setting)
{
    struct error e;
    assert_true(chip_override(chip, setting, &e));
}

/* A link such as a.mem>b.cpu; the units have one letter each. */
static void make_link(struct chip *chip, const char *link)
{
    struct error e;
    char from, to, output[16], input[16];
    assert_int_equal(
        sscanf(link, "%c.%15[a-z]>%c.%15[a-z]", &from, output, &to, input), 4);
    assert_true(chip_link(chip, chip_find(chip, (char[]){from, 0}), output,
                          chip_find(chip, (char[]){to, 0}), input, 1, 0, &e));
}

/* Two caches, a and b, and a memory, m. */
static void expect_link_error(const char *settings, const char *links,
                              const char *text)
{
    struct error e;
    struct bench b = {0};
    const struct unit_kind *const kinds[] = {&cache_kind, &memory_kind, NULL};
    b.chip = chip_new(kinds, &b.machine);
    struct tile *tile = chip_tile(b.chip, "t");
    chip_unit(b.chip, tile, "cache", "a", NULL, &e);
    chip_unit(b.chip, tile, "cache", "b", NULL, &e);
    chip_unit(b.chip, tile, "memory", "m", NULL, &e);
    each_word(b.chip, settings, override);
    each_word(b.chip, links, make_link);
    expect_refused_chip(b.chip, text);
}

#define A_BEFORE_B "a.reply>a.cpu a.mem>b.cpu b.reply>a.fill "
#define B_BEFORE_M "b.mem>m.cpu m.reply>b.fill"

static void links_that_make_no_sense_are_errors(void **state)
{
    expect_link_error("", "a.mem>b.cpu b.reply>a.fill",
                      "0 cpu links but 0 reply links");
    expect_link_error("", "a.reply>a.cpu",
                      "0 mem links, expected 1 or map_parts x map_slices = 1");
    expect_link_error("a.map_slices=2", "a.reply>a.cpu",
                      "0 mem links, expected 1 or map_parts x map_slices = 2");
    expect_link_error("", "a.reply>a.cpu a.mem>b.cpu", "no fill link");
    expect_link_error("a.owner=owner b.owner=owner", A_BEFORE_B B_BEFORE_M,
                      "owner: there is another cache, b, below");
    expect_link_error("", "a.reply>a.cpu a.mem>m.cpu m.reply>a.fill",
                      "owner: no cache is below");
    expect_link_error("b.owner=owner b.map_slices=2", A_BEFORE_B B_BEFORE_M,
                      "map_parts: there is one mem link, but b is one of 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_caches_are_errors),
        cmocka_unit_test(sender_and_owner_have_one_map),
        cmocka_unit_test(links_that_make_no_sense_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
