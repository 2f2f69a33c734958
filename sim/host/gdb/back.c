/*
 * The copies that wait. They are made where the engine has returned, so that no
 * other thread lives, at first every SPACING cycles; when they are too many, or
 * take too much memory, every other one goes, and the next come half as often.
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/back_private.h"
#include "sim/host/run/signals.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SPACING = 4096 };

/* ---- begin and end ---- */

static int event_new(void)
{
    return eventfd(0, EFD_CLOEXEC);
}

void back_signal(int event)
{
    const uint64_t one = 1;
    (void)!write(event, &one, sizeof one);
}

static bool is_possible(const struct gdb *g)
{
    const struct options *o = g->host->options;
    return o->gdb_history && g->host->engine && !o->roi;
}

/* Copies of copies become children of the run, too, when those end. */
void back_begin(struct gdb *g)
{
    if (!is_possible(g))
        return;
    struct past *p = heap_new(1, sizeof *p, "--gdb-history");
    p->shared = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->shared == MAP_FAILED)
        heap_lacks(1, sizeof *p->shared, "--gdb-history");
    for (unsigned i = 0; i < COPIES; i++)
        p->wake[i] = event_new();
    p->answer = event_new();
    p->front = event_new();
    p->session = memfd_create("corbel", MFD_CLOEXEC);
    if (p->wake[COPIES - 1] < 0 || p->session < 0 || pipe2(p->life, O_CLOEXEC))
        heap_end("--gdb-history: no more files can be opened");
    p->spacing = SPACING;
    p->run = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    calls_begin(g);
    g->past = p;
}

static void drop(struct copy *c)
{
    if (c->process)
        kill(c->process, SIGKILL);
    *c = (struct copy){0};
}

static void reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

void back_end(struct gdb *g)
{
    struct past *p = g->past;
    if (!p || p->role != ROLE_FRONT)
        return;
    for (unsigned i = 0; i < COPIES; i++) {
        drop(&p->shared->copies[i]);
        close(p->wake[i]);
    }
    close(p->answer);
    close(p->front);
    close(p->session);
    close(p->life[0]);
    close(p->life[1]);
    reap();
    munmap(p->shared, sizeof *p->shared);
    free(p);
    g->past = NULL;
    calls_end(g);
}

/* ---- what a copy does first ---- */

static bool is_ours(const struct gdb *g, int fd)
{
    const struct past *p = g->past;
    for (unsigned i = 0; i < COPIES; i++)
        if (fd == p->wake[i])
            return true;
    return fd == p->answer || fd == p->front || fd == p->session ||
           fd == p->life[0] || fd == g->calls.fd || fd == g->link.in ||
           fd == g->link.out;
}

void back_silence(const struct gdb *g)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    DIR *all = opendir("/proc/self/fd");
    if (nothing < 0 || !all)
        _exit(EXIT_FAILURE);
    for (const struct dirent *d; (d = readdir(all));) {
        const int fd = atoi(d->d_name), flags = fcntl(fd, F_GETFL);
        if (*d->d_name != '.' && fd != nothing && !is_ours(g, fd) &&
            flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
            dup2(nothing, fd);
    }
    closedir(all);
    close(nothing);
}

/* False: the run has ended. */
static bool is_called(const struct past *p, unsigned number)
{
    uint64_t count;
    struct pollfd f[] = {{.fd = p->wake[number], .events = POLLIN},
                         {.fd = p->life[0], .events = POLLIN}};
    while (poll(f, 2, -1) < 0 && errno == EINTR)
        ;
    return !f[1].revents &&
           read(p->wake[number], &count, sizeof count) == sizeof count;
}

/* Each order is carried out by a copy of its own. */
static _Noreturn void be_copy(struct gdb *g, unsigned number)
{
    struct past *p = g->past;
    close(p->life[1]);
    p->life[1] = -1;
    signal(SIGINT, SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* those that have worked are gone at once */
    back_silence(g);
    while (is_called(p, number)) {
        pid_t process = fork();
        if (!process)
            again_work(g);
        if (process < 0) {
            p->shared->found =
                (struct found){.number = p->shared->order.number};
            back_signal(p->answer);
        }
    }
    _exit(0);
}

/* ---- how many there are ---- */

/* kB of the process that only it has, or its part of what several have; all:
 * whatever it has. */
static uint64_t memory_of(pid_t process, bool all)
{
    char name[64], line[200];
    unsigned long long kb = 0;
    snprintf(name, sizeof name, "/proc/%ld/smaps_rollup", (long)process);
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, all ? "Rss: %llu" : "Pss: %llu", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return kb;
}

/* Bytes that would be free without copies. */
static uint64_t bytes_taken(const struct gdb *g)
{
    const struct past *p = g->past;
    uint64_t sum = memory_of(p->run, false);
    const uint64_t own = memory_of(p->run, true);
    for (unsigned i = 0; i < COPIES; i++)
        if (p->shared->copies[i].process)
            sum += memory_of(p->shared->copies[i].process, false);
    return sum > own ? (sum - own) * 1024 : 0;
}

static unsigned count_of(const struct past *p, bool rung)
{
    unsigned count = 0;
    for (unsigned i = 0; i < COPIES; i++)
        count +=
            p->shared->copies[i].process && p->shared->copies[i].rung == rung;
    return count;
}

/* Of those that are no rungs the first one stays, and every other. */
static void thin(struct past *p)
{
    struct copy *all = p->shared->copies;
    bool goes[COPIES];
    for (unsigned i = 0; i < COPIES; i++) {
        unsigned before = 0;
        for (unsigned n = 0; n < COPIES; n++)
            before +=
                all[n].process && !all[n].rung && all[n].cycle < all[i].cycle;
        goes[i] = all[i].rung || before % 2;
    }
    for (unsigned i = 0; i < COPIES; i++)
        if (goes[i])
            drop(&all[i]);
    p->spacing *= 2;
}

/* The rung that is farthest from a cycle goes. */
static void drop_rung(struct past *p, uint64_t cycle)
{
    struct copy *far = NULL, *c = p->shared->copies;
    uint64_t most = 0;
    for (unsigned i = 0; i < COPIES; i++) {
        uint64_t by =
            c[i].cycle > cycle ? c[i].cycle - cycle : cycle - c[i].cycle;
        if (c[i].process && c[i].rung && by >= most) {
            far = &c[i];
            most = by;
        }
    }
    if (far)
        drop(far);
}

bool back_keep(struct gdb *g, bool rung)
{
    struct past *p = g->past;
    unsigned i = 0;
    if (rung && count_of(p, true) == RUNGS_MOST)
        drop_rung(p, g->host->now);
    while (i < COPIES && p->shared->copies[i].process)
        i++;
    if (i == COPIES)
        return false;
    uint64_t none;
    struct pollfd f = {.fd = p->wake[i], .events = POLLIN};
    if (poll(&f, 1, 0) > 0) /* of the copy that was there before */
        (void)!read(p->wake[i], &none, sizeof none);
    const pid_t process = fork();
    if (!process)
        be_copy(g, i);
    if (process > 0)
        p->shared->copies[i] =
            (struct copy){process, rung, engine_cycle(g->host->engine)};
    return process > 0;
}

/* Where the engine was stopped between an end of a cycle and what is due in it,
 * none is made. */
uint64_t back_due(struct gdb *g)
{
    struct past *p = g->past;
    const uint64_t now = g->host->now;
    if (!p || p->role != ROLE_FRONT)
        return CYCLE_NEVER;
    if (now >= p->due && !g->left) {
        reap();
        if (count_of(p, false) == KEPT_MOST ||
            bytes_taken(g) > g->host->options->gdb_history)
            thin(p);
        back_keep(g, false);
        p->due = now + p->spacing;
    }
    return p->due > now ? p->due : now + 1;
}

bool back_searches(const struct gdb *g)
{
    return g->past && g->past->role == ROLE_SEARCH;
}

bool back_may_change(const struct gdb *g)
{
    return !g->past || g->past->role == ROLE_FRONT;
}

void back_changed(struct gdb *g)
{
    struct past *p = g->past;
    for (unsigned i = 0; p && i < COPIES; i++)
        drop(&p->shared->copies[i]);
    if (p)
        p->due = g->host->now;
}

void back_tell(const struct gdb *g, FILE *to)
{
    const struct past *p = g->past;
    uint64_t first = CYCLE_NEVER;
    for (unsigned i = 0; p && i < COPIES; i++)
        if (p->shared->copies[i].process && p->shared->copies[i].cycle < first)
            first = p->shared->copies[i].cycle;
    if (first == CYCLE_NEVER) {
        fprintf(to, "there is no way back from here\n");
        return;
    }
    fprintf(to,
            "back to cycle %" PRIu64 ", by %u copies, which take %" PRIu64
            " MB; the run has come to cycle %" PRIu64 "\n",
            first, count_of(p, false) + count_of(p, true), bytes_taken(g) >> 20,
            p->role == ROLE_FRONT ? g->host->now : p->shared->front.cycle);
}
