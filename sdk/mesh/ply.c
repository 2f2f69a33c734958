/*
 * PLY: a header says which elements follow, of which properties, as text or as
 * binary numbers; this file reads them. An element's rows are read property by
 * property; vertices, faces and triangle strips are kept, all else is passed
 * over. Of text, a row may be spread over several lines, but a line's end ends
 * it.
 */
#include "ply.h"

#include "number.h"
#include "polygon.h"
#include "read.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file while it is read. */
struct ply {
    struct input in;
    struct ply_header header;
    const struct ply_element *element; /* the rows being read */
    uint32_t row;
    uint32_t vertices; /* of the header */
    struct polygon polygon;
    struct mesh *mesh;
};

/* The file is shorter than its header says. */
_Noreturn static void fail_end(const struct ply *ply)
{
    fail_at(&ply->in, ply->in.end, "the file ends within %s %u of %u",
            excerpt_of(ply->element->name).text, ply->row, ply->element->count);
}

/* ---- values ---- */

/* Where the next value is, which is not passed. */
static const char *find_value(struct ply *ply)
{
    struct input *in = &ply->in;
    if (!in->binary)
        while (in->at < in->end && (is_blank(*in->at) || is_line_end(*in->at)))
            in->at++;
    if (in->at == in->end)
        fail_end(ply);
    return in->at;
}

/* After a number, at the end of a word; end: NULL, no number was found. */
static void end_word(struct ply *ply, const char *end)
{
    struct input *in = &ply->in;
    const struct word word = input_word(in);
    if (end != in->at + word.length)
        fail_at(in, in->at, "'%s' in %s %u, expected a number",
                excerpt_of(word).text, excerpt_of(ply->element->name).text,
                ply->row);
    in->at = end;
}

/* The bytes of n values, which are then behind. */
static const char *take_bytes(struct ply *ply, uint64_t n, enum ply_type type)
{
    struct input *in = &ply->in;
    const char *bytes = in->at;
    if (n * ply_types[type].bytes > (uint64_t)(in->end - in->at))
        fail_end(ply);
    in->at += n * ply_types[type].bytes;
    return bytes;
}

/* A number of `bytes` bytes, in the byte order of the file. */
static uint64_t load(const struct ply *ply, const char *from, unsigned bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, from, bytes);
    if (ply->header.format == PLY_BIG)
        bits = __builtin_bswap64(bits) >> (64 - 8 * bytes);
    return bits;
}

/* A double holds every value of all types exactly. */
static double binary_value(struct ply *ply, enum ply_type type)
{
    const unsigned bytes = ply_types[type].bytes;
    const uint64_t bits = load(ply, take_bytes(ply, 1, type), bytes);
    const uint32_t half = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case PLY_int8:
        return (int8_t)bits;
    case PLY_int16:
        return (int16_t)bits;
    case PLY_int32:
        return (int32_t)bits;
    case PLY_float32:
        memcpy(&single, &half, sizeof single);
        return single;
    case PLY_float64:
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        return (double)bits;
    }
}

/* The next value of a row, by the format of the file. */
static double next_value(struct ply *ply, enum ply_type type)
{
    double value;
    if (ply->in.binary)
        return binary_value(ply, type);
    find_value(ply);
    end_word(ply, number_double(ply->in.at, ply->in.end, &value));
    return value;
}

/* Text is rounded once, to float, whatever type the header says. */
static float next_float(struct ply *ply, enum ply_type type)
{
    float value;
    if (ply->in.binary)
        return (float)binary_value(ply, type);
    find_value(ply);
    end_word(ply, number_float(ply->in.at, ply->in.end, &value));
    return value;
}

/* The length of a list, which must be whole, whatever its type is. */
static uint32_t next_length(struct ply *ply, const struct ply_property *list)
{
    const char *place = find_value(ply);
    const double length = next_value(ply, list->count);
    if (!(length >= 0 && length <= UINT32_MAX) || length != floor(length))
        fail_at(&ply->in, place,
                "%s %u has a list '%s' of length %g, expected 0 or more",
                excerpt_of(ply->element->name).text, ply->row,
                excerpt_of(list->name).text, length);
    return (uint32_t)length;
}

/* Text is read even if it is not kept: that is how its end, and what is wrong
 * with it, is found. */
static void skip_property(struct ply *ply, const struct ply_property *p)
{
    const uint32_t count = p->list ? next_length(ply, p) : 1;
    if (ply->in.binary) {
        take_bytes(ply, count, p->type);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        next_value(ply, p->type);
}

/* Binary rows have no end of their own. */
static void end_row(struct ply *ply)
{
    struct input *in = &ply->in;
    if (in->binary)
        return;
    input_skip_blanks(in);
    if (!input_line_done(in))
        fail_at(in, in->at,
                "'%s' after %s %u, expected the end of the line: the header "
                "declares no more values",
                excerpt_of(input_word(in)).text,
                excerpt_of(ply->element->name).text, ply->row);
}

/* ---- elements ---- */

/* place: which of the properties are x, y and z, counted within the element. */
static void read_vertex(struct ply *ply, const uint32_t place[3])
{
    const struct ply_element *element = ply->element;
    const char *start = find_value(ply);
    float position[3];
    for (uint32_t i = 0; i < element->properties; i++) {
        const struct ply_property *p =
            &ply->header.property[element->first + i];
        const int axis = i == place[0]   ? 0
                         : i == place[1] ? 1
                         : i == place[2] ? 2
                                         : -1;
        if (axis >= 0)
            position[axis] = next_float(ply, p->type);
        else
            skip_property(ply, p);
    }
    input_vertex(&ply->in, start, position, ply->mesh);
}

/* Each row of an element that has colours has one, by the names in use. */
static void count_colours(const struct ply *ply)
{
    static const char *const name[] = {"red", "r", "diffuse_red"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (ply_find(&ply->header, ply->element, name[i]) != UINT32_MAX) {
            ply->mesh->note[MESH_NOTE_colours] += ply->element->count;
            return;
        }
}

/* The three coordinates may stand in any order, among other properties. */
static void read_vertices(struct ply *ply)
{
    static const char *const name[3] = {"x", "y", "z"};
    uint32_t place[3];
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = ply_find(&ply->header, ply->element, name[axis]);
        if (place[axis] == UINT32_MAX ||
            ply->header.property[ply->element->first + place[axis]].list)
            fail_at(&ply->in, ply->in.at,
                    "element vertex has no property %s of one number",
                    name[axis]);
    }
    count_colours(ply);
    for (ply->row = 0; ply->row < ply->element->count; ply->row++) {
        read_vertex(ply, place);
        end_row(ply);
    }
}

/* -1 in a strip is -1; other numbers are of vertices that exist. */
static int64_t next_index(struct ply *ply, enum ply_type type, bool strip)
{
    const char *place = find_value(ply);
    const double index = next_value(ply, type);
    const bool whole = index >= 0 && index == floor(index);
    if (whole && index < ply->vertices)
        return (int64_t)index;
    if (strip && (index == -1 || (type == PLY_uint32 && index == UINT32_MAX)))
        return -1;
    fail_at(&ply->in, place,
            "%s %u uses vertex %.17g, the header declares %u vertices",
            excerpt_of(ply->element->name).text, ply->row, index,
            ply->vertices);
}

/* Faces with fewer than three corners are noted and left out; those with more
 * than three are cut into triangles. */
static void read_face(struct ply *ply, const struct ply_property *list)
{
    const uint32_t length = next_length(ply, list);
    struct polygon *polygon = &ply->polygon;
    if (length > POLYGON_CORNERS_MAX)
        fail_at(&ply->in, ply->in.at,
                "%s %u has %u corners, expected %u at the most",
                excerpt_of(ply->element->name).text, ply->row, length,
                POLYGON_CORNERS_MAX);
    polygon->corners = 0;
    for (uint32_t i = 0; i < length; i++)
        polygon_add(polygon, (uint32_t)next_index(ply, list->type, false));
    if (length < 3)
        ply->mesh->note[MESH_NOTE_short_faces]++;
    else if (length == 3)
        mesh_add_face(ply->mesh, polygon->vertex[0], polygon->vertex[1],
                      polygon->vertex[2]);
    else
        polygon_cut(polygon, ply->mesh);
}

/* Every other triangle is turned round, anew after each -1. */
static void read_strip(struct ply *ply, const struct ply_property *list)
{
    const uint32_t length = next_length(ply, list);
    uint32_t last[2] = {0, 0}, run = 0;
    for (uint32_t i = 0; i < length; i++) {
        const int64_t index = next_index(ply, list->type, true);
        run = index < 0 ? 0 : run + 1;
        if (run >= 3 && run % 2 == 1)
            mesh_add_face(ply->mesh, last[0], last[1], (uint32_t)index);
        else if (run >= 3)
            mesh_add_face(ply->mesh, last[0], (uint32_t)index, last[1]);
        last[0] = last[1];
        last[1] = (uint32_t)index;
    }
}

/* read: takes the list of one row. Both names of the list are common. */
static void read_faces(struct ply *ply,
                       void (*read)(struct ply *, const struct ply_property *))
{
    const struct ply_element *element = ply->element;
    const struct ply_property *property = &ply->header.property[element->first];
    uint32_t list = ply_find(&ply->header, element, "vertex_indices");
    if (list == UINT32_MAX)
        list = ply_find(&ply->header, element, "vertex_index");
    if (list == UINT32_MAX || !property[list].list)
        fail_at(&ply->in, ply->in.at,
                "element %s has no list vertex_indices or vertex_index",
                excerpt_of(element->name).text);
    count_colours(ply);
    for (ply->row = 0; ply->row < element->count; ply->row++) {
        for (uint32_t i = 0; i < element->properties; i++)
            if (i == list)
                read(ply, &property[i]);
            else
                skip_property(ply, &property[i]);
        end_row(ply);
    }
}

/* Rows that are not kept, which are read to find where they end. */
static void pass_over(struct ply *ply)
{
    const struct ply_element *element = ply->element;
    if (element->properties == 0)
        return; /* no bytes, however many there are */
    for (ply->row = 0; ply->row < element->count; ply->row++) {
        for (uint32_t i = 0; i < element->properties; i++)
            skip_property(ply, &ply->header.property[element->first + i]);
        end_row(ply);
    }
}

/* Names are compared as they stand, case and all. */
static bool is_element(const struct ply_element *element, const char *name)
{
    return word_is(element->name, name);
}

/* All elements but vertices. */
static void read_element(struct ply *ply, uint32_t i)
{
    ply->element = &ply->header.element[i];
    if (ply->element->count > 0 && is_element(ply->element, "face")) {
        read_faces(ply, read_face);
    } else if (ply->element->count > 0 &&
               is_element(ply->element, "tristrips")) {
        read_faces(ply, read_strip);
    } else {
        pass_over(ply);
        ply->mesh->note[MESH_NOTE_elements] += ply->element->count;
    }
}

/* Polygons can be cut when the vertices are known, so these are read first. */
static void read_elements(struct ply *ply, uint32_t vertex)
{
    struct input *in = &ply->in;
    const char *start = in->at;
    for (uint32_t i = 0; i < vertex; i++) {
        ply->element = &ply->header.element[i];
        pass_over(ply);
    }
    ply->element = &ply->header.element[vertex];
    read_vertices(ply);
    const char *after = in->at;
    in->at = start;
    for (uint32_t i = 0; i < vertex; i++)
        read_element(ply, i);
    in->at = after;
    for (uint32_t i = vertex + 1; i < ply->header.elements; i++)
        read_element(ply, i);
}

/* Blank lines may end a file; anything else is told. */
static void count_rest(struct ply *ply)
{
    struct input *in = &ply->in;
    while (in->at < in->end && (is_blank(*in->at) || is_line_end(*in->at)))
        in->at++;
    ply->mesh->note[MESH_NOTE_trailing] += (uint64_t)(in->end - in->at);
}

/* The element vertex must be there, and may be anywhere among the others. */
void ply_read(const char *path, const void *data, size_t bytes,
              struct mesh *mesh)
{
    struct ply ply = {.mesh = mesh};
    uint32_t vertex = 0;
    input_open(&ply.in, path, data, bytes);
    ply_header_read(&ply.in, &ply.header);
    while (vertex < ply.header.elements &&
           !is_element(&ply.header.element[vertex], "vertex"))
        vertex++;
    if (vertex == ply.header.elements)
        fail_at(&ply.in, ply.in.at, "the header has no element vertex");
    ply.vertices = ply.header.element[vertex].count;
    ply.in.binary = ply.header.format != PLY_ASCII;
    read_elements(&ply, vertex);
    count_rest(&ply);
    ply_header_free(&ply.header);
    polygon_free(&ply.polygon);
}
