#include "registers.h"
#include "rows.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 1000, CONTENTS = 1001 }; /* streams, beyond those of the rows */

/* ---- words ---- */

static uint32_t draw_operands(struct stream *s, const struct row *row)
{
    const bool trace = row->shape == SHAPE_TRACE;
    uint32_t word = row->match;
    for (const char *c = row->letters; *c; c++) {
        if (*c == 'd' || *c == 'D')
            word |= draw_below(s, trace ? 29 : 32) << 7;
        if (*c == 's' || *c == 'S')
            word |= draw_below(s, trace ? 25 : 32) << 15;
        if (*c == 't' || *c == 'T')
            word |= draw_below(s, 32) << 20;
        if (*c == 'R')
            word |= draw_below(s, 32) << 27;
        if (*c == 'j')
            word |= (draw(s) & 1 ? draw_below(s, 4096) : draw_below(s, 2))
                    << 20;
    }
    return word;
}

/* One fixed bit is another, or registers of a TRACE reach beyond f31. */
static uint32_t draw_illegal(struct stream *s, const struct row *row)
{
    for (;;) {
        uint32_t word = draw_operands(s, row);
        if (row->shape == SHAPE_TRACE && draw(s) & 1)
            word |= draw(s) & 1 ? 29u << 7 : 25u << 15;
        else
            word ^= row->mask & ~UINT32_C(0x7f) & 1u << draw_below(s, 32);
        if (!row_of(word))
            return word;
    }
}

void sequence_make(struct sequence *q, uint32_t seed, uint32_t number)
{
    struct stream s = stream_start(seed, WORDS, number);
    q->count = 1 + draw_below(&s, SEQUENCE_MOST);
    for (unsigned i = 0; i < q->count; i++) {
        const struct row *row = &rows[draw_below(&s, row_count)];
        q->words[i] =
            draw_below(&s, 24) ? draw_operands(&s, row) : draw_illegal(&s, row);
    }
}

/* The words of each with the end that enter.S says, and a table of them. */
void sequences_write(uint32_t seed, uint32_t count)
{
    printf("    .text\n    .option norvc\n    .option arch, +zicsr\n");
    for (uint32_t n = 0; n < count; n++) {
        struct sequence q;
        sequence_make(&q, seed, n);
        printf("s%" PRIu32 ":", n);
        for (unsigned i = 0; i < q.count; i++)
            printf(" .4byte 0x%08" PRIx32 ";", q.words[i]);
        printf(
            " csrw mtval, zero; csrrw sp, mscratch, sp; j registers_leave\n");
    }
    printf("    .section .rodata\n    .balign 8\n"
           "    .globl sequence_count, sequence_code\n"
           "sequence_count: .4byte %" PRIu32 "\n    .balign 8\n"
           "sequence_code:\n",
           count);
    for (uint32_t n = 0; n < count; n++)
        printf("    .dc.a s%" PRIu32 "\n", n);
}

/* ---- contents ---- */

static void put(struct registers *r, unsigned first, const void *record,
                size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, (const char *)record + 4 * i, 4);
        r->f[first + i] = word;
    }
}

/* What the instruction would like to find; X_XX and F_* take anything. */
static void put_operands(struct registers *r, const struct row *row,
                         uint32_t word, const struct operands *o)
{
    switch (row->shape) {
    case SHAPE_BOX:
        put(r, 0, &o->ray, sizeof o->ray);
        put(r, 8, &o->box, sizeof o->box);
        break;
    case SHAPE_TRI:
        put(r, 0, &o->ray, sizeof o->ray);
        put(r, 8, &o->triangle, sizeof o->triangle);
        put(r, 17, &o->hit, sizeof o->hit);
        put(r, 21, &o->index, sizeof o->index);
        break;
    case SHAPE_TRACE:
        put(r, word >> 15 & 31, &o->ray, sizeof o->ray);
        break;
    default:
        break;
    }
}

/* Half of the registers hold no NaN-boxed single. */
static void fill_upper_halves(struct registers *r, struct stream *s)
{
    for (int i = 0; i < 32; i++) {
        uint32_t n = draw_below(s, 8);
        uint64_t upper = n < 4 ? UINT32_MAX : n == 4 ? 0 : draw(s);
        r->f[i] = upper << 32 | (uint32_t)r->f[i];
    }
}

void sequence_registers(struct registers *r, const struct sequence *q,
                        uint32_t seed, uint32_t number,
                        const struct corbel_scene *scene)
{
    struct stream s = stream_start(seed, CONTENTS, number);
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 32; i++) {
        uint64_t high = draw(&s);
        uint64_t x = high << 32 | draw(&s);
        r->x[i] = i == 0 ? 0 : xlen == 32 ? (uint32_t)x : x;
        r->f[i] = bits_of(draw_float(&s, draw_kind(&s)));
    }
    const struct row *row = row_of(q->words[0]);
    struct operands o;
    if (row) {
        operands_make(&o, row->shape, s, scene);
        put_operands(r, row, q->words[0], &o);
    }
    fill_upper_halves(r, &s);
    r->fcsr = draw_below(&s, 5) << 5 | draw_below(&s, 32);
}

#ifndef __riscv
void sequence_model(struct registers *r, const struct sequence *q)
{
    enum { ILLEGAL_INSTRUCTION = 2 };
    for (unsigned i = 0; i < q->count; i++) {
        const struct row *row = row_of(q->words[i]);
        if (!row) {
            r->cause = ILLEGAL_INSTRUCTION;
            return;
        }
        row->model(r, q->words[i]);
    }
}
#endif
