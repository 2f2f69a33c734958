#include "sim/report/svg.h"
#include <string.h>

/* A text, of which XML allows no control characters. */
static void put_text(FILE *out, const char *text)
{
    for (const char *t = text; *t; t++) {
        if (strchr("<>&\"", *t))
            fprintf(out, "&#%d;", *t);
        else
            fputc((unsigned char)*t < ' ' || *t == 127 ? '?' : *t, out);
    }
}

void svg_begin(FILE *out, double width, double height)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1fpt\" "
            "height=\"%.1fpt\" viewBox=\"0 0 %.1f %.1f\" "
            "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
            width, height, width, height);
    svg_rect(out, 0, 0, width, height, "#ffffff");
}

void svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

static void rect(FILE *out, double x, double y, double width, double height,
                 const char *fill)
{
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.3f\" width=\"%.2f\" height=\"%.3f\" "
            "fill=\"%s\"",
            x, y, width, height, fill);
}

void svg_rect(FILE *out, double x, double y, double width, double height,
              const char *fill)
{
    rect(out, x, y, width, height, fill);
    fputs("/>\n", out);
}

void svg_bar(FILE *out, double x, double y, double width, double height,
             const char *fill, const char *run, const char *name, double value)
{
    rect(out, x, y, width, height, fill);
    fputs(" data-run=\"", out);
    put_text(out, run);
    fputs("\" data-name=\"", out);
    put_text(out, name);
    fprintf(out, "\" data-value=\"%.17g\"/>\n", value);
}

void svg_line(FILE *out, double x0, double y0, double x1, double y1,
              const char *stroke)
{
    fprintf(out,
            "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" "
            "stroke-width=\"0.6\" fill=\"none\"/>\n",
            x0, y0, x1, y1, stroke);
}

void svg_path_begin(FILE *out, const char *stroke, const char *name)
{
    fprintf(out,
            "<polyline stroke=\"%s\" stroke-width=\"1.1\" fill=\"none\" "
            "stroke-linejoin=\"round\" data-name=\"",
            stroke);
    put_text(out, name);
    fputs("\" points=\"", out);
}

void svg_path_point(FILE *out, double x, double y)
{
    fprintf(out, "%.3f,%.3f ", x, y);
}

void svg_path_end(FILE *out)
{
    fputs("\"/>\n", out);
}

void svg_text(FILE *out, double x, double y, enum svg_anchor anchor,
              double size, double turn, const char *fill, const char *text)
{
    static const char *const anchors[] = {
        [SVG_START] = "start", [SVG_MIDDLE] = "middle", [SVG_END] = "end"};
    fprintf(out,
            "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.1f\" "
            "fill=\"%s\"",
            x, y, anchors[anchor], size, fill);
    if (turn != 0)
        fprintf(out, " transform=\"rotate(%.1f %.2f %.2f)\"", turn, x, y);
    fputc('>', out);
    put_text(out, text);
    fputs("</text>\n", out);
}

double svg_width(const char *text, double size)
{
    return 0.62 * size * (double)strlen(text);
}
