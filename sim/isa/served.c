/*
 * The table of served instructions, and its rules. All that can be wrong with a
 * row of sdk/isa/served.def, but for its ports and its bucket
 * (sim/units/tp/tp_served.c), is said here when the simulator is built, in one
 * line. What a group means depends on the pass over the table: each pass
 * defines F, X and W anew. (A test may have rows of its own instead of this
 * file: nothing else is here.)
 */
#include "sim/isa/served.h"
#include "sim/isa/custom.h"
#include "sim/isa/rows.h"
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include <corbel/serve.h>

/* Where groups begin. */
/* clang-format off */
#define NUMBERS(X)                                                             \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)  \
    X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)    \
    X(26) X(27) X(28) X(29) X(30) X(31)
/* clang-format on */
#define NUMBER(n) AT_##n = n,
enum {
    NUMBERS(NUMBER) AT_rd = ISA_AT_RD,
    AT_rs1 = ISA_AT_RS1,
    AT_rs2 = ISA_AT_RS2,
    AT_rs3 = ISA_AT_RS3,
};

#define PLACE(at) (AT_##at + 0)
#define FIXED(at) (PLACE(at) < 32)

/* Words of the columns. */
enum { GOES_ON, BLOCKS };
enum { IN_CYCLE, AHEAD };
enum { NO_SCENE, SCENE };

/* ---- rules ---- */

#define RULE(id, holds, problem)                                               \
    _Static_assert(holds, "sdk/isa/served.def, " #id ": " problem);

/* The rows of xtrav.def whose shape a unit serves are those of served.def. */
enum {
    SERVED_BITS = 0
#define XTRAV_SERVED(id, ...) | 1 << (ISA_CLASS_##id - ISA_CLASS_system - 1)
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
};
#define IS_SERVED(id)                                                          \
    ((SERVED_BITS >> (ISA_CLASS_##id - ISA_CLASS_system - 1)) & 1)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    RULE(id, IS_SERVED(id) || !SERVED_##shape,                                 \
         "there is no row, and a unit serves shape " #shape)                   \
    RULE(id, !IS_SERVED(id) || SERVED_##shape, "no unit serves shape " #shape)
#include "sdk/isa/xtrav.def"
#undef XTRAV

/* Words. */
#define F(at, n) +(n)
#define W(at, n) +(n)
#define X(at, n) +2 * (n)
enum {
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, ...)   \
    SENT_##id = 0 sends, RECEIVED_##id = 0 receives,
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
#undef F
#undef W
#undef X
};
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, flow,  \
                     bucket, when, needs)                                      \
    RULE(id, SENT_##id <= ISA_SERVED_WORDS, "it sends more than 16 words")     \
    RULE(id, RECEIVED_##id <= ISA_SERVED_WORDS,                                \
         "it receives more than 16 words")                                     \
    RULE(id, (when) == IN_CYCLE || SENT_##id <= 2,                             \
         "a request of more than 2 words cannot leave ahead of its cycle")     \
    RULE(id, (when) == IN_CYCLE || (flow) == GOES_ON,                          \
         "what blocks cannot leave ahead of its cycle")
#include "sdk/isa/served.def"
#undef XTRAV_SERVED

/* Operands: rd is received, the others are sent. */
#define F(at, n) &&ALLOWED(PLACE(at))
#define W(at, n) &&ALLOWED(PLACE(at))
#define X(at, n) &&ALLOWED(PLACE(at))
#define ALLOWED(at) ((at) != ISA_AT_RD + 0)
#define XTRAV_SERVED(id, state, unit, request, answer, sends, ...)             \
    RULE(id, true sends, "rd is not sent")
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
#undef ALLOWED
#define ALLOWED(at) ((at) <= ISA_AT_RD + 0)
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, ...)   \
    RULE(id, true receives, "rs1, rs2 and rs3 are not received")
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
#undef F
#undef W
#undef X

/* Registers of one file. Fixed ones overlap unless the sum of their bits has as
 * many bits as there are registers; those from rd on may be any. */
enum { FROM_OPERAND = 1000 };
#define COUNT(at, n) +(FIXED(at) ? (n) : FROM_OPERAND)
#define SUM(at, n) +(FIXED(at) ? ((1ull << (n)) - 1) << PLACE(at) % 32 : 0)
#define NO_REGISTER(at, n)
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, ...)   \
    FILE_RULES(id, 0 sends, 0 receives)
#define F COUNT
#define W NO_REGISTER
#define X NO_REGISTER
enum {
#define FILE_RULES(id, sends, receives)                                        \
    FLOATS_SENT_##id = sends, FLOATS_RECEIVED_##id = receives,
#include "sdk/isa/served.def"
};
#undef F
#undef W
#undef X
#undef FILE_RULES
#define F NO_REGISTER
#define W COUNT
#define X COUNT
enum {
#define FILE_RULES(id, sends, receives)                                        \
    INTEGERS_SENT_##id = sends, INTEGERS_RECEIVED_##id = receives,
#include "sdk/isa/served.def"
};
#undef F
#undef W
#undef X
#undef FILE_RULES
#define DISJOINT(count, sum)                                                   \
    (__builtin_popcountll(sum) == (count) % FROM_OPERAND)
#define ALONE(count) ((count) + 0 <= FROM_OPERAND + 0)
#define F SUM
#define W NO_REGISTER
#define X NO_REGISTER
#define FILE_RULES(id, sends, receives)                                        \
    RULE(id, DISJOINT(FLOATS_SENT_##id, sends), "it sends a register twice")   \
    RULE(id,                                                                   \
         DISJOINT(FLOATS_RECEIVED_##id, receives) &&                           \
             ALONE(FLOATS_RECEIVED_##id),                                      \
         "registers that it receives overlap")
#include "sdk/isa/served.def"
#undef F
#undef W
#undef X
#undef FILE_RULES
#define F NO_REGISTER
#define W SUM
#define X SUM
#define FILE_RULES(id, sends, receives)                                        \
    RULE(id, DISJOINT(INTEGERS_SENT_##id, sends), "it sends a register twice") \
    RULE(id,                                                                   \
         DISJOINT(INTEGERS_RECEIVED_##id, receives) &&                         \
             ALONE(INTEGERS_RECEIVED_##id),                                    \
         "registers that it receives overlap")
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
#undef F
#undef W
#undef X

/* ---- the table ---- */

#define XTRAV_SERVED(id, state, ...)                                           \
    static void meaning_##id(void *of, struct corbel_request *request)         \
    {                                                                          \
        (corbel_serve_##id)((struct corbel_##state *)of, request);             \
    }
#include "sdk/isa/served.def"
#undef XTRAV_SERVED

#define F(at, n) {ISA_GROUP_F, AT_##at, n},
#define W(at, n) {ISA_GROUP_W, AT_##at, n},
#define X(at, n) {ISA_GROUP_X, AT_##at, n},
#define XTRAV_SERVED(id, state, name, request, answer, send, receive, flow,    \
                     bucket, when, needs)                                      \
    [ISA_CLASS_##id] = {.unit = name,                                          \
                        .sends = {send{0}},                                    \
                        .receives = {receive{0}},                              \
                        .meaning = meaning_##id,                               \
                        .cls = ISA_CLASS_##id,                                 \
                        .sent = SENT_##id,                                     \
                        .received = RECEIVED_##id,                             \
                        .blocks = (flow) == BLOCKS,                            \
                        .ahead = (when) == AHEAD,                              \
                        .needs_scene = (needs) == SCENE},
static const struct isa_served rows[ISA_CLASS_COUNT] = {
#include "sdk/isa/served.def"
};

const struct isa_served *isa_served(unsigned cls)
{
    return rows[cls].meaning ? &rows[cls] : NULL;
}

const struct isa_served *isa_served_op(unsigned op)
{
    return isa_served(isa_rows[op % OP_ROWS].cls);
}
