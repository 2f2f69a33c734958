/* Preloaded: calls of the file system take 5 ms, as over a network. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static void wait_for_it(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

#define SLOW(type, name, parameters, ...)                                      \
    type name parameters;                                                      \
    type name parameters                                                       \
    {                                                                          \
        type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);  \
        wait_for_it();                                                         \
        return real(__VA_ARGS__);                                              \
    }
SLOW(int, rename, (const char *from, const char *to), from, to)
SLOW(int, unlink, (const char *path), path)
SLOW(int, mkdir, (const char *path, mode_t mode), path, mode)
SLOW(int, link, (const char *from, const char *to), from, to)
SLOW(int, fsync, (int number), number)

int open64(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) =
        (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    va_list list;
    va_start(list, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
    va_end(list);
    if (flags & (O_CREAT | O_WRONLY | O_RDWR))
        wait_for_it();
    return real(path, flags, mode);
}
