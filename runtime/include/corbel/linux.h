/*
 * Linux's system calls that sim-run serves, with the numbers, flags and layouts
 * of Linux for RISC-V. Included by the target runtime and by the simulator.
 *
 * Times are two 64-bit integers, seconds and micro- or nanoseconds, on RV32 as
 * well: there Linux's own calls for that have the numbers of the second half.
 */
#ifndef CORBEL_LINUX_H
#define CORBEL_LINUX_H

#include <stddef.h>
#include <stdint.h>

/* X(name, number) */
#define LINUX_CALLS(X)                                                         \
    X(getcwd, 17)                                                              \
    X(mkdirat, 34)                                                             \
    X(unlinkat, 35)                                                            \
    X(ftruncate, 46)                                                           \
    X(faccessat, 48)                                                           \
    X(openat, 56)                                                              \
    X(close, 57)                                                               \
    X(getdents64, 61)                                                          \
    X(lseek, 62)                                                               \
    X(read, 63)                                                                \
    X(write, 64)                                                               \
    X(newfstatat, 79)                                                          \
    X(fstat, 80)                                                               \
    X(utimensat, 88)                                                           \
    X(exit, 93)                                                                \
    X(exit_group, 94)                                                          \
    X(nanosleep, 101)                                                          \
    X(clock_gettime, 113)                                                      \
    X(clock_nanosleep, 115)                                                    \
    X(times, 153)                                                              \
    X(gettimeofday, 169)                                                       \
    X(getpid, 172)                                                             \
    X(brk, 214)                                                                \
    X(renameat2, 276)                                                          \
    X(clock_gettime64, 403)                                                    \
    X(clock_nanosleep_time64, 407)                                             \
    X(utimensat_time64, 412)

#define LINUX_NUMBER(name, number) LINUX_##name = (number),
enum { LINUX_CALLS(LINUX_NUMBER) LINUX_CALL_END = 1024 };
#undef LINUX_NUMBER

/* Where Linux has flags of its own, in octal as its headers have them. */
enum {
    LINUX_AT_FDCWD = -100,
    LINUX_AT_SYMLINK_NOFOLLOW = 0x100,
    LINUX_AT_REMOVEDIR = 0x200,
    LINUX_O_CREAT = 0100,
    LINUX_O_EXCL = 0200,
    LINUX_O_TRUNC = 01000,
    LINUX_O_APPEND = 02000,
    LINUX_O_DIRECTORY = 0200000,
    LINUX_O_NOFOLLOW = 0400000,
    LINUX_RENAME_NOREPLACE = 1,
    LINUX_TIMER_ABSTIME = 1,
    LINUX_UTIME_NOW = 0x3fffffff,
    LINUX_UTIME_OMIT = 0x3ffffffe,
};

struct linux_timespec {
    int64_t seconds, nanoseconds;
};

/* struct stat of asm-generic Linux, the same for both XLENs. */
struct linux_stat {
    uint64_t dev, ino;
    uint32_t mode, nlink, uid, gid;
    uint64_t rdev, pad1;
    int64_t size;
    int32_t blksize, pad2;
    int64_t blocks;
    uint64_t times[7]; /* in Linux six, and 8 bytes unused */
};
_Static_assert(sizeof(struct linux_stat) == 128, "asm-generic stat");

/* An entry of a directory; its name ends in 0, the entry at a multiple of 8. */
struct linux_dirent {
    uint64_t ino;
    int64_t next; /* for lseek: where the next entry is */
    uint16_t bytes;
    uint8_t type; /* 4 directory, 8 regular file, 10 symbolic link, 0 other */
    char name[];
};
_Static_assert(offsetof(struct linux_dirent, name) == 19, "linux_dirent64");

#endif
