/*
 * What the environment says, read once; nonsense there ends the program. And
 * how the shim says so.
 */
#include "native-shim/native.h"

#include <corbel/line.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void native_say(const char *format, ...)
{
    char line[CORBEL_LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    corbel_line_format(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "corbel: %s\n", line);
}

long native_number(const char *name, long missing, long low, long high)
{
    const char *text = getenv(name);
    if (!text)
        return missing;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < low || n > high) {
        native_say("%s=%s: expected a number from %ld to %ld", name, text, low,
                   high);
        exit(2);
    }
    return n;
}
