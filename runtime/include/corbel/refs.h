/*
 * References within a tree, 32 bits, in units of 16 bytes from the scene's
 * header. A node: bits 27..0 its offset; bit 30 set: it is the root of another
 * treelet than the one that the reference lies in (corbel/treelets.h), which a
 * traversal that knows no treelets may ignore. A leaf: bit 31 set, bits 30..28
 * its size in grains of the leaf format (corbel/leaves.h) - 1, bits 27..0 its
 * offset.
 */
#ifndef CORBEL_REFS_H
#define CORBEL_REFS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_REF_UNIT 16u /* bytes */
#define CORBEL_REF_NONE 0u
#define CORBEL_REF_LEAF 0x80000000u
#define CORBEL_REF_TREELET 0x40000000u /* of a node */
#define CORBEL_REF_UNITS_MAX 0x0FFFFFFFu
#define CORBEL_GRAINS_MAX 8u /* of a leaf */

static inline uint32_t corbel_ref_leaf(uint32_t unit, unsigned grains)
{
    return CORBEL_REF_LEAF | (uint32_t)(grains - 1) << 28 | unit;
}

static inline bool corbel_ref_is_leaf(uint32_t ref)
{
    return ref >> 31;
}

/* A node that is the root of another treelet. */
static inline bool corbel_ref_is_treelet(uint32_t ref)
{
    return ref >> 30 == 1;
}

/* Grains of a leaf reference. */
static inline unsigned corbel_ref_grains(uint32_t ref)
{
    return (ref >> 28 & 7) + 1;
}

static inline uint32_t corbel_ref_unit(uint32_t ref)
{
    return ref & CORBEL_REF_UNITS_MAX;
}

/* Byte offset of what a reference names. */
static inline uint64_t corbel_ref_offset(uint32_t ref)
{
    return (uint64_t)corbel_ref_unit(ref) * CORBEL_REF_UNIT;
}

#ifdef __cplusplus
}
#endif
#endif
