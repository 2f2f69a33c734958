/*
 * Which pixel an index is, and what each has cost. The order of indices is the
 * program's: along rows, or along tiles one after the other, tiles and the
 * rows within them from the top or from the bottom. Tiles may hang over the
 * border; the costs of what lies outside are rest.
 */
#include "sim/host/observe/cost_images.h"
#include "sim/core/core_kind.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observer.h"
#include "sim/host/results/outdir.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the costs of pixels";

const struct pixel_row pixel_rows[WORK_COST_COUNT] = {
#define ROW(name, unit, meaning)                                               \
    {#name, unit, meaning, COST_FILE(name, "pfm"), COST_FILE(name, "png")},
    WORK_COSTS(ROW)
#undef ROW
};

/* ---- the option ---- */

/* WxH at the begin of a text, each 1 .. most. */
static bool take_size(const char **text, uint32_t most, uint32_t *width,
                      uint32_t *height)
{
    unsigned w, h;
    int length = 0;
    if (sscanf(*text, "%5u%*1[x]%5u%n", &w, &h, &length) != 2 || !length ||
        !w || w > most || !h || h > most)
        return false;
    *width = w;
    *height = h;
    *text += length;
    return true;
}

static bool pixels_parse(struct options *o, const char *text,
                         struct error *error)
{
    struct pixel_order p = {.tile_height = 1};
    const char *at = text;
    bool good = take_size(&at, PIXELS_MOST, &p.width, &p.height) &&
                p.width * p.height <= PIXELS_IN_ALL;
    p.tile_width = p.width;
    if (good && *at == ',' && at[1] != 'u') {
        at++;
        good = take_size(&at, PIXELS_MOST, &p.tile_width, &p.tile_height);
    }
    if (good && !strcmp(at, ",up")) {
        p.up = true;
        at += 3;
    }
    o->pixels = p;
    return (good && !*at) ||
           error_set(error,
                     "--cost-images %.80s: expected WIDTHxHEIGHT[,TILE_WIDTHx"
                     "TILE_HEIGHT][,up], each 1 to %u, as in 256x256,8x4,up, "
                     "%u pixels at most",
                     text, PIXELS_MOST, PIXELS_IN_ALL);
}

/* ---- the order ---- */

static uint32_t tiles_across(const struct pixel_order *p)
{
    return (p->width + p->tile_width - 1) / p->tile_width;
}

static uint64_t index_count(const struct pixel_order *p)
{
    uint64_t down = (p->height + p->tile_height - 1) / p->tile_height;
    return tiles_across(p) * down * p->tile_width * p->tile_height;
}

/* The pixel of an index, UINT32_MAX: it lies outside. */
static uint32_t pixel_of(const struct pixel_order *p, uint32_t index)
{
    uint32_t in_tile = p->tile_width * p->tile_height;
    uint32_t tile = index / in_tile, across = tiles_across(p);
    uint32_t x = tile % across * p->tile_width + index % p->tile_width;
    uint32_t y =
        tile / across * p->tile_height + index % in_tile / p->tile_width;
    if (x >= p->width || y >= p->height)
        return UINT32_MAX;
    return (p->up ? p->height - 1 - y : y) * p->width + x;
}

uint32_t pixels_index(const struct pixel_order *p, uint32_t pixel)
{
    uint32_t x = pixel % p->width, y = pixel / p->width;
    y = p->up ? p->height - 1 - y : y;
    uint32_t tile = y / p->tile_height * tiles_across(p) + x / p->tile_width;
    return (tile * p->tile_height + y % p->tile_height) * p->tile_width +
           x % p->tile_width;
}

/* ---- the run ---- */

struct pixels *pixels_of(const struct host *host)
{
    return *observer_of(host, &pixels_observer);
}

static bool pixels_wanted(const struct options *o)
{
    return o->pixels.width;
}

static bool pixels_arrive(struct host *host, struct error *error)
{
    host->machine.one_by_one |= pixels_wanted(host->options);
    return true;
}

/* A log a tile, as tiles run at the same time; they are summed at the end. */
static void pixels_build(struct host *host)
{
    unsigned tiles = chip_tile_count(host->chip);
    const struct pixel_order *p = &host->options->pixels;
    if (!p->width)
        return;
    host->machine.work_logs =
        heap_new(tiles, sizeof *host->machine.work_logs, what);
    for (unsigned i = 0; i < tiles; i++)
        work_log_begin(&host->machine.work_logs[i], (uint32_t)index_count(p));
}

static bool pixels_built(struct host *host, struct error *error)
{
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        const struct core_kind *core = chip_unit_at(host->chip, i)->kind->core;
        if (core && core->isa_harts)
            return true;
    }
    return !host->options->pixels.width ||
           error_set(error,
                     "--cost-images: %s has no thread processors, whose harts "
                     "take work by its index",
                     host->arch.path);
}

static void pixels_free(struct host *host)
{
    struct work_log *logs = host->machine.work_logs;
    for (unsigned i = 0; logs && i < chip_tile_count(host->chip); i++)
        work_log_end(&logs[i]);
    free(logs);
    struct pixels *p = pixels_of(host);
    for (unsigned c = 0; p && c < WORK_COST_COUNT; c++)
        free(p->costs[c].values);
    free(p);
}

/* ---- sums ---- */

/* Parts of a log that no index has touched are not there, and passed over. */
static void add_log(struct pixels *p, const struct pixel_order *order,
                    const struct work_log *log)
{
    for (unsigned c = 0; c < WORK_COST_COUNT; c++) {
        struct pixel_cost *cost = &p->costs[c];
        cost->rest += log->rest[c];
        for (uint32_t i = 0; i < log->count; i++) {
            if (!log->parts[c][i / WORK_PART]) {
                i += WORK_PART - 1;
                continue;
            }
            uint32_t pixel = pixel_of(order, i);
            uint64_t value = work_log_cost(log, c, i);
            if (pixel == UINT32_MAX)
                cost->rest += value;
            else
                cost->values[pixel] += value;
        }
    }
}

/* Keeps the most costly pixels, in order; of equal ones the first. */
static void add_hot(struct pixel_cost *c, uint32_t pixel)
{
    unsigned at = c->hottest_count;
    uint64_t value = c->values[pixel];
    while (at && c->values[c->hottest[at - 1]] < value)
        at--;
    if (!value || at == PIXELS_HOTTEST)
        return;
    c->hottest_count += c->hottest_count < PIXELS_HOTTEST;
    memmove(&c->hottest[at + 1], &c->hottest[at],
            (c->hottest_count - 1 - at) * sizeof *c->hottest);
    c->hottest[at] = pixel;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The scale leaves out the uppermost 0.5 % of the pixels: a few that cost many
 * times as much as others would make all others look alike. */
static void look_at(struct pixel_cost *c, uint32_t count)
{
    uint64_t *sorted = heap_new(count, sizeof *sorted, what);
    for (uint32_t i = 0; i < count; i++) {
        c->sum += c->values[i];
        add_hot(c, i);
    }
    memcpy(sorted, c->values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    c->most = sorted[count - 1];
    c->scale = sorted[(uint32_t)((uint64_t)(count - 1) * 995 / 1000)];
    c->scale = c->scale ? c->scale : c->most;
    free(sorted);
}

static void say_hottest(struct host *host, const char *name,
                        const struct pixel_cost *c)
{
    const struct pixel_order *order = &host->options->pixels;
    char text[PIXELS_HOTTEST * 72];
    int at = 0;
    for (unsigned i = 0; i < c->hottest_count; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s%" PRIu64 " at %u,%u (index %u)", i ? ", " : "",
                       c->values[c->hottest[i]], c->hottest[i] % order->width,
                       c->hottest[i] / order->width,
                       pixels_index(order, c->hottest[i]));
    host_log(host, "pixels with the most %s: %s", name, text);
}

static void pixels_tell(struct host *host)
{
    const struct pixel_order *order = &host->options->pixels;
    if (!order->width)
        return;
    struct pixels *p = heap_new(1, sizeof *p, what);
    *observer_of(host, &pixels_observer) = p;
    p->count = order->width * order->height;
    for (unsigned c = 0; c < WORK_COST_COUNT; c++)
        p->costs[c].values = heap_new(p->count, sizeof(uint64_t), what);
    for (unsigned i = 0; i < chip_tile_count(host->chip); i++)
        add_log(p, order, &host->machine.work_logs[i]);
    for (unsigned c = 0; c < WORK_COST_COUNT; c++) {
        look_at(&p->costs[c], p->count);
        if (p->costs[c].sum < p->costs[c].most * p->count)
            say_hottest(host, pixel_rows[c].name, &p->costs[c]);
    }
}

static const struct option_row options[] = {
    {"cost-images", 0, "WxH[,TWxTH][,up]",
     "what each pixel cost; TWxTH, up: the order of indices", OPTION_OBSERVE,
     OPTION_OF_CYCLES | OPTION_UNSAVED, .take = pixels_parse,
     .more = "A pixel is a work index (observing.md)."},
    {NULL}};

const struct observer pixels_observer = {
    .options = options,
    .name = "cost-images",
    .needs_stalls = pixels_wanted,
    .arrive = pixels_arrive,
    .build = pixels_build,
    .built = pixels_built,
    .tell = pixels_tell,
    .write = pixels_write,
    .free = pixels_free,
};
