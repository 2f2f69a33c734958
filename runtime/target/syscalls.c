/*
 * The system calls below newlib: each turns the C library's call into an
 * ecall with the number, flags and layouts of Linux for RISC-V (corbel/abi.h),
 * and the answer back. There is one process: what needs another fails with
 * ENOSYS.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <corbel/corbel.h>
#include <corbel/linux.h>

#include "target.h"

/* Errors that newlib numbers otherwise than Linux does. */
static int errno_from_linux(int number)
{
    static const unsigned char differs[][2] = {
        {35, EDEADLK}, {36, ENAMETOOLONG}, {38, ENOSYS},  {39, ENOTEMPTY},
        {40, ELOOP},   {75, EOVERFLOW},    {95, ENOTSUP}, {110, ETIMEDOUT},
    };

    for (size_t i = 0; i < sizeof differs / sizeof *differs; i++)
        if (differs[i][0] == number)
            return differs[i][1];
    return number;
}

long corbel_answer(long result)
{
    if (result >= 0 || result < -4095)
        return result;
    errno = errno_from_linux(-(int)result);
    return -1;
}

static int not_here(void)
{
    errno = ENOSYS;
    return -1;
}

static int flags_to_linux(int flags)
{
    int linux_flags = flags & O_ACCMODE;

    linux_flags |= flags & O_CREAT ? LINUX_O_CREAT : 0;
    linux_flags |= flags & O_EXCL ? LINUX_O_EXCL : 0;
    linux_flags |= flags & O_TRUNC ? LINUX_O_TRUNC : 0;
    linux_flags |= flags & O_APPEND ? LINUX_O_APPEND : 0;
    linux_flags |= flags & O_DIRECTORY ? LINUX_O_DIRECTORY : 0;
    linux_flags |= flags & O_NOFOLLOW ? LINUX_O_NOFOLLOW : 0;
    return linux_flags;
}

static mode_t mask = 022; /* of umask() */

mode_t umask(mode_t to)
{
    mode_t was = mask;

    mask = to & 0777;
    return was;
}

int corbel_masked(int mode)
{
    return mode & ~(int)mask;
}

int _open(const char *path, int flags, int mode)
{
    return (int)corbel_answer(corbel_syscall(LINUX_openat, LINUX_AT_FDCWD,
                                             (long)path, flags_to_linux(flags),
                                             corbel_masked(mode)));
}

int _close(int file)
{
    return (int)corbel_answer(corbel_syscall(LINUX_close, file, 0, 0, 0));
}

off_t _lseek(int file, off_t offset, int whence)
{
    return (off_t)corbel_answer(
        corbel_syscall(LINUX_lseek, file, offset, whence, 0));
}

ssize_t _read(int file, void *data, size_t size)
{
    return corbel_answer(
        corbel_syscall(LINUX_read, file, (long)data, (long)size, 0));
}

ssize_t _write(int file, const void *data, size_t size)
{
    return corbel_answer(
        corbel_syscall(LINUX_write, file, (long)data, (long)size, 0));
}

int _unlink(const char *path)
{
    return (int)corbel_answer(
        corbel_syscall(LINUX_unlinkat, LINUX_AT_FDCWD, (long)path, 0, 0));
}

/* Times stay 0: the programs' files have none that would be reproducible. */
static void stat_from_linux(struct stat *st, const struct linux_stat *from)
{
    *st = (struct stat){
        .st_dev = (dev_t)from->dev,
        .st_ino = (ino_t)from->ino,
        .st_mode = from->mode,
        .st_nlink = (nlink_t)from->nlink,
        .st_size = (off_t)from->size,
        .st_blksize = from->blksize,
        .st_blocks = (blkcnt_t)from->blocks,
    };
}

int _fstat(int file, struct stat *st)
{
    struct linux_stat from = {0};

    if (corbel_answer(corbel_syscall(LINUX_fstat, file, (long)&from, 0, 0)) < 0)
        return -1;
    stat_from_linux(st, &from);
    return 0;
}

static int stat_path(const char *path, struct stat *st, int flags)
{
    struct linux_stat from = {0};

    if (corbel_answer(corbel_syscall(LINUX_newfstatat, LINUX_AT_FDCWD,
                                     (long)path, (long)&from, flags)) < 0)
        return -1;
    stat_from_linux(st, &from);
    return 0;
}

int _stat(const char *path, struct stat *st)
{
    return stat_path(path, st, 0);
}

int lstat(const char *path, struct stat *st)
{
    return stat_path(path, st, LINUX_AT_SYMLINK_NOFOLLOW);
}

/* The program's memory between its end and what the harts have of their own. */
void *_sbrk(ptrdiff_t increment)
{
    static uintptr_t end;
    uintptr_t start = (uintptr_t)corbel_boot_block->heap_start;
    uintptr_t limit = corbel_thread_blocks(corbel_boot_block);
    uintptr_t old = end ? end : start;

    if (increment > 0 ? (uintptr_t)increment > limit - old
                      : -(uintptr_t)increment > old - start)
        goto refused;
    if ((uintptr_t)corbel_syscall(LINUX_brk, (long)(old + (uintptr_t)increment),
                                  0, 0, 0) != old + (uintptr_t)increment)
        goto refused;
    end = old + (uintptr_t)increment;
    return (void *)old;
refused:
    errno = ENOMEM;
    return (void *)-1;
}

void _exit(int status)
{
    for (;;)
        corbel_syscall(LINUX_exit_group, status, 0, 0, 0);
}

/* The only process is this one: abort() and assert() end here. */
int _kill(int process, int signal)
{
    (void)process;
    _exit(128 + signal);
}

int _getpid(void)
{
    return (int)corbel_syscall(LINUX_getpid, 0, 0, 0, 0);
}

int _gettimeofday(struct timeval *now, void *zone)
{
    struct {
        int64_t seconds, microseconds;
    } time = {0};

    (void)zone;
    if (corbel_answer(
            corbel_syscall(LINUX_gettimeofday, (long)&time, 0, 0, 0)) < 0)
        return -1;
    now->tv_sec = time.seconds;
    now->tv_usec = (suseconds_t)time.microseconds;
    return 0;
}

clock_t _times(struct tms *used)
{
    return (clock_t)corbel_answer(
        corbel_syscall(LINUX_times, (long)used, 0, 0, 0));
}

/* The same bytes in every run, others for each hart: SplitMix64. */
int getentropy(void *data, size_t size)
{
    static _Thread_local uint64_t state;
    uint8_t *byte = data;

    if (!state)
        state = corbel_spread(corbel_hart());
    for (size_t i = 0; i < size; i++)
        byte[i] =
            (uint8_t)(corbel_spread(state += UINT64_C(0x9e3779b97f4a7c15)) >>
                      56);
    return 0;
}

int _rename(const char *from, const char *to)
{
    return (int)corbel_answer(corbel_syscall5(LINUX_renameat2, LINUX_AT_FDCWD,
                                              (long)from, LINUX_AT_FDCWD,
                                              (long)to, 0));
}

int _link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return not_here();
}

int _fork(void)
{
    return not_here();
}

int _execve(const char *path, char *const *argv, char *const *environment)
{
    (void)path;
    (void)argv;
    (void)environment;
    return not_here();
}

int _wait(int *status)
{
    (void)status;
    return not_here();
}
