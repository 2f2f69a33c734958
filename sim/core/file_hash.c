#include "sim/core/file_hash.h"
#include "runtime/include/corbel/hash.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_hash_open(int fd, uint64_t *hash)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return false;
    size_t size = (size_t)st.st_size;
    void *bytes =
        size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (size && bytes == MAP_FAILED)
        return false;
    *hash = corbel_hash(size ? bytes : "", size, 0);
    if (size)
        munmap(bytes, size);
    return true;
}

/* Not blocking: a pipe would make it wait for a writer. */
bool file_hash(const char *path, uint64_t *hash)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = fd >= 0 && file_hash_open(fd, hash);
    if (fd >= 0)
        close(fd);
    return good;
}
