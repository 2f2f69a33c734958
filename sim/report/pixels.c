#include "sim/report/pixels.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include "sim/report/heat_map.h"
#include "sim/report/page_json.h"
#include "sim/report/shape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS_MOST = 256 };

struct picture {
    uint32_t width, height, each, across, down;
};

static struct picture picture_of(const cJSON *json)
{
    struct picture p = {(uint32_t)json_member(json, "width")->valuedouble,
                        (uint32_t)json_member(json, "height")->valuedouble, 1,
                        0, 0};
    uint32_t longer = p.width > p.height ? p.width : p.height;
    p.each = (longer + ACROSS_MOST - 1) / ACROSS_MOST;
    p.across = (p.width + p.each - 1) / p.each;
    p.down = (p.height + p.each - 1) / p.each;
    return p;
}

/* As sim-run writes it: floats in the order of a little-endian host. */
static bool read_head(const struct picture *p, FILE *file)
{
    char head[64], expected[64];
    int length = snprintf(expected, sizeof expected, "Pf\n%u %u\n-1.0\n",
                          p->width, p->height);
    return fread(head, 1, (size_t)length, file) == (size_t)length &&
           !memcmp(head, expected, (size_t)length);
}

/* How many pixels a shown one is the mean of: fewer at the borders. */
static double pixels_in(const struct picture *p, uint32_t x, uint32_t y)
{
    uint32_t right = (x + 1) * p->each, bottom = (y + 1) * p->each;
    right = right < p->width ? right : p->width;
    bottom = bottom < p->height ? bottom : p->height;
    return (double)(right - x * p->each) * (bottom - y * p->each);
}

/* Line by line from the top, the caller frees them; NULL: the file is missing,
 * or not as pixels.json says. */
static float *read_values(const struct picture *p, const struct run *run,
                          const char *name, struct error *error)
{
    char file_name[80];
    snprintf(file_name, sizeof file_name, "cost-%.60s.pfm", name);
    char *path = run_file(run, file_name);
    FILE *file = fopen(path, "rb");
    const size_t count = (size_t)p->width * p->height;
    float *values = NULL;
    if (!file) {
        error_set(error, "%s: %s", path, strerror(errno));
        free(path);
        return NULL;
    }
    reads_note_open(fileno(file), "a file of the run");
    values = heap_new(count, sizeof *values, "costs of pixels");
    bool good = read_head(p, file);
    for (uint32_t y = p->height; good && y-- > 0;)
        good = fread(values + (size_t)y * p->width, sizeof *values, p->width,
                     file) == p->width;
    good = good && fgetc(file) == EOF;
    for (size_t i = 0; good && i < count; i++)
        good = isfinite(values[i]) && values[i] >= 0;
    fclose(file);
    if (!good) {
        error_set(error,
                  "%s: expected a PFM file of %u x %u numbers of at least 0, "
                  "little-endian",
                  path, p->width, p->height);
        free(values);
        values = NULL;
    }
    free(path);
    return values;
}

struct pixel_sums pixels_begin(const struct run *run)
{
    struct picture p = picture_of(run->pixels);
    return (struct pixel_sums){
        p.across, p.down, p.each,
        heap_new((size_t)p.across * p.down, sizeof(double), "costs of pixels")};
}

bool pixels_add(struct pixel_sums *sums, const struct run *run,
                const char *cost, double times, struct error *error)
{
    struct picture p = picture_of(run->pixels);
    float *values = read_values(&p, run, cost, error);
    if (!values)
        return false;
    for (uint32_t y = p.height; y-- > 0;)
        for (uint32_t x = 0; x < p.width; x++)
            sums->values[(size_t)(y / p.each) * p.across + x / p.each] +=
                times * (double)values[(size_t)y * p.width + x];
    free(values);
    return true;
}

static bool put_cost(FILE *out, const struct picture *p, const struct run *run,
                     const char *name, struct error *error)
{
    struct pixel_sums sums = pixels_begin(run);
    bool good = pixels_add(&sums, run, name, 1, error);
    for (uint32_t y = 0; good && y < p->down; y++)
        for (uint32_t x = 0; x < p->across; x++)
            fprintf(out, "%s%.7g", x || y ? "," : "[",
                    sums.values[(size_t)y * p->across + x] /
                        pixels_in(p, x, y));
    fputs(good ? "]" : "", out);
    free(sums.values);
    return good;
}

bool pixels_put(FILE *out, const struct run *run, struct error *error)
{
    if (!run->pixels) {
        fputs("null", out);
        return true;
    }
    struct picture p = picture_of(run->pixels);
    fputs("{\"about\":", out);
    json_put_file(out, run->pixels_text);
    fprintf(out, ",\"each\":%u,\"across\":%u,\"down\":%u,\"values\":[", p.each,
            p.across, p.down);
    bool good = true;
    for (const cJSON *c = json_member(run->pixels, "costs")->child; good && c;
         c = c->next) {
        if (json_member(c, "most")->valuedouble > 0)
            good = put_cost(out, &p, run, json_member(c, "name")->valuestring,
                            error);
        else
            fputs("null", out);
        fputs(c->next ? ",\n" : "]}", out);
    }
    return good;
}

/* ---- pictures ---- */

static const cJSON *find_cost(const struct run *run, const char *name,
                              struct error *error)
{
    char names[200] = "";
    const cJSON *c = NULL;
    if (run->pixels)
        c = json_member(run->pixels, "costs")->child;
    for (; c; c = c->next) {
        const char *its = json_member(c, "name")->valuestring;
        if (!strcmp(its, name) && json_member(c, "most")->valuedouble > 0)
            return c;
        size_t at = strlen(names);
        if (json_member(c, "most")->valuedouble > 0)
            snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "",
                     its);
    }
    error_set(error, "%s: no cost of pixels '%.60s'%s%s", run->path, name,
              *names        ? "; expected one of "
              : run->pixels ? ": all costs are 0"
                            : ": not run with --cost-images",
              names);
    return NULL;
}

bool pixels_heat_map(FILE *out, const struct run *run, const char *name,
                     struct error *error)
{
    const cJSON *cost = find_cost(run, name, error);
    if (!cost)
        return false;
    const struct picture p = picture_of(run->pixels);
    float *values = read_values(&p, run, name, error);
    if (!values)
        return false;
    const struct heat_map map = {values, p.width, p.height,
                                 json_member(cost, "scale")->valuedouble,
                                 json_member(cost, "most")->valuedouble};
    heat_map_write(&map, out);
    free(values);
    return true;
}
