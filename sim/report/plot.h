/*
 * Plots for papers, as SVG (svg.h): where time went in several runs side by
 * side, and series over time. They are of the regions of interest, where a
 * program has marked any.
 */
#ifndef SIM_REPORT_PLOT_H
#define SIM_REPORT_PLOT_H

#include "sim/report/run.h"
#include "sim/report/svg.h"

/*
 * A column for each run, cut into the buckets of a group, as shares of the
 * first run's cycles; of GROUP.KIND into the legs of those requests to memory,
 * in cycles of a request. False: the error names the run that has none.
 */
bool plot_stacks(FILE *out, const struct run *runs, unsigned count,
                 const char *what, struct error *error);

/*
 * Lines over time of what the patterns choose (columns.h): bytes in GB/s, other
 * counters a cycle, buckets as shares, figures as they are; all of one of
 * these, at most PLOT_LINES.
 */
#define PLOT_LINES 12
bool plot_series(FILE *out, const struct run *run, char *const *patterns,
                 unsigned count, struct error *error);

/* ---- what plots share ---- */

#define PLOT_INK "#222222"
#define PLOT_GRID "#d9dde1"

/* Colours that readers of all kinds tell apart (after Okabe and Ito, and
 * Tol). Of more parts the later ones are hatched. */
enum { PLOT_COLOURS = 12 };
const char *plot_colour(unsigned number);

/* Black or white, for text on a colour. */
const char *plot_ink(const char *colour);

/* The frame of a plot: where its values are. */
struct plot_area {
    double left, top, width, height;
    double most; /* of the vertical axis, which begins with 0 */
};

/* The least of 1, 2, 2.5, 5 times a power of 10 by which `most` takes at most
 * `steps` steps. */
double plot_step(double most, unsigned steps);
/* The vertical axis from 0 to a->most, which becomes a multiple of its step;
 * lines across, numbers, and a title. */
void plot_axis(FILE *out, struct plot_area *a, const char *title);
double plot_y(const struct plot_area *a, double value);
/* A name with its colour, in a line of the legend. */
void plot_legend(FILE *out, double x, double y, const char *fill,
                 const char *name, bool hatched);
/* Lines over what has the colour of something else. */
void plot_hatch(FILE *out, double x, double y, double width, double height);

/* The last part of a path. */
const char *plot_label(const struct run *run);

#endif
