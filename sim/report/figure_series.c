#include "sim/report/figure_series.h"
#include "sim/core/heap.h"
#include "sim/report/page_json.h"
#include <stdlib.h>

static bool grew(const struct figure *f, const struct bins *bins)
{
    for (unsigned i = 0; i < f->over_count; i++)
        if (bins->series[f->over[i]])
            return true;
    return false;
}

/* Puts what terms have in a bin at their places among the values. */
static void take_terms(const unsigned *terms, unsigned count,
                       const struct bins *bins, unsigned bin, int64_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        const struct bin *series = bins->series[terms[i]];
        values[terms[i]] = series ? series[bin].sum : 0;
    }
}

static void put_values(FILE *out, const struct run *run, const struct figure *f,
                       const struct bins *bins, int64_t *values)
{
    uint64_t begin = bins->begin;
    for (unsigned i = 0; i < bins->count; i++) {
        take_terms(f->over, f->over_count, bins, i, values);
        take_terms(f->under, f->under_count, bins, i, values);
        double value = run_figure(run, f, values, bins->ends[i] - begin);
        begin = bins->ends[i];
        fputs(i ? "," : "[", out);
        if (value < 0)
            fputs("null", out);
        else
            fprintf(out, "%.9g", value);
    }
    fputc(']', out);
}

void figure_series_put(FILE *out, const struct run *run,
                       const struct bins *bins)
{
    int64_t *values = heap_new(run->value_count, sizeof *values, "a figure");
    bool first = true;
    fputc('[', out);
    for (unsigned i = 0; i < run->figure_count; i++) {
        const struct figure *f = &run->figures[i];
        if (!grew(f, bins))
            continue;
        fputs(first ? "{\"group\":" : ",\n{\"group\":", out);
        json_put_text(out, f->group);
        fputs(",\"name\":", out);
        json_put_text(out, f->name);
        fputs(",\"values\":", out);
        put_values(out, run, f, bins, values);
        fputc('}', out);
        first = false;
    }
    fputc(']', out);
    free(values);
}
