/* Thread-local variables of another file. */
#ifndef STATE_H
#define STATE_H

extern _Thread_local int state_elsewhere;

int *state_address(void);

#endif
