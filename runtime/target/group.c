/*
 * Groups on a chip: harts meet by a system call, in which those that wait cost
 * nothing, and which is a fence; members that take turns on a hart have stacks
 * in memory, as large as the hart's.
 */
#include "runtime/common/group.h"

#include <corbel/corbel.h>
#include <corbel/linux.h>
#include <string.h>

#include "runtime/target/target.h"

/* What calls keep: ra, sp, s0 .. s11, fcsr, fs0 .. fs11; group_switch.S. */
struct group_context {
    uintptr_t x[15];
#if __riscv_flen == 64
    double f[12];
#else
    float f[12];
#endif
};

static unsigned long ask(long what, unsigned long a, unsigned long b)
{
    return (unsigned long)corbel_syscall(CORBEL_SYS_GROUPS, what, (long)a,
                                         (long)b, 0);
}

unsigned group_machine_harts(void)
{
    return (unsigned)ask(CORBEL_GROUPS_HARTS, 0, 0);
}

unsigned group_machine_team(unsigned size)
{
    unsigned harts = group_machine_harts();

    return size < harts ? size : harts;
}

unsigned group_machine_step(unsigned harts)
{
    return (unsigned)ask(CORBEL_GROUPS_STEP, harts, 0);
}

unsigned group_machine_teams(unsigned harts, size_t memory)
{
    return (unsigned)ask(CORBEL_GROUPS_TEAMS, harts, memory);
}

void group_machine_window(void *start, size_t bytes, unsigned count)
{
    corbel_syscall(CORBEL_SYS_GROUPS, CORBEL_GROUPS_WINDOW, (long)start,
                   (long)bytes, count);
}

void group_machine_seats(unsigned harts, unsigned teams)
{
    ask(CORBEL_GROUPS_SEATS, harts, teams);
}

size_t group_machine_memory(void)
{
    return ask(CORBEL_GROUPS_MEMORY, 0, 0);
}

bool group_machine_stacks_alike(void)
{
    return corbel_boot_block->scratch > 0;
}

bool group_machine_in_kernel(void)
{
    return corbel_kernel_running;
}

bool group_machine_wait(struct group_barrier *barrier, unsigned first,
                        unsigned harts, enum group_stop stop)
{
    return !corbel_syscall(CORBEL_SYS_BARRIER, (long)barrier->arrived,
                           (long)first, (long)harts, stop);
}

size_t group_context_bytes(void)
{
    return sizeof(struct group_context);
}

size_t group_stack_bytes(void)
{
    enum { WITHOUT_SCRATCH = 4096, LEAST = 1024 };
    size_t scratch = (size_t)corbel_boot_block->scratch;

    return !scratch ? WITHOUT_SCRATCH : scratch < LEAST ? LEAST : scratch;
}

void group_context_home(struct group_context *c)
{
}

void group_context_end(struct group_context *c)
{
}

void group_context_start(struct group_context *c, void *stack, size_t bytes,
                         void (*entry)(void))
{
    uintptr_t fcsr;

    __asm__("frcsr %0" : "=r"(fcsr));
    c->x[0] = (uintptr_t)entry;
    c->x[1] = (uintptr_t)stack + bytes;
    c->x[14] = fcsr;
}

void group_machine_last(void)
{
    corbel_last();
}

void group_machine_end(const char *line)
{
    static const char end = '\n';

    corbel_syscall(LINUX_write, 2, (long)line, (long)strlen(line), 0);
    corbel_syscall(LINUX_write, 2, (long)&end, 1, 0);
    corbel_syscall(LINUX_exit_group, 1, 0, 0, 0);
    __builtin_unreachable();
}
