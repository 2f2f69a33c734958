#include <corbel/corbel.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t sums[64];

static void kernel(void *unused)
{
    for (uint32_t i; (i = corbel_next()) < 64;)
        sums[i] += i;
}

/* Reads 8 bytes, computes, prints them, until there are no more; after 80 of
 * them its first region of interest. */
int main(void)
{
    char bytes[8];
    unsigned done = 0;
    for (long n; (n = read(0, bytes, sizeof bytes)) > 0; done++) {
        for (volatile int i = 0; i < 1000; i++)
            ;
        if (write(1, bytes, (unsigned long)n) != n)
            return 1;
        if (done == 9) {
            corbel_roi_begin();
            corbel_launch(kernel, 0);
            corbel_roi_end();
        }
    }
    for (volatile int i = 0; i < 20000; i++)
        ;
    printf("\n%u pieces\n", done);
    return 0;
}
