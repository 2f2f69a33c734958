/* What a range of a histogram is called in tables: NAME_EDGE, by the value that
 * it begins with. */
#ifndef SIM_CORE_RANGE_NAME_H
#define SIM_CORE_RANGE_NAME_H

#include <stdio.h>

/* Room for a name. */
enum { RANGE_NAME = 160 };

/* Returns text. */
static inline const char *range_name(const char *histogram, long long edge,
                                     char text[RANGE_NAME])
{
    snprintf(text, RANGE_NAME, "%.120s_%lld", histogram, edge);
    return text;
}

#endif
