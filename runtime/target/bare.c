/*
 * --corbel-bare: main is the kernel. Every hart runs it on its kernel stack;
 * the program ends when all have returned, with hart 0's status.
 */
#include <corbel/corbel.h>

#include "target.h"

int main(int argc, char **argv, char **environment);
int corbel_bare_main(int argc, char **argv, char **environment);

struct call {
    int argc;
    char **argv, **environment;
    int status;
};

static void enter(void *arg)
{
    struct call *call = arg;
    int status = main(call->argc, call->argv, call->environment);

    if (corbel_hart() == 0)
        call->status = status;
}

int corbel_bare_main(int argc, char **argv, char **environment)
{
    struct call call = {argc, argv, environment, 0};

    corbel_launch(enter, &call);
    return call.status;
}
