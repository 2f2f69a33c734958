/*
 * How long a transfer over PCIe takes, by its size: the longer it is, the
 * nearer its bandwidth comes to the link's. The time is a whole number of core
 * cycles that depends on nothing but the curve and the size, so it is known
 * when a transfer starts.
 */
#ifndef SIM_UVM_CURVE_H
#define SIM_UVM_CURVE_H

#include "sim/core/error.h"
#include <stdint.h>

enum uvm_curve_model {
    UVM_ATAN,   /* GiB/s = 2 a / pi atan(0.07292 KB), rounded to binary32 */
    UVM_TABLE,  /* GB/s through points, straight in log2 of the size */
    UVM_LINEAR, /* a latency, then a constant bandwidth */
};

#define UVM_POINTS_MAX 16

/* A point of a table; by default those that were measured on a GTX 1080 Ti. */
struct uvm_point {
    double kib, gb_per_second; /* 1024 bytes; 10^9 bytes a second */
};

struct uvm_curve {
    enum uvm_curve_model model;
    double mhz; /* of the core */
    double a;   /* atan: 12 for 16 GB/s, 24 for 32, 48 for 64 */
    /* linear: ns before the first byte; GB/s (10^9) */
    double latency, bandwidth;
    struct uvm_point points[UVM_POINTS_MAX]; /* table: ascending sizes */
    unsigned point_count;
};

/* atan at 16 GB/s with usual values for the other models; mhz: of the core. */
struct uvm_curve uvm_curve_default(double mhz);

/* "4:3.2219 16:6.4437": KiB and GB/s of two points or more, by size. */
bool uvm_curve_points(struct uvm_curve *curve, const char *text,
                      struct error *error);

/* Core cycles, truncated; bytes: 1 to 2^40. */
uint64_t uvm_curve_cycles(const struct uvm_curve *curve, uint64_t bytes);

#endif
