/*
 * What DRAM cells, data buses and command decoders need, whatever the rules of
 * a device say: a bank is given time to open, to restore, to close and to be
 * refreshed, bursts do not overlap. Times are the device's parameters; the
 * state of every bank is followed from the commands of a channel, so that a
 * rule which a table lacks is missed. For jedec_test.c only.
 */
#ifndef SIM_DRAM_JEDEC_H
#define SIM_DRAM_JEDEC_H

#include "sim/dram/device.h"
#include "sim/dram/mapping.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BANKS 256 /* of the channel that is used */
#define LONG_AGO (INT64_MIN / 4)

/* ---- what a device asks for ---- */

/* Clocks; 0 where a standard does not have the time. */
struct times {
    int64_t act_read, act_write, restore, cycle; /* tRCD, tRAS, tRC */
    int64_t close, close_all;                    /* tRP */
    int64_t read_close, write_close;             /* tRTP; to the end of tWR */
    int64_t rrd[2], four, ccd_read[2], ccd_write[2], wtr[2]; /* far, near */
    int64_t read_data, write_data, burst;
    int64_t refresh, bank_refresh;                     /* tRFC */
    int64_t refresh_act, refresh_refresh, act_refresh; /* of other banks */
    int64_t close_close;                               /* tPPD */
    int64_t act_takes; /* clocks from an ACT's first to what counts */
};

static int64_t any(const struct dram_device *d, const char *names)
{
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name; (name = strtok_r(rest, " ", &rest));)
        if (dram_device_parameter(d, name, -1) >= 0)
            return dram_device_parameter(d, name, -1);
    return 0;
}

static void take_columns(struct times *t, const struct dram_device *d)
{
    t->read_data = any(d, "nCL");
    t->write_data = any(d, "nCWL");
    t->burst = any(d, "nBL nBL_min");
    t->ccd_read[0] = any(d, "nCCDS");
    t->ccd_read[1] = any(d, "nCCDL");
    t->ccd_write[0] = any(d, "nCCDS_WR nCCDS");
    t->ccd_write[1] = any(d, "nCCDL_WR nCCDL");
    int64_t written = t->write_data + t->burst;
    t->wtr[0] = any(d, "nCCDS_WTR");
    t->wtr[1] = any(d, "nCCDL_WTR");
    if (!t->wtr[0]) {
        t->wtr[0] = written + any(d, "nWTRS");
        t->wtr[1] = written + any(d, "nWTRL");
    }
    t->read_close = any(d, "nRTP nRTPL");
    t->write_close = written + any(d, "nWR");
}

static struct times times_of(const struct dram_device *d)
{
    struct times t = {
        .act_read = any(d, "nRCD nRCDRD"),
        .act_write = any(d, "nRCD nRCDWR nRCDWD"),
        .restore = any(d, "nRAS"),
        .cycle = any(d, "nRC"),
        .close = any(d, "nRP"),
        .close_all = any(d, "nRPab nRP"),
        .rrd = {any(d, "nRRDS"), any(d, "nRRDL")},
        .four = any(d, "nFAW"),
        .refresh = any(d, "nRFC nRFC1 nRFCab"),
        .bank_refresh = any(d, "nRFCpb nRFCsb nRFCSB"),
        .refresh_act = any(d, "nPBR2ACT nRREFD nREFSBRD"),
        .refresh_refresh = any(d, "nPBR2PBR nRREFD nRFCsb"),
        .act_refresh = any(d, "nRRDS"),
        .close_close = any(d, "nPPD"),
        .act_takes = d->dual_bus && !any(d, "nREFISB"),
    };
    take_columns(&t, d);
    return t;
}

#define CLOSED "a bank that is being closed (tRP)"
#define REFRESHED "a bank that is being refreshed (tRFC)"
#define CYCLE "two rows of a bank (tRC)"
#define OPENED "a row that is being opened (tRCD)"
#define RESTORED "a row that is being restored (tRAS)"
#define READ "a close right after a read (tRTP)"
#define WRITTEN "a close right after a write (tWR)"
#define ROWS "rows of two banks (tRRD)"
#define FOUR "five rows (tFAW)"
#define AFTER_REFRESH "a bank right after another's refresh"
#define COLUMNS "two columns (tCCD)"
#define TURN "a read right after a write (tWTR)"
#define BUS "two bursts at a time on the data bus"
#define CLOSES "two closes (tPPD)"

/* ---- a channel as its commands leave it ---- */

struct bank {
    bool open;
    int64_t act, read, write; /* its last ones */
    int64_t closed;           /* from when on it is precharged */
    int64_t refreshed;        /* from when on it can be used again */
};

struct issued {
    int64_t clock;
    uint8_t command;
    struct dram_address at;
};

struct run {
    const struct dram_device *device;
    struct times t;
    struct issued *log;
    unsigned count, room;
    struct bank banks[BANKS];
    unsigned bank_count;
    unsigned broken; /* times that a rule is which is not in `known` */
};

/*
 * What the reference has otherwise, in devices whose clocks are compared with
 * it (docs/reference/dram.md), and what is kept with them.
 */
static struct known {
    const char *device, *rule;
    unsigned seen;
} known[] = {
    {"gddr6-14000-arches", CLOSED, 0},
    {"gddr6-14000-arches", CYCLE, 0},
    {"gddr6-14000-arches", RESTORED, 0},
    {"gddr6-16000-arches-pch", CLOSED, 0},
    {"gddr6-16000-arches-pch", CYCLE, 0},
    {"gddr6-16000-arches-pch", RESTORED, 0},
    {"gddr6-2000-stock", CLOSED, 0},
    {"gddr6-2000-stock", CYCLE, 0},
    {"gddr6-2000-stock", RESTORED, 0},
    {"gddr6-2000-stock", FOUR, 0},
    {"ddr4-3200-2rank-ramulator20", BUS, 0},
    {"ddr5-3200", CLOSES, 0},
    {"hbm2-2000-ramulator20", CLOSED, 0},
    {"hbm2-2000-ramulator20", CYCLE, 0},
    {"hbm2-2000-ramulator20", REFRESHED, 0},
    {"hbm2-2000-ramulator20", FOUR, 0},
    {"hbm2-2000-ramulator20", AFTER_REFRESH, 0},
    {"lpddr5-6400", CLOSED, 0},
};

static bool is_known(const struct run *r, const char *rule)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].device, r->device->name) &&
            !strcmp(known[i].rule, rule))
            return ++known[i].seen;
    return false;
}

/* By the rule the command may come from that clock on. */
static void need(struct run *r, unsigned at, int64_t from, const char *rule)
{
    const struct issued *c = &r->log[at];
    if (c->clock >= from || is_known(r, rule))
        return;
    if (!r->broken++)
        print_message("%s: clock %" PRId64 ": %s, from %" PRId64
                      " on possible: %s\n",
                      r->device->name, c->clock,
                      r->device->command_name[c->command], from, rule);
}

static struct dram_address address_of(const struct run *r, unsigned bank)
{
    struct dram_address a = {{0}};
    for (unsigned l = DRAM_BANK; l > DRAM_CHANNEL; l--) {
        a.at[l] = bank % r->device->units[l];
        bank /= r->device->units[l];
    }
    return a;
}

/* Are they in the same unit of the level, as far as they are about one? */
static bool together(const struct dram_address *a, const struct dram_address *b,
                     unsigned level)
{
    for (unsigned l = DRAM_PSEUDO; l <= level; l++)
        if (a->at[l] != b->at[l] && a->at[l] != UINT32_MAX &&
            b->at[l] != UINT32_MAX)
            return false;
    return true;
}

static bool is_read(uint8_t c)
{
    return c == DRAM_RD || c == DRAM_RDA;
}

static bool is_write(uint8_t c)
{
    return c == DRAM_WR || c == DRAM_WRA;
}

static bool is_close(uint8_t c)
{
    return c == DRAM_PRE || c == DRAM_PREA;
}

static bool is_bank_refresh(uint8_t c)
{
    return c == DRAM_REFPB || c == DRAM_REFSB;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- a bank's own times ---- */

static void check_bank(struct run *r, unsigned at, const struct bank *b)
{
    const struct times *t = &r->t;
    uint8_t c = r->log[at].command;
    int64_t early = c == DRAM_ACT ? t->act_takes : 0;
    if (c == DRAM_ACT || c == DRAM_REFAB || is_bank_refresh(c)) {
        need(r, at, b->closed - early, CLOSED);
        need(r, at, b->refreshed - early, REFRESHED);
        need(r, at, b->act + t->cycle - early, CYCLE);
    }
    if (is_read(c))
        need(r, at, b->act + t->act_read, OPENED);
    if (is_write(c))
        need(r, at, b->act + t->act_write, OPENED);
    if (is_close(c) && b->open) {
        need(r, at, b->act + t->restore, RESTORED);
        need(r, at, b->read + t->read_close, READ);
        need(r, at, b->write + t->write_close, WRITTEN);
    }
}

/* A bank that closes itself does so when it might be closed. */
static int64_t closed_after(const struct run *r, const struct bank *b,
                            int64_t clock, int64_t wait)
{
    return later(clock + wait, b->act + r->t.restore) + r->t.close;
}

/* A PRE of a bank that is closed already changes nothing. */
static void follow_close(struct run *r, const struct issued *c, struct bank *b)
{
    const struct times *t = &r->t;
    if (!b->open)
        return;
    if (c->command == DRAM_PRE)
        b->closed = c->clock + t->close;
    else if (c->command == DRAM_PREA)
        b->closed = c->clock + t->close_all;
    else if (c->command == DRAM_RDA)
        b->closed = closed_after(r, b, c->clock, t->read_close);
    else if (c->command == DRAM_WRA)
        b->closed = closed_after(r, b, c->clock, t->write_close);
    else
        return;
    b->open = false;
}

static void follow(struct run *r, const struct issued *c, struct bank *b)
{
    if (c->command == DRAM_ACT) {
        b->open = true;
        b->act = c->clock + r->t.act_takes;
    }
    if (is_read(c->command))
        b->read = c->clock;
    if (is_write(c->command))
        b->write = c->clock;
    if (c->command == DRAM_REFAB)
        b->refreshed = c->clock + r->t.refresh;
    if (is_bank_refresh(c->command))
        b->refreshed = c->clock + r->t.bank_refresh;
    follow_close(r, c, b);
}

/* ---- between banks ---- */

/* What a command has to wait for, and how long, from another of its rank. */
static int64_t between(const struct run *r, const struct issued *a,
                       const struct issued *b, const char **rule)
{
    const struct times *t = &r->t;
    unsigned near = together(&a->at, &b->at, DRAM_GROUP);
    *rule = ROWS;
    if (a->command == DRAM_ACT && b->command == DRAM_ACT)
        return t->rrd[near];
    if (a->command == DRAM_ACT && is_bank_refresh(b->command))
        return t->act_refresh + t->act_takes;
    *rule = AFTER_REFRESH;
    if (is_bank_refresh(a->command) && b->command == DRAM_ACT)
        return t->refresh_act - t->act_takes;
    if (is_bank_refresh(a->command) && is_bank_refresh(b->command))
        return t->refresh_refresh;
    *rule = COLUMNS;
    if (is_read(a->command) && is_read(b->command))
        return t->ccd_read[near];
    if (is_write(a->command) && is_write(b->command))
        return t->ccd_write[near];
    *rule = TURN;
    if (is_write(a->command) && is_read(b->command))
        return t->wtr[near];
    *rule = CLOSES;
    return is_close(a->command) && is_close(b->command) ? t->close_close : 0;
}

/* Reads and writes have a data bus per pseudo-channel for all of its ranks. */
static int64_t data_of(const struct run *r, uint8_t c)
{
    return is_read(c) ? r->t.read_data : is_write(c) ? r->t.write_data : -1;
}

static void check_pair(struct run *r, unsigned before, unsigned at)
{
    const struct issued *a = &r->log[before], *b = &r->log[at];
    const char *rule;
    int64_t first = data_of(r, a->command), second = data_of(r, b->command);
    if (first >= 0 && second >= 0 && together(&a->at, &b->at, DRAM_PSEUDO))
        need(r, at, a->clock + first + r->t.burst - second, BUS);
    if (!together(&a->at, &b->at, DRAM_RANK))
        return;
    int64_t wait = between(r, a, b, &rule);
    need(r, at, a->clock + wait, rule);
}

/* The fifth row may be that of a refresh. */
static void check_four(struct run *r, unsigned at)
{
    unsigned seen = 0;
    uint8_t c = r->log[at].command;
    bool opens = c == DRAM_ACT || c == DRAM_REFPB;
    for (unsigned i = at; opens && i-- > 0;) {
        const struct issued *a = &r->log[i];
        if (a->clock + r->t.four <= r->log[at].clock)
            return;
        if (a->command == DRAM_ACT &&
            together(&a->at, &r->log[at].at, DRAM_RANK) && ++seen == 4)
            need(r, at, a->clock + r->t.four, FOUR);
    }
}

#define WINDOW 400 /* clocks: longer than what is between two banks */

static void check_others(struct run *r, unsigned at)
{
    for (unsigned i = at; i-- > 0;) {
        if (r->log[i].clock + WINDOW < r->log[at].clock)
            break;
        check_pair(r, i, at);
    }
    check_four(r, at);
}

static void check_all(struct run *r)
{
    r->bank_count = 1;
    for (unsigned l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        r->bank_count *= r->device->units[l];
    for (unsigned i = 0; i < r->bank_count; i++)
        r->banks[i] = (struct bank){false,    LONG_AGO, LONG_AGO,
                                    LONG_AGO, LONG_AGO, LONG_AGO};
    for (unsigned i = 0; i < r->count; i++) {
        for (unsigned n = 0; n < r->bank_count; n++) {
            struct dram_address at = address_of(r, n);
            if (!together(&at, &r->log[i].at, DRAM_BANK))
                continue;
            check_bank(r, i, &r->banks[n]);
            follow(r, &r->log[i], &r->banks[n]);
        }
        check_others(r, i);
    }
}

#endif
