/*
 * Cycles of a transfer over PCIe by its bytes, after one of the models of
 * curve.h.
 */
#include "sim/uvm/curve.h"
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define ATAN_B 0.07292
#define GIB 1073741824.0

static const struct uvm_point measured[] = {
    {4, 3.2219}, {16, 6.4437}, {64, 8.4771}, {256, 10.508}, {1024, 11.223}};

/* The best line through the measured points has 0.9576 KiB/(GB/s) of latency.
 */
struct uvm_curve uvm_curve_default(double mhz)
{
    struct uvm_curve c = {.model = UVM_ATAN,
                          .mhz = mhz,
                          .a = 12,
                          .latency = 981,
                          .bandwidth = 10.517};
    c.point_count = sizeof measured / sizeof *measured;
    for (unsigned i = 0; i < c.point_count; i++)
        c.points[i] = measured[i];
    return c;
}

bool uvm_curve_points(struct uvm_curve *curve, const char *text,
                      struct error *error)
{
    const char *at = text;
    double before = 0;
    curve->point_count = 0;
    while (*at) {
        char *end;
        struct uvm_point p;
        p.kib = strtod(at, &end);
        if (end == at || *end != ':')
            break;
        at = end + 1;
        p.gb_per_second = strtod(at, &end);
        if (end == at || (*end && *end != ' ') || !(p.kib > before) ||
            !(p.kib < GIB) || !(p.gb_per_second > 0) ||
            !(p.gb_per_second < 1e6) || curve->point_count == UVM_POINTS_MAX)
            break;
        before = p.kib;
        curve->points[curve->point_count++] = p;
        for (at = end; *at == ' ';)
            at++;
    }
    if (!*at && curve->point_count >= 2)
        return true;
    return error_set(error,
                     "'%.60s' has to be 2 to %d points KiB:GB/s with "
                     "ascending sizes, like '4:3.2219 1024:11.223'",
                     text, UVM_POINTS_MAX);
}

/* GB/s of a size. Below the first point a transfer takes as long as there, so
 * bandwidth is proportional to the size; above the last it is constant. */
static double table_bandwidth(const struct uvm_curve *c, double kib)
{
    const struct uvm_point *p = c->points, *last = p + c->point_count - 1;
    if (kib < p->kib)
        return p->gb_per_second * kib / p->kib;
    while (p < last && p[1].kib <= kib)
        p++;
    if (p == last)
        return p->gb_per_second;
    double part = (log2(kib) - log2(p->kib)) / (log2(p[1].kib) - log2(p->kib));
    return p->gb_per_second + part * (p[1].gb_per_second - p->gb_per_second);
}

uint64_t uvm_curve_cycles(const struct uvm_curve *c, uint64_t bytes)
{
    double size = (double)bytes, kib = size / 1024, hz = c->mhz * 1e6;
    switch (c->model) {
    case UVM_TABLE:
        return (uint64_t)(size * hz / (table_bandwidth(c, kib) * 1e9));
    case UVM_LINEAR:
        return (uint64_t)(c->latency * c->mhz / 1000 +
                          size * c->mhz / (c->bandwidth * 1000));
    default: {
        float gib = (float)(2 * (double)(float)c->a / PI * atan(ATAN_B * kib));
        return (uint64_t)(size * hz / ((double)gib * GIB));
    }
    }
}
