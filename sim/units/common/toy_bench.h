/*
 * The toys of the test bench (bench.h) as kinds of units.
 */
#ifndef SIM_UNITS_TOY_BENCH_H
#define SIM_UNITS_TOY_BENCH_H

#include "sim/units/common/bench.h"

extern const struct unit_kind toy_driver_kind, toy_below_kind;

/* Doubles an array whose count is a power of two: before each addition. */
void *toy_grow(void *array, unsigned count, size_t size);

#endif
