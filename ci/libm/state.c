/*
 * What newlib's libm needs of its C library, for builds of it that run on the
 * host: a hart's state and errno. Compiled with newlib's headers.
 */
#include <errno.h>
#include <reent.h>

struct _reent *__getreent(void)
{
    static struct _reent state;

    return &state;
}

int *__errno(void)
{
    static int error;

    return &error;
}
