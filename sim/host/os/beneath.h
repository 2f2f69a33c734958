/*
 * Opening below a folder, without a way that leads out of it: by the kernel's
 * openat2 where there is one, by a walk of single steps where there is not.
 */
#ifndef SIM_HOST_OS_BENEATH_H
#define SIM_HOST_OS_BENEATH_H

/* As openat without O_CREAT; the negative of an errno. What leads out is
 * -EACCES. */
int beneath_open(int directory, const char *path, int flags);
/* Opens that very file once more, with other flags: its names do not matter.
 * The negative of an errno. */
int beneath_again(int fd, int flags);

#endif
