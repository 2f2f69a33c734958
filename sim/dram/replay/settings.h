/*
 * What a replay needs besides the requests: a device, and how the controller
 * is set up. A device's name or a folder chooses all of it; options replace
 * single settings.
 */
#ifndef SIM_DRAM_REPLAY_SETTINGS_H
#define SIM_DRAM_REPLAY_SETTINGS_H

#include "sim/core/param.h"
#include "sim/dram/dram.h"

/* Named as the options of dram-run and the parameters of the dram unit. */
#define SETTINGS(X, T)                                                         \
    X(rules, 2, 0, 2, "=ramulator20|arches|ramulator21",                       \
      "generation of the reference whose details hold")                        \
    X(scheduler, 0, 0, 1, "=first_ready|row_hit", "which request comes first") \
    X(row_policy, 0, 0, 2, "=open|closed|timeout", "when rows are closed")     \
    X(cap, 4, 1, 1000000, "accesses", "closed: after that many to a row")      \
    X(timeout, 500, 1, 1000000000, "clocks", "timeout: without access")        \
    X(refresh, 0, 0, 2, "=all|bank|off", "of all banks, bank by bank, none")   \
    T(mapping, "", 63, "order", "bits of an address, highest field first")     \
    X(channels, 1, 1, 64, "channels", "a power of two, behind one port")       \
    X(read_queue, 32, 1, 16384, "requests", "of a channel")                    \
    X(write_queue, 32, 1, 16384, "requests", "of a channel")                   \
    X(active_queue, 256, 1, 16384, "requests",                                 \
      "of a channel: their rows were opened for them")                         \
    X(write_high, 800, 0, 1000, "per mille", "writes are drained above ...")   \
    X(write_low, 200, 0, 1000, "per mille", "... until below")

struct settings {
    SETTINGS(PARAM_FIELD, TEXT_FIELD)
};

extern const struct param settings_table[];
extern const unsigned settings_count;

/* A setting by name, from the command line. */
struct override {
    const struct param *param;
    const char *text;
};

/*
 * The device and its settings; the caller frees the device. how says in words
 * where the settings are from, "" for a name. NULL and an error if there is no
 * such device or folder, or an override is impossible.
 */
struct dram_device *settings_choose(const char *name,
                                    const struct override *overrides,
                                    unsigned count, struct settings *settings,
                                    char how[128], struct error *error);

struct dram_options settings_options(const struct settings *settings,
                                     const struct dram_device *device);

/* Names that settings_choose knows, a line each, with their settings. */
void settings_list(FILE *out);

#endif
