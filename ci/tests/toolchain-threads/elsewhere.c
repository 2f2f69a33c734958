#include "state.h"

_Thread_local int state_elsewhere = 11;

int *state_address(void)
{
    return &state_elsewhere;
}
