/*
 * What cannot be built is refused with a line that names the unit and says what
 * is expected, for each kind of unit; and units that wait for nothing have
 * nothing to explain.
 */
#include "sim/arch/arch.h"
#include "sim/core/unit.h"
#include "sim/units/common/machine.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static struct machine machine;

/* NULL: refused. */
static struct chip *build(const char *file, const char *const *settings,
                          struct error *e)
{
    struct arch_facts facts = {.note = NULL};
    machine = (struct machine){.profile.xlen = 64};
    struct chip *chip = chip_new(unit_kinds, &machine);
    bool good = true;
    for (; good && *settings; settings++)
        good = chip_override(chip, *settings, e);
    if (good && arch_load(chip, file, "sim/arch", &facts, e) &&
        chip_finish(chip, e))
        return chip;
    chip_free(chip);
    return NULL;
}

static void what_cannot_be_built_is_refused(void **state)
{
    static const struct {
        const char *settings[3], *expected;
    } rows[] = {
        {{"l1.sector=48"}, "sector: 48 is no power of two"},
        {{"l1.size=1000"}, "size: 1000 bytes are no power of two sets of"},
        {{"l1.banks=64"}, "banks: 64 are more than the sets"},
        {{"l1.fill=16"}, "fill: 16"},
        {{"l1.sector=256"}, "sector: 256"},
        {{"l1.map_line=256"}, "map_line: 256 here"},
        {{"cache.map_stride=32"}, "map_stride: 32 is less than the stripe"},
        {{"l2.atomics=here"}, "atomics: here is a choice for copies"},
        {{"l2.owner=copy"}, "owner: no cache is below"},
        {{"l1.owner=owner"}, "owner: there is another cache"},
        {{"dram.channels=3"}, "channels: 3 is no power of two"},
        {{"dram.map_stride=48"}, "map_stride: 48 is no power of two"},
        {{"tp.imul_unit=9"}, "imul_unit: there are"},
        {{"tm0.tp0.scratch=8192"}, "scratch: differs from that of other harts"},
        {{"tm0.tp1.ext_c=0"}, "ext_...: differ from those of other harts"},
        {{"tp.ext_f=0", "tp.ext_d=1"}, "ext_...: "},
        {{"tp.fetch_buffer=4"}, "fetch_buffer: there is no fetch link"},
        {{"chip.icache=1", "tp.fetch_buffer=1"}, "0 or at least 2 expected"},
        {{"chip.icache=1", "tp.fetch_ahead=9"}, "fetch_ahead: at most"},
        {{"l1.waies=3"}, "did you mean 'ways'?"},
        {{"l9.ways=3"}, "l9"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e;
        struct chip *chip = build("sim/arch/tiny.lua", rows[i].settings, &e);
        if (chip || !strstr(e.text, rows[i].expected))
            fail_msg("%s: %s, expected %s", rows[i].settings[0],
                     chip ? "built" : e.text, rows[i].expected);
        assert_null(strchr(e.text, '\n'));
    }
}

static void an_idle_chip_has_nothing_to_explain(void **state)
{
    static const char *const none[] = {NULL};
    static const char *const files[] = {"sim/arch/tiny.lua",
                                        "sim/arch/core.lua"};
    for (unsigned f = 0; f < 2; f++) {
        struct error e;
        struct chip *chip = build(files[f], none, &e);
        if (!chip)
            fail_msg("%s", e.text);
        for (unsigned i = 0; i < chip_unit_count(chip); i++) {
            const struct unit *u = chip_unit_at(chip, i);
            char *text = NULL;
            size_t size = 0;
            FILE *out = open_memstream(&text, &size);
            if (u->kind->explain)
                u->kind->explain(u, out);
            fclose(out);
            if (size)
                fail_msg("%s", text);
            free(text);
        }
        chip_free(chip);
    }
}

/* ---- links that a description forgets or makes twice ---- */

static void refuse_script(const char *script, const char *expected)
{
    static const char *const none[] = {NULL};
    char path[] = "/tmp/corbel-builds-XXXXXX";
    struct error e;
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs(script, f);
    fclose(f);
    struct chip *chip = build(path, none, &e);
    remove(path);
    if (chip || !strstr(e.text, expected))
        fail_msg("%s: %s, expected %s", script, chip ? "built" : e.text,
                 expected);
}

static void links_that_are_missing_are_named(void **state)
{
    static const char *const scripts[][2] = {
        {"local t = tile('t') unit{tile = t, kind = 'tp', name = 'core'}",
         "no mem link"},
        {"local t = tile('t') unit{tile = t, kind = 'cache', name = 'c'}",
         "0 cpu links"},
        {"local t = tile('t') unit{tile = t, kind = 'rtcore', name = 'r'}",
         "0 ray links but 0 hit links"},
        {"local t = tile('t') unit{tile = t, kind = 'scheduler', name = 's'}",
         "0 next links but 0 index links"},
    };
    for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++)
        refuse_script(scripts[i][0], scripts[i][1]);
}

static void what_is_wrong_in_a_script_is_told_with_its_line(void **state)
{
    static const char *const scripts[][2] = {
        {"local t = tile('t')\nunit{tile = t, kind = 'no_such', name = 'x'}",
         ":2: "},
        {"\n\nx = = 1", ":3: "},
        {"error('by itself')", "by itself"},
        {"while true do end", ":1: "},
        {"include('nothing.lua')", "nothing.lua"},
        {"io.open('/etc/passwd')", ":1: "},
        {"local t = tile('t') unit{tile = t, kind = 'cache', name = 'c', wais "
         "= 3}",
         "wais"},
    };
    for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++)
        refuse_script(scripts[i][0], scripts[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_built_is_refused),
        cmocka_unit_test(an_idle_chip_has_nothing_to_explain),
        cmocka_unit_test(links_that_are_missing_are_named),
        cmocka_unit_test(what_is_wrong_in_a_script_is_told_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
