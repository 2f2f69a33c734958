/*
 * For tests of the thread processor: a little assembler, and a core with a
 * memory that runs a program on all of its harts.
 */
#ifndef SIM_TP_BENCH_H
#define SIM_TP_BENCH_H

#include "runtime/include/corbel/scene.h"
#include "sim/units/common/bench.h"
#include "sim/units/tp/tp.h"

#define FAR 30u

/* From a request to the cycle in which its answer can be used. */
#define ROUND_TRIP (2 * LINK + FAR)

/* ---- a little assembler ---- */

static inline uint32_t i_type(uint32_t match, unsigned rd, unsigned rs1,
                              int imm)
{
    return match | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t r_type(uint32_t match, unsigned rd, unsigned rs1,
                              unsigned rs2)
{
    return match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t s_type(uint32_t match, unsigned rs2, int imm,
                              unsigned rs1)
{
    uint32_t i = (uint32_t)imm;
    return match | (i & 31) << 7 | rs1 << 15 | rs2 << 20 | (i >> 5 & 127) << 25;
}

/* The offset is in instructions. */
static inline uint32_t b_type(uint32_t match, unsigned rs1, unsigned rs2,
                              int offset)
{
    uint32_t i = 4 * (uint32_t)offset;
    return match | rs1 << 15 | rs2 << 20 | (i >> 11 & 1) << 7 |
           (i >> 1 & 15) << 8 | (i >> 5 & 63) << 25 | (i >> 12 & 1) << 31;
}

#define NOP ADDI(0, 0, 0)
#define ADDI(rd, rs1, imm) i_type(0x13, rd, rs1, imm)
#define SLLI(rd, rs1, by) i_type(0x1013, rd, rs1, by)
#define MUL(rd, rs1, rs2) r_type(0x02000033, rd, rs1, rs2)
#define LD(rd, imm, rs1) i_type(0x3003, rd, rs1, imm)
#define LW(rd, imm, rs1) i_type(0x2003, rd, rs1, imm)
#define LHU(rd, imm, rs1) i_type(0x5003, rd, rs1, imm)
#define SD(rs2, imm, rs1) s_type(0x3023, rs2, imm, rs1)
#define SW(rs2, imm, rs1) s_type(0x2023, rs2, imm, rs1)
#define BNE(rs1, rs2, offset) b_type(0x1063, rs1, rs2, offset)
#define BGEU(rs1, rs2, offset) b_type(0x7063, rs1, rs2, offset)
#define AMOADD(rd, rs2, rs1) r_type(0x0000302f, rd, rs1, rs2)
#define LR(rd, rs1) r_type(0x1000302f, rd, rs1, 0)
#define SC(rd, rs2, rs1) r_type(0x1800302f, rd, rs1, rs2)
#define FDIV(rd, rs1, rs2) r_type(0x18000053, rd, rs1, rs2)
#define FMV_X_W(rd, rs1) r_type(0xe0000053, rd, rs1, 0)
#define FMV_W_X(rd, rs1) r_type(0xf0000053, rd, rs1, 0)
#define RDCYCLE(rd) i_type(0xc0002073, rd, 0, 0)
#define FENCE 0x0ff0000fu
#define FENCE_W_W 0x0110000fu
#define FENCE_I 0x100fu
#define ECALL 0x73u
#define CBO_INVAL(rs1) i_type(0x200f, 0, rs1, BLOCK_INVAL)
#define CBO_CLEAN(rs1) i_type(0x200f, 0, rs1, BLOCK_CLEAN)
#define CBO_FLUSH(rs1) i_type(0x200f, 0, rs1, BLOCK_FLUSH)
#define NTL_P1 0x00200033u
#define NTL_PALL 0x00300033u
#define NTL_S1 0x00400033u
#define NTL_ALL 0x00500033u
#define FCHTHRD(rd) i_type(0x0b, rd, 0, 0)
#define TRACERAY(rd, rs1, imm) i_type(0x500b, rd, rs1, imm)

/* ---- a core ---- */

struct program {
    unsigned harts;
    struct setting settings[4];
    uint32_t words[64];
};

/* All harts run the program; it ends with an ecall. */
static inline struct unit *build_core(struct bench *b)
{
    const struct program *p = b->scenario->with;
    struct unit *tp = bench_unit(b, "tp", "tp");
    bench_set(b, tp, "harts", p->harts);
    bench_set_all(tp, p->settings);
    bench_program(b, p->words, TABLE_COUNT(p->words));
    return tp;
}

static inline void build(struct bench *b)
{
    bench_below(b, build_core(b), "mem", "data", FAR);
    for (unsigned i = 0; i < 64; i++) {
        uint8_t *at = machine_at(&b->machine, 0x100 + i);
        *at = (uint8_t)(0xa0 + i);
    }
}

/* A scene without a root: no ray hits anything. */
static inline void open_empty_scene(struct bench *b)
{
    static const struct corbel_scene nothing;
    b->machine.scene = &nothing;
}

/* A hart that asks for a service is done. */
static inline bool serve(struct bench *b, uint64_t now,
                         const struct service_request *request)
{
    return true;
}

static inline void play_on(void (*build_it)(struct bench *b),
                           void (*check)(struct bench *b),
                           const struct program *p)
{
    bench_play(&(struct scenario){
        .build = build_it, .check = check, .serve = serve, .with = p});
}

static inline void play(void (*check)(struct bench *b), const struct program *p)
{
    play_on(build, check, p);
}

static inline uint64_t x(const struct bench *b, unsigned hart, unsigned number)
{
    return b->machine.harts[hart].isa.x[number];
}

/* When the hart's service was asked for. */
static inline uint64_t ended(const struct bench *b, unsigned hart)
{
    for (unsigned i = 0; i < b->service_count; i++)
        if (b->services[i].tag == hart)
            return b->services[i].cycle;
    fail_msg("hart %u did not end", hart);
    return 0;
}

#endif
