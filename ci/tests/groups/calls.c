/* Calls that no runtime makes: barriers of others' harts or of none, and what a
 * multiprocessor has. */
#include <corbel/abi.h>
#include <corbel/corbel.h>
#include <errno.h>
#include <stdio.h>

static long call(long number, long a, long b, long c, long d)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b,
                     a2 __asm__("a2") = c, a3 __asm__("a3") = d,
                     a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a7)
                     : "memory");
    return a0;
}

static uint32_t words[2];

static long meet(const void *at, long first, long harts, long stop)
{
    return call(CORBEL_SYS_BARRIER, (long)at, first, harts, stop);
}

int main(void)
{
    long harts = corbel_harts();
    const long results[] = {meet(words, 0, 1, 0),  meet(words, 0, 1, 1),
                            meet(words, 1, 1, 0),  meet(words, 0, harts + 1, 0),
                            meet(words, 0, 0, 0),  meet(words, 0, -1, 0),
                            meet(words, -1, 2, 0), meet(words, 0, 1, 2),
                            meet(NULL, 0, 1, 0),   meet((void *)main, 0, 1, 0)};
    const long expected[] = {0,       0,       -EINVAL, -EINVAL, -EINVAL,
                             -EINVAL, -EINVAL, -EINVAL, -EFAULT, -EFAULT};

    for (unsigned i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i] != expected[i])
            printf("barrier %u: %ld, expected %ld\n", i, results[i],
                   expected[i]);
    words[1] = 1;
    printf("others wait: %ld\n", meet(words, 0, 1, 0));
    printf("harts %ld, memory %ld, else %ld\n",
           call(CORBEL_SYS_GROUPS, CORBEL_GROUPS_HARTS, 0, 0, 0),
           call(CORBEL_SYS_GROUPS, CORBEL_GROUPS_MEMORY, 0, 0, 0),
           call(CORBEL_SYS_GROUPS, 2, 0, 0, 0));
    return 0;
}
