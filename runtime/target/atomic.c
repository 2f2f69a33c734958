/*
 * Atomics that RISC-V has no instruction for: the compiler calls these
 * functions, which libatomic has elsewhere. Those of one and two bytes change
 * their part of a word by compare and exchange. RV32 has none of eight bytes:
 * such an object has one of a few locks, which plain loads of it take as well.
 *
 * All are sequentially consistent, whatever order is asked for.
 */
#include <stdbool.h>
#include <stdint.h>

/* The name that the compiler calls; NAME itself is a built-in function. */
#define CALLED(name, bytes) __asm__("__atomic_" #name "_" #bytes)

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

/* An operation that gives a new value: what it was, and what it becomes. */
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

/* ---- one and two bytes ---- */

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

/* ---- eight bytes on RV32 ---- */

#if __riscv_xlen == 32
#undef UPDATE
#define LOCKS 16 /* by address; each in a sector of its own */

static struct {
    _Alignas(32) uint32_t taken;
} locks[LOCKS];

static uint32_t *lock_of(volatile void *at)
{
    return &locks[(uintptr_t)at / 8 % LOCKS].taken;
}

static void take(volatile void *at)
{
    while (__atomic_exchange_n(lock_of(at), 1, __ATOMIC_SEQ_CST))
        ;
}

static void leave(volatile void *at)
{
    __atomic_store_n(lock_of(at), 0, __ATOMIC_SEQ_CST);
}

#define UPDATE(type, at, was, is, expression)                                  \
    take(at);                                                                  \
    was = *(volatile type *)at;                                                \
    is = (expression);                                                         \
    *(volatile type *)at = is;                                                 \
    leave(at);

OPERATIONS(uint64_t, 8)

uint64_t atomic_load_8(const volatile void *at, int order) CALLED(load, 8);
uint64_t atomic_load_8(const volatile void *at, int order)
{
    take((volatile void *)at);
    uint64_t is = *(const volatile uint64_t *)at;
    leave((volatile void *)at);
    return is;
}

void atomic_store_8(volatile void *at, uint64_t value, int order)
    CALLED(store, 8);
void atomic_store_8(volatile void *at, uint64_t value, int order)
{
    atomic_exchange_8(at, value, order);
}

bool atomic_compare_exchange_8(volatile void *at, void *expected,
                               uint64_t desired, bool weak, int success,
                               int failure) CALLED(compare_exchange, 8);
bool atomic_compare_exchange_8(volatile void *at, void *expected,
                               uint64_t desired, bool weak, int success,
                               int failure)
{
    take(at);
    uint64_t is = *(volatile uint64_t *)at;
    bool equal = is == *(uint64_t *)expected;
    if (equal)
        *(volatile uint64_t *)at = desired;
    else
        *(uint64_t *)expected = is;
    leave(at);
    return equal;
}
#endif
