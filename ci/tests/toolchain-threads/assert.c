/* All harts fail at once, or with an argument only main(). */
#include <assert.h>
#include <corbel/corbel.h>

static void kernel(void *unused)
{
    assert(corbel_harts() == 0);
}

int main(int argc, char **argv)
{
    assert(argc == 1);
    corbel_launch(kernel, 0);
    return 0;
}
