/* What <corbel/corbel.h> promises, by system calls and counters. */
#include <corbel/corbel.h>
#include <corbel/rays.h>
#include <stddef.h>

#include "asm.h"
#include "target.h"

_Static_assert(offsetof(struct corbel_boot, argc) == BOOT_ARGC, "asm.h");
_Static_assert(offsetof(struct corbel_boot, argv) == BOOT_ARGV, "asm.h");
_Static_assert(offsetof(struct corbel_boot, stack_top) == BOOT_STACK_TOP,
               "asm.h");
_Static_assert(offsetof(struct corbel_boot, envp) == BOOT_ENVP, "asm.h");

unsigned corbel_harts(void)
{
    return (unsigned)corbel_boot_block->harts;
}

uint64_t corbel_cycles(void)
{
#if __riscv_xlen == 64
    uint64_t cycles;

    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
#else
    uint32_t high, low, again;

    do
        __asm__ volatile("rdcycleh %0\n\trdcycle %1\n\trdcycleh %2"
                         : "=&r"(high), "=&r"(low), "=&r"(again));
    while (high != again);
    return (uint64_t)high << 32 | low;
#endif
}

void corbel_work(uint64_t items)
{
    corbel_syscall(CORBEL_SYS_WORK, (long)items, 0, 0, 0);
}

void corbel_frame(const void *pixels, size_t bytes)
{
    corbel_syscall(CORBEL_SYS_FRAME, (long)pixels, (long)bytes, 0, 0);
}

const struct corbel_scene *corbel_scene_open(const char *path)
{
    long address =
        corbel_answer(corbel_syscall(CORBEL_SYS_SCENE, (long)path, 0, 0, 0));

    return address == -1 ? NULL : (const struct corbel_scene *)address;
}

int corbel_scene_use(const struct corbel_scene *scene)
{
    return (int)corbel_answer(
        corbel_syscall(CORBEL_SYS_SCENE_USE, (long)scene, 0, 0, 0));
}

static const void *map_file(const char *path, size_t *bytes, long kind)
{
    uint64_t size;
    long address = corbel_answer(
        corbel_syscall(CORBEL_SYS_MAP, (long)path, (long)&size, kind, 0));

    if (address == -1)
        return NULL;
    *bytes = (size_t)size;
    return (const void *)address;
}

const void *corbel_file_map(const char *path, size_t *bytes)
{
    return map_file(path, bytes, CORBEL_MAP_FILE);
}

/* The simulator checks it: here that would take simulated time. */
const struct corbel_rays *corbel_rays_open(const char *path)
{
    size_t bytes;

    return map_file(path, &bytes, CORBEL_MAP_RAYS);
}

void *corbel_managed_alloc(size_t bytes)
{
    long address = corbel_answer(
        corbel_syscall(CORBEL_SYS_MANAGED_ALLOC, (long)bytes, 0, 0, 0));

    return address == -1 ? NULL : (void *)address;
}

int corbel_managed_prefetch(const void *start, size_t bytes)
{
    return (int)corbel_answer(corbel_syscall(CORBEL_SYS_MANAGED_PREFETCH,
                                             (long)start, (long)bytes, 0, 0));
}

int corbel_managed_sync(void)
{
    return (int)corbel_answer(
        corbel_syscall(CORBEL_SYS_MANAGED_SYNC, 0, 0, 0, 0));
}

int corbel_managed_count(struct corbel_managed_stats *stats)
{
    return (int)corbel_answer(
        corbel_syscall(CORBEL_SYS_MANAGED_STATS, (long)stats, 0, 0, 0));
}
