/*
 * Conditions of breakpoints as gdb sends them: expressions in a code of bytes
 * for a machine with a stack of integers (gdb manual, appendix F, "The GDB
 * Agent Expression Mechanism").
 */
#ifndef SIM_HOST_GDB_AGENT_H
#define SIM_HOST_GDB_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an expression reads. Each returns false if it cannot be read. */
struct agent_target {
    void *context;
    bool (*reads_register)(void *context, unsigned number, uint64_t *value);
    bool (*reads_memory)(void *context, uint64_t address, void *bytes,
                         size_t count);
};

/* The value of an expression. False: it has none, as it is no expression that
 * is known, reads what is not there, divides by 0, or takes too long. */
bool agent_run(const uint8_t *code, size_t bytes,
               const struct agent_target *target, int64_t *value);

#endif
