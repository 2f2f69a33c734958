/*
 * Reserves the program's memory, protects parts of it, gives the host access
 * for system calls, and visits the pages that were touched.
 */
#include "sim/host/run/program_memory.h"
#include "runtime/include/corbel/abi.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool memory_reserve(struct machine *m, uint64_t end, struct error *error)
{
    void *base = mmap(NULL, end, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        heap_lacks(end, 1, "the program's memory");
    m->memory = base;
    m->ram_start = CORBEL_RAM_START;
    m->ram_end = end;
    return true;
}

void memory_release(struct machine *m)
{
    if (m->memory)
        munmap(m->memory, m->ram_end);
    m->memory = NULL;
}

bool memory_protect(struct machine *m, uint64_t start, uint64_t end,
                    struct error *error)
{
    for (unsigned i = 0; i < m->read_only_count; i++) {
        struct range *r = &m->read_only[i];
        if (r->end == start) {
            r->end = end;
            return true;
        }
    }
    if (m->read_only_count == MACHINE_RANGES)
        return error_set(error, "more than %d read-only areas", MACHINE_RANGES);
    m->read_only[m->read_only_count++] = (struct range){start, end};
    return true;
}

void memory_dense(struct machine *m, uint64_t start, uint64_t end)
{
    madvise(m->memory + start, end - start, MADV_HUGEPAGE); /* a wish */
}

uint8_t *memory_for_reading(struct machine *m, const struct hart *h,
                            uint64_t address, uint64_t bytes)
{
    if (m->profile.xlen == 32)
        address = (uint32_t)address;
    if (machine_in_ram(m, address, bytes))
        return machine_at(m, address);
    return hart_scratch(m, h, address, bytes);
}

uint8_t *memory_for_writing(struct machine *m, const struct hart *h,
                            uint64_t address, uint64_t bytes)
{
    if (m->profile.xlen == 32)
        address = (uint32_t)address;
    if (machine_in_ram(m, address, bytes) &&
        machine_read_only(m, address, bytes))
        return NULL;
    return memory_for_reading(m, h, address, bytes);
}

const char *memory_string(struct machine *m, const struct hart *h,
                          uint64_t address, uint64_t size)
{
    const uint8_t *first = memory_for_reading(m, h, address, 1);
    for (uint64_t n = 0; first && n < size; n++) {
        /* RAM and scratch memory meet on RV32, but not on the host. */
        if (memory_for_reading(m, h, address + n, 1) != first + n)
            return NULL;
        if (!first[n])
            return (const char *)first;
    }
    return NULL;
}

/*
 * Which pages were ever touched: from the kernel's page map, where bit 63 is
 * "in memory" and bit 62 "swapped out". Without it all pages are read.
 */
static void page_map(int fd, const uint8_t *first, uint64_t *entries,
                     unsigned count)
{
    ssize_t bytes = (ssize_t)(count * sizeof *entries);
    off_t offset = (off_t)((uintptr_t)first / PAGE * sizeof *entries);
    if (fd < 0 || pread(fd, entries, (size_t)bytes, offset) != bytes)
        memset(entries, 0xff, (size_t)bytes);
}

void memory_pages(const struct machine *m,
                  void (*visit)(void *context, uint64_t address,
                                const uint8_t *page),
                  void *context)
{
    enum { CHUNK = 8192 };
    static const uint8_t zero[PAGE];
    uint64_t entries[CHUNK];
    int fd = sysconf(_SC_PAGESIZE) == PAGE
                 ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
                 : -1;
    for (uint64_t at = 0; at < m->ram_end; at += CHUNK * (uint64_t)PAGE) {
        uint64_t left = (m->ram_end - at) / PAGE;
        unsigned count = left < CHUNK ? (unsigned)left : CHUNK;
        page_map(fd, m->memory + at, entries, count);
        for (unsigned i = 0; i < count; i++) {
            const uint8_t *page = m->memory + at + i * (uint64_t)PAGE;
            if (entries[i] >> 62 && memcmp(page, zero, PAGE))
                visit(context, at + i * (uint64_t)PAGE, page);
        }
    }
    if (fd >= 0)
        close(fd);
}
