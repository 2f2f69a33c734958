/*
 * Scenes and other files are mapped read-only and used in place: the bytes of
 * the file are the bytes that the target finds in its memory. The last scene
 * opened or used is the one that corbel_traceray searches. A file that is no
 * whole scene, or no whole buffer of rays, is refused with EINVAL and a line on
 * stderr that says what is wrong with it.
 */
#include <corbel/corbel.h>
#include <corbel/rays.h>
#include <corbel/scene.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native-shim/native.h"

_Atomic(const struct corbel_scene *) native_scene;

void native_no_scene(void)
{
    fputs("corbel: a ray was traced before corbel_scene_open\n", stderr);
    exit(1);
}

/* Maps a whole file; NULL and errno on failure. The file may be closed. */
static void *map_whole(int file, size_t *bytes)
{
    struct stat status;
    if (fstat(file, &status))
        return NULL;
    if (!S_ISREG(status.st_mode) || status.st_size == 0) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        return NULL;
    }
    *bytes = status.st_size;
    void *data = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
    return data == MAP_FAILED ? NULL : data;
}

const void *corbel_file_map(const char *path, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const void *data = map_whole(file, bytes);
    int why = errno;
    close(file);
    errno = why;
    return data;
}

/* Maps a file that the check finds good. */
static const void *map_checked(const char *path,
                               bool (*check)(const void *data, size_t bytes,
                                             const char **why))
{
    size_t bytes;
    const char *why;
    const void *data = corbel_file_map(path, &bytes);
    if (!data || check(data, bytes, &why))
        return data;
    fprintf(stderr, "corbel: %s: %s\n", path, why);
    munmap((void *)data, bytes);
    errno = EINVAL;
    return NULL;
}

const struct corbel_rays *corbel_rays_open(const char *path)
{
    return map_checked(path, corbel_rays_check);
}

const struct corbel_scene *corbel_scene_open(const char *path)
{
    const struct corbel_scene *scene = map_checked(path, corbel_scene_check);
    if (scene)
        atomic_store_explicit(&native_scene, scene, memory_order_relaxed);
    return scene;
}

int corbel_scene_use(const struct corbel_scene *scene)
{
    if (!scene || scene->magic != CORBEL_SCENE_MAGIC) {
        errno = EINVAL;
        return -1;
    }
    atomic_store_explicit(&native_scene, scene, memory_order_relaxed);
    return 0;
}
