/* The options of corbel-scene, as the command line has them. */
#ifndef SCENE_OPTIONS_H
#define SCENE_OPTIONS_H

#include "scene_trace.h"
#include "tree.h"

/* All options of all commands. A command looks at its own and leaves the others
 * alone. */
struct options {
    struct layout layout;
    enum quality quality;
    unsigned triangles; /* 0: the default of what is generated */
    unsigned instances; /* likewise */
    bool json;
    bool embree;
    bool eye_given, look_given, fov_given;
    unsigned limit;
    struct view view;
    uint32_t shader; /* 0: by material */
    const char *hits, *ply, *obj;
};

/*
 * Reads all options, which may stand anywhere on the line; what is no option
 * comes behind them in argv from the number that is returned. --help, --version
 * and options that are not as they should be end the program.
 */
int options_read(int argc, char **argv, struct options *options);

#endif
