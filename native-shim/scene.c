/*
 * Scenes and other files are mapped read-only and used in place: the bytes of
 * the file are the bytes that the target finds in its memory, as long as no
 * process changes it. The last scene opened or used is the one that
 * corbel_traceray searches. A file that is no scene that can be traversed, or
 * no whole buffer of rays, is refused with EINVAL and a line on stderr that
 * says what is wrong with it.
 */
#include <corbel/corbel.h>
#include <corbel/rays.h>
#include <corbel/verify.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native-shim/native.h"

void native_no_scene(void)
{
    native_say("a ray was traced before corbel_scene_open");
    exit(1);
}

_Noreturn void native_refused(const char *function, uint64_t address,
                              const char *why)
{
    native_say("%s, at 0x%" PRIx64 ": %s", function, address, why);
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

static const void *refuse(const char *path, const char *why, const void *data,
                          size_t bytes)
{
    native_say("%s: %s", path, why);
    munmap((void *)data, bytes);
    errno = EINVAL;
    return NULL;
}

const struct corbel_rays *corbel_rays_open(const char *path)
{
    size_t bytes;
    const char *why;
    const void *data = corbel_file_map(path, &bytes);
    if (!data || corbel_rays_check(data, bytes, &why))
        return data;
    return refuse(path, why, data, bytes);
}

/* The scenes that were opened, each once: its bytes are verified once, however
 * often it is opened. Hashes would not do: other bytes can be made to have the
 * same one. */
static struct opened {
    const struct corbel_scene *scene;
    struct opened *next;
} * opened;
static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;

/* The open scene with these bytes. */
static const struct corbel_scene *find_opened(const void *data, size_t bytes)
{
    for (struct opened *o = opened; o; o = o->next)
        if (o->scene->bytes == bytes && !memcmp(o->scene, data, bytes))
            return o->scene;
    return NULL;
}

static const struct corbel_scene *add_opened(const void *scene)
{
    struct opened *o = malloc(sizeof *o);
    if (!o)
        return NULL;
    *o = (struct opened){scene, opened};
    opened = o;
    return scene;
}

static const struct corbel_scene *open_once(const char *path)
{
    size_t bytes;
    char why[CORBEL_WHY];
    const void *data = corbel_file_map(path, &bytes);
    const struct corbel_scene *known = data ? find_opened(data, bytes) : NULL;
    if (known)
        munmap((void *)data, bytes);
    if (known || !data)
        return known;
    if (!corbel_scene_verify(data, bytes, why))
        return refuse(path, why, data, bytes);
    return add_opened(data);
}

const struct corbel_scene *corbel_scene_open(const char *path)
{
    pthread_mutex_lock(&opened_lock);
    const struct corbel_scene *scene = open_once(path);
    pthread_mutex_unlock(&opened_lock);
    if (scene)
        native_bind_scene(scene);
    return scene;
}

static bool is_open(const struct corbel_scene *scene)
{
    pthread_mutex_lock(&opened_lock);
    const struct opened *o = opened;
    while (o && o->scene != scene)
        o = o->next;
    pthread_mutex_unlock(&opened_lock);
    return o;
}

int corbel_scene_use(const struct corbel_scene *scene)
{
    if (!is_open(scene)) {
        errno = EINVAL;
        return -1;
    }
    native_bind_scene(scene);
    return 0;
}
