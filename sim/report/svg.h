/*
 * Pictures for papers: SVG, in points of 1/72 inch, from the top left on. Text
 * is text, and may be anything: it is written so that it stays within its
 * element.
 */
#ifndef SIM_REPORT_SVG_H
#define SIM_REPORT_SVG_H

#include <stdio.h>

#define SVG_FONT 9.0 /* points, of text if nothing else is said */

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

void svg_begin(FILE *out, double width, double height);
void svg_end(FILE *out);

/* fill: #rrggbb. run and name say what the rectangle is of, and value how much:
 * as attributes data-..., for readers of the file. */
void svg_bar(FILE *out, double x, double y, double width, double height,
             const char *fill, const char *run, const char *name, double value);
void svg_rect(FILE *out, double x, double y, double width, double height,
              const char *fill);
void svg_line(FILE *out, double x0, double y0, double x1, double y1,
              const char *stroke);

/* A line through points, added one by one. name: as of svg_bar. */
void svg_path_begin(FILE *out, const char *stroke, const char *name);
void svg_path_point(FILE *out, double x, double y);
void svg_path_end(FILE *out);

/* y: of the base line. turn: degrees, clockwise, about x, y. */
void svg_text(FILE *out, double x, double y, enum svg_anchor anchor,
              double size, double turn, const char *fill, const char *text);

/* About how wide a text is: fonts differ. */
double svg_width(const char *text, double size);

#endif
