/* Many harts: malloc in kernels, hart numbers, the index of a second launch. */
#include <corbel/corbel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, HARTS_MAX = 1024, ITEMS = 100 };

static unsigned ran[HARTS_MAX], torn, handed[ITEMS];

/* Whether a block that is in use holds only what its owner wrote. */
static int torn_block(const unsigned char *block, size_t size, int pattern)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != pattern)
            return 1;
    return 0;
}

static void allocate(void *arg)
{
    unsigned hart = corbel_hart();

    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t size = 8 + (hart * 7 + round * 13) % 100;
        unsigned char *block = malloc(size);
        memset(block, (int)(hart + round) & 255, size);
        if (torn_block(block, size, (int)(hart + round) & 255))
            __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
        free(block);
    }
    ran[hart]++;
}

static void take(void *arg)
{
    for (uint32_t i; (i = corbel_next()) < ITEMS;)
        __atomic_fetch_add(&handed[i], 1, __ATOMIC_RELAXED);
}

int main(void)
{
    unsigned wrong = 0;

    corbel_launch(allocate, NULL);
    for (unsigned i = 0; i < HARTS_MAX; i++)
        wrong += ran[i] != (i < corbel_harts());
    corbel_launch(take, NULL);
    corbel_launch(take, NULL);
    for (unsigned i = 0; i < ITEMS; i++)
        wrong += handed[i] != 2;
    printf("%u harts: %u of them or items wrong, %u blocks torn\n",
           corbel_harts(), wrong, torn);
    return 0;
}
