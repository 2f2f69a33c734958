/*
 * Atomics of one and two bytes: they change their part of a word by compare and
 * exchange.
 */
#include "runtime/target/atomic.h"

static uint32_t *word_of(volatile void *at)
{
    return (uint32_t *)((uintptr_t)at & ~(uintptr_t)3);
}

static unsigned shift_of(volatile void *at)
{
    return (unsigned)((uintptr_t)at & 3) * 8;
}

/* The part of the word under the mask becomes value's; false: the word is not
 * what it was, and is read anew. */
static bool replace(uint32_t *word, uint32_t *was, uint32_t mask,
                    uint32_t value)
{
    return __atomic_compare_exchange_n(word, was, (*was & ~mask) | value, true,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define UPDATE(type, at, was, is, expression)                                  \
    uint32_t *word = word_of(at), all = __atomic_load_n(word, 0);              \
    unsigned shift = shift_of(at);                                             \
    do {                                                                       \
        was = (type)(all >> shift);                                            \
        is = (type)(expression);                                               \
    } while (!replace(word, &all, (uint32_t)(type)~0u << shift,                \
                      (uint32_t)is << shift));

#define COMPARE_EXCHANGE(type, bytes)                                          \
    bool atomic_compare_exchange_##bytes(                                      \
        volatile void *at, void *expected, type desired, bool weak,            \
        int success, int failure) CALLED(compare_exchange, bytes);             \
    bool atomic_compare_exchange_##bytes(volatile void *at, void *expected,    \
                                         type desired, bool weak, int success, \
                                         int failure)                          \
    {                                                                          \
        uint32_t *word = word_of(at);                                          \
        uint32_t all = __atomic_load_n(word, __ATOMIC_SEQ_CST);                \
        unsigned shift = shift_of(at);                                         \
        do {                                                                   \
            type is = (type)(all >> shift);                                    \
            if (is != *(type *)expected) {                                     \
                *(type *)expected = is;                                        \
                return false;                                                  \
            }                                                                  \
        } while (!replace(word, &all, (uint32_t)(type)~0u << shift,            \
                          (uint32_t)desired << shift));                        \
        return true;                                                           \
    }

OPERATIONS(uint8_t, 1)
OPERATIONS(uint16_t, 2)
COMPARE_EXCHANGE(uint8_t, 1)
COMPARE_EXCHANGE(uint16_t, 2)
