/*
 * Programs for lanes of warps: the same text on areas of data of their own,
 * most of which is alike, so that lanes now go the same way and now part.
 *
 * Harts take areas by counting one up; a hart alone takes them one after the
 * other, and each area gets what it gets alone. What a hart counts as
 * instructions retired is that of the area. Two words behind the areas count
 * those that are taken and those that have ended.
 */
#include "runtime/include/corbel/abi.h"
#include "sim/isa/tests/fuzz_text.h"

#include <string.h>

enum { TAKEN = 0, ENDED = 4, COUNTERS = 64, DIFFERS_IN = 2 };

size_t program_data_bytes(const struct program *program)
{
    return program->lanes ? (size_t)program->lanes * DATA_SIZE : DATA_SIZE;
}

/* ---- data ---- */

/* One value in a few is the lane's own, and is 0 where shrinking wants it. */
void program_lane_data(const struct program *p, unsigned lane,
                       uint8_t data[DATA_SIZE])
{
    struct random random = {(p->seed * MOST_LANES + lane) * 2 + 1};
    uint8_t own[DATA_SIZE];
    program_data(p, data);
    memcpy(own, data, DATA_SIZE);
    for (unsigned at = 0; at < DATA_SIZE && lane; at += 8) {
        bool integer =
            at < DATA_F || (at >= DATA_POOL && random_once_in(&random, 2));
        uint64_t value =
                     integer ? value_integer(&random) : value_float(&random),
                 old;
        memcpy(&old, data + at, sizeof old);
        if (random_once_in(&random, DIFFERS_IN) && old)
            memcpy(own + at, &value, sizeof value);
    }
    memcpy(data, own, DATA_SIZE);
}

/* ---- words ---- */

static uint32_t jump_back(uint32_t words)
{
    uint32_t offset = 0 - 4 * words;
    return isa_rows[OP_jal].match | (offset >> 20 & 1) << 31 |
           (offset >> 1 & 0x3ff) << 21 | (offset >> 11 & 1) << 20 |
           (offset >> 12 & 0xff) << 12;
}

/* B-type, forward by a number of words. */
static uint32_t branch(enum isa_op op, unsigned rs1, unsigned rs2,
                       uint32_t words)
{
    return isa_rows[op].match | rs1 << 15 | rs2 << 20 | (words & 7) << 9 |
           (words >> 3 & 63) << 25;
}

static uint32_t three(enum isa_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return isa_rows[op].match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t shift_left(unsigned rd, unsigned by)
{
    return isa_rows[OP_slli].match | rd << 7 | rd << 15 | by << 20;
}

/* rd = the counter, which goes up by one. */
static void add_count(struct words *words, const struct program *p, unsigned rd,
                      unsigned t, unsigned counter)
{
    add_address(words, t,
                DATA_ADDRESS + p->lanes * DATA_SIZE + COUNTERS + counter);
    add(words, load(OP_addi, rd, 0, 1));
    add(words, three(OP_amoadd_w, rd, t, rd));
}

void add_lane_start(struct words *words, const struct program *p)
{
    unsigned lane = free_register(p, T0), t = free_register(p, T1);
    enum { PARKING = 4 };
    add_count(words, p, lane, t, TAKEN);
    add(words, load(OP_addi, t, 0, (int)p->lanes));
    add(words, branch(OP_bltu, lane, t, PARKING + 1));
    add_address(words, A7, CORBEL_SYS_PARK);
    add(words, isa_rows[OP_ecall].match);
    add(words, jump_back(PARKING - 1));
    add_address(words, p->data_register, DATA_ADDRESS + DATA_POINTER);
    add(words, shift_left(lane, 13));
    add(words, three(OP_add, p->data_register, p->data_register, lane));
    add(words, load(OP_csrrw, 0, 0, FCSR));
    add(words, load(OP_csrrs, lane, 0, INSTRET));
    add(words,
        store(OP_sw, lane, p->data_register, data_offset(DATA_INSTRET, 0)));
}

/* Back to the first word of all. */
static void add_restart(struct words *words, const struct program *p,
                        unsigned t)
{
    uint32_t here = p->body.end_address + 4 * words->count;
    uint32_t offset = program_entry(p) - here;
    add(words,
        isa_rows[OP_auipc].match | t << 7 | ((offset + 0x800) & 0xfffff000));
    add(words, load(OP_jalr, 0, t, (int)(offset << 20) >> 20));
}

void add_lane_end(struct words *words, const struct program *p)
{
    unsigned a = free_register(p, T0), t = free_register(p, T1);
    int instret = data_offset(DATA_INSTRET, 0);
    add(words, load(OP_csrrs, a, 0, INSTRET));
    add(words, load(OP_lw, t, p->data_register, instret));
    add(words, three(OP_sub, a, a, t));
    add(words, store(OP_sw, a, p->data_register, instret));
    add(words, isa_rows[OP_fence].match | 0x0ff00000);
    add_count(words, p, a, t, ENDED);
    add(words, load(OP_addi, t, 0, (int)p->lanes - 1));
    add(words, branch(OP_beq, a, t, 3));
    add_restart(words, p, t);
    add_address(words, A0 + 1, DATA_ADDRESS);
    add(words, isa_rows[OP_lui].match | (A0 + 2) << 7 |
                   (uint32_t)program_data_bytes(p));
    add_call(words, SYS_WRITE, STDOUT);
    add_call(words, SYS_EXIT, 0);
}
