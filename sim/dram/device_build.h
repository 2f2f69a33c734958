/*
 * How a device gets its rules and parameters, whether from a table of ours or
 * from a folder. For device.c, standard.c and folder.c only.
 */
#ifndef SIM_DRAM_DEVICE_BUILD_H
#define SIM_DRAM_DEVICE_BUILD_H

#include "sim/dram/device.h"

/* Level, field or command by any spelling of the two generations of the
 * reference; -1: none of that name. */
int dram_field_of(const char *name);
int dram_command_of(const char *name);
/* Commands of the standards that no controller here issues. */
bool dram_command_ignored(const char *name);

struct dram_device *dram_device_empty(void);
/* A command exists as soon as it is named; the first spelling is printed. */
void dram_device_knows(struct dram_device *device, enum dram_command command,
                       const char *spelling);
void dram_device_add_rule(struct dram_device *device, struct dram_rule rule);
void dram_device_set_parameter(struct dram_device *device, const char *name,
                               int64_t value);
/*
 * Called when all is there: sorts the rules, leaves out what says nothing, and
 * takes the cycles from the parameters. Fails if a needed one is missing or
 * the organisation is impossible; the error says which.
 */
bool dram_device_finish(struct dram_device *device, struct error *error);

#endif
