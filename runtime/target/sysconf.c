/* What a program asks of the machine. Each hart is a processor. */
#include <corbel/corbel.h>
#include <errno.h>
#include <unistd.h>

long sysconf(int name)
{
    switch (name) {
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return (long)corbel_harts();
    case _SC_PAGESIZE:
        return 4096;
    }
    errno = EINVAL;
    return -1;
}
