/*
 * Functions that the compiler calls for atomics that RISC-V has no instruction
 * for, and libatomic has elsewhere. All are sequentially consistent, whatever
 * order is asked for.
 */
#ifndef CORBEL_TARGET_ATOMIC_H
#define CORBEL_TARGET_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name that the compiler calls; NAME itself is a built-in function. */
#define CALLED(name, bytes) __asm__("__atomic_" #name "_" #bytes)

/*
 * An operation that gives a new value: what it was, and what it becomes.
 * UPDATE(type, at, was, is, expression) does it.
 */
#define OPERATION(type, bytes, name, fetched, expression)                      \
    type atomic_fetch_##name##_##bytes(volatile void *at, type operand,        \
                                       int order) CALLED(fetch_##name, bytes); \
    type atomic_fetch_##name##_##bytes(volatile void *at, type operand,        \
                                       int order)                              \
    {                                                                          \
        type was, is;                                                          \
        UPDATE(type, at, was, is, expression)                                  \
        return was;                                                            \
    }                                                                          \
    type atomic_##name##_fetch_##bytes(volatile void *at, type operand,        \
                                       int order) CALLED(fetched, bytes);      \
    type atomic_##name##_fetch_##bytes(volatile void *at, type operand,        \
                                       int order)                              \
    {                                                                          \
        type was, is;                                                          \
        UPDATE(type, at, was, is, expression)                                  \
        return is;                                                             \
    }

#define OPERATIONS(type, bytes)                                                \
    OPERATION(type, bytes, add, add_fetch, was + operand)                      \
    OPERATION(type, bytes, sub, sub_fetch, was - operand)                      \
    OPERATION(type, bytes, and, and_fetch, was &operand)                       \
    OPERATION(type, bytes, or, or_fetch, was | operand)                        \
    OPERATION(type, bytes, xor, xor_fetch, was ^ operand)                      \
    OPERATION(type, bytes, nand, nand_fetch, ~(was & operand))                 \
    type atomic_exchange_##bytes(volatile void *at, type operand, int order)   \
        CALLED(exchange, bytes);                                               \
    type atomic_exchange_##bytes(volatile void *at, type operand, int order)   \
    {                                                                          \
        type was, is;                                                          \
        UPDATE(type, at, was, is, operand)                                     \
        return was;                                                            \
    }

#endif
