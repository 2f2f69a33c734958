#include "ci/fuzz/fuzz.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

const char *fuzz_path(const void *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0)
        fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 0) ||
        pwrite(fd, data, size, 0) != (ssize_t)size)
        give_up("no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

static char folder[] = "/tmp/corbel-fuzz-XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    static bool made;
    if (!made && !mkdtemp(folder))
        give_up("no folder in /tmp");
    if (!made)
        atexit(remove_folder);
    made = true;
    return folder;
}

void fuzz_check_error(const struct error *error)
{
    if (!*error->text)
        give_up("an error without text");
    for (const char *c = error->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            give_up("an error with a control character in it");
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        give_up("out of memory");
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* ---- how a process ends ---- */

/*
 * Linked in the place of _exit, which the simulator calls where the host lacks
 * memory: libFuzzer would keep no input of a process that ends so.
 */
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    give_up("the process ends");
}
