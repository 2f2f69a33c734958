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

/*
 * A node of any format: what formats are encoded from and decoded to. Nodes
 * among the children lie side by side in slot order, and so do their leaves.
 */
struct corbel_node_children {
    unsigned count;
    uint32_t ref[CORBEL_WIDTH_MAX]; /* corbel/refs.h */
    struct corbel_box box[CORBEL_WIDTH_MAX];
};

#endif
