/* Finds where two memories differ. */
#include "sim/host/memcheck/memory_difference.h"
#include "sim/host/run/program_memory.h"

struct comparison {
    const uint8_t *other; /* memory to compare with */
    uint64_t first;       /* address that differs, UINT64_MAX: none */
};

static void compare_page(void *context, uint64_t address, const uint8_t *page)
{
    struct comparison *c = context;
    for (unsigned i = 0; i < PAGE && c->first > address + i; i++)
        if (page[i] != c->other[address + i])
            c->first = address + i;
}

/* memory_pages leaves out pages that are all 0, so each memory is visited and
 * compared with the other. */
uint64_t memory_difference(const struct machine *a, const struct machine *b)
{
    struct comparison to = {.other = a->memory, .first = UINT64_MAX};
    memory_pages(b, compare_page, &to);
    to.other = b->memory;
    memory_pages(a, compare_page, &to);
    return to.first;
}
