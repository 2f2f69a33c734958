/*
 * What the targets share: input under the name of a file, the check of an
 * error, and chips. A target is one function that libFuzzer calls with bytes
 * (LLVMFuzzerTestOneInput): it hands them to a reader, which takes or refuses
 * them. Findings are what sanitizers report, aborts, hangs, and more memory
 * than the limit of ci/fuzz/run.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "sim/core/chip.h"
#include "sim/units/common/machine.h"

/* Of each target. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path that leads to these bytes until the next call. The path may be opened
 * any number of times, and there is always only one. */
const char *fuzz_path(const void *data, size_t size);

/* An own folder, made at the first call, removed when the process exits. */
const char *fuzz_folder(void);

/* Aborts if the error is not one line with text in it. */
void fuzz_check_error(const struct error *error);

/* A copy of the bytes with a 0 behind them, for free(). */
char *fuzz_text(const uint8_t *data, size_t size);

/* The chip of a description in sim/arch, with a setting. Ends the process if
 * there is none. */
struct chip *fuzz_chip(const char *path, const char *setting,
                       struct machine *m);

#endif
