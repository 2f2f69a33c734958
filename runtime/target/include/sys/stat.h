/* newlib's, which does not declare lstat. */
#include_next <sys/stat.h>
#ifndef CORBEL_SYS_STAT_H
#define CORBEL_SYS_STAT_H

#ifdef __cplusplus
extern "C" {
#endif

#if __POSIX_VISIBLE
int lstat(const char *__restrict, struct stat *__restrict);
#endif

#ifdef __cplusplus
}
#endif

#endif
