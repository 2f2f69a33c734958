/* The files of --cost-images. */
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include "sim/host/observe/cost_images.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/outdir.h"
#include "sim/host/results/results.h"
#include "sim/report/heat_colours.h"
#include "sim/report/heat_map.h"
#include <stdlib.h>
#include <string.h>

static const char what[] = "the pictures of costs";

/* ---- pictures ---- */

/* The values as in the PFM file. */
static void write_png(const struct pixel_cost *cost, uint32_t width,
                      uint32_t height, FILE *out)
{
    const size_t count = (size_t)width * height;
    float *values = heap_new(count, sizeof *values, what);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)cost->values[i];
    const struct heat_map map = {values, width, height, (double)cost->scale,
                                 (double)cost->most};
    heat_map_write(&map, out);
    free(values);
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
