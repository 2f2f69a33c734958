/*
 * Most runs are not looked at closely, and must not pay for what only some
 * keep: messages that carry where they have been are several times as long.
 * So these runs have a program of their own.
 */
#include "sim/host/observe/stalls_program.h"
#include "sim/core/trip.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool observed_take_over(char **argv, const char *option, struct error *error)
{
    char path[PATH_MAX + sizeof OBSERVED_PROGRAM];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (STALLS)
        return true;
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return error_set(error, "cannot tell where sim-run is installed");
    strcpy(slash + 1, OBSERVED_PROGRAM);
    execv(path, argv);
    return error_set(error, "--%s: cannot run %s: %s; `make sim` builds it",
                     option, path, strerror(errno));
}
