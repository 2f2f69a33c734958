/*
 * Where in memory comes what the program opens or allocates while it runs:
 * below all that lies at the top, above the heap, which keeps some room.
 */
#include "sim/host/host.h"
#include <errno.h>
#include <inttypes.h>

enum { HEAP_LEFT = 1 << 20 }; /* room that is left to the heap */

/* Does a word that sim-run writes itself, of HTIF, lie there? */
static bool holds_htif(const struct host *host, uint64_t address,
                       uint64_t bytes)
{
    const uint64_t words[] = {host->machine.tohost, host->machine.fromhost};
    for (int i = 0; i < 2; i++)
        if (words[i] && words[i] < address + bytes &&
            words[i] + sizeof words[i] > address)
            return true;
    return false;
}

/* host->layout.heap_end never exceeds ceiling. */
int64_t place_below(struct host *host, const char *what, uint64_t bytes,
                    uint64_t alignment, uint64_t *address)
{
    uint64_t least = host->layout.heap_end + HEAP_LEFT;
    *address = bytes < host->layout.ceiling
                   ? (host->layout.ceiling - bytes) / alignment * alignment
                   : 0;
    if (*address < least) {
        host_note(host,
                  "%s: %" PRIu64 " MiB do not fit in memory, see --memory",
                  what, bytes >> 20);
        return -ENOMEM;
    }
    if (holds_htif(host, *address, bytes)) {
        host_note(host, "%s: the program has tohost or fromhost in its place",
                  what);
        return -ENOMEM;
    }
    return 0;
}
