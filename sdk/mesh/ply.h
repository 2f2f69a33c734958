/* What the header of a PLY file declares: elements, each with properties. */
#ifndef MESH_PLY_H
#define MESH_PLY_H

#include "input.h"

#include <stdint.h>

enum ply_format { PLY_ASCII, PLY_LITTLE, PLY_BIG };

/* Types of values: name, older name, bytes, of whole numbers. */
#define PLY_TYPES(X)                                                           \
    X(int8, "char", 1, true)                                                   \
    X(uint8, "uchar", 1, true)                                                 \
    X(int16, "short", 2, true)                                                 \
    X(uint16, "ushort", 2, true)                                               \
    X(int32, "int", 4, true)                                                   \
    X(uint32, "uint", 4, true)                                                 \
    X(float32, "float", 4, false)                                              \
    X(float64, "double", 8, false)

enum ply_type {
#define X(name, ...) PLY_##name,
    PLY_TYPES(X)
#undef X
};

/* A type of values: its names, its bytes in binary data, and whether its values
 * are whole numbers, as the length of a list has to be. */
struct ply_type_row {
    const char *name, *older;
    unsigned bytes;
    bool whole;
};
extern const struct ply_type_row ply_types[];

/* A value of each row, or a list of values with its length before it. */
struct ply_property {
    struct word name;
    bool list;
    enum ply_type count, type; /* count: of the length of a list */
};

/* `count` rows, each of the properties in their order. */
struct ply_element {
    struct word name;
    uint32_t count;
    uint32_t first, properties; /* in the header's property[] */
};

struct ply_header {
    enum ply_format format;
    struct ply_element *element;
    struct ply_property *property;
    uint32_t elements, properties;
};

/* Reads the header; in->at is then the first byte of data. */
void ply_header_read(struct input *in, struct ply_header *header);
void ply_header_free(struct ply_header *header);

/* The number of the element's property of that name, or UINT32_MAX. */
uint32_t ply_find(const struct ply_header *header,
                  const struct ply_element *element, const char *name);

#endif
