/*
 * Exit statuses of sim-run. 0..125 are the program's own. The table of
 * docs/reference/sim-run.md is made of the list.
 */
#ifndef SIM_HOST_RUN_EXIT_STATUS_H
#define SIM_HOST_RUN_EXIT_STATUS_H

/* Of a run that a signal has ended: this and its number. */
#define STATUS_SIGNAL 128
/* Also stands for what the program had above it. */
#define STATUS_GUEST_MAX 125

// clang-format off
#define EXIT_STATUSES(X) \
    X(USAGE, 200, "usage: the command line, an unknown preset, a wrong `--set`") \
    X(INPUT, 201, "bad input: the ELF file, the chip's script, or a scene in a format that the chip's RT cores do not read") \
    X(FAULT, 202, "fault: a hart did what it may not, see below") \
    X(DEADLOCK, 203, "deadlock: nothing can ever happen again, or nothing has got on for `--max-stall` cycles") \
    X(LIMIT, 204, "the limit of `--max-cycles`, `--max-time` or `--max-output` was reached") \
    X(HOST, 205, "host failure: out of memory (the line says how many bytes, and for which unit or what), no thread can be started, or a file cannot be written") \
    X(INTERNAL, 206, "internal error: a check of the simulator itself failed, or `--check-memory` found a difference; please report it")
// clang-format on

enum exit_status {
#define X(name, number, meaning) STATUS_##name = number,
    EXIT_STATUSES(X)
#undef X
};

#endif
