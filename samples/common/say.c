#include "say.h"

#include <corbel/line.h>

void say(const char *program, const char *format, ...)
{
    char line[CORBEL_LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    corbel_line_format(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", program, line);
}
