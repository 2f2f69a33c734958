/*
 * The smallest kernel: every hart takes numbers from the work counter and adds
 * them up. Prints the same natively and on the target, but for the number of
 * harts.
 */
#include <corbel/corbel.h>

#include <stdio.h>

enum { NUMBERS = 1000 };

static void add_numbers(void *arg)
{
    _Atomic uint32_t *sum = arg;
    for (uint32_t i = corbel_next(); i < NUMBERS; i = corbel_next())
        *sum += i;
}

int main(void)
{
    _Atomic uint32_t sum = 0;
    printf("Hello from %u harts\n", corbel_harts());
    corbel_launch(add_numbers, &sum);
    printf("The sum of 0 to %d is %u\n", NUMBERS - 1, (unsigned)sum);
    return sum == NUMBERS * (NUMBERS - 1) / 2 ? 0 : 1;
}
