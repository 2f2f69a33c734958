/*
 * What a node is decoded to: box after box or, where vector units make that
 * faster, eight boxes plane by plane for a test of all at once.
 */
#ifndef CORBEL_BOXES_H
#define CORBEL_BOXES_H

#include <corbel/types.h>

#define CORBEL_WIDTH_MAX 8u /* children of a node */

struct __attribute__((aligned(16))) corbel_boxes {
    float min[3][CORBEL_WIDTH_MAX], max[3][CORBEL_WIDTH_MAX];
};

/* 16 bytes for the vector units of hosts. */
typedef uint8_t corbel_bytes __attribute__((vector_size(16)));
typedef uint16_t corbel_shorts __attribute__((vector_size(16)));
typedef uint32_t corbel_words __attribute__((vector_size(16)));
typedef int32_t corbel_ints __attribute__((vector_size(16)));
typedef uint64_t corbel_longs __attribute__((vector_size(16)));
typedef float corbel_floats __attribute__((vector_size(16)));
/* 32 bytes: an instruction where the host has such units, else two. Neither
 * parameters nor results: how they are passed depends on the host. */
typedef int32_t corbel_wide_ints __attribute__((vector_size(32), aligned(16)));
typedef uint32_t corbel_wide_words
    __attribute__((vector_size(32), aligned(16)));
typedef float corbel_wide_floats __attribute__((vector_size(32), aligned(16)));

/* Eight bytes, followed by zeros. */
static inline corbel_bytes corbel_low_bytes(uint64_t bytes)
{
    const corbel_longs longs = {bytes, 0};
    return (corbel_bytes)longs;
}

#ifdef __clang__
#define CORBEL_SHUFFLE(type, a, b, ...)                                        \
    (type) __builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__)
#else
#define CORBEL_SHUFFLE(type, a, b, ...)                                        \
    __extension__({                                                            \
        const type corbel_order = {__VA_ARGS__};                               \
        __builtin_shuffle((type)(a), (type)(b), corbel_order);                 \
    })
#endif

/* Elements of a and b in turn: of their low halves, of their high ones. */
#define CORBEL_ZIP_BYTES(a, b)                                                 \
    CORBEL_SHUFFLE(corbel_bytes, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,   \
                   21, 6, 22, 7, 23)
#define CORBEL_ZIP_SHORTS(a, b)                                                \
    CORBEL_SHUFFLE(corbel_shorts, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define CORBEL_ZIP_SHORTS_HIGH(a, b)                                           \
    CORBEL_SHUFFLE(corbel_shorts, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define CORBEL_ZIP_WORDS(a, b) CORBEL_SHUFFLE(corbel_words, a, b, 0, 4, 1, 5)
#define CORBEL_ZIP_WORDS_HIGH(a, b)                                            \
    CORBEL_SHUFFLE(corbel_words, a, b, 2, 6, 3, 7)
#define CORBEL_ZIP_BYTES_HIGH(a, b)                                            \
    CORBEL_SHUFFLE(corbel_bytes, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,   \
                   13, 29, 14, 30, 15, 31)

/*
 * A node of any format: what formats are encoded from and decoded to. Nodes
 * among the children lie side by side in slot order, and so do their leaves.
 * Roots of other treelets among them (CORBEL_REF_TREELET) lie apart from those,
 * in slot order at equal distances. Where a node's size is a multiple of 64
 * bytes, so are the offsets of nodes.
 */
struct corbel_node_children {
    unsigned count;
    uint32_t ref[CORBEL_WIDTH_MAX]; /* corbel/refs.h */
    struct corbel_box box[CORBEL_WIDTH_MAX];
    uint32_t parent; /* reference, of formats that have it and in scenes with
                        treelets; CORBEL_REF_NONE: the root, or not told */
};

#endif
