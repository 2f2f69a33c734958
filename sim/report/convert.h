/* Plots as files of other kinds than SVG, by rsvg-convert of librsvg. */
#ifndef SIM_REPORT_CONVERT_H
#define SIM_REPORT_CONVERT_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdio.h>

/* By the end of a file's name; SVG: of any other. */
enum plot_format { PLOT_SVG, PLOT_PDF, PLOT_PNG };
enum plot_format convert_format(const char *path);

/*
 * Writes what svg holds, from its begin on, to out, in another format: PDF
 * keeps lines and text as such, PNG has 300 dots an inch. False: there is no
 * rsvg-convert, or it has failed.
 */
bool convert_svg(FILE *svg, FILE *out, enum plot_format format,
                 struct error *error);

#endif
