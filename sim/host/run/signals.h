/*
 * Signals that end a run as a limit does: SIGINT, SIGTERM, SIGHUP, and all
 * others that would end the process. While a run attends to them the first is
 * noted, and the run ends soon with all of its files. Another SIGINT, SIGTERM
 * or SIGQUIT ends the process at once, as any of them does before and after the
 * run; nothing half-written stays.
 */
#ifndef SIM_HOST_RUN_SIGNALS_H
#define SIM_HOST_RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* To be called once. A signal that is ignored, as by nohup, stays ignored. */
void signals_catch(void);

/* From now on the first signal is noted; or not any more, and no SIGALRM comes.
 */
void signals_attend(bool attend);

/* Notes a signal as if it had come, from any thread; it hastens nothing. */
void signals_note(int number);

/* Notes SIGALRM after `seconds`, also where it was ignored: for a limit of
 * host time. */
void signals_alarm(unsigned seconds);

/* A SIGUSR1 has come while a run attends to signals: its sender wants to know
 * how far that is. The function that says it sets this to 0. */
extern volatile sig_atomic_t signals_asked;

/* Waits until a descriptor has something to read (POLLIN of poll.h) or takes
 * PIPE_BUF bytes at least (POLLOUT), or has an error to tell. False: a signal
 * was noted first; a call that waits by itself would go on behind it. */
bool signals_await(int fd, short events);

/* Writes some of it, as write(2) does. A pipe or terminal, whose reader may be
 * slow, is waited for and takes a piece at a time. errno EINTR: a signal was
 * noted first. */
ssize_t signals_write(int fd, const void *bytes, size_t count);

/* The number of the signal that was noted, 0: none. */
extern volatile sig_atomic_t signals_noted;

/* "SIGINT", until the next one is asked for, and the exit status of a run that
 * it ended. */
const char *signals_name(int number);
int signals_status(int number);

#endif
