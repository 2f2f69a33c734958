/*
 * HBM2: a channel of two pseudo-channels of 64 bits, which share the commands
 * but not the data; a transaction is 32 bytes. Row and column commands have a
 * bus each. ACT takes two cycles; what starts at its end is a cycle later, what
 * ends at its beginning a cycle earlier.
 *
 * hbm2-*: Ramulator 2.1's rules and presets, refresh as in JESD235 (tREFI 3.9
 * us, tRFC 350 ns at 8 Gb, single banks 160 ns). 8 Gb per pseudo-channel, rows
 * of 1 KiB. CK is half the data rate.
 *
 * hbm2-2000-ramulator20: Ramulator 2.0's device, with 16-byte transactions.
 * Mistakes that are known: nBL of 4 cycles in a pseudo-channel halves the
 * bandwidth; tRC is shorter than tRAS + tRP; nREFISB is a tRFC.
 */
#include "sim/dram/standard.h"

/* ---- as in Ramulator 2.1 ---- */

static const struct dram_rule_row rules[] = {
    RULE(DRAM_CHANNEL, "ACT", "ACT PRE PREA REFab REFpb", "2"),
    RULE(DRAM_PSEUDO, "ACT", "ACT", "nRRDS"),
    FOURTH(DRAM_PSEUDO, "ACT", "ACT", "nFAW"),
    RULE(DRAM_PSEUDO, "ACT", "PREA", "nRAS+1"),
    RULE(DRAM_PSEUDO, "ACT", "REFab", "nRC+1"),
    RULE(DRAM_PSEUDO, "ACT", "REFpb", "nRRDS+1"),
    RULE(DRAM_PSEUDO, "PRE PREA", "REFab", "nRP"),
    RULE(DRAM_PSEUDO, "PREA", "ACT", "nRP-1"),
    RULE(DRAM_PSEUDO, "RD RDA", "RD RDA", "max(nBL,nCCDS)"),
    RULE(DRAM_PSEUDO, "WR WRA", "WR WRA", "max(nBL,nCCDS)"),
    RULE(DRAM_PSEUDO, "RD RDA", "WR WRA", "nCL+nBL+2-nCWL"),
    RULE(DRAM_PSEUDO, "WR WRA", "RD RDA", "nCWL+nBL+nWTRS"),
    RULE(DRAM_PSEUDO, "RD", "PREA", "nRTPL"),
    RULE(DRAM_PSEUDO, "WR", "PREA", "nCWL+nBL+nWR"),
    RULE(DRAM_PSEUDO, "RDA", "REFab", "nRTPL+nRP"),
    RULE(DRAM_PSEUDO, "WRA", "REFab", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_PSEUDO, "REFab", "ACT", "nRFC-1"),
    RULE(DRAM_PSEUDO, "REFab", "PREA", "nRFC"),
    RULE(DRAM_PSEUDO, "REFpb", "ACT", "nRREFD-1"),
    RULE(DRAM_GROUP, "ACT", "ACT", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL+nWTRL"),
    RULE(DRAM_BANK, "ACT", "ACT", "nRC"),
    RULE(DRAM_BANK, "ACT", "RD RDA", "nRCDRD+1"),
    RULE(DRAM_BANK, "ACT", "WR WRA", "nRCDWR+1"),
    RULE(DRAM_BANK, "ACT", "PRE", "nRAS+1"),
    RULE(DRAM_BANK, "ACT", "REFpb", "nRC+1"),
    RULE(DRAM_BANK, "PRE", "ACT", "nRP-1"),
    RULE(DRAM_BANK, "PRE", "REFpb", "nRP"),
    RULE(DRAM_BANK, "RD", "PRE", "nRTPL"),
    RULE(DRAM_BANK, "WR", "PRE", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT", "nRTPL+nRP-1"),
    RULE(DRAM_BANK, "WRA", "ACT", "nCWL+nBL+nWR+nRP-1"),
    RULE(DRAM_BANK, "REFpb", "ACT", "nRFCpb-1"),
    ADDED_FOURTH(DRAM_PSEUDO, "ACT", "REFpb", "nFAW+1"),
    ADDED(DRAM_PSEUDO, "PREA", "REFpb", "nRP"),
    ADDED(DRAM_PSEUDO, "REFab", "REFab REFpb", "nRFC"),
    ADDED(DRAM_PSEUDO, "REFpb", "PREA REFab", "nRFCpb"),
    ADDED(DRAM_PSEUDO, "REFpb", "REFpb", "nRREFD"),
    ADDED(DRAM_BANK, "RDA", "REFpb", "nRTPL+nRP"),
    ADDED(DRAM_BANK, "WRA", "REFpb", "nCWL+nBL+nWR+nRP"),
    ADDED(DRAM_BANK, "REFpb", "REFpb", "nRFCpb"),
};

static const struct dram_organisation organisation = {
    .channels = 1,
    .pseudo = 2,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 65536,
    .columns = 32,
    .transaction = 32,
};

static const struct dram_grade grades[] = {
    {"hbm2-1600", &organisation, 800000,
     "rate=1600 tCK_ps=1250 nCL=10 nRCDRD=10 nRCDWR=8 nRP=10 nRAS=24 nWR=12 "
     "nRTPL=4 nCWL=4 nWTRS=5 nWTRL=6"},
    {"hbm2-2000", &organisation, 1000000,
     "rate=2000 tCK_ps=1000 nCL=14 nRCDRD=14 nRCDWR=12 nRP=14 nRAS=34 nWR=16 "
     "nRTPL=5 nCWL=5 nWTRS=6 nWTRL=8"},
    {"hbm2-2400", &organisation, 1200000,
     "rate=2400 tCK_ps=833 nCL=17 nRCDRD=17 nRCDWR=14 nRP=17 nRAS=40 nWR=19 "
     "nRTPL=6 nCWL=6 nWTRS=8 nWTRL=10"},
};
const struct dram_standard dram_hbm2 = {
    .name = "HBM2",
    .refresh_scope = DRAM_PSEUDO,
    .dual_bus = true,
    .round_factor = 1000,
    .round_add = 999,
    /* nREFIpb, as 2.1 has it: 3900 ns for the 32 banks of both pseudo-channels;
     * nothing here rests on it, since each of these has 16 REFpb in nREFI. */
    .parameters = "nBL=2 nRC=nRAS+nRP nCCDS=2 nCCDL=4 nRRDS=max(4,4ns) "
                  "nRRDL=max(4,4ns) nFAW=max(8,15ns) nRFC=350ns nRFCpb=160ns "
                  "nRREFD=max(4,8ns) nREFI=3900ns nREFIpb=121.875ns",
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades),
};

/* ---- as in Ramulator 2.0, which calls a refresh of one bank REFsb ---- */

static const struct dram_rule_row rules20[] = {
    RULE(DRAM_CHANNEL, "ACT", "ACT PRE PREA REFab REFpb", "2"),
    RULE(DRAM_PSEUDO, "ACT", "ACT", "nRRDS"),
    FOURTH(DRAM_PSEUDO, "ACT", "ACT", "nFAW"),
    RULE(DRAM_PSEUDO, "ACT", "REFpb", "nRRDS+1"),
    RULE(DRAM_PSEUDO, "ACT", "PREA", "nRAS"),
    RULE(DRAM_PSEUDO, "ACT", "REFab", "nRC"),
    RULE(DRAM_PSEUDO, "PRE PREA", "REFab", "nRP"),
    RULE(DRAM_PSEUDO, "PREA", "ACT", "nRP"),
    RULE(DRAM_PSEUDO, "RD RDA", "RD RDA", "max(nBL,nCCDS)"),
    RULE(DRAM_PSEUDO, "WR WRA", "WR WRA", "max(nBL,nCCDS)"),
    RULE(DRAM_PSEUDO, "RD RDA", "WR WRA", "nCL+nBL+2-nCWL"),
    RULE(DRAM_PSEUDO, "WR WRA", "RD RDA", "nCWL+nBL+nWTRS"),
    RULE(DRAM_PSEUDO, "RD", "PREA", "nRTPS"),
    RULE(DRAM_PSEUDO, "WR", "PREA", "nCWL+nBL+nWR"),
    RULE(DRAM_PSEUDO, "RDA", "REFab", "nRTPS+nRP"),
    RULE(DRAM_PSEUDO, "WRA", "REFab", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_PSEUDO, "REFab", "ACT REFpb", "nRFC"),
    RULE(DRAM_PSEUDO, "REFpb", "REFpb", "nRREFD"),
    RULE(DRAM_PSEUDO, "REFpb", "ACT", "nRREFD-1"),
    RULE(DRAM_GROUP, "ACT", "ACT", "nRRDL"),
    RULE(DRAM_GROUP, "ACT", "REFpb", "nRRDL+1"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL+nWTRL"),
    RULE(DRAM_GROUP, "REFpb", "ACT", "nRRDL-1"),
    RULE(DRAM_BANK, "ACT", "ACT", "nRC"),
    RULE(DRAM_BANK, "ACT", "RD RDA", "nRCDRD"),
    RULE(DRAM_BANK, "ACT", "WR WRA", "nRCDWR"),
    RULE(DRAM_BANK, "ACT", "PRE", "nRAS"),
    RULE(DRAM_BANK, "PRE", "ACT", "nRP"),
    RULE(DRAM_BANK, "RD", "PRE", "max(nRTPS,nRTPL)"),
    RULE(DRAM_BANK, "WR", "PRE", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT REFpb", "nRTPL+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT REFpb", "nCWL+nBL+nWR+nRP"),
};

static const struct dram_organisation organisation20 = {
    .channels = 1,
    .pseudo = 2,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 32768,
    .columns = 32,
    .transaction = 16,
};

static const struct dram_grade grades20[] = {
    {"hbm2-2000-ramulator20", &organisation20, 1000000,
     "rate=2000 tCK_ps=1000 nBL=4 nCL=7 nRCDRD=7 nRCDWR=7 nRP=7 nRAS=17 nRC=19 "
     "nWR=8 nRTPS=2 nRTPL=3 nCWL=2 nCCDS=1 nCCDL=2 nRRDS=2 nRRDL=3 nWTRS=3 "
     "nWTRL=4 nRTW=3 nFAW=15 nRFC=350 nRFCSB=160 nREFI=3900 nREFISB=350 "
     "nRREFD=8"},
};
const struct dram_standard dram_hbm2_ramulator20 = {
    .name = "HBM2",
    .refresh_scope = DRAM_PSEUDO,
    .dual_bus = true,
    .round_factor = 1000,
    .round_add = 974,
    .parameters = "",
    DRAM_TABLE(rule, rules20),
    DRAM_TABLE(grade, grades20),
};
