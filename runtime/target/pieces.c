/*
 * Reads and writes at a place, and of several pieces. The host has none of
 * them: pread and pwrite move the position of the descriptor and put it back,
 * one hart at a time.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/target/gthr.h"

static __gthread_mutex_t one;

/* Leaves errno as the call between has set it. */
static ssize_t at_place(int file, void *to, const void *from, size_t size,
                        off_t offset)
{
    ssize_t done = -1;

    if (offset < 0) {
        errno = EINVAL;
        return -1;
    }
    __gthread_mutex_lock(&one);
    off_t before = lseek(file, 0, SEEK_CUR);
    if (before >= 0 && lseek(file, offset, SEEK_SET) >= 0) {
        done = to ? read(file, to, size) : write(file, from, size);
        int error = errno;
        lseek(file, before, SEEK_SET);
        errno = error;
    }
    __gthread_mutex_unlock(&one);
    return done;
}

ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    return at_place(file, to, NULL, size, offset);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t offset)
{
    return at_place(file, NULL, from, size, offset);
}

static ssize_t pieces(int file, const struct iovec *v, int count, int reads)
{
    ssize_t all = 0;

    if (count < 0 || count > IOV_MAX) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < count; i++) {
        ssize_t n = reads ? read(file, v[i].iov_base, v[i].iov_len)
                          : write(file, v[i].iov_base, v[i].iov_len);
        if (n < 0)
            return all ? all : -1;
        all += n;
        if ((size_t)n < v[i].iov_len)
            break;
    }
    return all;
}

ssize_t readv(int file, const struct iovec *v, int count)
{
    return pieces(file, v, count, 1);
}

ssize_t writev(int file, const struct iovec *v, int count)
{
    return pieces(file, v, count, 0);
}

/* What is written is the host's at once. */
int fsync(int file)
{
    struct stat st;

    if (fstat(file, &st))
        return -1;
    if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return 0;
    errno = EINVAL;
    return -1;
}

int fdatasync(int file)
{
    return fsync(file);
}
