/*
 * Managed memory natively: ordinary memory that is always there, so that
 * nothing has to be moved. What was allocated is known, to refuse what the
 * target refuses.
 */
#include <corbel/corbel.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "native-shim/native.h"

/* All allocations; they are never freed. */
static struct allocation {
    uintptr_t start;
    size_t bytes;
    struct allocation *next;
} * allocations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What an allocation returns that is refused. */
static void *fail(int why)
{
    errno = why;
    return NULL;
}

/* Several harts may allocate at once. */
static void note(struct allocation *a, void *start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    *a = (struct allocation){(uintptr_t)start, bytes, allocations};
    allocations = a;
    pthread_mutex_unlock(&lock);
}

void *corbel_managed_alloc(size_t bytes)
{
    if (!bytes)
        return fail(EINVAL);
    if (bytes > PTRDIFF_MAX - CORBEL_MANAGED_ROOT)
        return fail(ENOMEM);
    struct allocation *a = malloc(sizeof *a);
    void *start;
    if (!a || posix_memalign(&start, CORBEL_MANAGED_ROOT, bytes)) {
        free(a);
        return fail(ENOMEM);
    }
    note(a, start, bytes);
    return start;
}

/* Is all of the range in one allocation? */
static bool is_managed(uintptr_t start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const struct allocation *a = allocations;
    while (a && (start - a->start >= a->bytes ||
                 bytes > a->bytes - (start - a->start)))
        a = a->next;
    pthread_mutex_unlock(&lock);
    return a;
}

int corbel_managed_prefetch(const void *start, size_t bytes)
{
    if (bytes && is_managed((uintptr_t)start, bytes))
        return 0;
    errno = EINVAL;
    return -1;
}

/* A chip would take pages away that harts are working with. */
int corbel_managed_sync(void)
{
    if (!native_in_kernel())
        return 0;
    errno = EBUSY;
    return -1;
}

/* Nothing is ever moved. */
int corbel_managed_count(struct corbel_managed_stats *stats)
{
    *stats = (struct corbel_managed_stats){0};
    return 0;
}
