/*
 * How a command-line tool ends and what it says on the way. Every failure is
 * one line on stderr and one of these exit statuses.
 */
#ifndef SDK_REPORT_H
#define SDK_REPORT_H

enum {
    STATUS_OK = 0,
    STATUS_DIFFERENT = 1, /* compare: the records differ */
    STATUS_USAGE = 2,     /* unknown command or option, value out of range */
    STATUS_INPUT = 3,     /* input missing, damaged or empty */
    STATUS_OUTPUT = 4,    /* output cannot be written */
};

/* Once, before all else: what the process needs of its host, or it fails. */
void begin(void);

/* Prints the name of the program and the message, ends with the status. */
_Noreturn void fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the name of the program and a message, and goes on. Both are one line,
 * whatever bytes the names in it have (corbel/line.h). */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The status to end with, once all of the standard output has been written; if
 * it cannot be, the program fails.
 */
int finish(int status);

/*
 * What is being done now; shown only if stderr is a terminal, where the next
 * one replaces it. NULL: done, clears the line.
 */
void progress(const char *what);

/* malloc or calloc that ends the program when memory is short. */
void *allocate(unsigned long count, unsigned long size);
void *reallocate(void *old, unsigned long count, unsigned long size);

#endif
