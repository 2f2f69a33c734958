/*
 * The header is lines of words. Its first line decides how lines end, as binary
 * data may begin with a byte that looks like the rest of a line's end.
 */
#include "number.h"
#include "ply.h"

#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>

/* Words that the longest line of the format has: a list property. */
#define WORDS_MAX 5

const struct ply_type_row ply_types[] = {
#define X(name, older, bytes, whole) {#name, older, bytes, whole},
    PLY_TYPES(X)
#undef X
};
#define TYPES (sizeof ply_types / sizeof *ply_types)

/* A line of the header; of more words than fit only the first are kept. */
struct line {
    struct word word[WORDS_MAX];
    unsigned words; /* all of them */
};

/*
 * The line at in->at, whose end is `ending`; false: the file ends within it. A
 * word ends with the line, even where that is no end for input_word; the other
 * end of lines is a blank.
 */
static bool next_line(struct input *in, char ending, struct line *line)
{
    const char *stop = memchr(in->at, ending, (size_t)(in->end - in->at));
    if (stop == NULL)
        return false;
    line->words = 0;
    for (;;) {
        while (in->at < stop && (is_blank(*in->at) || is_line_end(*in->at)))
            in->at++;
        if (in->at == stop)
            break;
        struct word word = input_word(in);
        if (word.length > (size_t)(stop - in->at))
            word.length = (size_t)(stop - in->at);
        if (line->words < WORDS_MAX)
            line->word[line->words] = word;
        line->words++;
        in->at += word.length;
    }
    in->at = stop + 1;
    return true;
}

/* Names are compared as they stand. */
static bool same_word(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* The type of that name, old or new; anything else ends the program. */
static enum ply_type find_type(const struct input *in, struct word word)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (word_is(word, ply_types[i].name) ||
            word_is(word, ply_types[i].older))
            return (enum ply_type)i;
    fail_at(in, word.at,
            "'%s' is no type, expected char, uchar, short, ushort, int, "
            "uint, float, double, int8, ... or float64",
            excerpt_of(word).text);
}

/* The line "format": the version must be 1.0, the only one there is. */
static enum ply_format find_format(const struct input *in,
                                   const struct line *line)
{
    static const char *const name[] = {"ascii", "binary_little_endian",
                                       "binary_big_endian"};
    if (line->words == 3 && word_is(line->word[2], "1.0"))
        for (int i = 0; i < 3; i++)
            if (word_is(line->word[1], name[i]))
                return (enum ply_format)i;
    fail_at(in, line->word[0].at,
            "unknown format, expected 'format', then ascii, "
            "binary_little_endian or binary_big_endian, then 1.0");
}

/* Is the word among the names, which a NULL ends? */
static bool is_one_of(struct word word, const char *const *names)
{
    while (*names != NULL && !word_is(word, *names))
        names++;
    return *names != NULL;
}

static bool is_face(struct word element)
{
    return is_one_of(element, (const char *[]){"face", "tristrips", NULL});
}

/* Elements and properties that are read must have names of their own, by which
 * they are told apart. */
static bool element_is_read(struct word name)
{
    return word_is(name, "vertex") || is_face(name);
}

static bool property_is_read(struct word element, struct word name)
{
    static const char *const place[] = {"x", "y", "z", NULL};
    static const char *const list[] = {"vertex_indices", "vertex_index", NULL};
    return (word_is(element, "vertex") && is_one_of(name, place)) ||
           (is_face(element) && is_one_of(name, list));
}

/* The line "element", which begins a new element. */
static void add_element(const struct input *in, struct ply_header *header,
                        const struct line *line)
{
    int64_t count;
    const struct word name = line->word[1], number = line->word[2];
    if (line->words != 3)
        fail_at(in, line->word[0].at,
                "expected 'element', a name and a number");
    const char *end = number.at + number.length;
    if (number_whole(number.at, end, &count) != end || count < 0 ||
        count > UINT32_MAX)
        fail_at(in, number.at, "'%s' elements, expected a number from 0 to %u",
                excerpt_of(number).text, UINT32_MAX);
    for (uint32_t i = 0; i < header->elements; i++)
        if (element_is_read(name) && same_word(name, header->element[i].name))
            fail_at(in, name.at, "a second element '%s', expected one",
                    excerpt_of(name).text);
    header->element = reallocate(header->element, header->elements + 1,
                                 sizeof *header->element);
    header->element[header->elements++] =
        (struct ply_element){name, (uint32_t)count, header->properties, 0};
}

/* The line "property": it belongs to the last element. */
static void add_property(const struct input *in, struct ply_header *header,
                         const struct line *line)
{
    const bool list = line->words > 1 && word_is(line->word[1], "list");
    if (line->words != (list ? 5 : 3))
        fail_at(in, line->word[0].at,
                "expected 'property', a type and a name, or 'property list', "
                "two types and a name");
    if (header->elements == 0)
        fail_at(in, line->word[0].at, "a property before the first element");
    struct ply_element *element = &header->element[header->elements - 1];
    const struct word name = line->word[list ? 4 : 2];
    struct ply_property property = {.name = name, .list = list};
    property.type = find_type(in, line->word[list ? 3 : 1]);
    if (list) {
        property.count = find_type(in, line->word[2]);
        if (!ply_types[property.count].whole)
            fail_at(in, line->word[2].at,
                    "a list's length of type %s, expected whole numbers",
                    ply_types[property.count].name);
    }
    for (uint32_t i = 0; i < element->properties; i++)
        if (property_is_read(element->name, name) &&
            same_word(name, header->property[element->first + i].name))
            fail_at(in, name.at, "a second property '%s' of element %s",
                    excerpt_of(name).text, excerpt_of(element->name).text);
    header->property = reallocate(header->property, header->properties + 1,
                                  sizeof *header->property);
    header->property[header->properties++] = property;
    element->properties++;
}

/* A line between the first and the last. One line must say the format, in any
 * place. */
static void take_line(const struct input *in, struct ply_header *header,
                      const struct line *line, bool *format_seen)
{
    const struct word first = line->word[0];
    if (word_is(first, "comment") || word_is(first, "obj_info"))
        return;
    if (word_is(first, "element")) {
        add_element(in, header, line);
    } else if (word_is(first, "property")) {
        add_property(in, header, line);
    } else if (word_is(first, "format") && !*format_seen) {
        header->format = find_format(in, line);
        *format_seen = true;
    } else {
        fail_at(in, first.at,
                "'%s' in the header, expected %selement, property, comment, "
                "obj_info or end_header",
                excerpt_of(first).text, *format_seen ? "" : "format, ");
    }
}

/* How lines end: CR only if the first does, and no LF follows. */
static char line_ending(const struct input *in)
{
    const char *c = in->at + 3;
    while (c < in->end && is_blank(*c))
        c++;
    return c < in->end && *c == '\r' && !(c + 1 < in->end && c[1] == '\n')
               ? '\r'
               : '\n';
}

/* Lines without words are passed over, although the format has none. */
void ply_header_read(struct input *in, struct ply_header *header)
{
    struct line line;
    bool format_seen = false;
    memset(header, 0, sizeof *header);
    if (in->end - in->at < 4 || memcmp(in->at, "ply", 3) != 0)
        fail_at(in, in->at, "not a PLY file: it does not begin with 'ply'");
    const char ending = line_ending(in);
    if (!next_line(in, ending, &line) || line.words != 1 ||
        line.word[0].length != 3)
        fail_at(in, in->start, "not a PLY file: its first line is not 'ply'");
    for (;;) {
        if (!next_line(in, ending, &line))
            fail_at(in, in->end,
                    "the file ends within the header, expected end_header");
        if (line.words == 0)
            continue;
        if (line.words == 1 && word_is(line.word[0], "end_header"))
            break;
        take_line(in, header, &line, &format_seen);
    }
    if (!format_seen)
        fail_at(in, line.word[0].at, "the header has no line 'format'");
}

void ply_header_free(struct ply_header *header)
{
    free(header->element);
    free(header->property);
}

/* Names of properties differ within an element, so there is one at most. */
uint32_t ply_find(const struct ply_header *header,
                  const struct ply_element *element, const char *name)
{
    for (uint32_t i = 0; i < element->properties; i++)
        if (word_is(header->property[element->first + i].name, name))
            return i;
    return UINT32_MAX;
}
