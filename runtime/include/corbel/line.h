/*
 * Messages of one line, whatever bytes went into them: a file's name may hold
 * anything, and an argument may be 100,000 bytes long. Bytes that would move a
 * terminal's cursor or are no UTF-8 appear as \n, \t, \r, \e or \xNN; a line
 * that is too long loses its middle, as it begins with what is wrong and ends
 * with what was expected.
 */
#ifndef CORBEL_LINE_H
#define CORBEL_LINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Size that holds a message of any tool, with the 0 at the end. */
#define CORBEL_LINE_SIZE 512

/* Most bytes that one piece of a line has: \xNN, or a character of UTF-8. */
#define CORBEL_LINE_PIECE 4

/* Bytes of the character that p begins with: 0 if it is no UTF-8, or a control
 * character of it (U+0080 to U+009F). */
static inline size_t corbel_line_utf8(const unsigned char *p)
{
    size_t bytes = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
                   : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                   : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                 : 0;
    for (size_t i = 1; i < bytes; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool control = p[0] == 0xc2 && p[1] < 0xa0;
    bool overlong =
        (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool beyond =
        (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
    return control || overlong || beyond ? 0 : bytes;
}

/* Writes the piece for the character at *text, which moves behind it; returns
 * the length of the piece. */
static inline size_t corbel_line_piece(const char **text,
                                       char piece[CORBEL_LINE_PIECE + 1])
{
    static const char plain[] = "\n\t\r\033", letters[] = "ntre";
    const unsigned char *p = (const unsigned char *)*text;
    size_t bytes = *p >= ' ' && *p < 0x7f ? 1 : corbel_line_utf8(p);
    *text += bytes ? bytes : 1;
    if (bytes) {
        memcpy(piece, p, bytes);
        piece[bytes] = '\0';
        return bytes;
    }
    const char *known = strchr(plain, *p);
    return (
        size_t)(known ? snprintf(piece, CORBEL_LINE_PIECE + 1, "\\%c",
                                 letters[known - plain])
                      : snprintf(piece, CORBEL_LINE_PIECE + 1, "\\x%02x", *p));
}

static inline size_t corbel_line_length(const char *text)
{
    char piece[CORBEL_LINE_PIECE + 1];
    size_t length = 0;
    while (*text)
        length += corbel_line_piece(&text, piece);
    return length;
}

/*
 * Writes text as one line, without an end of line, into out, which holds size
 * bytes (32 at least). Returns its length, which is less than size.
 */
static inline size_t corbel_line(char *out, size_t size, const char *text)
{
    static const char gap[] = " ... ";
    char piece[CORBEL_LINE_PIECE + 1];
    size_t left = corbel_line_length(text), used = 0;
    bool whole = left < size;
    size_t half = (size - sizeof gap) / 2 - CORBEL_LINE_PIECE;
    while (*text) {
        size_t length = corbel_line_piece(&text, piece);
        left -= length;
        memcpy(out + used, piece, length);
        used += length;
        if (whole || used < half)
            continue;
        while (left > half)
            left -= corbel_line_piece(&text, piece);
        memcpy(out + used, gap, sizeof gap - 1);
        used += sizeof gap - 1;
        whole = true;
    }
    out[used] = '\0';
    return used;
}

/* Writes `bytes` bytes of text whole, in pieces as above; a 0 ends it. Tabs
 * stay where the text is the rest of a line. */
static inline void corbel_line_put_part(FILE *out, const char *text,
                                        size_t bytes, bool tabs)
{
    char piece[CORBEL_LINE_PIECE + 1];
    for (const char *p = text; *p && (size_t)(p - text) < bytes;) {
        const bool kept = tabs && *p == '\t';
        corbel_line_piece(&p, piece);
        fputs(kept ? "\t" : piece, out);
    }
}

/* Writes text whole, as a part of a line. */
static inline void corbel_line_put(FILE *out, const char *text)
{
    corbel_line_put_part(out, text, SIZE_MAX, false);
}

/*
 * JSON of a library that takes strings for what they are: bytes that are no
 * UTF-8 become \\xNN, so that the string reads as a line does, and control
 * characters of two bytes \u00NN. Returns the length, without the 0 at the end;
 * out NULL: only that.
 */
static inline size_t corbel_line_json(char *out, const char *json)
{
    size_t used = 0;
    while (*json) {
        const unsigned char *p = (const unsigned char *)json;
        char piece[8];
        size_t bytes = *p < 0x80 ? 1 : corbel_line_utf8(p), length = bytes;
        if (bytes) {
            memcpy(piece, p, bytes);
        } else if (*p == 0xc2 && (p[1] & 0xc0) == 0x80) {
            bytes = 2;
            length = (size_t)snprintf(piece, sizeof piece, "\\u%04x", p[1]);
        } else {
            bytes = 1;
            length = (size_t)snprintf(piece, sizeof piece, "\\\\x%02x", *p);
        }
        if (out)
            memcpy(out + used, piece, length);
        used += length;
        json += bytes;
    }
    if (out)
        out[used] = '\0';
    return used;
}

/* The same for a format, as vsnprintf takes it. */
static inline size_t corbel_line_format(char *out, size_t size,
                                        const char *format, va_list args)
{
    char shortened[CORBEL_LINE_SIZE]; /* all there is without memory */
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(shortened, sizeof shortened, format, again);
    va_end(again);
    char *text = length < (int)sizeof shortened
                     ? NULL
                     : (char *)malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    size_t used = corbel_line(out, size, text ? text : shortened);
    free(text);
    return used;
}

#endif
