/*
 * The files of --cost-images. A picture is enlarged to 256 pixels at least, by
 * whole numbers, and has a scale at its right.
 */
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include "sim/host/observe/colours.h"
#include "sim/host/observe/cost_images.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/rtp/picture.h"
#include <stdlib.h>
#include <string.h>

static const char what[] = "the pictures of costs";

/* ---- pictures ---- */

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
static unsigned colour_of(const struct pixel_cost *c, uint64_t value)
{
    if (value >= c->scale)
        return COLOURS - 1;
    return (unsigned)((double)value / (double)c->scale * (COLOURS - 1) + 0.5);
}

/* A bar from the last colour down to the first, with a value at each tick. */
static void draw_scale(struct canvas *c, const struct pixel_cost *cost,
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
        label(text, (double)cost->scale * t / (TICKS - 1),
              t == TICKS - 1 && cost->most > cost->scale);
        fill(c, left + BAR, y, GAP / 2, 1, black);
        write_text(c, left + BAR + GAP, y - top, text);
    }
}

static void write_png(const struct pixel_cost *cost, uint32_t width,
                      uint32_t height, FILE *out)
{
    uint32_t longer = width > height ? width : height;
    uint32_t zoom = longer < LEAST ? (LEAST + longer - 1) / longer : 1;
    struct canvas c = {.width = width * zoom + 3 * GAP + BAR + LABEL * ADVANCE,
                       .height = height * zoom};
    c.height = c.height < LEAST / 2 ? LEAST / 2 : c.height;
    c.rgb = heap_new((size_t)c.width * c.height, 3, what);
    memset(c.rgb, 255, (size_t)c.width * c.height * 3);
    colours_compute(&c.colours);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            fill(&c, x * zoom, y * zoom, zoom, zoom,
                 c.colours.rgb[colour_of(cost,
                                         cost->values[(size_t)y * width + x])]);
    draw_scale(&c, cost, width * zoom + GAP);
    rtp_picture_write(out, true, c.rgb, c.width, c.height);
    free(c.rgb);
}

/* Portable float map: the lowest line first; a negative scale says that bytes
 * are in the order of the host, which is little-endian. */
static void write_pfm(const struct pixel_cost *cost, uint32_t width,
                      uint32_t height, FILE *out)
{
    fprintf(out, "Pf\n%u %u\n-1.0\n", width, height);
    for (uint32_t y = height; y-- > 0;)
        for (uint32_t x = 0; x < width; x++) {
            float value = (float)cost->values[(size_t)y * width + x];
            fwrite(&value, sizeof value, 1, out);
        }
}

/* ---- pixels.json ---- */

/* Pixels by place, from the left and from above, and by work index. */
static void add_hottest(cJSON *to, const struct pixel_cost *c,
                        const struct pixel_order *order)
{
    cJSON *list = cJSON_AddArrayToObject(to, "hottest");
    for (unsigned i = 0; i < c->hottest_count; i++) {
        cJSON *pixel = cJSON_CreateObject();
        cJSON_AddItemToArray(list, pixel);
        cJSON_AddNumberToObject(pixel, "x", c->hottest[i] % order->width);
        cJSON_AddNumberToObject(pixel, "y", c->hottest[i] / order->width);
        cJSON_AddNumberToObject(pixel, "index",
                                pixels_index(order, c->hottest[i]));
        json_u64(pixel, "value", c->values[c->hottest[i]]);
    }
}

/* The scale of the pictures, for programs that draw a legend beside them. */
static void add_colours(cJSON *to)
{
    struct colours colours;
    cJSON *list = cJSON_AddArrayToObject(to, "colours");
    colours_compute(&colours);
    for (unsigned i = 0; i < COLOURS; i++) {
        char text[8];
        snprintf(text, sizeof text, "#%02x%02x%02x", colours.rgb[i][0],
                 colours.rgb[i][1], colours.rgb[i][2]);
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
    }
}

static cJSON *pixels_json(const struct host *host)
{
    const struct pixel_order *order = &host->options->pixels;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "format", PIXELS_FORMAT);
    cJSON_AddNumberToObject(json, "width", order->width);
    cJSON_AddNumberToObject(json, "height", order->height);
    cJSON *costs = cJSON_AddArrayToObject(json, "costs");
    for (unsigned i = 0; i < WORK_COST_COUNT; i++) {
        const struct pixel_cost *c = &pixels_of(host)->costs[i];
        cJSON *cost = cJSON_CreateObject();
        cJSON_AddItemToArray(costs, cost);
        cJSON_AddStringToObject(cost, "name", pixel_rows[i].name);
        cJSON_AddStringToObject(cost, "unit", pixel_rows[i].unit);
        cJSON_AddStringToObject(cost, "meaning", pixel_rows[i].meaning);
        json_u64(cost, "sum", c->sum);
        json_u64(cost, "rest", c->rest);
        json_u64(cost, "most", c->most);
        json_u64(cost, "scale", c->scale);
        add_hottest(cost, c, order);
    }
    add_colours(json);
    return json;
}

/* ---- all of them ---- */

typedef void picture_writer(const struct pixel_cost *c, uint32_t width,
                            uint32_t height, FILE *out);

static bool write_picture(const struct host *host, const char *name,
                          const struct pixel_cost *c, picture_writer *write,
                          struct error *error)
{
    const struct options *o = host->options;
    struct whole w;
    if (!outdir_open(&w, o->outdir, name, error))
        return false;
    write(c, o->pixels.width, o->pixels.height, w.file);
    return outdir_finish(&w, o->outdir, name, error);
}

bool pixels_write(struct host *host, const struct outcome *outcome,
                  struct error *error)
{
    const struct pixels *p = pixels_of(host);
    if (!p)
        return true;
    for (unsigned i = 0; i < WORK_COST_COUNT; i++) {
        const struct pixel_cost *c = &p->costs[i];
        if (c->most &&
            (!write_picture(host, pixel_rows[i].pfm, c, write_pfm, error) ||
             !write_picture(host, pixel_rows[i].png, c, write_png, error)))
            return false;
    }
    cJSON *json = pixels_json(host);
    bool good = output_json(host->options->outdir, PIXELS, json, error);
    cJSON_Delete(json);
    return good;
}
