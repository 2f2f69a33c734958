/*
 * Scenes, buffers of rays and other files come into memory at no simulated
 * cost: read once, checked, never written. The same path opened twice is one
 * file.
 */
#include "runtime/include/corbel/managed.h"
#include "runtime/include/corbel/rays.h"
#include "runtime/include/corbel/verify.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/run/program_memory.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TREELET_ALIGN = 8192, /* of the address of a scene with treelets, as of
                             their place in it (docs/reference/treelets.md) */
};

/* Every unit that reads scenes must be able to read this one; those of several
 * trees no unit reads so far, but runs without timing trace them. */
static bool can_be_read(const struct host *host,
                        const struct corbel_scene *scene, struct error *error)
{
    if (!host->engine && corbel_scene_has_trees(scene))
        return true;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct unit *u = chip_unit_at(host->chip, i);
        if (u->kind->reads && !u->kind->reads(u, scene, error))
            return false;
    }
    return true;
}

static bool readable(struct host *host, const struct placed *file,
                     const struct corbel_scene *scene)
{
    struct error error;
    return can_be_read(host, scene, &error) ||
           host_end(host, ENDING_INPUT, STATUS_INPUT, "scene %.200s has %s",
                    file->path, error.text);
}

static struct range treelets_of(const struct corbel_scene *scene,
                                uint64_t address)
{
    uint64_t start = address + scene->nodes_offset;
    uint64_t bytes = (uint64_t)scene->treelets * scene->treelet_bytes;
    return bytes ? (struct range){start, start + bytes} : (struct range){0, 0};
}

/* Is it another scene than that in which rays may be under way? */
static bool parts_rays(const struct host *host,
                       const struct corbel_scene *scene)
{
    const struct corbel_scene *bound = host->machine.scene;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++)
        if (chip_unit_at(host->chip, i)->kind->keeps_scene)
            return bound && bound != scene;
    return false;
}

static void set_scene(struct machine *m, const struct corbel_scene *scene,
                      uint64_t address)
{
    m->scene = scene;
    m->scene_address = address;
    m->treelets = treelets_of(scene, address);
    m->treelet_bytes = scene->treelet_bytes;
}

/* -EINVAL: the run is over. -EBUSY: rays are under way in another scene; those
 * that an earlier kernel has left are dropped. */
static int64_t bind(struct host *host, const struct placed *file)
{
    const struct corbel_scene *scene =
        (const void *)machine_at(&host->machine, file->address);
    if (!readable(host, file, scene))
        return -EINVAL;
    const bool parts = parts_rays(host, scene);
    if (parts && host->kernels.runs) {
        host_note(host,
                  "scene %.200s: bound in a kernel whose rays stream through "
                  "another one, expected between kernels",
                  file->path);
        return -EBUSY;
    }
    set_scene(&host->machine, scene, file->address);
    if (parts)
        launch_forget(host);
    return 0;
}

/* A file that is shorter than it was said to be is an error: -EIO. */
static int64_t read_all(int fd, uint8_t *to, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t n = read(fd, to + done, bytes - done);
        if (n <= 0)
            return n ? -errno : -EIO;
        done += (uint64_t)n;
    }
    return 0;
}

/* Pages that were filled in vain become zero again. */
static void forget(struct host *host, uint64_t address, uint64_t bytes)
{
    madvise(machine_at(&host->machine, address), page_up(bytes), MADV_DONTNEED);
}

/* Is it placed as managed memory? */
static bool is_managed(const struct host *host, const struct placed *file)
{
    return host->managed.kinds >> file->kind & 1;
}

/* The same bytes as those of a scene that lies in memory already. The hash
 * alone would not do: a program can come with two files that have the same one.
 */
static bool known(const struct host *host, const struct placed *file)
{
    const struct machine *m = &host->machine;
    for (unsigned i = 0; i < host->placed.count; i++) {
        const struct placed *other = &host->placed.files[i];
        if (other->kind == PLACED_SCENE && other->bytes == file->bytes &&
            !memcmp(machine_at(m, other->address), machine_at(m, file->address),
                    file->bytes))
            return true;
    }
    return false;
}

/* Is the file what the program takes it for? why: if it is not. */
static bool check(const struct host *host, const struct placed *file,
                  char why[CORBEL_WHY])
{
    const uint8_t *at = machine_at(&host->machine, file->address);
    const char *what = "empty";
    bool good = file->bytes > 0;
    if (file->kind == PLACED_SCENE)
        return known(host, file) || corbel_scene_verify(at, file->bytes, why);
    if (file->kind == PLACED_RAYS)
        good = corbel_rays_check(at, file->bytes, &what);
    if (!good)
        snprintf(why, CORBEL_WHY, "%s", what);
    return good;
}

/* Reads, checks and protects a file at its address, which may be managed. */
static int64_t fill(struct host *host, const struct placed *file, int fd)
{
    uint8_t *at = machine_at(&host->machine, file->address);
    char why[CORBEL_WHY];
    struct error error;
    memory_dense(&host->machine, file->address,
                 file->address + page_up(file->bytes));
    int64_t result = read_all(fd, at, file->bytes);
    if (result)
        return result;
    if (!check(host, file, why)) {
        host_note(host, "%s %.200s: %s", placed_names[file->kind], file->path,
                  why);
        return -EINVAL;
    }
    if (is_managed(host, file))
        result = host_managed_add(host, file->address, file->bytes, false);
    if (result)
        return result;
    return memory_protect(&host->machine, file->address,
                          file->address + page_up(file->bytes), &error)
               ? 0
               : -ENOMEM;
}

/* What the address is to be a multiple of: but for treelets and the trees of
 * managed memory, a page. */
static uint64_t alignment(const struct host *host, const struct placed *file,
                          int fd)
{
    struct corbel_scene scene;
    bool treelets = file->kind == PLACED_SCENE &&
                    pread(fd, &scene, sizeof scene, 0) == sizeof scene &&
                    scene.treelets;
    if (is_managed(host, file))
        return CORBEL_MANAGED_ROOT;
    return treelets ? TREELET_ALIGN : PAGE;
}

/* Only a file that is good keeps its place: the ceiling moves at the end. */
static int64_t keep(struct host *host, struct placed *file, int fd)
{
    int64_t result = fill(host, file, fd);
    if (result) {
        forget(host, file->address, file->bytes);
        return result;
    }
    observers_written(host, machine_at(&host->machine, file->address),
                      file->bytes, true);
    file->path = heap_text(file->path);
    host->layout.ceiling = file->address;
    host->placed.files[host->placed.count++] = *file;
    host_log(host, "%s %.200s: %" PRIu64 " bytes at 0x%" PRIx64,
             placed_names[file->kind], file->path, file->bytes, file->address);
    return 0;
}

static int64_t add(struct host *host, struct placed *file, int fd)
{
    struct stat st;
    char what[256];
    if (fstat(fd, &st))
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    file->bytes = (uint64_t)st.st_size;
    snprintf(what, sizeof what, "%s %.200s", placed_names[file->kind],
             file->path);
    int64_t result =
        place_below(host, what,
                    is_managed(host, file) ? corbel_managed_trees(file->bytes)
                                           : file->bytes,
                    alignment(host, file, fd), &file->address);
    return result ? result : keep(host, file, fd);
}

/* *found: where the file lies now. */
static int64_t find_or_add(struct host *host, const char *path,
                           enum placed_kind kind, const struct placed **found)
{
    for (unsigned i = 0; i < host->placed.count; i++) {
        *found = &host->placed.files[i];
        if ((*found)->kind == kind && !strcmp((*found)->path, path))
            return 0;
    }
    if (host->placed.count == PLACED_MAX)
        return -EMFILE;
    struct placed file = {.path = (char *)path, .kind = kind};
    *found = &host->placed.files[host->placed.count];
    int fd = files_host_open(&host->os.files, path);
    note_refused(host, path, fd);
    if (fd < 0)
        return fd;
    int64_t result = add(host, &file, fd);
    close(fd);
    return result;
}

int64_t scene_open(struct host *host, const char *path)
{
    const struct placed *file;
    int64_t result = find_or_add(host, path, PLACED_SCENE, &file);
    if (!result)
        result = bind(host, file);
    return result ? result : (int64_t)file->address;
}

/* Makes an opened scene the one that RT cores traverse. */
int64_t scene_use(struct host *host, uint64_t address)
{
    for (unsigned i = 0; i < host->placed.count; i++)
        if (host->placed.files[i].kind == PLACED_SCENE &&
            host->placed.files[i].address == address)
            return bind(host, &host->placed.files[i]);
    return -EINVAL;
}

bool scene_again(struct host *host, uint64_t address, struct error *error)
{
    struct placed *file = host->placed.files, *end = file + host->placed.count;
    char why[CORBEL_WHY];
    while (file < end &&
           (file->kind != PLACED_SCENE || file->address != address))
        file++;
    if (file == end)
        return error_set(error, "no scene lies where one is traversed");
    const struct corbel_scene *scene =
        (const void *)machine_at(&host->machine, address);
    if (!corbel_scene_verify(scene, file->bytes, why))
        return error_set(error, "scene %.200s: %.300s", file->path, why);
    struct error unread;
    if (!can_be_read(host, scene, &unread))
        return error_set(error, "scene %.200s has %s", file->path, unread.text);
    set_scene(&host->machine, scene, address);
    return true;
}

int64_t file_place(struct host *host, const char *path, enum placed_kind kind,
                   uint64_t *bytes)
{
    const struct placed *file;
    int64_t result = find_or_add(host, path, kind, &file);
    if (result)
        return result;
    *bytes = file->bytes;
    return (int64_t)file->address;
}
