/* Chip descriptions: a chip is built, or there is one line that says why not.
 */
#include "ci/fuzz/fuzz.h"
#include "sim/arch/arch.h"
#include "sim/units/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct machine machine;
    struct arch_facts facts = {.note = NULL};
    struct error error = {""};
    machine = (struct machine){.profile.xlen = 64};
    struct chip *chip = chip_new(unit_kinds, &machine);
    if (!arch_load(chip, fuzz_path(data, size), "sim/arch", &facts, &error) ||
        !chip_finish(chip, &error))
        fuzz_check_error(&error);
    chip_free(chip);
    return 0;
}
