/*
 * Atomics that are wider than a register, or of an odd size: each has one of a
 * few locks, which loads of it take as well.
 */
#include <string.h>

#include "runtime/target/atomic.h"
#include "runtime/target/gthr.h"

enum { LOCKS = 64, SECTOR = 32 }; /* by address; each in a sector of its own */

static union {
    __gthread_mutex_t mutex;
    _Alignas(SECTOR) char sector[SECTOR];
} locks[LOCKS];

static __gthread_mutex_t *lock_of(const volatile void *at)
{
    return &locks[(uintptr_t)at / 8 % LOCKS].mutex;
}

static void take(const volatile void *at)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __gthread_mutex_lock(lock_of(at));
}

static void leave(const volatile void *at)
{
    __gthread_mutex_unlock(lock_of(at));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define UPDATE(type, at, was, is, expression)                                  \
    take(at);                                                                  \
    was = *(volatile type *)at;                                                \
    is = (expression);                                                         \
    *(volatile type *)at = is;                                                 \
    leave(at);

/* The type of two registers. */
#define TWO_REGISTERS(type, bytes)                                             \
    OPERATIONS(type, bytes)                                                    \
    type atomic_load_##bytes(const volatile void *at, int order)               \
        CALLED(load, bytes);                                                   \
    type atomic_load_##bytes(const volatile void *at, int order)               \
    {                                                                          \
        take(at);                                                              \
        type is = *(const volatile type *)at;                                  \
        leave(at);                                                             \
        return is;                                                             \
    }                                                                          \
    void atomic_store_##bytes(volatile void *at, type value, int order)        \
        CALLED(store, bytes);                                                  \
    void atomic_store_##bytes(volatile void *at, type value, int order)        \
    {                                                                          \
        atomic_exchange_##bytes(at, value, order);                             \
    }                                                                          \
    bool atomic_compare_exchange_##bytes(                                      \
        volatile void *at, void *expected, type desired, bool weak,            \
        int success, int failure) CALLED(compare_exchange, bytes);             \
    bool atomic_compare_exchange_##bytes(volatile void *at, void *expected,    \
                                         type desired, bool weak, int success, \
                                         int failure)                          \
    {                                                                          \
        take(at);                                                              \
        type is = *(volatile type *)at;                                        \
        bool equal = is == *(type *)expected;                                  \
        if (equal)                                                             \
            *(volatile type *)at = desired;                                    \
        else                                                                   \
            *(type *)expected = is;                                            \
        leave(at);                                                             \
        return equal;                                                          \
    }

#if __riscv_xlen == 32
TWO_REGISTERS(uint64_t, 8)
#else
TWO_REGISTERS(unsigned __int128, 16)
#endif

/* ---- of any size ---- */

/* These names are built-in functions with other parameters. */
#define NAMED(name) __asm__("__atomic_" #name)

bool atomic_is_lock_free(size_t size, const volatile void *at)
    NAMED(is_lock_free);
void atomic_load(size_t size, const volatile void *at, void *to, int order)
    NAMED(load);
void atomic_store(size_t size, volatile void *at, const void *value, int order)
    NAMED(store);
void atomic_exchange(size_t size, volatile void *at, const void *value,
                     void *was, int order) NAMED(exchange);
bool atomic_compare_exchange(size_t size, volatile void *at, void *expected,
                             const void *desired, int success, int failure)
    NAMED(compare_exchange);

/* No address stands for any that has the alignment of its type. */
bool atomic_is_lock_free(size_t size, const volatile void *at)
{
    return size <= sizeof(uintptr_t) && size && !(size & (size - 1)) &&
           (uintptr_t)at % size == 0;
}

/* What has an instruction is done by it, as code that has it inlined does. */
#if __riscv_xlen == 32
#define SIZES(X) X(uint8_t) X(uint16_t) X(uint32_t)
#else
#define SIZES(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t)
#endif
#define BY_INSTRUCTION(X)                                                      \
    if (atomic_is_lock_free(size, at))                                         \
        switch (size) {                                                        \
            SIZES(X)                                                           \
        }

void atomic_load(size_t size, const volatile void *at, void *to, int order)
{
#define LOAD(type)                                                             \
    case sizeof(type): {                                                       \
        type is =                                                              \
            __atomic_load_n((const volatile type *)at, __ATOMIC_SEQ_CST);      \
        memcpy(to, &is, sizeof is);                                            \
        return;                                                                \
    }
    BY_INSTRUCTION(LOAD)
    take(at);
    memcpy(to, (const void *)at, size);
    leave(at);
}

void atomic_exchange(size_t size, volatile void *at, const void *value,
                     void *was, int order)
{
#define EXCHANGE(type)                                                         \
    case sizeof(type): {                                                       \
        type is;                                                               \
        memcpy(&is, value, sizeof is);                                         \
        is = __atomic_exchange_n((volatile type *)at, is, __ATOMIC_SEQ_CST);   \
        memcpy(was, &is, sizeof is);                                           \
        return;                                                                \
    }
    BY_INSTRUCTION(EXCHANGE)
    take(at);
    for (size_t i = 0; i < size; i++) { /* value and was may be one */
        char byte = ((const char *)value)[i];
        ((char *)was)[i] = ((volatile char *)at)[i];
        ((volatile char *)at)[i] = byte;
    }
    leave(at);
}

void atomic_store(size_t size, volatile void *at, const void *value, int order)
{
#define STORE(type)                                                            \
    case sizeof(type): {                                                       \
        type is;                                                               \
        memcpy(&is, value, sizeof is);                                         \
        __atomic_store_n((volatile type *)at, is, __ATOMIC_SEQ_CST);           \
        return;                                                                \
    }
    BY_INSTRUCTION(STORE)
    take(at);
    memcpy((void *)at, value, size);
    leave(at);
}

bool atomic_compare_exchange(size_t size, volatile void *at, void *expected,
                             const void *desired, int success, int failure)
{
#define COMPARE(type)                                                          \
    case sizeof(type): {                                                       \
        type was, is;                                                          \
        memcpy(&was, expected, sizeof was);                                    \
        memcpy(&is, desired, sizeof is);                                       \
        bool equal = __atomic_compare_exchange_n(                              \
            (volatile type *)at, &was, is, false, 5, __ATOMIC_SEQ_CST);        \
        memcpy(expected, &was, sizeof was);                                    \
        return equal;                                                          \
    }
    BY_INSTRUCTION(COMPARE)
    take(at);
    bool equal = !memcmp((const void *)at, expected, size);
    memcpy(equal ? (void *)at : expected, equal ? desired : (const void *)at,
           size);
    leave(at);
    return equal;
}
