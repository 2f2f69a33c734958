/*
 * What a tool reads: it writes over none of that. Each file that is opened to
 * be read is noted here by device and inode, so that another spelling, a link
 * or another name of it is the same file; whole.h makes no file whose name
 * leads to one that is noted. Devices and pipes are no files in this sense.
 */
#ifndef SDK_WHOLE_READS_H
#define SDK_WHOLE_READS_H

#include <stdbool.h>

/* Notes what is behind the name, or open. what: for messages, "the program";
 * the text stays. */
void reads_note(const char *path, const char *what);
void reads_note_open(int fd, const char *what);
/* What is behind the name may be replaced after all: it is meant. */
void reads_forget(const char *path);
/* What the name leads to of all that, NULL: to nothing of it. */
const char *reads_what(const char *path);

/* Do the two names, either of which may be NULL, lead to one regular file, or
 * would they if it were made? */
bool reads_same(const char *a, const char *b);

#endif
