/* Thread-local variables of the only hart: 0 if they are what they should be.
 */
#include <errno.h>
#include <stdint.h>

static _Thread_local int seven = 7, zero;
static _Thread_local _Alignas(4096) char page;

int main(void)
{
    volatile int *first = &seven, *second = &zero;

    errno = 5;
    return *first != 7 || *second != 0 || (uintptr_t)&page % 4096 != 0 ||
           errno != 5;
}
