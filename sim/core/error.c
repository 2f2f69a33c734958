#include "sim/core/error.h"
#include <stdarg.h>

bool error_set(struct error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    corbel_line_format(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}
