/*
 * Files that appear whole or not at all: written under a temporary name beside
 * their own, and renamed; and files that are read while they grow. Devices and
 * pipes are written to. Where the file system can (O_TMPFILE), a file has no
 * name at all before it is complete. What a process that is killed leaves all
 * the same, NAME.PID.part, the next one that writes NAME removes. A file that
 * has its name is on the disk, and so is the name. None takes the place of what
 * the process reads (reads.h). All is done in the folder that the path led to
 * at first (folder.h).
 */
#ifndef SDK_WHOLE_H
#define SDK_WHOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define WHOLE_NAME 4096 /* longest name, with the end */

struct whole {
    struct whole *next; /* of those that are open */
    FILE *file;
    int folder;   /* descriptor, of folder.h */
    bool kept;    /* a device or a pipe, which is never removed */
    bool unnamed; /* no folder has it yet */
    char path[WHOLE_NAME], temporary[WHOLE_NAME];
};

/* Once, before all else: what is closed of the descriptors 0 to 2 is opened on
 * /dev/null, as the next file would get its number, and what is printed would
 * go there. A write beyond a limit fails instead of ending the process. */
void whole_begin(void);

/* Opens folder/name (folder NULL: name is the path). False: whole_why. */
bool whole_open(struct whole *w, const char *folder, const char *name);
/* Gives an open file its name now, for readers while it grows; what is
 * flushed should be whole lines. False: whole_why, and it is still
 * open. */
bool whole_show(struct whole *w);
/* Could it be? Nothing is left. False: whole_why. */
bool whole_try(const char *folder, const char *name);
/* Closes the file, which has its name then. False: whole_why, and nothing is
 * left. */
bool whole_finish(struct whole *w);
/* Why the last of these has failed: what errno says, or that the name leads to
 * what the process reads. */
const char *whole_why(void);
/* Has all that was printed to the standard output been written, or does its
 * reader want no more of it (head, grep -q)? False: errno says why not. */
bool whole_stdout(void);
/*
 * Gives the stacks of all threads to come, and of the first, room: raises the
 * limit of the process (ulimit -s) where it is below WHOLE_STACK_LEAST and may
 * be. False: it may not; *bytes is what there is, and the program cannot run.
 */
#define WHOLE_STACK_LEAST (UINT64_C(512) << 10)
bool whole_stacks(uint64_t *bytes);
/* The path and the size so far of the largest file that is open, without what
 * is still to be flushed; NULL: none is. */
const char *whole_largest(uint64_t *bytes);
/* Nothing is left of any that is open: the process ends without a way back. */
void whole_drop_all(void);
/* Nothing is left of a file that was opened. */
void whole_drop(struct whole *w);

#endif
