/*
 * The calling convention of a hart's core, by the registers that the core names
 * for it: the one place of the host where registers have a meaning.
 */
#include "sim/host/run/cores.h"

static uint64_t get(const struct hart *hart, unsigned number)
{
    if (number == CORE_PC)
        return 0;
    return core_of(hart)->read(hart->core, hart->slot, number);
}

static void set(struct hart *hart, unsigned number, uint64_t value)
{
    if (number != CORE_PC)
        core_of(hart)->write(hart->core, hart->slot, number, value);
}

static const struct core_abi *abi_of(const struct hart *hart)
{
    return core_of(hart)->abi;
}

uint64_t abi_call_number(const struct hart *hart)
{
    return get(hart, abi_of(hart)->number);
}

uint64_t abi_argument(const struct hart *hart, unsigned index)
{
    return get(hart, abi_of(hart)->arguments[index]);
}

void abi_set_argument(struct hart *hart, unsigned index, uint64_t value)
{
    set(hart, abi_of(hart)->arguments[index], value);
}

uint64_t abi_stack(const struct hart *hart)
{
    return get(hart, abi_of(hart)->stack);
}

void abi_set_stack(struct hart *hart, uint64_t address)
{
    set(hart, abi_of(hart)->stack, address);
}

uint64_t abi_return_address(const struct hart *hart)
{
    return get(hart, abi_of(hart)->return_address);
}

void abi_pass_call(struct hart *hart)
{
    core_of(hart)->write(hart->core, hart->slot, CORE_PC,
                         hart_pc(hart) + abi_of(hart)->call_bytes);
}

void abi_answer(struct hart *hart, int64_t result)
{
    set(hart, abi_of(hart)->result, (uint64_t)result);
    abi_pass_call(hart);
}
