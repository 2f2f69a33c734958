/*
 * A loop of 4 lines of code, ROUNDS times; with `anew` each round ends with a
 * fence.i.
 *
 *   fetch plain|anew ROUNDS
 */
#include <corbel/corbel.h>
#include <stdlib.h>
#include <string.h>

static unsigned rounds;

/* A line is 32 instructions of 4 bytes. */
#define LOOP(last)                                                             \
    unsigned k = rounds;                                                       \
    __asm__ volatile(".option push\n\t.option norvc\n\t.p2align 7\n1:\n\t"     \
                     ".rept 125\n\tnop\n\t.endr\n\t" last                      \
                     "addi %0, %0, -1\n\tbnez %0, 1b\n\t.option pop"           \
                     : "+r"(k))

static void plain(void *at)
{
    (void)at;
    LOOP("nop\n\t");
}

static void anew(void *at)
{
    (void)at;
    LOOP("fence.i\n\t");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    rounds = (unsigned)atoi(argv[2]);
    corbel_launch(strcmp(argv[1], "anew") ? plain : anew, NULL);
    return 0;
}
