#include "sim/report/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *plot_colour(unsigned number)
{
    static const char *const colours[PLOT_COLOURS] = {
        "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9",
        "#b5a400", "#7f5539", "#999933", "#882255", "#44aa99", "#332288"};
    return colours[number % PLOT_COLOURS];
}

const char *plot_ink(const char *colour)
{
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    unsigned long light =
        299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255);
    return light > 128000 ? "#000000" : "#ffffff";
}

double plot_step(double most, unsigned steps)
{
    static const double of[] = {1, 2, 2.5, 5, 10};
    double least = most / steps, power = pow(10, floor(log10(least)));
    unsigned i = 0;
    while (i + 1 < sizeof of / sizeof *of && of[i] * power < least * 0.9999)
        i++;
    return of[i] * power;
}

double plot_y(const struct plot_area *a, double value)
{
    return a->top + a->height * (1 - value / a->most);
}

/* "1.5", "20", "3 k". */
static void number_text(char *text, size_t size, double value, double most)
{
    static const char *const units[] = {"", " k", " M", " G"};
    unsigned unit = 0;
    while (most >= 1e4 && unit < 3) {
        most /= 1000;
        value /= 1000;
        unit++;
    }
    snprintf(text, size, "%.4g%s", value, value > 0 ? units[unit] : "");
}

void plot_axis(FILE *out, struct plot_area *a, const char *title)
{
    double step = plot_step(a->most > 0 ? a->most : 1, 5);
    unsigned steps = (unsigned)ceil(a->most / step - 1e-9);
    steps = steps ? steps : 1;
    a->most = steps * step;
    for (unsigned i = 0; i <= steps; i++) {
        char text[32];
        double y = plot_y(a, i * step);
        number_text(text, sizeof text, i * step, a->most);
        svg_line(out, a->left, y, a->left + a->width, y,
                 i ? PLOT_GRID : PLOT_INK);
        svg_text(out, a->left - 4, y + 3, SVG_END, SVG_FONT, 0, PLOT_INK, text);
    }
    svg_text(out, SVG_FONT + 1, a->top + a->height / 2, SVG_MIDDLE, SVG_FONT,
             -90, PLOT_INK, title);
}

void plot_legend(FILE *out, double x, double y, const char *fill,
                 const char *name, bool hatched)
{
    const double top = y - SVG_FONT + 1.5, side = SVG_FONT - 1;
    svg_rect(out, x, top, side, side, fill);
    if (hatched)
        plot_hatch(out, x, top, side, side);
    svg_text(out, x + SVG_FONT + 3, y, SVG_START, SVG_FONT, 0, PLOT_INK, name);
}

void plot_hatch(FILE *out, double x, double y, double width, double height)
{
    const double apart = 2.5;
    for (double at = apart / 2; at < height; at += apart)
        svg_line(out, x, y + at, x + width, y + at, "#ffffff");
}

const char *plot_label(const struct run *run)
{
    const char *slash = strrchr(run->path, '/');
    return slash && slash[1] ? slash + 1 : run->path;
}
