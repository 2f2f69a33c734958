/*
 * Follows an access from its core by the roles that units have on the way to
 * memory (sim/core/memory_role.h), and writes the names of the units on it.
 */
#include "sim/host/memcheck/access_path.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/units/common/mem.h"
#include <stdio.h>

void path_text(struct unit *core, uint64_t address, unsigned served, char *text,
               size_t size)
{
    bool known = served != PATH_UNKNOWN;
    unsigned asked = known ? served & MEM_DEPTH : 0;
    int used = snprintf(text, size, "%s", core->name);
    const struct unit *u = memory_next(core, address);
    for (; u && (size_t)used < size; u = memory_next(u, address)) {
        bool tells = known && memory_holds(u) != MEMORY_NOTHING;
        const char *how = !tells ? "" : asked ? " (miss)" : " (hit)";
        used += snprintf(text + used, size - (size_t)used, " -> %s%s", u->name,
                         how);
        if (memory_passes(u))
            continue;
        if (known && !asked)
            return;
        asked--;
    }
}
