/* A step of the machine is an opcode, whose operands stand behind it with the
 * highest byte first. */
#include "sim/host/gdb/agent.h"
#include <string.h>

enum { DEPTH = 64, STEPS = 10000 };

/* Those of integers; others are not known. */
enum opcode {
    OP_ADD = 0x02,
    OP_SUB,
    OP_MUL,
    OP_DIV_SIGNED,
    OP_DIV_UNSIGNED,
    OP_REM_SIGNED,
    OP_REM_UNSIGNED,
    OP_LSH,
    OP_RSH_SIGNED,
    OP_RSH_UNSIGNED,
    OP_LOG_NOT = 0x0e,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_BIT_NOT,
    OP_EQUAL,
    OP_LESS_SIGNED,
    OP_LESS_UNSIGNED,
    OP_EXT,
    OP_REF8,
    OP_REF16,
    OP_REF32,
    OP_REF64,
    OP_IF_GOTO = 0x20,
    OP_GOTO,
    OP_CONST8,
    OP_CONST16,
    OP_CONST32,
    OP_CONST64,
    OP_REG,
    OP_END,
    OP_DUP,
    OP_POP,
    OP_ZERO_EXT,
    OP_SWAP,
    OP_PICK = 0x32,
    OP_ROT,
};

struct machine_of_agent {
    const uint8_t *code;
    size_t bytes, at;
    const struct agent_target *target;
    uint64_t stack[DEPTH];
    unsigned depth;
    bool wrong; /* what has come so far has no value */
};

/* ---- stack and operands ---- */

static void push(struct machine_of_agent *m, uint64_t value)
{
    if (m->depth == DEPTH)
        m->wrong = true;
    else
        m->stack[m->depth++] = value;
}

static uint64_t pop(struct machine_of_agent *m)
{
    if (!m->depth) {
        m->wrong = true;
        return 0;
    }
    return m->stack[--m->depth];
}

static uint64_t operand(struct machine_of_agent *m, unsigned bytes)
{
    uint64_t value = 0;
    if (m->bytes - m->at < bytes) {
        m->wrong = true;
        return 0;
    }
    while (bytes--)
        value = value << 8 | m->code[m->at++];
    return value;
}

static void go(struct machine_of_agent *m, uint64_t to)
{
    m->wrong |= to >= m->bytes;
    m->at = to;
}

/* ---- what opcodes do ---- */

static uint64_t divide(struct machine_of_agent *m, enum opcode op, uint64_t a,
                       uint64_t b)
{
    const int64_t x = (int64_t)a, y = (int64_t)b;
    if (!b || (x == INT64_MIN && y == -1)) {
        m->wrong = true;
        return 0;
    }
    return op == OP_DIV_SIGNED     ? (uint64_t)(x / y)
           : op == OP_DIV_UNSIGNED ? a / b
           : op == OP_REM_SIGNED   ? (uint64_t)(x % y)
                                   : a % b;
}

static uint64_t shift_right(uint64_t a, uint64_t by)
{
    const uint64_t filled = (int64_t)a < 0 ? UINT64_MAX : 0;
    return by >= 64 ? filled : a >> by | (by ? filled << (64 - by) : 0);
}

// clang-format off
static void two(struct machine_of_agent *m, enum opcode op)
{
    const uint64_t b = pop(m), a = pop(m);
    switch (op) {
    case OP_ADD: push(m, a + b); break;
    case OP_SUB: push(m, a - b); break;
    case OP_MUL: push(m, a * b); break;
    case OP_LSH: push(m, b < 64 ? a << b : 0); break;
    case OP_RSH_SIGNED: push(m, shift_right(a, b)); break;
    case OP_RSH_UNSIGNED: push(m, b < 64 ? a >> b : 0); break;
    case OP_AND: push(m, a & b); break;
    case OP_OR: push(m, a | b); break;
    case OP_XOR: push(m, a ^ b); break;
    case OP_EQUAL: push(m, a == b); break;
    case OP_LESS_SIGNED: push(m, (int64_t)a < (int64_t)b); break;
    case OP_LESS_UNSIGNED: push(m, a < b); break;
    default: push(m, divide(m, op, a, b)); break;
    }
}

// clang-format on
static void extend(struct machine_of_agent *m, bool sign)
{
    const uint64_t bits = operand(m, 1), value = pop(m);
    if (!bits || bits >= 64) {
        m->wrong |= !bits;
        push(m, value);
        return;
    }
    const uint64_t mask = (1ull << bits) - 1, low = value & mask;
    push(m, sign && low >> (bits - 1) ? low | ~mask : low);
}

static void refer(struct machine_of_agent *m, size_t bytes)
{
    uint64_t value = 0;
    const uint64_t address = pop(m);
    m->wrong |=
        !m->target->reads_memory(m->target->context, address, &value, bytes);
    push(m, value);
}

static void read_register(struct machine_of_agent *m)
{
    uint64_t value = 0;
    const unsigned number = (unsigned)operand(m, 2);
    m->wrong |= !m->target->reads_register(m->target->context, number, &value);
    push(m, value);
}

static void pick(struct machine_of_agent *m, uint64_t below)
{
    if (below >= m->depth)
        m->wrong = true;
    else
        push(m, m->stack[m->depth - 1 - below]);
}

/* The topmost goes below the next `below`. */
static void sink(struct machine_of_agent *m, unsigned below)
{
    if (m->depth <= below) {
        m->wrong = true;
        return;
    }
    uint64_t *top = &m->stack[m->depth - 1], value = *top;
    memmove(top - below + 1, top - below, below * sizeof *top);
    top[-(int)below] = value;
}

static void branch(struct machine_of_agent *m)
{
    const uint64_t to = operand(m, 2);
    if (pop(m))
        go(m, to);
}

// clang-format off
/* What is neither of two operands nor an end. */
static void one(struct machine_of_agent *m, unsigned op)
{
    switch (op) {
    case OP_LOG_NOT: push(m, !pop(m)); break;
    case OP_BIT_NOT: push(m, ~pop(m)); break;
    case OP_EXT: extend(m, true); break;
    case OP_ZERO_EXT: extend(m, false); break;
    case OP_REF8:
    case OP_REF16:
    case OP_REF32:
    case OP_REF64: refer(m, 1u << (op - OP_REF8)); break;
    case OP_IF_GOTO: branch(m); break;
    case OP_GOTO: go(m, operand(m, 2)); break;
    case OP_CONST8:
    case OP_CONST16:
    case OP_CONST32:
    case OP_CONST64: push(m, operand(m, 1u << (op - OP_CONST8))); break;
    case OP_REG: read_register(m); break;
    case OP_DUP: pick(m, 0); break;
    case OP_POP: pop(m); break;
    case OP_SWAP: sink(m, 1); break;
    case OP_PICK: pick(m, operand(m, 1)); break;
    case OP_ROT: sink(m, 2); break;
    default: m->wrong = true; break;
    }
}

// clang-format on
static bool is_of_two(unsigned op)
{
    return (op >= OP_ADD && op <= OP_RSH_UNSIGNED) ||
           (op >= OP_AND && op <= OP_XOR) ||
           (op >= OP_EQUAL && op <= OP_LESS_UNSIGNED);
}

bool agent_run(const uint8_t *code, size_t bytes,
               const struct agent_target *target, int64_t *value)
{
    struct machine_of_agent m = {
        .code = code, .bytes = bytes, .target = target};
    for (unsigned steps = 0; steps < STEPS && !m.wrong; steps++) {
        const unsigned op = (unsigned)operand(&m, 1);
        if (m.wrong)
            break;
        if (op == OP_END) {
            *value = (int64_t)pop(&m);
            return !m.wrong;
        }
        if (is_of_two(op))
            two(&m, op);
        else
            one(&m, op);
    }
    return false;
}
