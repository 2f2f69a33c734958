/* Blocks of 2 GiB and more, without touching most of them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t gib = (size_t)1 << 30;
    char *p = malloc(3 * gib), *q = malloc(2 * gib + 1);

    printf("%d %d\n", p != NULL, q != NULL);
    p[0] = 1;
    p[3 * gib - 1] = 2;
    q[2 * gib] = 3;
    printf("%d %d %d\n", p[0], p[3 * gib - 1], q[2 * gib]);
    free(p);
    p = malloc(5 * gib / 2);
    printf("%d\n", p != NULL);
    free(p);
    free(q);
    p = aligned_alloc(4096, 4 * gib);
    printf("%d %d\n", p != NULL, (int)((uintptr_t)p % 4096));
    free(p);
    p = malloc(100);
    strcpy(p, "and small ones");
    puts(p);
    return 0;
}
