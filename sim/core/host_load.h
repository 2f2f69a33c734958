/* What the host has for this process, and its other work. */
#ifndef SIM_HOST_LOAD_H
#define SIM_HOST_LOAD_H

#include <stdbool.h>

/* Processors that this process may run on (sched_getaffinity(2)). */
unsigned host_processors(void);

/* How many threads of the host want a processor now, of a text as in
 * /proc/loadavg (proc_loadavg(5)); 0: it does not say. */
unsigned host_wanting(const char *loadavg);

/*
 * Would `threads` of the caller's have to wait for processors, as `others`
 * threads of the host want one, too? Without others they would not, however
 * many they are: that is what was asked for.
 */
bool host_crowded(unsigned others, unsigned threads, unsigned processors);

/* The same of this host now; takes some 20 us. awake: how many of the caller's
 * threads do not sleep, itself among them. False if the host does not say. */
bool host_is_busy(unsigned threads, unsigned awake);

#endif
