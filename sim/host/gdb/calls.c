/*
 * System calls about files, as the run has made them: what each gave to the
 * program, in a file without a name that all copies read, each from where the
 * run was when it was forked.
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/back_private.h"
#include "sim/host/observer.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A call: this, then what it wrote, each with its place before it. */
struct noted_call {
    uint64_t bytes; /* behind this */
    uint64_t hart;
    int64_t result;
};

struct noted_write {
    uint8_t *at;
    uint64_t bytes;
};

void calls_begin(struct gdb *g)
{
    g->calls = (struct calls){.fd = memfd_create("corbel", MFD_CLOEXEC)};
}

void calls_end(struct gdb *g)
{
    free(g->calls.bytes);
    if (g->calls.fd >= 0)
        close(g->calls.fd);
    g->calls = (struct calls){.fd = -1};
}

static void add(struct calls *c, const void *bytes, size_t count)
{
    if (c->count + count > c->room) {
        c->room = 2 * (c->count + count);
        c->bytes = heap_resize(c->bytes, c->room, 1, "--gdb-history");
    }
    memcpy(c->bytes + c->count, bytes, count);
    c->count += count;
}

void calls_written(struct gdb *g, const uint8_t *at, uint64_t bytes)
{
    const struct noted_write w = {(uint8_t *)(uintptr_t)at, bytes};
    if (!g->calls.notes || !bytes)
        return;
    add(&g->calls, &w, sizeof w);
    add(&g->calls, at, bytes);
}

static bool put(struct calls *c)
{
    for (size_t done = 0; done < c->count;) {
        ssize_t n = pwrite(c->fd, c->bytes + done, c->count - done,
                           (off_t)(c->at + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    c->at += c->count;
    return true;
}

static int64_t note(struct gdb *g, syscall_function *call, struct hart *hart,
                    const uint64_t *args)
{
    struct calls *c = &g->calls;
    struct noted_call n = {.hart = hart_number(g->host, hart)};
    c->count = 0;
    c->notes = true;
    add(c, &n, sizeof n);
    n.result = call(g->host, hart, args);
    n.bytes = c->count - sizeof n;
    memcpy(c->bytes, &n, sizeof n);
    c->notes = false;
    if (!put(c))
        back_end(g);
    return n.result;
}

static void get(struct calls *c, void *to, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = pread(c->fd, (uint8_t *)to + done, count - done,
                          (off_t)(c->at + done));
        if (n <= 0)
            _exit(EXIT_FAILURE); /* it does not do the same again */
        done += (size_t)n;
    }
    c->at += count;
}

/* That which the run did when it came here. */
static int64_t repeat(struct gdb *g, const struct hart *hart)
{
    struct calls *c = &g->calls;
    struct noted_call n;
    struct noted_write w;
    get(c, &n, sizeof n);
    const uint64_t end = c->at + n.bytes;
    if (n.hart != hart_number(g->host, hart))
        _exit(EXIT_FAILURE);
    while (c->at < end) {
        get(c, &w, sizeof w);
        get(c, w.at, w.bytes);
        observers_written(g->host, w.at, w.bytes, false);
    }
    return n.result;
}

int64_t calls_make(struct gdb *g, syscall_function *call, struct hart *hart,
                   const uint64_t *args)
{
    if (!g->past)
        return call(g->host, hart, args);
    return g->past->role == ROLE_FRONT ? note(g, call, hart, args)
                                       : repeat(g, hart);
}
