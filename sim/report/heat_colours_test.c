/*
 * False colours: steps look alike, and each is lighter than the one before, as
 * OKLab and the luminance of sRGB have it.
 */
#include "sim/report/heat_colours.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static double linear(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* OKLab of a colour, the other way round than colours.c goes. */
static void to_lab(const uint8_t rgb[3], double lab[3])
{
    double r = linear(rgb[0]), g = linear(rgb[1]), b = linear(rgb[2]);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double distance(const struct colours *c, unsigned from, unsigned to)
{
    double a[3], b[3], sum = 0;
    to_lab(c->rgb[from], a);
    to_lab(c->rgb[to], b);
    for (unsigned i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Over 8 colours, as single ones are rounded to 8 bits. */
static void steps_look_alike(void **state)
{
    struct colours c;
    double all = 0;
    unsigned count = 0;
    colours_compute(&c);
    for (unsigned i = 0; i + 8 < COLOURS; i += 8, count++)
        all += distance(&c, i, i + 8);
    for (unsigned i = 0; i + 8 < COLOURS; i += 8)
        assert_float_equal(distance(&c, i, i + 8) * count / all, 1, 0.1);
}

static void more_is_lighter(void **state)
{
    struct colours c;
    double before = -1;
    colours_compute(&c);
    for (unsigned i = 0; i < COLOURS; i++) {
        double light = 0.2126 * linear(c.rgb[i][0]) +
                       0.7152 * linear(c.rgb[i][1]) +
                       0.0722 * linear(c.rgb[i][2]);
        assert_true(light > before - 0.0005); /* what rounding may take */
        assert_true(i % 8 || light > before);
        before = i % 8 ? before : light;
    }
    assert_true(before > 0.8);
    assert_in_range(c.rgb[0][0] + c.rgb[0][1] + c.rgb[0][2], 0, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_look_alike),
        cmocka_unit_test(more_is_lighter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
