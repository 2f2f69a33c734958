/*
 * A path, step by step as the kernel follows it: each folder and each symbolic
 * link that it leads through.
 */
#ifndef SIM_HOST_OS_PATH_WALK_H
#define SIM_HOST_OS_PATH_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

struct way {
    /* What a step has led to: a descriptor (O_PATH) that the walk closes, and
     * what is left of the path behind it. False: the walk is to end here. */
    bool (*step)(struct way *w, int fd, const struct stat *st,
                 const char *rest);
};

/* From the root on, whatever the path begins at; ends at the last step, or
 * where there is nothing. */
void way_follow(struct way *w, const char *path);

#endif
