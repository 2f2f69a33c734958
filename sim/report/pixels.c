#include "sim/report/pixels.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include "sim/report/json_text.h"
#include "sim/report/shape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS_MOST = 256 };

/* A picture that is read line by line, the lowest first. */
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

/* Adds up the pixels of each that is shown. */
static bool read_lines(const struct picture *p, FILE *file, double *sums)
{
    float *line = heap_new(p->width, sizeof *line, "costs of pixels");
    bool good = true;
    for (uint32_t y = p->height; good && y-- > 0;) {
        good = fread(line, sizeof *line, p->width, file) == p->width;
        for (uint32_t x = 0; good && x < p->width; x++) {
            good = isfinite(line[x]) && line[x] >= 0;
            sums[(size_t)(y / p->each) * p->across + x / p->each] +=
                (double)line[x];
        }
    }
    free(line);
    return good && fgetc(file) == EOF;
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

static bool put_cost(FILE *out, const struct picture *p, const char *path,
                     struct error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, "%s: %s", path, strerror(errno));
    reads_note_open(fileno(file), "a file of the run");
    double *sums =
        heap_new((size_t)p->across * p->down, sizeof *sums, "costs of pixels");
    bool good = read_head(p, file) && read_lines(p, file, sums);
    fclose(file);
    for (uint32_t y = 0; good && y < p->down; y++)
        for (uint32_t x = 0; x < p->across; x++)
            fprintf(out, "%s%.7g", x || y ? "," : "[",
                    sums[(size_t)y * p->across + x] / pixels_in(p, x, y));
    if (good)
        fputc(']', out);
    free(sums);
    return good || error_set(error,
                             "%s: expected a PFM file of %u x %u numbers of "
                             "at least 0, little-endian",
                             path, p->width, p->height);
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
        char name[80];
        snprintf(name, sizeof name, "cost-%.60s.pfm",
                 json_member(c, "name")->valuestring);
        char *path = run_file(run, name);
        if (json_member(c, "most")->valuedouble > 0)
            good = put_cost(out, &p, path, error);
        else
            fputs("null", out);
        fputs(c->next ? ",\n" : "]}", out);
        free(path);
    }
    return good;
}
