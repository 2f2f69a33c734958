/*
 * Destructors of thread-local objects. A hart is a thread that ends with the
 * program: those of hart 0 are called by exit(), those of the others are not,
 * as natively.
 */
#include <corbel/corbel.h>
#include <stdlib.h>

struct ending {
    void (*destroy)(void *);
    void *object;
    struct ending *before;
};

static struct ending *endings;

static void destroy_all(void)
{
    while (endings) {
        struct ending *last = endings;
        endings = last->before;
        last->destroy(last->object);
        free(last);
    }
}

/* For libstdc++: has destroy(object) called at the end of the thread. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object,
                             void *library)
{
    static int registered;

    if (corbel_hart() != 0)
        return 0;
    struct ending *ending = malloc(sizeof *ending);
    if (!ending || (!registered && atexit(destroy_all))) {
        free(ending);
        return -1;
    }
    registered = 1;
    *ending = (struct ending){destroy, object, endings};
    endings = ending;
    return 0;
}
