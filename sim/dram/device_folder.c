/*
 * A device from a folder with three tables, in either spelling of the
 * reference (its generations write level names small or with capitals, and
 * PRE or PREpb):
 *
 *   organisation.csv   item,value       widths, units of each level
 *   timing.csv         parameter,value  cycles; tCK_ps and rate
 *   constraints.csv    level,preceding,following,cycles,window,sibling
 *
 * Columns are counted as the devices do, in words of the pins; a transaction
 * takes `prefetch` of them.
 */
#include "sdk/whole/reads.h"
#include "sim/dram/device_build.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 8

/* One line of a table, split at its commas. */
struct table {
    FILE *file;
    char path[1024];
    unsigned line;
    char text[512];
    char *cells[MAX_CELLS];
    unsigned count;
};

struct folder {
    struct dram_device *device;
    int64_t channel_width, prefetch, transaction, columns;
    bool ranks;
};

static bool wrong(const struct table *t, struct error *error,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool wrong(const struct table *t, struct error *error,
                  const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(error, "%.200s:%u: %s", t->path, t->line, what);
}

/* ---- tables ---- */

static void split(struct table *t)
{
    char *at = t->text;
    t->count = 0;
    for (;;) {
        size_t n = strcspn(at, ",\r\n");
        bool more = at[n] == ',';
        if (t->count < MAX_CELLS)
            t->cells[t->count++] = at;
        at[n] = 0;
        if (!more)
            return;
        at += n + 1;
    }
}

/* Of a line that is too long, or has a byte of 0, nothing is taken. False at
 * the end of the file. */
static bool read_line(struct table *t)
{
    if (!fgets(t->text, sizeof t->text, t->file))
        return false;
    t->line++;
    if (!strchr(t->text, '\n') && !feof(t->file))
        t->text[0] = 0;
    return true;
}

static bool next_line(struct table *t)
{
    if (!read_line(t))
        return false;
    split(t);
    return true;
}

/* Each line after the head must have as many cells as the head. */
static bool table_open(struct table *t, const char *folder, const char *name,
                       const char *head, struct error *error)
{
    snprintf(t->path, sizeof t->path, "%s/%s", folder, name);
    t->line = 0;
    t->file = fopen(t->path, "r");
    if (!t->file)
        return error_set(error, "%.200s: %s", t->path, strerror(errno));
    reads_note(t->path, "a table of the device");
    if (read_line(t)) {
        t->text[strcspn(t->text, "\r\n")] = 0;
        if (!strcmp(t->text, head))
            return true;
    }
    fclose(t->file);
    return wrong(t, error, "the first line has to be %s", head);
}

typedef bool table_row(struct folder *folder, const struct table *t,
                       struct error *error);

static bool read_table(struct folder *folder, const char *path,
                       const char *name, const char *head, table_row *row,
                       struct error *error)
{
    unsigned cells = 1;
    for (const char *c = head; *c; c++)
        cells += *c == ',';
    struct table t;
    if (!table_open(&t, path, name, head, error))
        return false;
    bool ok = true;
    while (ok && next_line(&t))
        ok = t.count == cells
                 ? row(folder, &t, error)
                 : wrong(&t, error, "%u cells, expected %s", t.count, head);
    fclose(t.file);
    return ok;
}

static bool read_number(const struct table *t, unsigned cell, int64_t least,
                        int64_t greatest, int64_t *value, struct error *error)
{
    const char *text = t->cells[cell];
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end == text || *end || errno || *value < least || *value > greatest)
        return wrong(t, error,
                     "'%.40s' is not a number of %" PRId64 "..%" PRId64, text,
                     least, greatest);
    return true;
}

/* ---- organisation.csv ---- */

static bool take_units(struct folder *f, int field, int64_t n)
{
    if (field == DRAM_ROW)
        f->device->rows = (uint32_t)n;
    else if (field == DRAM_COLUMN)
        f->columns = n;
    else if (field == DRAM_CHANNEL)
        f->device->channels = (uint32_t)n;
    else
        f->device->units[field] = (uint32_t)n;
    f->ranks |= field == DRAM_RANK;
    return true;
}

static bool organisation_row(struct folder *f, const struct table *t,
                             struct error *error)
{
    int64_t n;
    const char *item = t->cells[0];
    int field = dram_field_of(item);
    if (!read_number(t, 1, 1, 1 << 30, &n, error))
        return false;
    if (field >= 0)
        return take_units(f, field, n);
    if (!strcmp(item, "channel_width_bits"))
        f->channel_width = n;
    else if (!strcmp(item, "prefetch"))
        f->prefetch = n;
    else if (!strcmp(item, "bytes_per_transaction"))
        f->transaction = n;
    else if (strcmp(item, "density_Mb") && strcmp(item, "dq"))
        return wrong(t, error, "unknown item '%.40s'", item);
    return true;
}

/* Bytes of a transaction are stated, or width times prefetch. */
static bool take_transaction(struct folder *f, const char *path,
                             struct error *error)
{
    if (!f->prefetch || f->columns % f->prefetch)
        return error_set(error,
                         "%.200s/organisation.csv: column has to be a multiple "
                         "of prefetch (%" PRId64 " of %" PRId64 ")",
                         path, f->columns, f->prefetch);
    f->device->columns = (uint32_t)(f->columns / f->prefetch);
    if (!f->transaction)
        f->transaction = f->channel_width * f->prefetch / 8;
    f->device->transaction = (uint32_t)f->transaction;
    return true;
}

/* ---- timing.csv ---- */

static bool timing_row(struct folder *f, const struct table *t,
                       struct error *error)
{
    int64_t value;
    if (!read_number(t, 1, -1, 2000000000, &value, error))
        return false;
    if (dram_device_parameter(f->device, t->cells[0], -2) != -2)
        return wrong(t, error, "parameter '%.40s' twice", t->cells[0]);
    dram_device_set_parameter(f->device, t->cells[0], value);
    return true;
}

/* ---- constraints.csv ---- */

static bool read_command(struct folder *f, const struct table *t, unsigned cell,
                         uint8_t *command, bool *ignored, struct error *error)
{
    const char *name = t->cells[cell];
    if (dram_command_ignored(name)) {
        *ignored = true;
        return true;
    }
    int number = dram_command_of(name);
    if (number < 0)
        return wrong(t, error, "unknown command '%.40s'", name);
    /* HBM's first tables write REFsb for a single bank. */
    if (number == DRAM_REFSB && f->device->units[DRAM_PSEUDO] > 1)
        number = DRAM_REFPB;
    dram_device_knows(f->device, (enum dram_command)number, name);
    *command = (uint8_t)number;
    return true;
}

static bool constraint_row(struct folder *f, const struct table *t,
                           struct error *error)
{
    struct dram_rule rule = {0};
    bool ignored = false;
    int level = dram_field_of(t->cells[0]);
    int64_t cycles, window, sibling;
    if (level < 0 || level >= DRAM_LEVELS)
        return wrong(t, error,
                     "level '%.40s' is none of channel, pseudochannel, rank, "
                     "bankgroup, bank",
                     t->cells[0]);
    if (!read_command(f, t, 1, &rule.preceding, &ignored, error) ||
        !read_command(f, t, 2, &rule.following, &ignored, error) ||
        !read_number(t, 3, -1000000, DRAM_RULE_CYCLES_MOST, &cycles, error) ||
        !read_number(t, 4, 1, 64, &window, error) ||
        !read_number(t, 5, 0, 1, &sibling, error))
        return false;
    if (ignored)
        return true;
    rule.level = (uint8_t)level;
    rule.cycles = (int32_t)cycles;
    rule.window = (uint8_t)window;
    rule.sibling = sibling != 0;
    dram_device_add_rule(f->device, rule);
    return true;
}

/* ---- the folder ---- */

/* "shared/ddr4-3200/" is called ddr4-3200. */
static void name_device(struct dram_device *device, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start && path[start - 1] != '/')
        start--;
    snprintf(device->name, sizeof device->name, "%.*s", (int)(length - start),
             path + start);
}

static bool read_folder(struct folder *f, const char *path, struct error *error)
{
    return read_table(f, path, "organisation.csv", "item,value",
                      organisation_row, error) &&
           take_transaction(f, path, error) &&
           read_table(f, path, "timing.csv", "parameter,value", timing_row,
                      error) &&
           read_table(f, path, "constraints.csv",
                      "level,preceding,following,cycles,window,sibling",
                      constraint_row, error);
}

static uint8_t refresh_scope(const struct folder *f)
{
    if (f->ranks)
        return DRAM_RANK;
    return f->device->units[DRAM_PSEUDO] > 1 ? DRAM_PSEUDO : DRAM_CHANNEL;
}

struct dram_device *dram_device_load(const char *path, struct error *error)
{
    struct folder f = {.device = dram_device_empty()};
    name_device(f.device, path);
    struct error why;
    bool ok = read_folder(&f, path, error);
    if (ok && !dram_device_finish(f.device, &why))
        ok = error_set(error, "%.200s: %s", path, why.text);
    if (!ok) {
        dram_device_free(f.device);
        return NULL;
    }
    f.device->refresh_scope = refresh_scope(&f);
    f.device->dual_bus = f.device->units[DRAM_PSEUDO] > 1;
    f.device->clock_khz = 1000000000u / f.device->tck_ps;
    return f.device;
}
