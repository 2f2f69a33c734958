/*
 * malloc may be called by kernels: while one runs, newlib's hooks take a lock
 * that the same hart may take again. Outside of kernels there is only hart 0,
 * which must not pay for atomics that go to the L2.
 *
 * The flag is here, not in launch.S, so that whatever launches kernels is
 * linked with these hooks and not with the empty ones of newlib.
 */
#include <corbel/corbel.h>
#include <malloc.h>

#include "target.h"

volatile int corbel_kernel_running;

static unsigned owner; /* hart number + 1; 0: free */
static unsigned depth; /* written by the owner only */

void __malloc_lock(struct _reent *reent)
{
    unsigned self = corbel_hart() + 1, nobody = 0;

    (void)reent;
    if (!corbel_kernel_running)
        return;
    if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != self) {
        while (!__atomic_compare_exchange_n(&owner, &nobody, self, 0,
                                            __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            nobody = 0;
    }
    depth++;
}

void __malloc_unlock(struct _reent *reent)
{
    (void)reent;
    if (corbel_kernel_running && --depth == 0)
        __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}
