/* Reads a file, writes another, prints, and faults if told so: what a run that
 * goes back must not do twice. */
#include <stdio.h>

static int total;

static void __attribute__((noinline)) add(int value)
{
    total += value;
    printf("added %d\n", value);
}

int main(int argc, char **argv)
{
    int value;
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    while (in && fscanf(in, "%d", &value) == 1) {
        add(value);
        fprintf(out, "%d\n", total);
        fflush(out);
    }
    fclose(out);
    remove(argv[1]);
    if (argc > 3)
        *(volatile int *)1 = 0;
    return 0;
}
