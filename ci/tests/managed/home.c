/*
 * A managed allocation of 2 MiB and 192 KiB is fetched by a prefetch, a word of
 * each of its pages is written, and all goes home.
 */
#include <corbel/corbel.h>

#include <stddef.h>

enum { BYTES = (2 << 20) + (192 << 10), PAGE = 4096 };

int main(void)
{
    char *start = corbel_managed_alloc(BYTES);
    if (!start || corbel_managed_prefetch(start, BYTES))
        return 1;
    for (size_t at = 0; at < BYTES; at += PAGE)
        start[at] = 1;
    return corbel_managed_sync() != 0;
}
