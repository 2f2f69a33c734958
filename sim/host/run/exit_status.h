/*
 * Exit statuses of sim-run. 0..125 are the program's own; documented in
 * docs/reference/sim-run.md.
 */
#ifndef SIM_HOST_RUN_EXIT_STATUS_H
#define SIM_HOST_RUN_EXIT_STATUS_H

/* Of a run that a signal has ended: this and its number. */
#define STATUS_SIGNAL 128

enum exit_status {
    STATUS_GUEST_MAX = 125, /* also stands for what the program had above it */
    STATUS_USAGE = 200,     /* the command line */
    STATUS_INPUT = 201,     /* ELF file or chip description */
    STATUS_FAULT = 202,     /* a hart did what it may not */
    STATUS_DEADLOCK = 203,  /* nothing can ever happen again, or gets on */
    STATUS_LIMIT = 204,     /* of cycles, time or output was reached */
    STATUS_HOST = 205,      /* no memory, or a file cannot be written */
    STATUS_INTERNAL = 206,  /* a check of the simulator itself failed */
};

#endif
