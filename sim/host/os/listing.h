/*
 * The entries of a directory as a program reads them: all at once when it
 * begins to, in the order of their names, so that what it sees depends neither
 * on the host's file system nor on what is made meanwhile.
 */
#ifndef SIM_HOST_OS_LISTING_H
#define SIM_HOST_OS_LISTING_H

#include <stddef.h>
#include <stdint.h>

struct listing;

/* Of a host descriptor. NULL: errno says why. */
struct listing *listing_new(int directory);
void listing_free(struct listing *l);

/* As many entries (struct linux_dirent) as fit; returns their bytes, 0 after
 * the last, -EINVAL if there is no room for the next. */
int64_t listing_read(struct listing *l, void *to, size_t bytes);

/* Where the next entry is; positions are those of linux_dirent.next. */
int64_t listing_at(const struct listing *l);
/* Returns the position, -EINVAL if there is none. */
int64_t listing_seek(struct listing *l, int64_t position);

/* Saves what it has; or makes the one that was saved. *l: NULL if there is
 * none.
 */
struct state;
void listing_state(struct listing **l, struct state *s);

#endif
