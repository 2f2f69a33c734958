/* As Linux tells it. */
#include "sim/core/host_load.h"
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

unsigned host_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (!sched_getaffinity(0, sizeof set, &set))
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than fit the set */
    return online > 1 ? (unsigned)online : 1;
}

unsigned host_wanting(const char *loadavg)
{
    unsigned wanting;
    return sscanf(loadavg, "%*f %*f %*f %u/", &wanting) == 1 ? wanting : 0;
}

bool host_crowded(unsigned others, unsigned threads, unsigned processors)
{
    return others && others + threads > processors;
}

bool host_is_busy(unsigned threads, unsigned awake)
{
    char text[64];
    FILE *file = fopen("/proc/loadavg", "re");
    if (!file)
        return false;
    unsigned wanting = fgets(text, sizeof text, file) ? host_wanting(text) : 0;
    fclose(file);
    unsigned others = wanting > awake ? wanting - awake : 0;
    return host_crowded(others, threads,
                        (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
}
