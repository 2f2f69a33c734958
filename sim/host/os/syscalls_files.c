/*
 * Linux's system calls about files. A file has no dates, no owner and no number
 * of its own: these are the same in every run. The standard streams are
 * terminals wherever they lead, so that a redirected run does the same as any
 * other.
 */
#include "runtime/include/corbel/linux.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/signals.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, TRANSFER_MAX = 1 << 30 };

/* NULL: no string that ends within PATH_SIZE bytes of readable memory. */
static const char *path_of(struct host *host, const struct hart *hart,
                           uint64_t address)
{
    return memory_string(&host->machine, hart, address, PATH_SIZE);
}

/* A descriptor, or AT_FDCWD: 32 bits of an argument. */
static int64_t fd_of(uint64_t argument)
{
    return (int32_t)argument;
}

void note_refused(struct host *host, const char *path, int64_t result)
{
    if (result == -EACCES)
        host_note(host,
                  "the program may not open %.200s: it is not below --fs %s, "
                  "the run's own, not a file or directory, or not permitted",
                  path, host->os.files.name);
}

/* A refused path is noted, since programs tend to say no more than "cannot
 * open". */
static int64_t sys_openat(struct host *host, const struct hart *hart,
                          const uint64_t *args)
{
    const char *path = path_of(host, hart, args[1]);
    if (!path)
        return -EFAULT;
    int64_t result =
        room_openat(host, fd_of(args[0]), path, (int)args[2], (int)args[3]);
    note_refused(host, path, result);
    return result;
}

static int64_t sys_close(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    (void)hart;
    return room_close(host, fd_of(args[0]));
}

static int64_t sys_unlinkat(struct host *host, const struct hart *hart,
                            const uint64_t *args)
{
    const char *path = path_of(host, hart, args[1]);
    return path ? room_unlinkat(host, fd_of(args[0]), path, (int)args[2])
                : -EFAULT;
}

static int64_t sys_mkdirat(struct host *host, const struct hart *hart,
                           const uint64_t *args)
{
    const char *path = path_of(host, hart, args[1]);
    return path ? room_mkdirat(host, fd_of(args[0]), path, (int)args[2])
                : -EFAULT;
}

static int64_t sys_renameat2(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    const char *from = path_of(host, hart, args[1]),
               *to = path_of(host, hart, args[3]);
    return from && to ? room_renameat(host, fd_of(args[0]), from,
                                      fd_of(args[2]), to, (unsigned)args[4])
                      : -EFAULT;
}

static int64_t sys_faccessat(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    const char *path = path_of(host, hart, args[1]);
    return path ? files_accessat(&host->os.files, fd_of(args[0]), path,
                                 (int)args[2])
                : -EFAULT;
}

/* Both or none of the times are given; of a time that Linux would take from its
 * clock, only the host's file gets to know. */
static int64_t sys_utimensat(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    const char *path = path_of(host, hart, args[1]);
    const struct linux_timespec *from =
        args[2] ? (const void *)memory_for_reading(&host->machine, hart,
                                                   args[2], 2 * sizeof *from)
                : NULL;
    if (!path || (args[2] && !from))
        return -EFAULT;
    struct timespec times[2];
    for (int i = 0; from && i < 2; i++) {
        struct linux_timespec t;
        memcpy(&t, from + i, sizeof t);
        times[i] =
            (struct timespec){.tv_sec = t.seconds, .tv_nsec = t.nanoseconds};
    }
    return files_utimensat(&host->os.files, fd_of(args[0]), path,
                           from ? times : NULL);
}

/* The program is in --fs and stays there. */
static int64_t sys_getcwd(struct host *host, const struct hart *hart,
                          const uint64_t *args)
{
    static const char root[] = FILES_ROOT;
    if (args[1] < sizeof root)
        return -ERANGE;
    int64_t result = syscall_put(host, hart, args[0], root, sizeof root);
    return result ? result : (int64_t)sizeof root;
}

/* The entries are of struct linux_dirent, as Linux's getdents64 has them. At
 * most TRANSFER_MAX bytes are moved by one call. */
static int64_t sys_getdents64(struct host *host, const struct hart *hart,
                              const uint64_t *args)
{
    uint64_t bytes = args[2] < TRANSFER_MAX ? args[2] : TRANSFER_MAX;
    uint8_t *at = memory_for_writing(&host->machine, hart, args[1], bytes);
    if (!at)
        return -EFAULT;
    int64_t n = files_list(&host->os.files, fd_of(args[0]), at, bytes);
    if (n > 0)
        observers_written(host, at, (uint64_t)n, false);
    return n;
}

/* A signal ends the run where it waits for a standard stream, and the program
 * gets no answer. */
static int64_t interrupted(struct host *host)
{
    host->ended.awaits = true;
    host_interrupt(host);
    return -EINTR;
}

/*
 * Descriptor and memory are checked before the host reads, so that a bad
 * address loses no input. Nothing is asked of the address if no byte is wanted.
 */
static int64_t sys_read(struct host *host, const struct hart *hart,
                        const uint64_t *args)
{
    int fd = files_host(&host->os.files, fd_of(args[0]));
    uint64_t bytes = args[2] < TRANSFER_MAX ? args[2] : TRANSFER_MAX;
    if (fd < 0)
        return fd;
    if (!bytes)
        return 0;
    uint8_t *at = memory_for_writing(&host->machine, hart, args[1], bytes);
    if (!at)
        return -EFAULT;
    if (fd <= 2 && !signals_await(fd, POLLIN))
        return interrupted(host);
    ssize_t n = read(fd, at, bytes);
    if (n < 0)
        return -errno;
    if (fd <= 2)
        streams_read(host, fd, at, (uint64_t)n);
    observers_written(host, at, (uint64_t)n, false);
    return n;
}

/* What goes to a standard stream would mix with the status line, so that is
 * cleared. */
int64_t host_print(struct host *host, int fd, const uint8_t *at, uint64_t bytes)
{
    uint64_t done = streams_printed(host, fd, at, bytes);
    status_clear(host);
    while (done < bytes) {
        ssize_t n = signals_write(fd, at + done, bytes - done);
        int64_t error = n >= 0           ? 0
                        : errno == EINTR ? interrupted(host)
                                         : -errno;
        if (error)
            return done ? (int64_t)done : error;
        done += (uint64_t)n;
    }
    return (int64_t)done;
}

static int64_t sys_write(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    int fd = files_host(&host->os.files, fd_of(args[0]));
    uint64_t bytes = args[2] < TRANSFER_MAX ? args[2] : TRANSFER_MAX;
    if (fd < 0)
        return fd;
    if (!bytes)
        return 0;
    const uint8_t *at =
        memory_for_reading(&host->machine, hart, args[1], bytes);
    if (!at)
        return -EFAULT;
    return fd > 2 ? room_write(host, fd_of(args[0]), at, bytes)
                  : host_print(host, fd, at, bytes);
}

/* An offset has as many bits as the program's registers. */
static int64_t offset_of(const struct host *host, uint64_t argument)
{
    return host->machine.profile.xlen == 32 ? (int32_t)argument
                                            : (int64_t)argument;
}

static int64_t sys_lseek(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    (void)hart;
    return files_seek(&host->os.files, fd_of(args[0]), offset_of(host, args[1]),
                      (int)args[2]);
}

static int64_t sys_ftruncate(struct host *host, const struct hart *hart,
                             const uint64_t *args)
{
    (void)hart;
    return room_truncate(host, fd_of(args[0]), offset_of(host, args[1]));
}

/* What the program may know of a file. */
static struct linux_stat describe(uint64_t number, const struct stat *from)
{
    struct linux_stat to = {.ino = number, .nlink = 1, .blksize = 4096};
    to.mode =
        (from->st_mode & S_IFMT) | (S_ISDIR(from->st_mode) ? 0755u : 0644u);
    to.size = S_ISREG(from->st_mode) ? from->st_size : 0;
    to.blocks = (to.size + 511) / 512;
    return to;
}

/*
 * The inode's number is made of the descriptor, so that open files differ from
 * each other. Standard streams are told as terminals, which a C library does
 * not buffer in blocks.
 */
static int64_t sys_fstat(struct host *host, const struct hart *hart,
                         const uint64_t *args)
{
    struct linux_stat to = {.ino = args[0] + 1,
                            .nlink = 1,
                            .blksize = 4096,
                            .mode = S_IFCHR | 0600};
    struct stat from;
    int fd = files_host(&host->os.files, fd_of(args[0]));
    if (fd < 0)
        return fd;
    if (fd > 2) {
        if (fstat(fd, &from))
            return -errno;
        to = describe(args[0] + 1, &from);
    }
    return syscall_put(host, hart, args[1], &to, sizeof to);
}

/*
 * The number is 1 for every path: the host's own would differ from run to run.
 */
static int64_t sys_newfstatat(struct host *host, const struct hart *hart,
                              const uint64_t *args)
{
    struct stat from;
    const char *path = path_of(host, hart, args[1]);
    if (!path)
        return -EFAULT;
    int64_t result = files_statat(&host->os.files, fd_of(args[0]), path,
                                  (int)args[3], &from);
    if (result)
        return result;
    struct linux_stat to = describe(1, &from);
    return syscall_put(host, hart, args[2], &to, sizeof to);
}

/* The calls that newlib and other C libraries make; one row for each. */
syscall_function *syscall_files(uint64_t number)
{
    switch (number) {
        // clang-format off
    case LINUX_getcwd: return sys_getcwd;
    case LINUX_mkdirat: return sys_mkdirat;
    case LINUX_unlinkat: return sys_unlinkat;
    case LINUX_ftruncate: return sys_ftruncate;
    case LINUX_faccessat: return sys_faccessat;
    case LINUX_openat: return sys_openat;
    case LINUX_close: return sys_close;
    case LINUX_getdents64: return sys_getdents64;
    case LINUX_lseek: return sys_lseek;
    case LINUX_read: return sys_read;
    case LINUX_write: return sys_write;
    case LINUX_newfstatat: return sys_newfstatat;
    case LINUX_fstat: return sys_fstat;
    case LINUX_utimensat: case LINUX_utimensat_time64: return sys_utimensat;
    case LINUX_renameat2: return sys_renameat2;
    default: return NULL;
        // clang-format on
    }
}
