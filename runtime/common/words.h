/* Words of bytes that lie anywhere, a batch of them at a time. */
#ifndef CORBEL_COMMON_WORDS_H
#define CORBEL_COMMON_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A simulated core waits for each load, 20 cycles or 200, but may have many
 * under way: the loops over pixels load a few words at once, and then use them.
 */
typedef uint64_t __attribute__((may_alias)) aligned_word;
enum { WORD = sizeof(aligned_word), BATCH = 8 };

struct batch {
    uint64_t words[BATCH];
};

/* All of it is there before what follows, as far as the compiler knows. */
static inline void complete(struct batch *b)
{
    uint64_t *w = b->words;
    __asm__ volatile(""
                     : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3]),
                       "+r"(w[4]), "+r"(w[5]), "+r"(w[6]), "+r"(w[7]));
}

static inline struct batch load_batch(const void *from)
{
    const aligned_word *p = from;
    struct batch b = {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}};
    complete(&b);
    return b;
}

/* Bytes before the first aligned word, at most size. */
static inline size_t misaligned(const uint8_t *p, size_t size)
{
    size_t bytes = -(uintptr_t)p % WORD;
    return bytes < size ? bytes : size;
}

#endif
