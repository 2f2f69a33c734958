/*
 * Scenes come into memory at no simulated cost: read once, checked, never
 * written. The same path opened twice is one scene.
 */
#include "runtime/include/corbel/scene.h"
#include "sim/host/host.h"
#include "sim/host/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room that a scene leaves the heap. */
enum { HEAP_LEFT = 1 << 20 };

static void bind(struct host *host, uint64_t address)
{
    host->machine.scene = (const void *)machine_at(&host->machine, address);
    host->machine.scene_address = address;
}

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

static int64_t place(struct host *host, const char *path, int fd,
                     uint64_t bytes, uint64_t *hash)
{
    uint64_t address = page_down(host->ceiling - bytes);
    uint8_t *at = machine_at(&host->machine, address);
    const char *why = "";
    int64_t result = read_all(fd, at, bytes);
    if (!result && !corbel_scene_check(at, bytes, &why)) {
        host_note(host, "scene %.200s: %s", path, why);
        result = -EINVAL;
    }
    struct error error;
    if (!result && !memory_protect(&host->machine, address,
                                   address + page_up(bytes), &error))
        result = -ENOMEM;
    if (result) {
        forget(host, address, bytes);
        return result;
    }
    check_placed(host, at, bytes);
    *hash = corbel_hash(at, bytes, 0);
    return (int64_t)address;
}

static int64_t add(struct host *host, const char *path, int fd)
{
    struct stat st;
    uint64_t hash = 0;
    if (fstat(fd, &st))
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    uint64_t bytes = (uint64_t)st.st_size;
    uint64_t room = host->ceiling - host->heap_end;
    if (room < HEAP_LEFT || bytes > room - HEAP_LEFT) {
        host_note(host,
                  "scene %.200s: %" PRIu64 " MiB do not fit in memory, see "
                  "--memory",
                  path, bytes >> 20);
        return -ENOMEM;
    }
    int64_t address = place(host, path, fd, bytes, &hash);
    if (address < 0)
        return address;
    host->ceiling = (uint64_t)address;
    host->scenes[host->scene_count++] =
        (struct scene){strdup(path), (uint64_t)address, bytes, hash};
    host_log(host, "scene %.200s: %" PRIu64 " bytes at 0x%" PRIx64, path, bytes,
             (uint64_t)address);
    return address;
}

int64_t scene_open(struct host *host, const char *path)
{
    for (unsigned i = 0; i < host->scene_count; i++)
        if (!strcmp(host->scenes[i].path, path)) {
            bind(host, host->scenes[i].address);
            return (int64_t)host->scenes[i].address;
        }
    if (host->scene_count == SCENES_MAX)
        return -EMFILE;
    int fd = files_host_open(&host->files, path, O_RDONLY, 0);
    if (fd == -EACCES)
        host_note(host,
                  "the program may not open %.200s: it is not below --fs %s, "
                  "or not permitted",
                  path, host->files.name);
    if (fd < 0)
        return fd;
    int64_t address = add(host, path, fd);
    close(fd);
    if (address >= 0)
        bind(host, (uint64_t)address);
    return address;
}

int64_t scene_use(struct host *host, uint64_t address)
{
    for (unsigned i = 0; i < host->scene_count; i++)
        if (host->scenes[i].address == address) {
            bind(host, address);
            return 0;
        }
    return -EINVAL;
}
