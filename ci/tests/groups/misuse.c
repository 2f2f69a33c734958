/* What groups may not: misuse WHAT. */
#include <corbel/corbel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void one_returns(void *arg)
{
    if (corbel_lane() == 5)
        return;
    corbel_group_sync();
}

static void one_comes_once_more(void *arg)
{
    corbel_group_sync();
    if (corbel_lane() == 2)
        corbel_group_sync();
}

static void too_much(void *arg)
{
    char *a = corbel_group_memory(65000), *b = corbel_group_memory(1000);
    *a = *b = 0;
}

static int dig(volatile char *above, int depth)
{
    volatile char here[64];
    for (unsigned i = 0; i < sizeof here; i++)
        here[i] = *above;
    return depth ? dig(here, depth - 1) + here[0] : here[63];
}

static void deep(void *arg)
{
    char zero = 0;
    *(int *)arg = dig(&zero, *(int *)arg);
}

static void nested(void *arg)
{
    corbel_launch_grid(too_much, NULL, 1, 1);
}

static void sync(void *arg)
{
    corbel_group_sync();
}

static void memory(void *arg)
{
    corbel_group_memory(4);
}

int main(int argc, char **argv)
{
    const char *what = argv[1];
    int n = argc > 2 ? atoi(argv[2]) : 0; /* calls of some 100 bytes */

    printf("begin\n");
    fflush(stdout);
    if (!strcmp(what, "returns"))
        corbel_launch_grid(one_returns, NULL, 1, 8);
    if (!strcmp(what, "more"))
        corbel_launch_grid(one_comes_once_more, NULL, 1, 8);
    if (!strcmp(what, "size"))
        corbel_launch_grid(one_returns, NULL, 3, 1025);
    if (!strcmp(what, "none"))
        corbel_launch_grid(one_returns, NULL, 3, 0);
    if (!strcmp(what, "announced")) {
        corbel_group_memory(65537);
        corbel_launch_grid(too_much, NULL, 3, 8);
    }
    if (!strcmp(what, "less")) {
        corbel_group_memory(65100);
        corbel_launch_grid(too_much, NULL, 1, 1);
    }
    if (!strcmp(what, "memory"))
        corbel_launch_grid(too_much, NULL, 1, 1);
    if (!strcmp(what, "nested"))
        corbel_launch_grid(nested, NULL, 1, 1);
    if (!strcmp(what, "deep"))
        corbel_launch_grid(deep, &n, 1, 64);
    if (!strcmp(what, "sync"))
        corbel_launch(sync, NULL);
    if (!strcmp(what, "outside"))
        corbel_launch(memory, NULL);
    return 0;
}
