/*
 * Calls of a program on files: a line is a call. Whatever it does, what lies
 * beside its directory stays as it is, and is never read.
 *
 *   oFLAGS PATH  openat; FLAGS: Linux's, octal; what is opened is read, written
 *   dN PATH      openat, below the directory that is open as N
 *   u PATH, x PATH          unlinkat, rmdir
 *   m PATH, s PATH, a PATH  mkdirat, fstatat, faccessat
 *   t PATH       utimensat
 *   r PATH PATH  renameat2
 *   lN, cN, kN   getdents64, close, lseek
 *   w            from here on as on a kernel without openat2
 */
#include "sim/host/os/files.h"
#include "ci/fuzz/fuzz.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECRET "what nobody may read"

/* ---- kernels without openat2 ---- */

static bool old_kernel;

/* Linked in the place of syscall. */
long __real_syscall(long number, long a, long b, long c, long d);
long __wrap_syscall(long number, long a, long b, long c, long d);
long __wrap_syscall(long number, long a, long b, long c, long d)
{
    if (number != SYS_openat2 || !old_kernel)
        return __real_syscall(number, a, b, c, d);
    errno = ENOSYS;
    return -1;
}

/* ---- the directory, and what lies beside it ---- */

static void must(bool true_)
{
    if (!true_)
        abort();
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    must(f && fputs(text, f) >= 0 && !fclose(f));
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
    return at->level ? remove(path) : 0;
}

/* The working directory is the folder; fs in it is the program's. */
static void set_up(void)
{
    must(!chdir(fuzz_folder()));
    chmod("fs", 0777);
    must(!nftw(".", remove_one, 16, FTW_DEPTH | FTW_PHYS));
    must(!mkdir("fs", 0777) && !mkdir("outside", 0777));
    must(!mkdir("fs/sub", 0777) && !mkfifo("fs/pipe", 0666));
    write_file("secret", SECRET);
    write_file("fs/in", "in");
    write_file("fs/sub/low", "low");
    must(!symlink("../secret", "fs/link") && !symlink("..", "fs/up") &&
         !symlink("in", "fs/fine") && !symlink("../outside", "fs/out") &&
         !symlink("loop", "fs/loop") && !symlink("../../secret", "fs/sub/far"));
    const struct timespec past[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    must(!utimensat(AT_FDCWD, "secret", past, 0));
    must(!utimensat(AT_FDCWD, "outside", past, 0));
}

static unsigned entries(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY);
    char buffer[4096];
    unsigned count = 0;
    struct listing *l = fd < 0 ? NULL : listing_new(fd);
    must(l);
    for (int64_t n; (n = listing_read(l, buffer, sizeof buffer)) > 0;)
        for (int64_t at = 0; at < n; count++) {
            uint16_t length;
            memcpy(&length, buffer + at + 16, sizeof length);
            at += length;
        }
    listing_free(l);
    close(fd);
    return count;
}

static void must_be_past(const char *path, off_t size)
{
    struct stat st;
    must(!lstat(path, &st) && st.st_mtim.tv_sec == 1);
    must(size < 0 || (st.st_size == size && st.st_atim.tv_sec == 1));
}

/* Entries count "." and "..". */
static void check(void)
{
    must(entries(".") == 5 && entries("outside") == 2);
    must_be_past("secret", sizeof SECRET - 1);
    must_be_past("outside", -1);
}

/* ---- calls ---- */

static bool is_null(const struct stat *st)
{
    return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* The file is asked what it is: /dev/null is the only device, a pipe is never
 * open, and nothing that was made runs as its owner. Writing it is what the
 * program may do with a descriptor. */
static void use(struct files *f, int64_t number)
{
    char bytes[64] = "";
    struct stat st;
    const int fd = files_own(f, number);
    if (fd < 0)
        return;
    must(!fstat(fd, &st) &&
         (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || is_null(&st)) &&
         !(st.st_mode & 07000));
    must(pread(fd, bytes, sizeof bytes - 1, 0) < (ssize_t)sizeof bytes);
    must(!strstr(bytes, SECRET));
    if (write(fd, "x", 1) < 0)
        return;
}

static void path_call(struct files *f, char call, int64_t number, char *path)
{
    struct stat st;
    char *second = strchr(path, ' ');
    if (second)
        *second++ = 0;
    switch (call) {
    case 'o':
        use(f, files_openat(f, AT_FDCWD, path, (int)number, 06777));
        break;
    case 'd':
        use(f, files_openat(f, number, path, O_RDWR, 0));
        break;
    case 'u':
    case 'x':
        files_unlinkat(f, AT_FDCWD, path, call == 'x' ? AT_REMOVEDIR : 0);
        break;
    case 'm':
        files_mkdirat(f, AT_FDCWD, path, 0777);
        break;
    case 's':
        files_statat(f, AT_FDCWD, path, (int)number, &st);
        break;
    case 'a':
        files_accessat(f, AT_FDCWD, path, (int)number & 7);
        break;
    case 't':
        files_utimensat(f, AT_FDCWD, path, NULL);
        break;
    case 'r':
        if (second)
            files_renameat(f, AT_FDCWD, path, number ? number : AT_FDCWD,
                           second, 0);
    }
}

static void call(struct files *f, char *line)
{
    char buffer[256], *rest = line + (*line != 0);
    const int64_t number = strtol(rest, &rest, 8);
    switch (*line) {
    case 'l':
        files_list(f, number, buffer, sizeof buffer);
        break;
    case 'c':
        files_close_one(f, number);
        break;
    case 'k':
        files_seek(f, number, *rest, SEEK_CUR);
        break;
    case 'w':
        old_kernel = true;
        break;
    default:
        path_call(f, *line, number, rest + (*rest == ' '));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files files;
    struct error error;
    char *text = fuzz_text(data, size), *rest = text, *line;
    old_kernel = false;
    umask(0);
    set_up();
    must(files_open(&files, "fs", NULL, 0, &error));
    while ((line = strsep(&rest, "\n")))
        call(&files, line);
    files_close(&files);
    check();
    free(text);
    return 0;
}
