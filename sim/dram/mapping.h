/*
 * Which bits of an address choose channel, bank, row and column.
 *
 * An order is written from the highest field to the lowest, two letters each:
 * Ro row, Ba bank, Bg bank group, Ra rank, Pc pseudo-channel, Ch channel, Co
 * column. A number after a field takes only that many bits of it, the rest
 * stands elsewhere without number: "RoCoBaBgRaCo2Ch" has the two lowest column
 * bits below the rank. A field that is not named stands above the row, except
 * that Ba without Bg (or Pc, Ra) is as in the reference: see mapping.c. "+xor"
 * at the end: channel, rank, bank group, bank and row are xored with slices of
 * the column number (MOP4CLXOR). The transaction's byte bits are lowest and
 * not named.
 */
#ifndef SIM_DRAM_MAPPING_H
#define SIM_DRAM_MAPPING_H

#include "sim/dram/device.h"

struct dram_address {
    uint32_t at[DRAM_FIELDS]; /* by enum dram_level; DRAM_CHANNEL: of all */
};

struct dram_mapping;

/*
 * channels: a power of two or 1; NULL and an error that names the unknown
 * letters, the missing or repeated field.
 */
struct dram_mapping *dram_mapping_new(const char *order,
                                      const struct dram_device *device,
                                      uint32_t channels, struct error *error);
struct dram_address dram_map(const struct dram_mapping *mapping,
                             uint64_t address);
void dram_mapping_free(struct dram_mapping *mapping);

#endif
