/*
 * What each hart has of its own in memory: its thread-local variables, among
 * them the state of the C library (errno, rand, strtok, ...). A hart is one
 * thread from reset to the program's end, so this stays from kernel to kernel.
 *
 * The blocks lie at the end of the heap, in DRAM, one after the other, each in
 * blocks of a cache of its own. All of them are 0 at reset; a hart copies what
 * the program gave as first values.
 */
#include <corbel/corbel.h>
#include <corbel/linux.h>
#include <reent.h>
#include <string.h>
#include <unistd.h>

#include "runtime/target/target.h"

enum { EXIT_NO_THREADS = 125 };

/* Of the linker script: an address and three numbers, of which one may be 0. */
extern const char __thread_image[], __thread_bytes[], __thread_align[];
extern const char __thread_image_bytes[] __attribute__((weak));

uintptr_t corbel_thread_blocks(const struct corbel_boot *boot)
{
    return ((uintptr_t)boot->heap_end & -(uintptr_t)__thread_align) -
           (uintptr_t)boot->harts * (uintptr_t)__thread_bytes;
}

static int blocks_fit(const struct corbel_boot *boot)
{
    uint64_t bytes = (uint64_t)boot->harts * (uintptr_t)__thread_bytes;

    return bytes + (uintptr_t)__thread_align <=
           (uint64_t)(boot->heap_end - boot->heap_start);
}

static void refuse(void)
{
    static const char why[] =
        "thread-local variables of all harts exceed the heap (--memory)\n";

    corbel_syscall(LINUX_write, STDERR_FILENO, (long)why, sizeof why - 1, 0);
    corbel_syscall(LINUX_exit_group, EXIT_NO_THREADS, 0, 0, 0);
}

/*
 * For crt0.S, before tp is set: what tp becomes. All harts of a chip come here,
 * so it is short where nothing has to be copied.
 */
void *corbel_thread_start(unsigned long hart, const struct corbel_boot *boot)
{
    char *block =
        (char *)corbel_thread_blocks(boot) + hart * (uintptr_t)__thread_bytes;

    if (hart == 0 && !blocks_fit(boot))
        refuse();
    return (size_t)__thread_image_bytes > 0 && blocks_fit(boot)
               ? memcpy(block, __thread_image, (size_t)__thread_image_bytes)
               : block;
}

static void begin(struct _reent *state, uint64_t seed)
{
    _REENT_INIT_PTR_ZEROED(state);
    _REENT_RAND_NEXT(state) = seed;
    for (int i = 0; i < 3; i++)
        _REENT_RAND48_SEED(state)[i] = (unsigned short)(seed >> 16 * i);
}

/*
 * The C library's state of the calling hart. That of hart 0 is the library's
 * own. The others start as at the beginning of a program, except that rand(),
 * drand48() and their like give each hart other numbers.
 */
struct _reent *__getreent(void)
{
    static _Thread_local struct _reent own;
    unsigned hart = corbel_hart();

    if (hart == 0)
        return _GLOBAL_REENT;
    if (!own._stdin)
        begin(&own, corbel_spread(hart));
    return &own;
}
