/* What a C program may expect of the runtime; prints what toolchain-link.sh
 * expects. */
#include <corbel/corbel.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int constructed;

__attribute__((constructor)) static void construct(void)
{
    constructed = 42;
}

__attribute__((destructor)) static void destruct(void)
{
    puts("destructor");
}

struct seen {
    atomic_int sum;
    unsigned hart;
    uintptr_t stack;
};

static void kernel(void *arg)
{
    struct seen *seen = arg;
    char *block = malloc(100);

    memset(block, 1, 100);
    atomic_fetch_add(&seen->sum, block[99]);
    free(block);
    if (corbel_hart() != 0)
        return;
    seen->hart = corbel_hart();
    seen->stack = (uintptr_t)__builtin_frame_address(0);
}

static void files(const char *path)
{
    struct stat st;
    char line[20];
    FILE *file = fopen(path, "w");

    fputs("first\n", file);
    fclose(file);
    file = fopen(path, "a");
    fputs("second\n", file);
    fclose(file);
    printf("stat %d, %d bytes\n", stat(path, &st), (int)st.st_size);
    file = fopen(path, "r");
    fgets(line, sizeof line, file);
    fgets(line, sizeof line, file);
    printf("%s", line);
    fclose(file);
    printf("remove %d, ", remove(path));
    file = fopen(path, "r");
    printf("open %s\n", file ? "succeeds" : strerror(errno));
}

int main(int argc, char **argv)
{
    struct seen seen = {.hart = 99};
    volatile float two = 2;
    char *big = malloc(3 << 20);
    uint64_t before = corbel_cycles();

    printf("constructed %d, %d arguments, the last %s\n", constructed, argc,
           argv[argc - 1]);
    printf("%.6f %lld\n", (double)sqrtf(two), 1LL << 40);
    corbel_launch(kernel, &seen);
    printf("kernel: sum %d, hart %u of %u, %s stack\n", atomic_load(&seen.sum),
           seen.hart, corbel_harts(),
           (uintptr_t)__builtin_frame_address(0) - seen.stack > 65536
               ? "its own"
               : "main's");
    memset(big, 1, 3 << 20);
    free(big);
    errno = 0;
    printf("huge %s, errno %s\n", malloc((size_t)-1 >> 1) ? "block" : "none",
           strerror(errno));
    files(argv[1]);
    printf("cycles %s\n", corbel_cycles() > before ? "pass" : "stand still");
    return 5;
}
