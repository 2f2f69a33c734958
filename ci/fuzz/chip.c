/* Chips for targets that need one. */
#include "ci/fuzz/fuzz.h"
#include "sim/arch/arch.h"
#include "sim/units/units.h"
#include <stdio.h>
#include <stdlib.h>

struct chip *fuzz_chip(const char *path, const char *setting, struct machine *m)
{
    struct arch_facts facts = {.note = NULL};
    struct error error;
    struct chip *chip = chip_new(unit_kinds, m);
    if (!chip_override(chip, setting, &error) ||
        !arch_load(chip, path, "sim/arch", &facts, &error) ||
        !chip_finish(chip, &error)) {
        fprintf(stderr, "fuzz: %s\n", error.text);
        abort();
    }
    return chip;
}
