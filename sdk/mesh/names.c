/* Names and their numbers in a balanced tree of the C library; see names.h. */
#include "names.h"

#include "sdk/common/report.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A name of the file, whose text it refers to. */
struct numbered {
    struct word name;
    uint32_t number;
};

/* Any total order will do; this one compares few bytes. */
static int compare(const void *left, const void *right)
{
    const struct word a = ((const struct numbered *)left)->name;
    const struct word b = ((const struct numbered *)right)->name;
    if (a.length != b.length)
        return a.length < b.length ? -1 : 1;
    return memcmp(a.at, b.at, a.length);
}

/* Numbers count from 1 on, in the order in which names are first met. */
uint32_t names_number(struct names *names, struct word name)
{
    const struct numbered wanted = {name, 0};
    struct numbered **found = tfind(&wanted, &names->tree, compare);
    if (found != NULL)
        return (*found)->number;
    struct numbered *entry = allocate(1, sizeof *entry);
    *entry = (struct numbered){name, ++names->count};
    if (tsearch(entry, &names->tree, compare) == NULL)
        fail(STATUS_INPUT, "out of memory: names");
    return entry->number;
}

void names_free(struct names *names)
{
    tdestroy(names->tree, free);
    *names = (struct names){0};
}
