/*
 * Memory as a hart sees it: its scratch memory at the top of its addresses, and
 * RAM. All that caches hold has been settled there when the chip stands still.
 */
#include "sim/core/heap.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/gdb/gdb.h"
#include <inttypes.h>
#include <string.h>

/* The bytes from an address on that lie together, at most *bytes. NULL: it is
 * no memory. */
static uint8_t *find(const struct gdb *g, unsigned hart, uint64_t address,
                     size_t *bytes)
{
    const struct machine *m = &g->host->machine;
    uint64_t depth = (0 - address) & machine_address_mask(m);
    uint8_t *scratch = hart_scratch(m, gdb_hart(g, hart), address, 1);
    uint64_t left = scratch ? depth : m->ram_end - address;
    if (!scratch && !machine_in_ram(m, address, 1))
        return NULL;
    if (*bytes > left)
        *bytes = left;
    return scratch ? scratch : machine_at(m, address);
}

size_t memory_peek(const struct gdb *g, unsigned hart, uint64_t address,
                   void *to, size_t bytes)
{
    const uint8_t *at = find(g, hart, address, &bytes);
    if (!at)
        return 0;
    memcpy(to, at, bytes);
    return bytes;
}

/* Copies in caches are dropped, as they may be older from now on. */
static void drop_copies(struct host *host)
{
    for (unsigned i = 0; host->engine && i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->memory && u->kind->memory->empty)
            u->kind->memory->empty(u);
    }
}

size_t memory_poke(struct gdb *g, unsigned hart, uint64_t address,
                   const void *from, size_t bytes)
{
    struct hart *h = gdb_hart(g, hart);
    uint8_t *at = find(g, hart, address, &bytes);
    if (!at)
        return 0;
    memcpy(at, from, bytes);
    observers_written(g->host, at, bytes, false);
    drop_copies(g->host);
    if (core_of(h)->code_changed && host_is_timed(g->host))
        core_of(h)->code_changed(h->core);
    return bytes;
}

/* ---- the map ---- */

/* All of it is RAM to gdb, which would refuse to write anything else. */
char *memory_map(const struct gdb *g)
{
    const struct machine *m = &g->host->machine;
    const uint64_t mask = machine_address_mask(m);
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        heap_lacks(1, BUFSIZ, "--gdb");
    fprintf(to, "<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC "
                "\"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
                "\"http://sourceware.org/gdb/gdb-memory-map.dtd\">"
                "<memory-map>");
    fprintf(to,
            "<memory type=\"ram\" start=\"0x%" PRIx64 "\" length=\"0x%" PRIx64
            "\"/>",
            m->ram_start, m->ram_end - m->ram_start);
    if (m->scratch_bytes)
        fprintf(to,
                "<memory type=\"ram\" start=\"0x%" PRIx64
                "\" length=\"0x%" PRIx64 "\"/>",
                (0 - m->scratch_bytes) & mask, m->scratch_bytes);
    fprintf(to, "</memory-map>");
    fclose(to);
    return text;
}
