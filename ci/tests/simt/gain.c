/*
 * Work that lanes of a warp do together, or not; the same work in another order
 * of indices. gain ways|across apart|together
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <string.h>

enum { INDICES = 8192, LANES = 32, WORDS = 1024 };
volatile uint32_t result[INDICES];
uint32_t table[WORDS];
static int together;

/* Of 8 ways of different lengths, one by the index: of lanes side by side all,
 * or one. */
static void ways(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < INDICES;) {
        uint32_t way = (together ? i / LANES : i) % 8, x = i;
        for (uint32_t n = 0; n < 8; n++)
            switch (way) {
#define WAY(k)                                                                 \
    case k:                                                                    \
        for (uint32_t m = 0; m < 10; m++)                                      \
            x = (x ^ (x >> (k + 3))) * (2 * k + 3);                            \
        break;
                WAY(0) WAY(1) WAY(2) WAY(3) WAY(4) WAY(5) WAY(6) WAY(7)
            }
        result[i] = x;
    }
}

/* A table of rows, which lanes read along them, or across. */
static void across(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < INDICES;) {
        uint32_t sum = 0, row = i / LANES % LANES, column = i % LANES;
        for (uint32_t n = 0; n < LANES; n++, row = (row + 1) % LANES)
            sum +=
                table[together ? LANES * row + column : LANES * column + row];
        result[i] = sum;
    }
}

int main(int argc, char **argv)
{
    together = argc > 2 && !strcmp(argv[2], "together");
    for (uint32_t i = 0; i < WORDS; i++)
        table[i] = i;
    corbel_roi_begin();
    corbel_launch(argc > 1 && !strcmp(argv[1], "ways") ? ways : across, 0);
    corbel_roi_end();
    return 0;
}
