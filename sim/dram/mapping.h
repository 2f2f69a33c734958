/*
 * Which bits of an address choose channel, bank, row and column.
 *
 * An order is written from the highest field to the lowest, two letters each:
 * Ro row, Ba bank, Bg bank group, Ra rank, Pc pseudo-channel, Ch channel, Co
 * column. A number after a field takes only that many bits of it; its higher
 * bits stand further left: "RoCoBaBgRaCo2Ch" has the two lowest column bits
 * between rank and channel. Bank groups that are not named stand right below
 * the banks, pseudo-channels right below the ranks; any other field that is
 * not named must have one unit only. "+xor" at the end: channel,
 * pseudo-channel, rank, bank group, bank and row, in this order, are xored
 * with successive slices of the column number, from its lowest bit, as wide as
 * the field. The transaction's byte bits are lowest and not named; bits above
 * the highest field are ignored.
 *
 * The reference's names mean what they mean there (pseudo-channels above the
 * ranks in the second):
 *   RoBaRaCoCh    RoBaBgRaPcCoCh
 *   ChRaBaRoCo    ChPcRaBgBaRoCo
 *   RoBgBaRaChCo  the same
 *   MOP4CLXOR     RoCoBaBgRaPcChCo2+xor
 */
#ifndef SIM_DRAM_MAPPING_H
#define SIM_DRAM_MAPPING_H

#include "sim/dram/device.h"

struct dram_address {
    uint32_t at[DRAM_FIELDS]; /* by enum dram_level; DRAM_CHANNEL: of all */
};

/* What a channel needs of it; bank: of all of the channel's, the lowest bits
 * are the number in its group, then come group, rank, pseudo-channel. */
struct dram_place {
    uint32_t channel, bank, row, column;
};

struct dram_mapping;

#define DRAM_USUAL_MAPPING "RoBaRaCoCh"

/*
 * order: NULL or empty is the usual one. channels: a power of two or 1. NULL
 * and an error that names the unknown letters, the missing or repeated field.
 */
struct dram_mapping *dram_mapping_new(const char *order,
                                      const struct dram_device *device,
                                      uint32_t channels, struct error *error);
struct dram_address dram_map(const struct dram_mapping *mapping,
                             uint64_t address);
struct dram_place dram_locate(const struct dram_mapping *mapping,
                              uint64_t address);
void dram_mapping_free(struct dram_mapping *mapping);

/* Writes the order for several channels where this one names none: they change
 * right above the lowest column bits. False: it names them, or is the usual
 * one. */
bool dram_mapping_of_channels(const char *order, char *text, size_t size);

#endif
