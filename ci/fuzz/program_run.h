/*
 * What targets share that run a program: options of a small run, and a run
 * without timing, whose refusals are checked.
 */
#ifndef FUZZ_PROGRAM_RUN_H
#define FUZZ_PROGRAM_RUN_H

#include "ci/fuzz/fuzz.h"
#include "sim/host/host.h"

/* A path of fuzz.h that leads to a program: of 64 bits, one segment at 0x10000,
 * a loop that loads, adds and stores. */
static inline const char *fuzz_loop_path(void)
{
    static const uint32_t loop[] = {
        0x464c457f, 0x00010102, 0,          0, 0x00f30002, 1,
        0x00010000, 0,          64,         0, 0,          0,
        0,          0x00380040, 1,          0, 1,          7,
        120,        0,          0x00010000, 0, 0x00010000, 0,
        24,         0,          4096,       0, 4,          0,
        0x00000517, 0x10052583, 0x00158593, /* auipc a0; lw a1,256(a0); addi */
        0x10b52023, 0xff5ff06f, 0x00000013, /* sw a1,256(a0); j 0x10004; nop */
    };
    return fuzz_path(loop, sizeof loop);
}

/* argv: the program's name first. The run ends after max_cycles cycles, without
 * timing instructions. Without options.arch, what the program was built for. */
static inline struct options fuzz_options(enum run_mode mode, char **argv,
                                          int argc, uint64_t max_cycles)
{
    return (struct options){.mode = mode,
                            .fs = fuzz_folder(),
                            .memory = 64 << 20,
                            .max_cycles = max_cycles,
                            .engine.threads = 1,
                            .quiet = true,
                            .program = argv,
                            .program_argc = argc,
                            .argv = argv,
                            .argc = argc};
}

/* Runs it, and checks the line of what is refused. */
static inline void fuzz_functional(struct options *options)
{
    struct host host;
    struct error error = {""};
    int status;
    if (!host_prepare(&host, options, &status, &error) ||
        !functional_run(&host, &error))
        fuzz_check_error(&error);
    regions_free(&host.regions);
    host_free(&host);
}

#endif
