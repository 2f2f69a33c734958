/* --corbel-bare: main is the kernel, on its kernel stack. */
#include <corbel/corbel.h>
#include <unistd.h>

int main(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    write(1, "bare\n", 5);
    return here < 0x100000 ? 4 : 1; /* machine.S has the kernel stack in .bss */
}
