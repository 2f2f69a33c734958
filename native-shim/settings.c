/* What the environment says, read once; nonsense there ends the program. */
#include "native-shim/native.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

long native_number(const char *name, long missing, long low, long high)
{
    const char *text = getenv(name);
    if (!text)
        return missing;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < low || n > high) {
        fprintf(stderr, "corbel: %s=%s: expected a number from %ld to %ld\n",
                name, text, low, high);
        exit(2);
    }
    return n;
}
