/*
 * The chip descriptions that come with sim-run: share/corbel/arch/NAME.lua
 * beside the bin directory of the running program, built or installed.
 */
#ifndef SIM_PRESETS_H
#define SIM_PRESETS_H

#include "sim/core/error.h"
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/* Where they are. */
bool presets_directory(char path[PATH_MAX], struct error *error);

/* Path of the file that --arch names: a preset, or a path (with / or .lua). */
bool presets_find(const char *arch, char *path, size_t size,
                  struct error *error);

/* One line per preset: its name and what its file's first line says. */
bool presets_list(FILE *out, struct error *error);

#endif
