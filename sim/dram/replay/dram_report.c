#include "sim/dram/replay/dram_report.h"
#include <inttypes.h>
#include <string.h>

/* ---- requests ---- */

void report_requests(const struct report *report, FILE *out)
{
    const struct trace *t = report->trace;
    fputs("id,offer,accept,rw,addr,ch,issue,done,kind\n", out);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct request *q = &t->requests[i];
        const struct result *r = &report->replay->results[i];
        fprintf(out,
                "%" PRIu32 ",%" PRIu64 ",%" PRId64 ",%c,0x%" PRIx64
                ",%d,%" PRId64 ",%" PRId64 ",%c\n",
                i, q->offer, r->accept, q->write ? 'W' : 'R', q->address,
                r->channel, r->issue, r->done, r->kind);
    }
}

/* ---- commands ---- */

/* Columns that the device has; ranks if its standard knows them. */
static bool has_field(const struct dram_device *d, int field)
{
    if (field == DRAM_PSEUDO)
        return d->units[field] > 1;
    if (field == DRAM_RANK)
        return d->units[field] > 1 || d->refresh_scope == DRAM_RANK;
    return true;
}

static void print_number(uint32_t value, FILE *out)
{
    if (value == UINT32_MAX)
        fputs(",-1", out);
    else
        fprintf(out, ",%" PRIu32, value);
}

void report_commands(const struct report *report, FILE *out)
{
    const struct dram_device *d = report->device;
    fputs("cycle,cmd", out);
    for (int i = 0; i < DRAM_FIELDS; i++)
        if (has_field(d, i))
            fprintf(out, ",%s", dram_level_name(i));
    fputs(",id\n", out);
    for (size_t n = 0; n < report->replay->command_count; n++) {
        const struct command *c = &report->replay->commands[n];
        if (c->clock > report->replay->last)
            break;
        fprintf(out, "%" PRIu64 ",%s", c->clock, d->command_name[c->command]);
        for (int i = 0; i < DRAM_FIELDS; i++)
            if (has_field(d, i))
                print_number(c->at.at[i], out);
        print_number(c->request, out);
        fputc('\n', out);
    }
}

/* ---- totals ---- */

struct totals {
    uint64_t requests[2], kinds[2][5]; /* reads, writes; H, M, C, F, W */
    uint64_t reads_done, latency, latency_from_offer;
    uint64_t most, most_from_offer, column_commands;
};

static void keep_most(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static void add_request(struct totals *t, const struct request *q,
                        const struct result *r)
{
    t->requests[q->write]++;
    t->kinds[q->write][strchr("HMCFW", r->kind) - "HMCFW"]++;
    t->column_commands += r->issue >= 0;
    if (q->write)
        return;
    uint64_t latency = (uint64_t)(r->done - r->accept);
    uint64_t from_offer = (uint64_t)r->done - q->offer;
    t->latency += latency;
    t->latency_from_offer += from_offer;
    keep_most(&t->most, latency);
    keep_most(&t->most_from_offer, from_offer);
}

static void print_commands(const struct report *report, FILE *out)
{
    uint64_t counts[DRAM_COMMAND_COUNT] = {0};
    for (size_t i = 0; i < report->replay->command_count; i++)
        if (report->replay->commands[i].clock <= report->replay->last)
            counts[report->replay->commands[i].command]++;
    const char *between = "";
    for (int i = 0; i < DRAM_COMMAND_COUNT; i++)
        if (counts[i]) {
            fprintf(out, "%s%s:%" PRIu64, between,
                    report->device->command_name[i], counts[i]);
            between = " ";
        }
}

static double average(uint64_t sum, uint64_t count)
{
    return count ? (double)sum / (double)count : 0;
}

/* A cell of CSV. */
static void print_cell(const char *text, FILE *out)
{
    const bool quoted = strpbrk(text, ",\"");
    fputs(quoted ? "\"" : "", out);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
    fputs(quoted ? "\"" : "", out);
}

static void print_totals(const struct totals *t, const struct report *report,
                         FILE *out)
{
    const struct dram_device *d = report->device;
    uint64_t cycles = report->replay->last;
    double buses = (double)report->channels * d->units[DRAM_PSEUDO];
    double columns = (double)t->column_commands;
    print_cell(report->trace->name, out);
    fprintf(out, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            report->trace->count, t->requests[0], t->requests[1], cycles);
    for (int write = 0; write < 2; write++)
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                t->kinds[write][DRAM_HIT], t->kinds[write][DRAM_MISS],
                t->kinds[write][DRAM_CONFLICT],
                t->kinds[write][write ? DRAM_MERGED : DRAM_FORWARDED]);
    fprintf(out, ",%.3f,%" PRIu64 ",%.3f,%" PRIu64 ",%.4f,%.4f,",
            average(t->latency, t->requests[0]), t->most,
            average(t->latency_from_offer, t->requests[0]), t->most_from_offer,
            cycles ? columns * d->burst / ((double)cycles * buses) : 0,
            cycles ? columns * d->transaction / (double)cycles : 0);
}

void report_summary(const struct report *report, FILE *out)
{
    struct totals totals = {0};
    for (uint32_t i = 0; i < report->trace->count; i++)
        add_request(&totals, &report->trace->requests[i],
                    &report->replay->results[i]);
    fputs("stream,requests,reads,writes,cycles,read_hit,read_miss,"
          "read_conflict,read_forwarded,write_hit,write_miss,write_conflict,"
          "write_merged,avg_read_latency,max_read_latency,"
          "avg_read_latency_from_offer,max_read_latency_from_offer,"
          "bus_utilisation,bytes_per_cycle,commands\n",
          out);
    print_totals(&totals, report, out);
    print_commands(report, out);
    fputc('\n', out);
}

/* ---- what the model counted ---- */

static void print_stat(const char *name, uint64_t value, const char *unit,
                       FILE *out)
{
    fprintf(out, "%-20s %12" PRIu64 " %s\n", name, value, unit);
}

void report_stats(const struct report *report, FILE *out)
{
    const struct dram_stats *s = report->replay->stats;
    print_stat("clocks", report->replay->last, "clocks", out);
#define STAT_LINE(name, unit, meaning) print_stat(#name, s->name, unit, out);
    DRAM_STATS(STAT_LINE)
#undef STAT_LINE
    print_stat("read_latency_max", s->read_latency_max, "clocks", out);
    print_stat("read_latency_p50", dram_stats_percentile(s, 500), "clocks",
               out);
    print_stat("read_latency_p95", dram_stats_percentile(s, 950), "clocks",
               out);
    print_stat("read_latency_p99", dram_stats_percentile(s, 990), "clocks",
               out);
    for (int i = 0; i < DRAM_COMMAND_COUNT; i++)
        if (report->device->has[i])
            print_stat(report->device->command_name[i], s->commands[i],
                       "commands", out);
}

/* ---- comparison ---- */

#define HISTORY 20 /* commands */

static bool same(const struct result *a, const struct result *b)
{
    return a->accept == b->accept && a->issue == b->issue &&
           a->done == b->done && a->channel == b->channel && a->kind == b->kind;
}

/* The clock in which two results begin to differ. */
static int64_t differ_from(const struct result *a, const struct result *b)
{
    const int64_t pairs[][2] = {
        {a->accept, b->accept}, {a->issue, b->issue}, {a->done, b->done}};
    int64_t first = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        int64_t x = pairs[i][0], y = pairs[i][1];
        int64_t least = x < 0 || (y >= 0 && y < x) ? y : x;
        if (x != y && least < first)
            first = least;
    }
    if (first < INT64_MAX)
        return first;
    return a->issue >= 0 ? a->issue : a->accept;
}

/* A column, and what it is instead where the two differ. */
static void print_column(const char *name, int64_t ours, int64_t expected,
                         FILE *out)
{
    fprintf(out, " %s %" PRId64, name, ours);
    if (ours != expected)
        fprintf(out, " (expected %" PRId64 ")", expected);
}

static void print_difference(const struct report *report, uint32_t id,
                             FILE *out)
{
    const struct request *q = &report->trace->requests[id];
    const struct result *a = &report->replay->results[id];
    const struct result *b = &report->trace->results[id];
    fprintf(out, "  request %" PRIu32 ", offer %" PRIu64 ", %s 0x%" PRIx64 ":",
            id, q->offer, q->write ? "write" : "read", q->address);
    print_column("accept", a->accept, b->accept, out);
    print_column("ch", a->channel, b->channel, out);
    print_column("issue", a->issue, b->issue, out);
    print_column("done", a->done, b->done, out);
    fprintf(out, " kind %c", a->kind);
    if (a->kind != b->kind)
        fprintf(out, " (expected %c)", b->kind);
    fputc('\n', out);
}

/* Is the command about the bank, or about all banks of a unit around it? */
static bool concerns(const struct command *c, const struct dram_address *bank)
{
    for (int i = 0; i < DRAM_LEVELS; i++)
        if (c->at.at[i] != UINT32_MAX && c->at.at[i] != bank->at[i])
            return false;
    return true;
}

static void print_command(const struct report *report, const struct command *c,
                          FILE *out)
{
    fprintf(out, "  %10" PRIu64 "  %-7s", c->clock,
            report->device->command_name[c->command]);
    if (c->at.at[DRAM_ROW] != UINT32_MAX)
        fprintf(out, " row %" PRIu32, c->at.at[DRAM_ROW]);
    if (c->at.at[DRAM_COLUMN] != UINT32_MAX)
        fprintf(out, " column %" PRIu32, c->at.at[DRAM_COLUMN]);
    if (c->request != UINT32_MAX)
        fprintf(out, "  for request %" PRIu32 " at 0x%" PRIx64, c->request,
                report->trace->requests[c->request].address);
    fputc('\n', out);
}

static void print_bank(const struct report *report,
                       const struct dram_address *bank, FILE *out)
{
    const char *between = "";
    for (int i = 0; i < DRAM_LEVELS; i++)
        if (has_field(report->device, i)) {
            fprintf(out, "%s%s %" PRIu32, between, dram_level_name(i),
                    bank->at[i]);
            between = ", ";
        }
}

/* Walks back from the clock, then prints forwards. */
static void print_history(const struct report *report,
                          const struct dram_address *bank, int64_t clock,
                          FILE *out)
{
    size_t found[HISTORY], count = 0;
    for (size_t i = report->replay->command_count;
         i-- > 0 && count < HISTORY;) {
        const struct command *c = &report->replay->commands[i];
        if ((int64_t)c->clock <= clock && concerns(c, bank))
            found[count++] = i;
    }
    fputs("  last commands to ", out);
    print_bank(report, bank, out);
    fprintf(out, " up to clock %" PRId64 "%s\n", clock, count ? ":" : ": none");
    while (count)
        print_command(report, &report->replay->commands[found[--count]], out);
}

/* Where the request's address is; false if no command was for it. */
static bool find_bank(const struct report *report, uint32_t id,
                      struct dram_address *bank)
{
    for (size_t i = 0; i < report->replay->command_count; i++)
        if (report->replay->commands[i].request == id) {
            *bank = report->replay->commands[i].at;
            return true;
        }
    return false;
}

bool report_comparison(const struct report *report, FILE *out)
{
    const struct trace *t = report->trace;
    uint32_t differing = 0, first = 0;
    int64_t clock = INT64_MAX;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct result *a = &report->replay->results[i];
        const struct result *b = &t->results[i];
        if (same(a, b))
            continue;
        differing++;
        if (differ_from(a, b) < clock) {
            clock = differ_from(a, b);
            first = i;
        }
    }
    if (!differing) {
        fprintf(out, "%s: %" PRIu32 " requests equal, %" PRIu64 " cycles\n",
                t->name, t->count, report->replay->last);
        return true;
    }
    fprintf(out,
            "%s: %" PRIu32 " of %" PRIu32 " requests differ; the first in "
            "time, at clock %" PRId64 ":\n",
            t->name, differing, t->count, clock);
    print_difference(report, first, out);
    struct dram_address bank;
    if (find_bank(report, first, &bank))
        print_history(report, &bank, clock, out);
    return false;
}
