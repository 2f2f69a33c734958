/*
 * OBJ: lines of text, each a word and its arguments. The file is gone through
 * twice, first for vertices, then for faces, so that a face may use vertices
 * that come later. A backslash before a line's end continues the line, except
 * in comments.
 */
#include "input.h"
#include "names.h"
#include "number.h"
#include "polygon.h"
#include "read.h"

#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of words that are not listed here, MESH_NOTE_statements tells the number. */
enum statement {
    VERTEX,
    FACE,
    NOTHING,
    LINE,
    POINT,
    MATERIAL,
    MAP,
    LIBRARY,
    CURVE,
    OTHER
};

/* Statements by their words. NOTHING: known, and without effect on the mesh. */
static const struct {
    const char *word;
    enum statement statement;
} words[] = {
    {"v", VERTEX},
    {"f", FACE},
    {"vn", NOTHING},
    {"vt", NOTHING},
    {"g", NOTHING},
    {"o", NOTHING},
    {"s", NOTHING},
    {"usemtl", MATERIAL},
    {"l", LINE},
    {"p", POINT},
    {"fo", FACE},
    {"mtllib", LIBRARY},
    {"mg", NOTHING},
    {"vp", NOTHING},
    {"usemap", MAP},
    {"maplib", LIBRARY},
    {"curv", CURVE},
    {"curv2", CURVE},
    {"surf", CURVE},
    {"cstype", NOTHING},
    {"deg", NOTHING},
    {"bmat", NOTHING},
    {"step", NOTHING},
    {"parm", NOTHING},
    {"trim", NOTHING},
    {"hole", NOTHING},
    {"scrv", NOTHING},
    {"sp", NOTHING},
    {"end", NOTHING},
    {"con", NOTHING},
    {"bevel", NOTHING},
    {"c_interp", NOTHING},
    {"d_interp", NOTHING},
    {"lod", NOTHING},
    {"shadow_obj", NOTHING},
    {"trace_obj", NOTHING},
    {"ctech", NOTHING},
    {"stech", NOTHING},
};

/* The file while it is read. */
struct obj {
    struct input in;
    struct names materials;
    uint32_t seen; /* vertices before this line, in the second pass */
    struct polygon polygon;
    struct mesh *mesh;
};

/* ---- lines ---- */

/* The length of a line's end at c, or 0. */
static size_t line_end(const struct input *in, const char *c)
{
    if (c == in->end || !is_line_end(*c))
        return 0;
    return *c == '\r' && c + 1 < in->end && c[1] == '\n' ? 2 : 1;
}

/* Goes to the next argument; false: the line has no more. */
static bool more(struct input *in)
{
    for (;;) {
        size_t end;
        input_skip_blanks(in);
        if (input_line_done(in) || *in->at == '#')
            return false;
        if (*in->at != '\\' || (end = line_end(in, in->at + 1)) == 0)
            return true;
        in->at += 1 + end;
    }
}

/* The next argument; a blank, a comment or a continuation ends it. */
static struct word argument(const struct input *in)
{
    const char *c = in->at;
    while (c < in->end && !is_blank(*c) && !is_line_end(*c) && *c != '#' &&
           !(*c == '\\' && line_end(in, c + 1) > 0))
        c++;
    return (struct word){in->at, (size_t)(c - in->at)};
}

/* The argument at which the reader stands is not what was expected there. */
_Noreturn static void fail_argument(const struct obj *obj, const char *expected)
{
    fail_at(&obj->in, obj->in.at, "'%s', expected %s",
            excerpt_of(argument(&obj->in)).text, expected);
}

/* Goes behind the end of a line and of those that continue it. */
static void skip_line(struct input *in)
{
    while (more(in))
        in->at += argument(in).length;
    input_skip_rest(in); /* a comment */
    in->at += line_end(in, in->at);
}

/* All arguments of a line as one, with the blanks between them; they are then
 * passed. */
static struct word rest_of_line(struct input *in)
{
    const char *start = in->at, *end = in->at;
    while (more(in)) {
        if (end == start)
            start = in->at;
        in->at += argument(in).length;
        end = in->at;
    }
    return (struct word){start, (size_t)(end - start)};
}

/* In ASCII, whatever the locale is. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The statement that a line begins with, whose word is then passed. */
static enum statement take_word(struct obj *obj)
{
    struct input *in = &obj->in;
    const struct word word = argument(in);
    if (!is_letter(*word.at))
        fail_argument(obj, "a statement: v, f, ...");
    in->at += word.length;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is(word, words[i].word))
            return words[i].statement;
    return OTHER;
}

/* ---- statements ---- */

/* x y z, then nothing, w, r g b, or w r g b. */
static void read_vertex(struct obj *obj)
{
    struct input *in = &obj->in;
    float value[7];
    unsigned count = 0;
    while (more(in)) {
        const char *end =
            count < 7 ? number_float(in->at, in->end, &value[count]) : NULL;
        if (end == NULL || end != in->at + argument(in).length)
            fail_argument(obj, count < 7 ? "a number"
                                         : "no more than x y z w r g b");
        in->at = end;
        count++;
    }
    if (count < 3 || count == 5)
        fail_at(in, in->at, "a vertex of %u numbers, expected 3, 4, 6 or 7",
                count);
    obj->mesh->note[MESH_NOTE_colours] += count >= 6;
    input_vertex(in, in->at, value, obj->mesh);
}

/* Counted from 1, or backwards from the last vertex so far. */
static uint32_t resolve(const struct obj *obj, int64_t index)
{
    const uint32_t vertices = obj->mesh->vertices;
    if (index > 0 && index <= vertices)
        return (uint32_t)index - 1;
    if (index < 0 && -index <= obj->seen)
        return obj->seen - (uint32_t)-index;
    fail_at(&obj->in, obj->in.at,
            "a face uses vertex %lld, there are %u, %u of them before it",
            (long long)index, vertices, obj->seen);
}

/* v, v/t, v//n or v/t/n; only v is of use. */
static void read_corner(struct obj *obj)
{
    struct input *in = &obj->in;
    const char *stop = in->at + argument(in).length;
    int64_t index, unused;
    const char *end = number_whole(in->at, stop, &index);
    for (int i = 0; i < 2 && end != NULL && end < stop && *end == '/'; i++) {
        const char *part = number_whole(end + 1, stop, &unused);
        end = part != NULL ? part : end + 1;
    }
    if (end == NULL || end != stop)
        fail_argument(obj, "a corner: v, v/t, v//n or v/t/n");
    polygon_add(&obj->polygon, resolve(obj, index));
    in->at = stop;
}

/* A face of any number of corners, which is cut into triangles. */
static void read_face(struct obj *obj)
{
    struct polygon *polygon = &obj->polygon;
    polygon->corners = 0;
    while (more(&obj->in)) {
        read_corner(obj);
        if (polygon->corners > POLYGON_CORNERS_MAX)
            fail_at(&obj->in, obj->in.at,
                    "a face of more than %u corners, expected no more",
                    POLYGON_CORNERS_MAX);
    }
    if (polygon->corners < 3)
        fail_at(&obj->in, obj->in.at,
                "a face of %u corners, expected 3 or more", polygon->corners);
    polygon_cut(polygon, obj->mesh);
}

/* Is there a file of that name beside the OBJ file? */
static bool is_beside(const struct input *in, struct word name)
{
    const char *slash = strrchr(in->path, '/');
    const size_t folder = slash && *name.at != '/' ? slash + 1 - in->path : 0;
    char *path = allocate(folder + name.length + 1, 1);
    struct stat status;
    memcpy(path, in->path, folder);
    memcpy(path + folder, name.at, name.length);
    const bool there = stat(path, &status) == 0;
    free(path);
    return there;
}

/*
 * Libraries are not read; those that are missing are counted, for the user who
 * converts a file. The rest of the line is one name with blanks, or it is
 * several names.
 */
static void look_for_libraries(struct obj *obj)
{
    struct input *in = &obj->in;
    const char *start = in->at;
    uint64_t missing = 0;
    const struct word all = rest_of_line(in);
    in->at = start;
    while (more(in)) {
        const struct word name = argument(in);
        missing += !is_beside(in, name);
        in->at += name.length;
    }
    if (missing > 0 && !is_beside(in, all))
        obj->mesh->note[MESH_NOTE_libraries] += missing;
}

/* Vertices, and notes of all that is left out. */
static void first_pass(struct obj *obj, enum statement statement)
{
    uint64_t *note = obj->mesh->note;
    switch (statement) {
    case VERTEX:
        read_vertex(obj);
        break;
    case LINE:
        note[MESH_NOTE_lines]++;
        break;
    case POINT:
        note[MESH_NOTE_points]++;
        break;
    case MATERIAL:
    case MAP:
        note[MESH_NOTE_materials]++;
        break;
    case LIBRARY:
        look_for_libraries(obj);
        break;
    case CURVE:
        note[MESH_NOTE_curves]++;
        break;
    case OTHER:
        note[MESH_NOTE_statements]++;
        break;
    default:
        break;
    }
}

/* The rest of the line is the name, blanks within it too. */
static void read_material(struct obj *obj)
{
    mesh_set_material(obj->mesh,
                      names_number(&obj->materials, rest_of_line(&obj->in)));
}

/* Faces and their materials. seen counts vertices again, for indices that count
 * backwards. */
static void second_pass(struct obj *obj, enum statement statement)
{
    if (statement == FACE)
        read_face(obj);
    else if (statement == MATERIAL)
        read_material(obj);
    obj->seen += statement == VERTEX;
}

/* A line without a statement is empty or a comment. */
static void each_line(struct obj *obj,
                      void (*take)(struct obj *obj, enum statement statement))
{
    struct input *in = &obj->in;
    while (in->at < in->end) {
        if (more(in))
            take(obj, take_word(obj));
        skip_line(in);
    }
}

/* A byte order mark is passed over; both passes begin behind it. */
void obj_read(const char *path, const void *data, size_t bytes,
              struct mesh *mesh)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    struct obj obj = {.mesh = mesh};
    input_open(&obj.in, path, data, bytes);
    if (bytes >= 3 && memcmp(data, mark, 3) == 0)
        obj.in.at += 3;
    const char *first = obj.in.at;
    each_line(&obj, first_pass);
    obj.in.at = first;
    each_line(&obj, second_pass);
    polygon_free(&obj.polygon);
    names_free(&obj.materials);
}
