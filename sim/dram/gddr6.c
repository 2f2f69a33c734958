/*
 * GDDR6 and GDDR6X: 16 Gb devices (one of 8 Gb) with two independent channels
 * of 16 bits; a transaction is 32 bytes, the prefetch of 16 per pin. A name is
 * one channel.
 *
 * gddr6-*: Ramulator 2.1's rules. JESD250 leaves the times to the vendors;
 * 2.1's presets have those of a Samsung data sheet at 1.25 V, here in ns: tRCD
 * 17 (reads) and 11 (writes), tRP 17, tRAS 34, tWR 17, tRRD 6, tFAW 24, tREFI
 * 1900, tRFCab 120, tRFCpb 60. CK is an eighth of the data rate, a burst takes
 * two of its cycles. Its tCK of 570 ps at 14 Gb/s is kept for the conversion of
 * times (571.4 exactly). Assumed: the other grades have the same times; CL is
 * 24 cycles at 14 Gb/s and the same time else; CWL is 6 cycles. The 8 Gb device
 * has half the columns and the tREFI of its vendor, 32 ms / 16384 rows = 1953
 * ns; its refreshes are assumed to take as long. 2.1 forgets the tRP from PRE
 * of a bank to REFab (nPRE2REF), and so does gddr6-14000 with it.
 *
 * gddr6-2000-stock: Ramulator 2.0's own device, 2000_1250mV_quad, the way its
 * columns are read there; 16-byte transactions. ACT to PRE and PRE to ACT are
 * rules of the whole channel, so a row opened in one bank delays all others.
 *
 * gddr6-*-arches: the presets of Arches for its RTX 2080 and for a 32-bit
 * pseudo-channel. The same rules, in the time of DDR-like refreshes (7.8 us,
 * 550 ns). tCK_ps is an eighth of the rate and converts times only: the model
 * is clocked at a quarter, which a burst of 4 cycles asks for.
 *
 * gddr6x-*: no standard, and no public table of times. From public figures:
 * PAM4 gives two bits a symbol, CK is a sixteenth of the data rate (1219 MHz at
 * 19.5 Gb/s is what graphics cards report), 32 bytes take one CK. Assumed:
 * times in ns, latencies included, as GDDR6; tCCD_S 1, tCCD_L 2 cycles.
 */
#include "sim/dram/standard.h"

/* ---- GDDR6 as in Ramulator 2.1, and GDDR6X ---- */

#define ALL "ACT PREab PREpb RD WR RDA WRA REFab REFpb"

static const struct dram_rule_row rules[] = {
    RULE(DRAM_CHANNEL, "ACT", "ACT REFpb", "nRRDS"),
    FOURTH(DRAM_CHANNEL, "ACT", "ACT REFpb", "nFAW"),
    RULE(DRAM_CHANNEL, "ACT", "PREab", "nRAS"),
    RULE(DRAM_CHANNEL, "ACT", "REFab", "nRC"),
    RULE(DRAM_CHANNEL, "PREab", "ACT REFab REFpb", "nRP"),
    RULE(DRAM_CHANNEL, "PREpb", "REFab", "nPRE2REF"),
    RULE(DRAM_CHANNEL, "PREab PREpb", "PREab PREpb", "nPPD"),
    RULE(DRAM_CHANNEL, "RD RDA", "RD RDA", "max(nBL,nCCDS)"),
    RULE(DRAM_CHANNEL, "WR WRA", "WR WRA", "max(nBL,nCCDS)"),
    RULE(DRAM_CHANNEL, "RD RDA", "WR WRA", "nCL+1"),
    RULE(DRAM_CHANNEL, "WR WRA", "RD RDA", "nCWL+nBL+nWTRS"),
    RULE(DRAM_CHANNEL, "RD", "PREab", "nRTP"),
    RULE(DRAM_CHANNEL, "WR", "PREab", "nCWL+nBL+nWR"),
    RULE(DRAM_CHANNEL, "RDA", "REFab REFpb", "nRTP+nRP"),
    RULE(DRAM_CHANNEL, "WRA", "REFab REFpb", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_CHANNEL, "REFab", ALL, "nRFCab"),
    RULE(DRAM_CHANNEL, "REFpb", "ACT REFpb", "nRREFD"),
    FOURTH(DRAM_CHANNEL, "REFpb", "ACT REFpb", "nFAW"),
    RULE(DRAM_CHANNEL, "REFpb", "REFab", "nRFCpb"),
    RULE(DRAM_GROUP, "ACT", "ACT REFpb", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL+nWTRL"),
    RULE(DRAM_BANK, "ACT", "ACT REFpb", "nRC"),
    RULE(DRAM_BANK, "ACT", "RD RDA", "nRCDRD"),
    RULE(DRAM_BANK, "ACT", "WR WRA", "nRCDWR"),
    RULE(DRAM_BANK, "ACT", "PREpb", "nRAS"),
    RULE(DRAM_BANK, "PREpb", "ACT REFpb", "nRP"),
    RULE(DRAM_BANK, "RD", "PREpb", "nRTP"),
    RULE(DRAM_BANK, "WR", "PREpb", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT REFpb", "nRTP+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT REFpb", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_BANK, "REFpb", "ACT REFpb", "nRFCpb"),
};

#define TIMES                                                                  \
    " nRCDRD=17ns nRCDWR=11ns nRP=17ns nRAS=34ns nRC=nRAS+nRP nWR=17ns "       \
    "nRTP=2ns nRRDS=6ns nRRDL=6ns nWTRS=5ns nWTRL=6ns nFAW=24ns nRFCab=120ns " \
    "nRFCpb=60ns nRREFD=12ns nPPD=2 nPRE2REF=nRP"

static const struct dram_organisation organisation = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 16384,
    .columns = 128,
    .transaction = 32,
};

/* Rows of 2 KB, as in Micron's brief on MT61K256M32. */
static const struct dram_organisation organisation_8gb = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 16384,
    .columns = 64,
    .transaction = 32,
};

static const struct dram_grade grades[] = {
    {"gddr6-12000", &organisation, 1500000,
     "rate=12000 tCK_ps=666 nCL=21 nREFI=2850"},
    {"gddr6-14000", &organisation, 1750000,
     "rate=14000 tCK_ps=570 nCL=24 nREFI=3333 nPRE2REF=0"},
    {"gddr6-16000", &organisation, 2000000,
     "rate=16000 tCK_ps=500 nCL=28 nREFI=3800"},
    {"gddr6-14000-8gb", &organisation_8gb, 1750000,
     "rate=14000 tCK_ps=570 nCL=24 nREFI=3418"},
};
const struct dram_standard dram_gddr6 = {
    .name = "GDDR6",
    .refresh_scope = DRAM_CHANNEL,
    .round_factor = 1000,
    .round_add = 999,
    .parameters = "nBL=2 nCWL=6 nCCDS=2 nCCDL=4" TIMES,
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades),
};

static const struct dram_grade grades_x[] = {
    {"gddr6x-19000", &organisation, 1187500,
     "rate=19000 tCK_ps=842 nREFI=2256"},
    {"gddr6x-21000", &organisation, 1312500,
     "rate=21000 tCK_ps=761 nREFI=2493"},
};
const struct dram_standard dram_gddr6x = {
    .name = "GDDR6X",
    .refresh_scope = DRAM_CHANNEL,
    .round_factor = 1000,
    .round_add = 999,
    .parameters = "nBL=1 nCL=13.7ns nCWL=3.5ns nCCDS=1 nCCDL=2" TIMES,
    DRAM_TABLE(rule, rules),
    DRAM_TABLE(grade, grades_x),
};

/* ---- GDDR6 as in Ramulator 2.0 and Arches ---- */

static const struct dram_rule_row rules20[] = {
    RULE(DRAM_CHANNEL, "ACT", "ACT", "nRRDS"),
    FOURTH(DRAM_CHANNEL, "ACT", "ACT", "nFAW"),
    RULE(DRAM_CHANNEL, "ACT", "PRE", "nRAS"),
    RULE(DRAM_CHANNEL, "ACT", "REFab", "nRC"),
    RULE(DRAM_CHANNEL, "ACT", "REFpb", "nRRDL"),
    RULE(DRAM_CHANNEL, "PRE", "ACT REFab REFpb", "nRP"),
    RULE(DRAM_CHANNEL, "RD RDA", "RD RDA", "max(nBL,nCCDS)"),
    RULE(DRAM_CHANNEL, "WR WRA", "WR WRA", "max(nBL,nCCDS)"),
    RULE(DRAM_CHANNEL, "RD RDA", "WR WRA", "nCL+nBL+4-nCWL"),
    RULE(DRAM_CHANNEL, "WR WRA", "RD RDA", "nCWL+nBL+nWTRS"),
    RULE(DRAM_CHANNEL, "RD", "PREA", "nRTP"),
    RULE(DRAM_CHANNEL, "WR", "PREA", "nCWL+nBL+nWR"),
    RULE(DRAM_CHANNEL, "RDA", "REFab REFpb", "nRTP+nRP"),
    RULE(DRAM_CHANNEL, "WRA", "REFab REFpb", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_CHANNEL, "REFab", "ACT", "nRFC"),
    RULE(DRAM_CHANNEL, "REFpb", "ACT", "nRREFD"),
    RULE(DRAM_GROUP, "ACT", "ACT", "nRRDL"),
    RULE(DRAM_GROUP, "RD RDA", "RD RDA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "WR WRA", "nCCDL"),
    RULE(DRAM_GROUP, "WR WRA", "RD RDA", "nCWL+nBL+nWTRL"),
    RULE(DRAM_BANK, "ACT", "RD RDA", "nRCDRD"),
    RULE(DRAM_BANK, "ACT", "WR WRA", "nRCDWD"),
    RULE(DRAM_BANK, "ACT", "PRE", "nRAS"),
    RULE(DRAM_BANK, "ACT", "REFpb", "nRC"),
    RULE(DRAM_BANK, "PRE", "ACT REFpb", "nRP"),
    RULE(DRAM_BANK, "RD", "PRE", "nRTP"),
    RULE(DRAM_BANK, "WR", "PRE", "nCWL+nBL+nWR"),
    RULE(DRAM_BANK, "RDA", "ACT REFpb", "nRTP+nRP"),
    RULE(DRAM_BANK, "WRA", "ACT REFpb", "nCWL+nBL+nWR+nRP"),
    RULE(DRAM_BANK, "REFpb", "ACT", "nRFCpb"),
};

static const struct dram_organisation two_channels = {
    .channels = 2,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 16384,
    .columns = 128,
    .transaction = 32,
};
static const struct dram_organisation pseudo_channel_mode = {
    .channels = 1,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 32768,
    .columns = 128,
    .transaction = 64,
};
static const struct dram_organisation stock = {
    .channels = 2,
    .pseudo = 1,
    .ranks = 1,
    .groups = 4,
    .banks = 4,
    .rows = 16384,
    .columns = 256,
    .transaction = 16,
};

static const struct dram_grade grades20[] = {
    {"gddr6-14000-arches", &two_channels, 3500000,
     "rate=14000 tCK_ps=571 nRCDRD=27 nRCDWD=20 nRP=27 nRAS=57 nWR=23 nCCDL=5 "
     "nRRDS=10 nRRDL=10 nWTRS=8 nWTRL=9 nFAW=37 nRFCpb=105 nRREFD=21"},
    {"gddr6-16000-arches-pch", &pseudo_channel_mode, 4000000,
     "rate=16000 tCK_ps=500 nRRDS=7 nRRDL=7 nRFCpb=105"},
    {"gddr6-2000-stock", &stock, 1000000,
     "rate=2000 tCK_ps=1000 nRRDS=5 nRRDL=6 nRFCpb=3333"},
};
const struct dram_standard dram_gddr6_ramulator20 = {
    .name = "GDDR6",
    .refresh_scope = DRAM_RANK,
    .round_factor = 1000,
    .round_add = 974,
    .parameters = "nBL=4 nCL=24 nCWL=6 nRCDRD=26 nRCDWD=16 nRP=26 nRAS=53 "
                  "nRC=nRAS+nRP nWR=26 nRTP=4 nCCDS=4 nCCDL=6 nWTRS=9 nWTRL=11 "
                  "nFAW=28 nRFC=550ns nRREFD=14 nREFI=7800ns",
    DRAM_TABLE(rule, rules20),
    DRAM_TABLE(grade, grades20),
};
