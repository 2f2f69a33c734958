/* Programs that do not end: the word is loop, wfi or fault. */
#include <corbel/corbel.h>
#include <string.h>

static volatile int turns;

static void loop(void *arg)
{
    (void)arg;
    for (;;)
        turns++;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "loop"))
        corbel_launch(loop, NULL);
    for (; argc > 1 && !strcmp(argv[1], "wfi");)
        __asm__ volatile("wfi");
    if (argc > 1 && !strcmp(argv[1], "fault"))
        *(volatile int *)8 = 1;
    return 3;
}
