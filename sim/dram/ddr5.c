/*
 * DDR5, 16 Gb x8 devices, a 32-bit sub-channel of one rank. ACT and column
 * commands take the command bus for two cycles.
 *
 * Times: JESD79-5 tables of AC timing for 16 Gb and 1 KiB pages; speed bins AN:
 * nCL 34, 40, 46 as in Ramulator 2.1's presets, 28 at 4000. Writes of whole
 * transactions need no read-modify-write, so tCCD_L_WR2 holds. ddr5-3200 is
 * Ramulator 2.0's preset: tRRD_L of 5 is less than tRRD_S and so without
 * effect; tRC 47 ns; nothing about two PRE (nPRE2PRE, elsewhere tPPD).
 */
#include "sim/dram/standard.h"

#define ALL "ACT PRE PREA RD WR RDA WRA REFab REFsb"

static const struct dram_rule_row rules[] = {
    RULE(DRAM_CHANNEL, "ACT RD WR RDA WRA", ALL, "2"),
    RULE(DRAM_CHANNEL, "RD RDA", "RD RDA", "nBL"),
    RULE(DRAM_CHANNEL, "WR WRA", "WR WRA", "nBL"),
    RULE(DRAM_RANK, "ACT", "ACT", "nRRDS"),
    FOURTH(DRAM_RANK, "ACT", "ACT", "nFAW"),
    RULE(DRAM_RANK, "ACT", "PREA", "nRAS"),
    RULE(DRAM_RANK, "ACT", "REFab", "nRC"),
    RULE(DRAM_RANK, "PRE", "REFab", "nRP"),
    RULE(DRAM_RANK, "PREA", "ACT REFab REFsb", "nRP"),
    RULE(DRAM_RANK, "PRE PREA", "PRE PREA", "nPRE2PRE"),
    RULE(DRAM_RANK, "RD RDA", "RD RDA", "nCCDS"),
    RULE(DRAM_RANK, "WR WRA", "WR WRA", "nCCDS_WR"),
    RULE(DRAM_RANK, "RD RDA", "WR WRA", "nCL+nBL+4-nCWL"),
    RULE(DRAM_RANK, "WR WRA", "RD RDA", "nCCDS_WTR"),
    ACROSS(DRAM_RANK, "RD RDA", "RD RDA", "nBL+nCS"),
    ACROSS(DRAM_RANK, "RD RDA", "WR WRA", "nCL+nBL+nCS-nCWL"),
    ACROSS(DRAM_RANK, "WR WRA", "RD RDA", "nCWL+nBL+nCS-nCL"),
    RULE(DRAM_RANK, "RD", "PREA", "nRTP"),
    RULE(DRAM_RANK, "WR", "PREA", "nCWL+nBL+nWR"),
    RULE(DRAM_RANK, "RDA", "REFab", "nRTP+nRP"),
    RULE(DRAM_RANK, "WRA", "REFab", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_RANK, "REFab", "ACT PREA REFab REFsb", "nRFC1"),
    RULE(DRAM_RANK, "REFsb", "PREA REFab", "nRFCsb"),
    RULE(DRAM_GROUP, "ACT", "ACT", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL_WR"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCCDL_WTR"),
    RULE(DRAM_BANK, "ACT", "ACT REFsb", "nRC"),
    RULE(DRAM_BANK, "ACT", "RD RDA WR WRA", "nRCD"),
    RULE(DRAM_BANK, "ACT", "PRE", "nRAS"),
    RULE(DRAM_BANK, "PRE", "ACT REFsb", "nRP"),
    RULE(DRAM_BANK, "RD", "PRE", "nRTP"),
    RULE(DRAM_BANK, "WR", "PRE", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "WR", "RDA", "nCWL+nBL+nWR-nRTP"),
    RULE(DRAM_BANK, "RDA", "ACT REFsb", "nRTP+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT REFsb", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_BANK, "REFsb", "ACT REFsb", "nRFCsb"),
    ADDED(DRAM_RANK, "ACT", "REFsb", "max(nRRDS,nRRDL)"),
    ADDED(DRAM_RANK, "REFsb", "ACT", "nREFSBRD"),
    ADDED(DRAM_RANK, "REFsb", "REFsb", "nRFCsb"),
};

static const struct dram_organisation organisation = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 8,
    .banks = 4,
    .rows = 65536,
    .columns = 64,
    .transaction = 64,
};

static const struct dram_grade grades[] = {
    {"ddr5-3200", &organisation, 1600000,
     "rate=3200 tCK_ps=625 nCL=24 nRC=47ns nRRDL=5 nPRE2PRE=0"},
    {"ddr5-4000", &organisation, 2000000, "rate=4000 tCK_ps=500 nCL=28"},
    {"ddr5-4800", &organisation, 2400000, "rate=4800 tCK_ps=416 nCL=34"},
    {"ddr5-5600", &organisation, 2800000, "rate=5600 tCK_ps=357 nCL=40"},
    {"ddr5-6400", &organisation, 3200000, "rate=6400 tCK_ps=312 nCL=46"},
};

const struct dram_standard dram_ddr5 = {
    .name = "DDR5",
    .refresh_scope = DRAM_RANK,
    .round_factor = 997,
    .round_add = 1000,
    .parameters =
        "nBL=8 nCWL=nCL-2 nRCD=nCL nRP=nCL nRAS=32ns nRC=nRAS+nRP nWR=30ns "
        "nRTP=max(12,7.5ns) nPPD=2 nPRE2PRE=nPPD nCCDS=8 nCCDS_WR=8 "
        "nCCDS_WTR=nCWL+nBL+max(4,2.5ns) nCCDL=max(8,5ns) "
        "nCCDL_WR=max(16,10ns) nCCDL_WTR=nCWL+nBL+max(16,10ns) nRRDS=8 "
        "nRRDL=max(8,5ns) nFAW=32 nRFC1=295ns nRFC2=160ns nRFCsb=130ns "
        "nREFSBRD=30ns nREFI=3900ns nCS=2",
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades),
};
