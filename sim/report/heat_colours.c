/* A path through OKLab: lightness and hue change by the same amount from one
 * colour to the next. */
#include "sim/report/heat_colours.h"
#include <math.h>
#include <stdbool.h>

struct lab {
    double l, a, b;
};

/* Linear red, green and blue; outside of 0..1 there is no such colour. */
static void to_linear(struct lab c, double rgb[3])
{
    double l = pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
    double m = pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
    double s = pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool exists(struct lab c)
{
    double rgb[3];
    to_linear(c, rgb);
    for (unsigned i = 0; i < 3; i++)
        if (rgb[i] < 0 || rgb[i] > 1)
            return false;
    return true;
}

static struct lab of_hue(double lightness, double chroma, double hue)
{
    return (struct lab){lightness, chroma * cos(hue), chroma * sin(hue)};
}

/* The path at 0..1: as colourful as sRGB lets it be, up to a limit. */
static struct lab at(double t)
{
    const double turn = 2 * acos(-1.0), most = 0.17;
    double lightness = 0.14 + 0.83 * t, hue = turn * (295 + 170 * t) / 360;
    double low = 0, high = most / 0.95;
    for (unsigned i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        if (exists(of_hue(lightness, middle, hue)))
            low = middle;
        else
            high = middle;
    }
    return of_hue(lightness, 0.95 * low, hue);
}

static uint8_t encode(double linear)
{
    double v = linear < 0 ? 0 : linear > 1 ? 1 : linear;
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (uint8_t)lround(255 * v);
}

void colours_compute(struct colours *c)
{
    for (unsigned i = 0; i < COLOURS; i++) {
        double rgb[3];
        to_linear(at((double)i / (COLOURS - 1)), rgb);
        for (unsigned part = 0; part < 3; part++)
            c->rgb[i][part] = encode(rgb[part]);
    }
}
