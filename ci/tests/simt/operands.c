/*
 * Instructions whose registers lie in known banks, in each of ROUNDS rounds 16
 * of one sort:
 *
 *   apart   two operands of which one has an odd number
 *   same    two operands of odd numbers
 *   three   three of odd numbers
 *   pairs   a product, and a sum right behind it: 16 of each
 *
 *   operands WAY ROUNDS
 */
#include <corbel/corbel.h>
#include <stdlib.h>
#include <string.h>

static unsigned rounds;

#define TWICE(text) text text
#define EIGHT(text) TWICE(TWICE(TWICE(text)))
#define LOOP(text)                                                             \
    unsigned k = rounds;                                                       \
    __asm__ volatile(".p2align 5\n1:\n\t" EIGHT(text) "addi %0, %0, -1\n\t"    \
                                                      "bnez %0, 1b"            \
                     : "+r"(k)                                                 \
                     :                                                         \
                     : "t3", "t4", "ft8", "ft9")

static void apart(void *at)
{
    (void)at;
    LOOP("add t3, x5, x6\n\tadd t4, x5, x6\n\t");
}

static void same(void *at)
{
    (void)at;
    LOOP("add t3, x5, x7\n\tadd t4, x5, x7\n\t");
}

static void three(void *at)
{
    (void)at;
    LOOP("fmadd.s ft8, f1, f3, f5\n\tfmadd.s ft9, f1, f3, f5\n\t");
}

static void pairs(void *at)
{
    (void)at;
    LOOP("fmul.s ft8, f1, f2\n\tadd t3, x5, x6\n\t"
         "fmul.s ft9, f1, f2\n\tadd t4, x5, x6\n\t");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*kernel)(void *);
    } kernels[] = {
        {"apart", apart}, {"same", same}, {"three", three}, {"pairs", pairs}};
    if (argc != 3)
        return 2;
    rounds = (unsigned)atoi(argv[2]);
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, argv[1]))
            corbel_launch(kernels[i].kernel, NULL);
    return 0;
}
