/*
 * The log of commits: merges what each thread processor has kept, in the order
 * of cycle and hart, and writes lines as soon as no earlier instruction can
 * still come.
 */
#include "sim/host/observe/commit_log.h"
#include "sdk/whole/folder.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/signals.h"
#include "sim/units/common/commit_queue.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct source {
    struct commit_queue *queue;
    uint32_t taken;
};

struct commits {
    const char *path; /* NULL: stderr */
    int fd;
    int failure;            /* errno of the first write that failed, 0: none */
    struct source *sources; /* in the order of their harts */
    unsigned source_count;
    bool *cut;    /* by hart: at the end, an instruction under way was met */
    uint64_t due; /* cycle in which it is written next */
    uint64_t written; /* bytes */
    size_t used;
    char buffer[BUFFER]; /* whole lines */
};

/* ---- construction ---- */

/* Cores that cannot log, as their kind says, are left out. */
static void find_sources(struct commits *c, const struct chip *chip)
{
    unsigned units = chip_unit_count(chip);
    c->sources = heap_new(units, sizeof *c->sources, "the log of commits");
    for (unsigned i = 0; i < units; i++) {
        struct unit *u = chip_unit_at(chip, i);
        const struct core_kind *core = u->kind->core;
        if (core && core->commits)
            c->sources[c->source_count++].queue = core->commits(u);
    }
}

/* The file is the run's own, as those of folder.h are. */
static int open_file(const char *path)
{
    const char *name;
    const int folder = folder_note(path) ? folder_of(path, &name) : -1;
    return folder < 0
               ? -1
               : openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

static struct commits *commits_open(const char *path, const struct chip *chip,
                                    uint32_t harts, struct error *error)
{
    struct commits *c = heap_new(1, sizeof *c, "the log of commits");
    c->path = path;
    c->fd = path ? open_file(path) : STDERR_FILENO;
    if (c->fd < 0) {
        error_set(error, "%s: cannot write the log: %s", path, strerror(errno));
        free(c);
        return NULL;
    }
    find_sources(c, chip);
    c->cut = heap_new(harts, sizeof *c->cut, "the log of commits");
    return c;
}

static void commits_begin(struct commits *c)
{
    if (c->path)
        (void)!ftruncate(c->fd, 0); /* a pipe or a device has no length */
}

static void commits_close(struct commits *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < c->source_count; i++)
        commit_queue_free(c->sources[i].queue);
    if (c->path)
        close(c->fd);
    free(c->sources);
    free(c->cut);
    free(c);
}

static const char *name_of(const struct commits *c)
{
    return c->path ? c->path : "stderr";
}

/* ---- lines ---- */

/* What cannot be written is told once, by commits_written, and the lines after
 * it are dropped. */
static void write_out(struct commits *c)
{
    size_t done = 0;
    while (done < c->used && !c->failure) {
        ssize_t n = signals_write(c->fd, c->buffer + done, c->used - done);
        if (n < 0)
            c->failure = errno;
        done += n > 0 ? (size_t)n : 0;
    }
    c->written += done;
    c->used = 0;
}

struct commits *commits_of(const struct host *host)
{
    return *observer_of(host, &commits_observer);
}

bool commits_written(struct host *host)
{
    struct commits *c = commits_of(host);
    write_out(c);
    if (c->failure == EINTR ||
        (!c->failure && c->written > host->options->max_output &&
         outputs_over(host)))
        return host_interrupt(host);
    return !c->failure || host_end(host, ENDING_HOST, STATUS_HOST,
                                   "%s: cannot write the log: %s", name_of(c),
                                   strerror(c->failure));
}

/* Where there is room for a line of any instruction. */
static char *next_line(struct commits *c)
{
    if (c->used > BUFFER - ISA_COMMIT_LINE)
        write_out(c);
    return c->buffer + c->used;
}

void commits_add(struct commits *c, uint32_t hart,
                 const struct isa_commit *commit)
{
    c->used += isa_commit_line(commit, hart, next_line(c));
}

/* ---- what thread processors have ---- */

/* The next entry of a source that has not been taken, NULL: there is none. */
static const struct commit_entry *head(const struct source *s)
{
    return s->taken < s->queue->count ? &s->queue->entries[s->taken] : NULL;
}

/* First cycle in which an instruction was issued that is still under way. */
static uint64_t first_waiting(const struct commits *c)
{
    uint64_t first = CYCLE_NEVER;
    for (unsigned i = 0; i < c->source_count; i++) {
        const struct commit_queue *q = c->sources[i].queue;
        if (q->waiting_count && q->entries[q->waiting[0]].cycle < first)
            first = q->entries[q->waiting[0]].cycle;
    }
    return first;
}

/* The source with the next entry, NULL: none before the limit. */
static struct source *next_source(struct commits *c, uint64_t limit)
{
    struct source *next = NULL;
    for (unsigned i = 0; i < c->source_count; i++) {
        const struct commit_entry *e = head(&c->sources[i]);
        if (e && e->cycle < limit) {
            limit = e->cycle;
            next = &c->sources[i];
        }
    }
    return next;
}

static void add_entry(struct commits *c, const struct commit_queue *queue,
                      const struct commit_entry *e)
{
    if (queue->line)
        c->used += queue->line(&e->commit, e->hart, next_line(c));
    else
        commits_add(c, e->hart, &e->commit);
}

/* Writes what was issued before the limit, in the order of cycles. A hart whose
 * instruction has not come to its end by then is cut there: those behind it
 * would stand before it. */
static void take(struct commits *c, uint64_t limit)
{
    struct source *s;
    while ((s = next_source(c, limit))) {
        const struct commit_entry *e = head(s);
        c->cut[e->hart] |= e->waits;
        if (!c->cut[e->hart])
            add_entry(c, s->queue, e);
        s->taken++;
    }
    for (unsigned i = 0; i < c->source_count; i++) {
        commit_queue_remove(c->sources[i].queue, c->sources[i].taken);
        c->sources[i].taken = 0;
    }
}

/* ---- the observer ---- */

static bool commits_arrive(struct host *host, struct error *error)
{
    host->machine.log_commits = host->options->log_commits;
    return true;
}

static bool open_log(struct host *host, struct error *error)
{
    const struct options *o = host->options;
    void **commits = observer_of(host, &commits_observer);
    if (o->log_commits)
        *commits =
            commits_open(o->log, host->chip, host->machine.hart_count, error);
    return *commits || !o->log_commits;
}

static bool begin_log(struct host *host, struct error *error)
{
    if (commits_of(host))
        commits_begin(commits_of(host));
    return true;
}

static bool commits_watch(const struct host *host)
{
    return commits_of(host);
}

static bool collect(struct host *host)
{
    take(commits_of(host), first_waiting(commits_of(host)));
    return commits_written(host);
}

static bool commits_still(struct host *host, uint64_t now)
{
    enum { CYCLES = 1024 }; /* of records in memory */
    struct commits *c = commits_of(host);
    if (!c || now < c->due)
        return true;
    host->now = now;
    c->due = now + CYCLES;
    return collect(host);
}

/* What was logged comes before anything that is printed. */
static bool commits_service(struct host *host, const struct hart *hart)
{
    return !commits_of(host) || collect(host);
}

static uint64_t commits_bytes(const struct host *host, const char **path)
{
    const struct commits *c = commits_of(host);
    struct stat s;
    if (!c)
        return 0;
    *path = name_of(c);
    return !fstat(c->fd, &s) && S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
}

/* Each hart up to its first instruction under way. */
static bool commits_end(struct host *host, struct error *error)
{
    if (!commits_of(host))
        return true;
    take(commits_of(host), CYCLE_NEVER);
    commits_written(host);
    return true;
}

static void close_log(struct host *host)
{
    commits_close(commits_of(host));
}

static bool log_agrees(const struct options *o, struct error *error)
{
    return o->log_commits ||
           error_set(error, "--log %.80s: only with --log-commits", o->log);
}

static const struct option_row options[] = {
    {"log-commits", 0, NULL,
     "a line for each instruction, in Spike's format, on stderr",
     OPTION_OBSERVE, OPTION_UNSAVED | OPTION_ONE_WAY, OPTION_FLAG,
     offsetof(struct options, log_commits), .more = "See isa.md."},
    {"log", 0, "FILE", "where --log-commits writes to instead", OPTION_OBSERVE,
     OPTION_WRITES | OPTION_REPEATED, OPTION_TEXT,
     offsetof(struct options, log), .agrees = log_agrees},
    {NULL}};

const struct observer commits_observer = {
    .options = options,
    .name = "log-commits",
    .arrive = commits_arrive,
    .open = open_log,
    .begin = begin_log,
    .still = commits_still,
    .watches = commits_watch,
    .service = commits_service,
    .bytes = commits_bytes,
    .end = commits_end,
    .free = close_log,
};
