/*
 * LPDDR5, 8 Gb x16, a channel of 16 bits with one rank, banks in four groups of
 * four; CK is an eighth of the data rate (WCK to CK 4:1), a transaction of 32
 * bytes takes two of its cycles. A row is opened by ACT1 and then ACT2; the
 * data clock is synchronised by CAS_RD or CAS_WR and lasts while data follow.
 *
 * Times: JESD209-5 (tRCD 18 ns, tRPpb 18, tRPab 21, tRAS 42, tWR 34, tRRD 5,
 * tFAW 20, tWTR_S 6.25, tWTR_L 12; tRFCab 210, tRFCpb 120 at 8 Gb; tREFI 3906,
 * tPBR2PBR 90, tPBR2ACT 7.5), with which Ramulator 2.1's preset of 6400 Mb/s
 * agrees. Its rules, too. 5500 Mb/s has read and write latency of set A, 15
 * and 8 cycles. nRTP is the burst and nRBTP of 7.5 ns. nPREA2REF is tRPab but
 * at 6400, where 2.1 has tRPpb, 15 cycles. nREFIpb is for pairs of banks; here
 * a REFpb is of one bank, and 16 of them come in nREFI.
 */
#include "sim/dram/standard.h"

static const struct dram_rule_row rules[] = {
    RULE(DRAM_CHANNEL, "RD RDA", "RD RDA", "nBL_min"),
    RULE(DRAM_CHANNEL, "WR WRA", "WR WRA", "nBL_min"),
    RULE(DRAM_RANK, "ACT1", "ACT1", "nRRDS"),
    FOURTH(DRAM_RANK, "ACT1", "ACT1", "nFAW"),
    RULE(DRAM_RANK, "ACT1", "PREab", "nRAS"),
    RULE(DRAM_RANK, "ACT1", "REFab", "nRC"),
    RULE(DRAM_RANK, "PREpb PREab", "PREpb PREab", "nPPD"),
    RULE(DRAM_RANK, "PREpb", "REFab", "nRP"),
    RULE(DRAM_RANK, "PREab", "REFab", "nPREA2REF"),
    RULE(DRAM_RANK, "PREab", "ACT1", "nRPab"),
    RULE(DRAM_RANK, "RD RDA", "RD RDA", "nCCDS"),
    RULE(DRAM_RANK, "WR WRA", "WR WRA", "nCCDS_WR"),
    RULE(DRAM_RANK, "RD RDA", "WR WRA", "nCL+nBL_min+2-nCWL"),
    RULE(DRAM_RANK, "WR WRA", "RD RDA", "nCWL+nBL_min+nWTRS"),
    ACROSS(DRAM_RANK, "RD RDA", "RD RDA", "nBL_min+nCS"),
    ACROSS(DRAM_RANK, "RD RDA", "WR WRA", "nCL+nBL_min+nCS-nCWL"),
    ACROSS(DRAM_RANK, "WR WRA", "RD RDA", "nCWL+nBL_min+nCS-nCL"),
    RULE(DRAM_RANK, "RD", "PREab", "nRTP"),
    RULE(DRAM_RANK, "WR", "PREab", "nCWL+nBL_min+nWR"),
    RULE(DRAM_RANK, "RDA", "REFab", "nRTP+nRP"),
    RULE(DRAM_RANK, "WRA", "REFab", "nCWL+nBL_min+nWR+nRP"),
    RULE(DRAM_RANK, "REFab", "ACT1 PREab REFab REFpb", "nRFC"),
    RULE(DRAM_RANK, "REFpb", "REFpb", "nPBR2PBR"),
    RULE(DRAM_RANK, "REFpb", "REFab", "nRFCpb"),
    RULE(DRAM_RANK, "REFpb", "ACT1", "nPBR2ACT"),
    RULE(DRAM_GROUP, "ACT1", "ACT1", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL_WR"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL_max+nWTRL"),
    RULE(DRAM_BANK, "ACT1", "ACT1 REFpb", "nRC"),
    RULE(DRAM_BANK, "ACT1", "RD WR RDA WRA", "nRCD"),
    RULE(DRAM_BANK, "ACT1", "PREpb", "nRAS"),
    RULE(DRAM_BANK, "PREpb", "ACT1 REFpb", "nRP"),
    RULE(DRAM_BANK, "CAS_RD", "RD RDA", "nCAS"),
    RULE(DRAM_BANK, "CAS_WR", "WR WRA", "nCAS"),
    RULE(DRAM_BANK, "RD", "PREpb", "nRTP"),
    RULE(DRAM_BANK, "WR", "PREpb", "nCWL+nBL_min+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT1", "nRTP+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT1", "nCWL+nBL_min+nWR+nRP"),
    RULE(DRAM_BANK, "REFpb", "ACT1", "nRFCpb"),
    ADDED(DRAM_RANK, "ACT1", "REFpb", "nRRDS"),
    ADDED_FOURTH(DRAM_RANK, "ACT1", "REFpb", "nFAW"),
    ADDED(DRAM_RANK, "PREab", "REFpb", "nRPab"),
    ADDED(DRAM_RANK, "REFpb", "PREab", "nRFCpb"),
    ADDED(DRAM_BANK, "RDA", "REFpb", "nRTP+nRP"),
    ADDED(DRAM_BANK, "WRA", "REFpb", "nCWL+nBL_min+nWR+nRP"),
    ADDED(DRAM_BANK, "REFpb", "REFpb", "nRFCpb"),
};

static const struct dram_organisation organisation = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 32768,
    .columns = 64,
    .transaction = 32,
};

static const struct dram_grade grades[] = {
    {"lpddr5-5500", &organisation, 687500,
     "rate=5500 tCK_ps=1454 nCL=15 nCWL=8"},
    {"lpddr5-6400", &organisation, 800000,
     "rate=6400 tCK_ps=1250 nCL=17 nCWL=9 nPREA2REF=15"},
};

const struct dram_standard dram_lpddr5 = {
    .name = "LPDDR5",
    .refresh_scope = DRAM_RANK,
    .round_factor = 1000,
    .round_add = 999,
    .parameters =
        "nBL_min=2 nBL_max=4 nRCD=18ns nRP=18ns nRPab=21ns nRAS=42ns "
        "nRC=nRAS+nRP nWR=34ns nRTP=nBL_min+7.5ns nPPD=2 nCCDS=2 nCCDL=4 "
        "nCCDS_WR=2 nCCDL_WR=4 nRRDS=max(4,5ns) nRRDL=max(4,5ns) nWTRS=6.25ns "
        "nWTRL=12ns nFAW=max(16,20ns) nRFC=210ns nRFCpb=120ns nREFI=3906ns "
        "nREFIpb=488ns nWCKPST=1 nCAS=0 nAAD=8 nCS=2 nPBR2PBR=90ns "
        "nPBR2ACT=7.5ns nPREA2REF=nRPab",
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades),
};
