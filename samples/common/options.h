/*
 * The command line that the samples share, the same natively and on the
 * target:
 *
 *   NAME SCENE --size W[xH] --eye x,y,z --look x,y,z --fov degrees
 *        --traversal rtcore|isect|software --out image.png
 *
 * A sample says what it takes beyond --size and --out by OPTIONS_ flags.
 * Numbers are read by strtod, which is correctly rounded in every C library
 * used here; so the same text gives the same bits everywhere.
 */
#ifndef SAMPLES_OPTIONS_H
#define SAMPLES_OPTIONS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a sample traces rays. */
enum traversal {
    TRAVERSAL_RTCORE,   /* trav.traceray: the whole traversal in the RT core */
    TRAVERSAL_ISECT,    /* software traversal, trav.boxisect, trav.triisect */
    TRAVERSAL_SOFTWARE, /* plain C */
};

enum {
    OPTIONS_SCENE = 1, /* SCENE, the camera and --traversal */
    OPTIONS_HITS = 2,  /* --hits FILE */
    OPTIONS_SPP = 4,   /* --spp N, samples for each pixel */
};

struct options {
    const char *program;
    const char *scene;
    const char *out;  /* image file */
    const char *hits; /* NULL: no hit records wanted */
    unsigned width, height;
    unsigned spp;
    enum traversal traversal;
    bool has_eye, has_look, has_fov; /* else the scene's own camera */
    double eye[3], look[3];
    double fov; /* vertical, degrees, 0 < fov < 180 */
};

/*
 * Fills options, which the caller sets to its defaults (program, spp) and
 * zeros; size and out have defaults of their own. Bad usage prints one line
 * and exits with status 2; --help prints the options and exits with 0.
 */
void options_parse(struct options *options, unsigned takes, int argc,
                   char **argv);

/* Prints "program: what: why" on stderr and exits with status 1. */
void options_die(const struct options *options, const char *what,
                 const char *why) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
