/*
 * Calls all of corbel/managed.h, rightly and wrongly. Prints what it found,
 * which is the same everywhere; with a scene as argument, whether a prefetch of
 * that is refused.
 */
#include <corbel/corbel.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 300000 };

static uint32_t *words;
static _Atomic uint32_t in_kernel;

static void kernel(void *arg)
{
    for (uint32_t i; (i = corbel_next()) < WORDS / 100;)
        for (uint32_t k = 100 * i; k < 100 * i + 100; k++)
            words[k] = k * k;
    errno = 0;
    if (corbel_managed_sync() == -1 && errno == EBUSY)
        in_kernel = 1;
}

static const char *why(int result)
{
    return result == 0       ? "done"
           : result != -1    ? "neither done nor refused"
           : errno == EINVAL ? "EINVAL"
           : errno == ENOMEM ? "ENOMEM"
                             : "refused for something else";
}

static void refused_allocations(void)
{
    static const size_t sizes[] = {0, SIZE_MAX - (4 << 20), SIZE_MAX - 4096,
                                   SIZE_MAX};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        errno = 0;
        printf("allocation %u: %s\n", i,
               corbel_managed_alloc(sizes[i]) ? "done" : why(-1));
    }
}

static void prefetches(const char *start, size_t bytes)
{
    const struct {
        long offset;
        size_t bytes;
    } rows[] = {{0, bytes}, {(long)bytes - 1, 1},       {0, 0},
                {-1, 1},    {(long)bytes, 1},           {0, bytes + 1},
                {1, bytes}, {4096, SIZE_MAX - 4096 + 1}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        errno = 0;
        printf("prefetch %u: %s\n", i,
               why(corbel_managed_prefetch(start + rows[i].offset,
                                           rows[i].bytes)));
    }
}

int main(int argc, char **argv)
{
    struct corbel_managed_stats stats, zeros;
    uint32_t wrong = 0;
    memset(&stats, 0xff, sizeof stats);
    memset(&zeros, 0, sizeof zeros);
    refused_allocations();
    words = corbel_managed_alloc(WORDS * sizeof *words);
    char *other = corbel_managed_alloc(1);
    if (!words || !other)
        return 1;
    printf("aligned: %u %u\n",
           (unsigned)((uintptr_t)words % CORBEL_MANAGED_ROOT),
           (unsigned)((uintptr_t)other % CORBEL_MANAGED_ROOT));
    prefetches((char *)words, WORDS * sizeof *words);
    *other = 1;
    corbel_launch(kernel, NULL);
    printf("after the kernel: %s\n", why(corbel_managed_sync()));
    for (uint32_t k = 0; k < WORDS; k++)
        wrong += words[k] != k * k;
    printf("%u words are wrong, sync in the kernel %s\n", (unsigned)wrong,
           in_kernel ? "refused" : "not refused");
    if (corbel_managed_count(&stats) || memcmp(&stats, &zeros, sizeof stats))
        printf("statistics are not 0\n");
    if (argc > 1) {
        const char *scene = (const char *)corbel_scene_open(argv[1]);
        printf("scene at a root: %s, prefetch %s\n",
               (uintptr_t)scene % CORBEL_MANAGED_ROOT ? "no" : "yes",
               why(corbel_managed_prefetch(scene, 64)));
    }
    return 0;
}
