/*
 * For tests: managed memory at address 0, and what happens to it as a line of
 * text. After each step its counts have to agree.
 */
#ifndef SIM_UVM_FIXTURE_H
#define SIM_UVM_FIXTURE_H

#include "sim/uvm/curve.h"
#include "sim/uvm/uvm.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define KB 1024u
#define MB (1024u * KB)
#define CLOCK 1481.0

struct fixture {
    struct uvm *u;
    struct uvm_stats stats;
    struct uvm_options options;
    uint64_t cycles; /* of the read channel */
    char text[4096];
};

static inline void fixture_check(struct fixture *f)
{
    struct error error;
    if (!uvm_consistent(f->u, &error))
        fail_msg("%s", error.text);
}

static inline void fixture_open(struct fixture *f, struct uvm_options options,
                                uint64_t bytes)
{
    struct error error;
    *f = (struct fixture){.options = options};
    if (!uvm_options_check(&options, &error))
        fail_msg("%s", error.text);
    f->u = uvm_new(&options, &f->stats);
    if (bytes && !uvm_allocate(f->u, 0, bytes, &error))
        fail_msg("%s", error.text);
}

static inline void fixture_close(struct fixture *f)
{
    fixture_check(f);
    uvm_free(f->u);
}

/* Adds to the text, with a blank before it, as long as there is room. */
static inline void fixture_note(struct fixture *f, const char *format, ...)
{
    size_t n = strlen(f->text);
    va_list list;
    if (n + 64 > sizeof f->text)
        return;
    if (n)
        f->text[n++] = ' ';
    va_start(list, format);
    vsnprintf(f->text + n, sizeof f->text - n, format, list);
    va_end(list);
}

/* Lands all transfers that have room: "START KB", with * at the end of a fault,
 * and - where pages are only mapped. */
static inline void fixture_land(struct fixture *f)
{
    struct uvm_curve curve = uvm_curve_default(CLOCK);
    struct uvm_transfer t;
    while (uvm_next_read(f->u, &t)) {
        uint64_t bytes = uvm_bytes(&t);
        fixture_note(f, "%" PRIx64 ":%" PRIu64 "%s%s",
                     uvm_address(f->u, t.page), bytes / KB,
                     t.ends_with_fault ? "*" : "",
                     t.kind == UVM_MAP ? "-" : "");
        f->cycles += t.kind == UVM_MAP ? 0 : uvm_curve_cycles(&curve, bytes);
        uvm_landed(f->u, &t);
        fixture_check(f);
    }
}

/* Starts all write-backs that wait: "START KB". */
static inline void fixture_write(struct fixture *f)
{
    struct uvm_transfer t;
    while (uvm_next_write(f->u, &t))
        fixture_note(f, "%" PRIx64 ":%" PRIu64 "%s", uvm_address(f->u, t.page),
                     uvm_bytes(&t) / KB, t.kind == UVM_DROP ? "-" : "");
    fixture_check(f);
}

/* One turn with a read of each address. */
static inline void fixture_turn(struct fixture *f, unsigned count,
                                const uint64_t *addresses)
{
    for (unsigned i = 0; i < count; i++)
        uvm_request(f->u, uvm_page(f->u, addresses[i]), false);
    uvm_turn(f->u, uvm_take_faults(f->u, UINT32_MAX));
    fixture_check(f);
}

/* Reads an address and lets what it needs arrive, after evictions. */
static inline void fixture_read(struct fixture *f, uint64_t address)
{
    fixture_turn(f, 1, &address);
    while (uvm_evict(f->u))
        ;
    fixture_write(f);
    fixture_land(f);
}

/* Compares the text with what is expected, and begins another one. */
static inline void fixture_said(struct fixture *f, const char *expected)
{
    assert_string_equal(f->text, expected);
    f->text[0] = 0;
}

#endif
