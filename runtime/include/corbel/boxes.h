/*
 * Eight boxes plane by plane, for a test of all at once: what wide nodes are
 * decoded to where vector units make that faster than box after box.
 */
#ifndef CORBEL_BOXES_H
#define CORBEL_BOXES_H

struct __attribute__((aligned(16))) corbel_boxes {
    float min[3][8], max[3][8];
};

#endif
