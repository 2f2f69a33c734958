/* newlib's, with searches in arrays. */
#include_next <search.h>
#ifndef CORBEL_SEARCH_H
#define CORBEL_SEARCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *lfind(const void *, const void *, size_t *, size_t,
            int (*)(const void *, const void *));
void *lsearch(const void *, void *, size_t *, size_t,
              int (*)(const void *, const void *));

#ifdef __cplusplus
}
#endif

#endif
