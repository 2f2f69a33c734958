/* --corbel-bare on many harts: each enters main(); hart 0's status counts. */
#include <corbel/abi.h>
#include <corbel/corbel.h>

static unsigned entered;

int main(int argc, char **argv)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    int on_kernel_stack = here > (uintptr_t)-CORBEL_SCRATCH_WINDOW;

    __atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED);
    if (corbel_hart() != 0)
        return 1;
    while (__atomic_load_n(&entered, __ATOMIC_RELAXED) < corbel_harts())
        ;
    return on_kernel_stack && argc == 2 && argv[1][0] == 'x' ? 7 : 2;
}
