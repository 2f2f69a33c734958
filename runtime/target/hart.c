/* The number of a hart: a register of its own, no memory. */
#include <corbel/corbel.h>

unsigned corbel_hart(void)
{
    unsigned long number;

    __asm__("csrr %0, mhartid" : "=r"(number));
    return (unsigned)number;
}
