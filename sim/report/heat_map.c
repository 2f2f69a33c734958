/*
 * A picture of a value for each pixel, in false colours: enlarged to 256 pixels
 * at least, by whole numbers, with a scale at its right.
 */
#include "sim/report/heat_map.h"
#include "sdk/whole/picture_file.h"
#include "sim/core/heap.h"
#include "sim/report/heat_colours.h"
#include <stdlib.h>
#include <string.h>

static const char what[] = "the pictures of costs";

enum {
    LEAST = 256, /* width or height of the enlarged picture */
    GAP = 10,    /* between picture, scale and labels */
    BAR = 16,    /* width of the scale */
    GLYPH_W = 5, /* of a character, in dots */
    GLYPH_H = 7,
    DOT = 2,
    ADVANCE = (GLYPH_W + 1) * DOT,
    LABEL = 8, /* characters of a label, at most */
    TICKS = 5,
};

struct canvas {
    uint8_t *rgb;
    uint32_t width, height;
    struct colours colours;
};

/* What lies beyond the right and the lower border is not there. */
static void fill(struct canvas *c, uint32_t left, uint32_t top, uint32_t width,
                 uint32_t height, const uint8_t rgb[3])
{
    for (uint32_t y = top; y < top + height && y < c->height; y++)
        for (uint32_t x = left; x < left + width && x < c->width; x++)
            memcpy(&c->rgb[3 * ((size_t)y * c->width + x)], rgb, 3);
}

/* The characters of numbers, each line of dots a number, the left one first. */
static const struct glyph {
    char character;
    uint8_t lines[GLYPH_H];
} glyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 2, 4, 8, 31}},     {'3', {31, 2, 4, 2, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'k', {16, 16, 18, 20, 24, 20, 18}},
    {'M', {17, 27, 21, 21, 17, 17, 17}}, {'G', {14, 17, 16, 23, 17, 17, 15}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},
};

/* One pixel of a glyph is a square of DOT pixels. */
static void write_text(struct canvas *c, uint32_t left, uint32_t top,
                       const char *text)
{
    static const uint8_t black[3];
    for (; *text; text++, left += ADVANCE) {
        unsigned g = 0;
        while (glyphs[g].character != *text)
            if (++g == sizeof glyphs / sizeof *glyphs)
                return;
        for (uint32_t y = 0; y < GLYPH_H; y++)
            for (uint32_t x = 0; x < GLYPH_W; x++)
                if (glyphs[g].lines[y] >> (GLYPH_W - 1 - x) & 1)
                    fill(c, left + x * DOT, top + y * DOT, DOT, DOT, black);
    }
}

/* Three digits or more, with k, M or G. above: there is more than that, said by
 * a plus. */
static void label(char text[LABEL + 1], double value, bool above)
{
    unsigned power = 0;
    while (value >= 9999.5 && power < 3) {
        value /= 1000;
        power++;
    }
    int digits = value >= 100 || value == (double)(uint64_t)value ? 0
                 : value >= 10                                    ? 1
                                                                  : 2;
    snprintf(text, LABEL + 1, "%.*f%.1s%s", digits, value, &"\0kMG"[power],
             above ? "+" : "");
}

/* Linear up to the scale's end; what is above has the last colour, too. */
static unsigned colour_of(const struct heat_map *m, double value)
{
    if (value >= m->scale)
        return COLOURS - 1;
    return (unsigned)(value / m->scale * (COLOURS - 1) + 0.5);
}

/* A bar from the last colour down to the first, with a value at each tick. */
static void draw_scale(struct canvas *c, const struct heat_map *m,
                       uint32_t left)
{
    static const uint8_t black[3];
    const uint32_t top = GLYPH_H * DOT / 2, height = c->height - 2 * top;
    for (uint32_t y = 0; y < height; y++)
        fill(c, left, top + y, BAR, 1,
             c->colours.rgb[(height - 1 - y) * (COLOURS - 1) / (height - 1)]);
    for (unsigned t = 0; t < TICKS; t++) {
        char text[LABEL + 1];
        uint32_t y = top + (height - 1) * (TICKS - 1 - t) / (TICKS - 1);
        label(text, m->scale * t / (TICKS - 1),
              t == TICKS - 1 && m->most > m->scale);
        fill(c, left + BAR, y, GAP / 2, 1, black);
        write_text(c, left + BAR + GAP, y - top, text);
    }
}

void heat_map_write(const struct heat_map *m, FILE *out)
{
    uint32_t longer = m->width > m->height ? m->width : m->height;
    uint32_t zoom = longer < LEAST ? (LEAST + longer - 1) / longer : 1;
    struct canvas c = {.width =
                           m->width * zoom + 3 * GAP + BAR + LABEL * ADVANCE,
                       .height = m->height * zoom};
    c.height = c.height < LEAST / 2 ? LEAST / 2 : c.height;
    c.rgb = heap_new((size_t)c.width * c.height, 3, what);
    memset(c.rgb, 255, (size_t)c.width * c.height * 3);
    colours_compute(&c.colours);
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++) {
            double value = (double)m->values[(size_t)y * m->width + x];
            fill(&c, x * zoom, y * zoom, zoom, zoom,
                 c.colours.rgb[colour_of(m, value)]);
        }
    draw_scale(&c, m, m->width * zoom + GAP);
    picture_file_write(out, true, c.rgb, c.width, c.height);
    free(c.rgb);
}
