/* The way to memory as the roles of units tell it, on chips as described. */
#include "sim/arch/arch.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/memcheck/access_path.h"
#include "sim/units/common/machine.h"
#include "sim/units/common/mem.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static struct machine machine;

static struct chip *chip_of(const char *file, const char *setting)
{
    struct error e;
    struct arch_facts facts = {.note = NULL};
    machine = (struct machine){.profile.xlen = 64};
    struct chip *chip = chip_new(unit_kinds, &machine);
    if ((setting && !chip_override(chip, setting, &e)) ||
        !arch_load(chip, file, "sim/arch", &facts, &e) ||
        !chip_finish(chip, &e))
        fail_msg("%s", e.text);
    return chip;
}

static const char *next_name(const struct chip *chip, const char *unit,
                             uint64_t address)
{
    return memory_next(chip_find(chip, unit), address)->name;
}

static void the_stripes_of_the_owner_choose_the_slice(void **state)
{
    struct chip *chip = chip_of("sim/arch/tiny.lua", "l2.map_line=256");
    for (uint64_t at = 0; at < 4096; at += 32)
        assert_string_equal(next_name(chip, "tm0.l1", 0x10000 + at),
                            at / 256 % 2 ? "part0.l2.1" : "part0.l2.0");
    chip_free(chip);
}

static void the_way_goes_on_to_main_memory_and_ends(void **state)
{
    struct chip *chip = chip_of("sim/arch/tiny.lua", NULL);
    const struct unit *u = chip_find(chip, "tm0.tp0");
    static const enum memory_holds holds[] = {MEMORY_COPIES, MEMORY_OWNS,
                                              MEMORY_NOTHING};
    static const unsigned levels[] = {1, 0, 0};
    for (unsigned i = 0; i < 3; i++) {
        assert_false(memory_ends(u));
        u = memory_next(u, 0x12340);
        assert_int_equal(memory_holds(u), holds[i]);
        assert_int_equal(memory_level(u), levels[i]);
    }
    assert_true(memory_ends(u));
    assert_null(memory_next(u, 0x12340));
    chip_free(chip);
}

static void a_path_tells_hits_and_misses_up_to_where_data_was(void **state)
{
    char text[200];
    struct chip *chip = chip_of("sim/arch/tiny.lua", NULL);
    struct unit *tp = chip_find(chip, "tm0.tp1");
    path_text(tp, 0x10020, 0, text, sizeof text);
    assert_string_equal(text, "tm0.tp1 -> tm0.l1 (hit)");
    path_text(tp, 0x10020, 1 | MEM_JOINED, text, sizeof text);
    assert_non_null(strstr(text, "tm0.tp1 -> tm0.l1 (miss) -> part0.l2."));
    assert_non_null(strstr(text, " (hit)"));
    path_text(tp, 0x10020, PATH_UNKNOWN, text, sizeof text);
    assert_null(strstr(text, "("));
    assert_non_null(strstr(text, "part0.dram"));
    path_text(tp, 0x10020, PATH_UNKNOWN, text, 12);
    assert_int_equal(strlen(text), 11);
    chip_free(chip);
}

static void a_chip_without_caches_has_a_way_too(void **state)
{
    char text[200];
    struct chip *chip = chip_of("sim/arch/core.lua", NULL);
    struct unit *core = NULL;
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        if (chip_unit_at(chip, i)->kind->core)
            core = chip_unit_at(chip, i);
    assert_non_null(core);
    path_text(core, 0x10020, PATH_UNKNOWN, text, sizeof text);
    assert_non_null(strstr(text, " -> "));
    chip_free(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stripes_of_the_owner_choose_the_slice),
        cmocka_unit_test(the_way_goes_on_to_main_memory_and_ends),
        cmocka_unit_test(a_path_tells_hits_and_misses_up_to_where_data_was),
        cmocka_unit_test(a_chip_without_caches_has_a_way_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
