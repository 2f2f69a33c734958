/* A file that is placed while the program runs leaves the harts' thread-local
 * variables alone: the kernel writes them, the file stays as it is. */
#include <corbel/corbel.h>

#include <stdio.h>

static _Thread_local unsigned mine[100];
static _Atomic unsigned wrong;

static void kernel(void *arg)
{
    for (unsigned i = 0; i < 100; i++) {
        wrong += mine[i] != 0;
        mine[i] = corbel_hart() + i;
    }
}

int main(void)
{
    size_t bytes;
    const char *text = corbel_file_map("placed.txt", &bytes);
    if (!text)
        return 1;
    corbel_launch(kernel, NULL);
    printf("%.*s%u are wrong\n", (int)bytes, text, wrong);
    return 0;
}
