/*
 * Node format bvh6: up to six children with their boxes in binary32, 192
 * bytes. Children fill the slots from 0; the reference in an unused slot is 0.
 */
#ifndef CORBEL_NODES_WIDE6_H
#define CORBEL_NODES_WIDE6_H

#include <corbel/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_bvh6 {
    uint32_t ref[6];
    struct corbel_box box[6];
    uint32_t reserved[6];
};
CORBEL_STATIC_ASSERT(sizeof(struct corbel_bvh6) == 192, "bvh6 node");

static inline unsigned corbel_bvh6_refs(const void *node, uint32_t *ref)
{
    const struct corbel_bvh6 *n = (const struct corbel_bvh6 *)node;
    unsigned count = 0;
    while (count < 6 && n->ref[count] != 0) {
        ref[count] = n->ref[count];
        count++;
    }
    return count;
}

static inline void corbel_bvh6_box(const void *node, unsigned i,
                                   struct corbel_box *box)
{
    *box = ((const struct corbel_bvh6 *)node)->box[i];
}

#ifdef __cplusplus
}
#endif
#endif
