/* Reads and writes of several pieces. */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IOV_MAX 1024
#define UIO_MAXIOV IOV_MAX

struct iovec {
    void *iov_base;
    size_t iov_len;
};

ssize_t readv(int, const struct iovec *, int);
ssize_t writev(int, const struct iovec *, int);

#ifdef __cplusplus
}
#endif

#endif
