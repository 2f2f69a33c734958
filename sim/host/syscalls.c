/*
 * Linux's system calls for one process, as far as a C library needs them.
 * What they tell the program depends on the run alone: time is simulated time,
 * a file has no dates, and the standard streams are terminals wherever they
 * lead, so that a redirected run does the same as any other.
 */
#include "sim/host/host.h"
#include "sim/host/memory.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SYS_unlinkat = 35,
    SYS_openat = 56,
    SYS_close = 57,
    SYS_lseek = 62,
    SYS_read = 63,
    SYS_write = 64,
    SYS_fstat = 80,
    SYS_times = 153,
    SYS_gettimeofday = 169,
    SYS_getpid = 172,
    SYS_brk = 214,
};

enum { PATH_SIZE = 4096, TRANSFER_MAX = 1 << 30 };

/* struct stat of asm-generic Linux, the same for both XLENs. */
struct guest_stat {
    uint64_t dev, ino;
    uint32_t mode, nlink, uid, gid;
    uint64_t rdev, pad1;
    int64_t size;
    int32_t blksize, pad2;
    int64_t blocks;
    uint64_t times[6];
    uint32_t unused[2];
};
_Static_assert(sizeof(struct guest_stat) == 128, "asm-generic stat");

static int64_t put(struct host *host, const struct hart *hart, uint64_t address,
                   const void *data, size_t bytes)
{
    uint8_t *at = memory_for_writing(&host->machine, hart, address, bytes);
    if (!at)
        return -EFAULT;
    memcpy(at, data, bytes);
    check_written(host, at, bytes);
    return 0;
}

/* Simulated microseconds since reset. */
static uint64_t microseconds(const struct host *host)
{
    return host->now / (uint64_t)host->clock_mhz;
}

static int64_t sys_openat(struct host *host, const struct hart *hart,
                          const uint64_t *args)
{
    const char *path = memory_string(&host->machine, hart, args[1], PATH_SIZE);
    if (!path)
        return -EFAULT;
    int64_t result =
        files_openat(&host->files, path, (int)args[2], (int)args[3]);
    if (result == -EACCES)
        host_note(host,
                  "the program may not open %.200s: it is not below --fs %s, "
                  "or not permitted",
                  path, host->files.name);
    return result;
}

static int64_t sys_unlinkat(struct host *host, const struct hart *hart,
                            const uint64_t *args)
{
    const char *path = memory_string(&host->machine, hart, args[1], PATH_SIZE);
    return path ? files_unlink(&host->files, path) : -EFAULT;
}

static int64_t sys_read(struct host *host, const struct hart *hart,
                        const uint64_t *args)
{
    int fd = files_host(&host->files, (int64_t)args[0]);
    uint64_t bytes = args[2] < TRANSFER_MAX ? args[2] : TRANSFER_MAX;
    if (fd < 0)
        return fd;
    if (!bytes)
        return 0;
    uint8_t *at = memory_for_writing(&host->machine, hart, args[1], bytes);
    if (!at)
        return -EFAULT;
    ssize_t n = read(fd, at, bytes);
    if (n < 0)
        return -errno;
    check_written(host, at, (uint64_t)n);
    return n;
}

static int64_t sys_write(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    int fd = files_host(&host->files, (int64_t)args[0]);
    uint64_t bytes = args[2] < TRANSFER_MAX ? args[2] : TRANSFER_MAX;
    if (fd < 0)
        return fd;
    if (!bytes)
        return 0;
    const uint8_t *at =
        memory_for_reading(&host->machine, hart, args[1], bytes);
    if (!at)
        return -EFAULT;
    if (fd <= 2)
        status_clear(host);
    ssize_t n = write(fd, at, bytes);
    return n < 0 ? -errno : n;
}

static int64_t sys_lseek(struct host *host, const uint64_t *args)
{
    int fd = files_host(&host->files, (int64_t)args[0]);
    int64_t offset =
        host->machine.profile.xlen == 32 ? (int32_t)args[1] : (int64_t)args[1];
    if (fd < 0)
        return fd;
    if (fd <= 2)
        return -ESPIPE;
    off_t at = lseek(fd, offset, (int)args[2]);
    return at < 0 ? -errno : at;
}

static int64_t sys_fstat(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    struct guest_stat to = {.ino = args[0] + 1, .nlink = 1, .blksize = 4096};
    struct stat from;
    int fd = files_host(&host->files, (int64_t)args[0]);
    if (fd < 0)
        return fd;
    if (fd <= 2) {
        to.mode = S_IFCHR | 0600;
    } else if (fstat(fd, &from)) {
        return -errno;
    } else {
        to.mode = (from.st_mode & S_IFMT) | 0644;
        to.size = S_ISREG(from.st_mode) ? from.st_size : 0;
        to.blocks = (to.size + 511) / 512;
    }
    return put(host, hart, args[1], &to, sizeof to);
}

/* Clock ticks are microseconds, as newlib's CLOCKS_PER_SEC says. */
static int64_t sys_times(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    uint64_t ticks = microseconds(host);
    uint64_t long64[4] = {ticks};
    uint32_t long32[4] = {(uint32_t)ticks};
    int64_t result = 0;
    if (args[0] && host->machine.profile.xlen == 32)
        result = put(host, hart, args[0], long32, sizeof long32);
    else if (args[0])
        result = put(host, hart, args[0], long64, sizeof long64);
    return result ? result : (int64_t)ticks;
}

static int64_t sys_gettimeofday(struct host *host, const struct hart *hart,
                                const uint64_t *args)
{
    uint64_t time = microseconds(host);
    int64_t value[2] = {(int64_t)(time / 1000000), (int64_t)(time % 1000000)};
    return put(host, hart, args[0], value, sizeof value);
}

/* As in Linux, the answer to what cannot be is the old break. */
static int64_t sys_brk(struct host *host, const uint64_t *args)
{
    if (args[0] >= host->heap_start && args[0] <= host->ceiling)
        host->heap_end = args[0];
    return (int64_t)host->heap_end;
}

int64_t syscall_linux(struct host *host, struct hart *hart, uint64_t number,
                      const uint64_t *args)
{
    switch (number) {
    case SYS_unlinkat:
        return sys_unlinkat(host, hart, args);
    case SYS_openat:
        return sys_openat(host, hart, args);
    case SYS_close:
        return files_close_one(&host->files, (int64_t)args[0]);
    case SYS_lseek:
        return sys_lseek(host, args);
    case SYS_read:
        return sys_read(host, hart, args);
    case SYS_write:
        return sys_write(host, hart, args);
    case SYS_fstat:
        return sys_fstat(host, hart, args);
    case SYS_times:
        return sys_times(host, hart, args);
    case SYS_gettimeofday:
        return sys_gettimeofday(host, hart, args);
    case SYS_getpid:
        return 1;
    case SYS_brk:
        return sys_brk(host, args);
    default:
        host_log(host, "hart %u: no system call %" PRIu64, hart->isa.id,
                 number);
        return -ENOSYS;
    }
}
