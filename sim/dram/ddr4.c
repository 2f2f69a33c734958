/*
 * DDR4, 8 Gb x8 devices, a 64-bit channel of one rank (or two).
 *
 * Times: JESD79-4 tables of AC timing (tRAS 32 ns, tWR 15 ns, tRTP, tWTR,
 * tCCD_L, tRRD_L, tFAW for 1 KiB pages) and of speed bins: 2400 17-17-17, 2666V
 * 19-19-19, 2933Y 21-21-21, 3200AA 22-22-22. tRFC: the standard asks for
 * 350 ns at 8 Gb; 360 ns is what Ramulator 2 uses, kept so that its traces
 * hold. nWTRA: from a write to a read of another rank, whose data must not
 * come earlier on the bus; Ramulator 2.0 has the two latencies the wrong way
 * round, which makes 12 cycles. nRTWA: from a read to a write of another rank;
 * Ramulator 2.0 has that to a read, 6 cycles, and so two bursts at a time.
 */
#include "sim/dram/standard.h"

static const struct dram_rule_row rules[] = {
    RULE(DRAM_CHANNEL, "RD RDA", "RD RDA", "nBL"),
    RULE(DRAM_CHANNEL, "WR WRA", "WR WRA", "nBL"),
    RULE(DRAM_RANK, "ACT", "ACT", "nRRDS"),
    FOURTH(DRAM_RANK, "ACT", "ACT", "nFAW"),
    RULE(DRAM_RANK, "ACT", "PREA", "nRAS"),
    RULE(DRAM_RANK, "ACT", "REFab", "nRC"),
    RULE(DRAM_RANK, "PRE PREA", "REFab", "nRP"),
    RULE(DRAM_RANK, "PREA", "ACT", "nRP"),
    RULE(DRAM_RANK, "RD RDA", "RD RDA", "nCCDS"),
    RULE(DRAM_RANK, "WR WRA", "WR WRA", "nCCDS"),
    RULE(DRAM_RANK, "RD RDA", "WR WRA", "nCL+nBL+2-nCWL"),
    RULE(DRAM_RANK, "WR WRA", "RD RDA", "nCWL+nBL+nWTRS"),
    ACROSS(DRAM_RANK, "RD RDA", "RD RDA", "nBL+nCS"),
    ACROSS(DRAM_RANK, "RD RDA", "WR WRA", "nRTWA"),
    ACROSS(DRAM_RANK, "WR WRA", "RD RDA", "nWTRA"),
    RULE(DRAM_RANK, "RD", "PREA", "nRTP"),
    RULE(DRAM_RANK, "WR", "PREA", "nCWL+nBL+nWR"),
    RULE(DRAM_RANK, "RDA", "REFab", "nRTP+nRP"),
    RULE(DRAM_RANK, "WRA", "REFab", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_RANK, "REFab", "ACT PREA", "nRFC"),
    RULE(DRAM_GROUP, "ACT", "ACT", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL+nWTRL"),
    RULE(DRAM_BANK, "ACT", "ACT", "nRC"),
    RULE(DRAM_BANK, "ACT", "RD RDA WR WRA", "nRCD"),
    RULE(DRAM_BANK, "ACT", "PRE", "nRAS"),
    RULE(DRAM_BANK, "PRE", "ACT", "nRP"),
    RULE(DRAM_BANK, "RD", "PRE", "nRTP"),
    RULE(DRAM_BANK, "WR", "PRE", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT", "nRTP+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT", "nCWL+nBL+nWR+nRP"),
};

static const struct dram_organisation one_rank = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 65536,
    .columns = 128,
    .transaction = 64,
};
static const struct dram_organisation two_ranks = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 2,
    .groups = 4,
    .banks = 4,
    .rows = 65536,
    .columns = 128,
    .transaction = 64,
};

#define AT_3200 "rate=3200 tCK_ps=625 nCL=22 nCWL=16"
static const struct dram_grade grades[] = {
    {"ddr4-2400", &one_rank, 1200000, "rate=2400 tCK_ps=833 nCL=17 nCWL=12"},
    {"ddr4-2666", &one_rank, 1333333, "rate=2666 tCK_ps=750 nCL=19 nCWL=14"},
    {"ddr4-2933", &one_rank, 1466667, "rate=2933 tCK_ps=682 nCL=21 nCWL=16"},
    {"ddr4-3200", &one_rank, 1600000, AT_3200},
    {"ddr4-3200-2rank", &two_ranks, 1600000, AT_3200},
    {"ddr4-3200-2rank-ramulator20", &two_ranks, 1600000,
     AT_3200 " nWTRA=12 nRTWA=6"},
};

const struct dram_standard dram_ddr4 = {
    .name = "DDR4",
    .refresh_scope = DRAM_RANK,
    .round_factor = 1000,
    .round_add = 974,
    .parameters =
        "nBL=4 nRCD=nCL nRP=nCL nRAS=32ns nRC=nRAS+nRP nWR=15ns "
        "nRTP=max(4,7.5ns) nCCDS=4 nCCDL=max(5,5ns) nRRDS=4 nRRDL=max(4,4.9ns) "
        "nWTRS=max(2,2.5ns) nWTRL=max(4,7.5ns) nFAW=max(20,21ns) "
        "nRFC=360ns nREFI=7800ns nCS=2 nWTRA=nCWL+nBL+nCS-nCL "
        "nRTWA=nCL+nBL+nCS-nCWL",
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades),
};
