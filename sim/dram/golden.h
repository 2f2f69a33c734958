/*
 * For tests: the reference data, if it is there. ${CORBEL_SHARED:-../shared}
 * has a folder dram-golden with one folder for each device.
 */
#ifndef SIM_DRAM_GOLDEN_H
#define SIM_DRAM_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOLDEN_FOLDERS(X)                                                      \
    X("gddr6-arches-14000")                                                    \
    X("gddr6-arches-pch")                                                      \
    X("gddr6-stock")                                                           \
    X("ddr4-3200")                                                             \
    X("ddr4-3200-2rank-mop")                                                   \
    X("ddr4-3200-norefresh")                                                   \
    X("ddr4-3200-closedrow")                                                   \
    X("ddr5-3200")                                                             \
    X("hbm2")                                                                  \
    X("v21-ddr4-3200")                                                         \
    X("v21-ddr4-3200-closedcap-norefresh")                                     \
    X("v21-gddr6-14000-rowhit")                                                \
    X("v21-hbm2")                                                              \
    X("v21-lpddr5-6400")

#define GOLDEN_STREAMS(X)                                                      \
    X("sequential")                                                            \
    X("rowconflict")                                                           \
    X("random")                                                                \
    X("random-light")                                                          \
    X("bank8")                                                                 \
    X("mix7030")                                                               \
    X("bursty")                                                                \
    X("chase")                                                                 \
    X("locality")

#define GOLDEN_NAME(name) name,

/* The path of a file of the reference data; "" if the data is not there. */
static inline const char *golden_path(const char *folder, const char *file)
{
    static char path[1024];
    const char *shared = getenv("CORBEL_SHARED");
    snprintf(path, sizeof path, "%s/dram-golden/%s%s%s",
             shared ? shared : "../shared", folder, *file ? "/" : "", file);
    if (access(path, R_OK))
        path[0] = 0;
    return path;
}

#endif
