// clang-format off
/*
 * The ports of a thread processor. They come in pairs: by one port requests
 * leave, by the other their answers come. A pair is defined here and nowhere
 * else: the table of ports, the numbers of rows, what an instruction needs to
 * issue, what is received, and which ports a row of sdk/isa/served.def may name
 * follow from it.
 *
 *   X(request, out, answer, in, use, links, requests, answers, ...)
 *
 *   request, answer    names of the rows of ports; `out` and `in` are what chip
 *                      descriptions call them
 *   use                MEMORY: messages of mem.h; UNITS: instructions that the
 *                      unit at the other end serves
 *   links              ONE, or SEVERAL: up to TP_SEVERAL, of which an
 *                      instruction takes the one that the parameter <id>_unit
 *                      says
 *   requests, answers  what travels, for readers
 *
 * A new pair is a macro and its place in TP_PAIRS, where pairs for UNITS stand
 * in the order in which their answers are taken.
 */
#ifndef SIM_TP_PORTS_H
#define SIM_TP_PORTS_H

#define TP_PAIR_MEM(X, id)                                                     \
    X(MEM, "mem", DATA, "data", MEMORY, ONE,                                   \
      "requests to the L1", "answers of the L1", id)
#define TP_PAIR_NEXT(X, id)                                                    \
    X(NEXT, "next", INDEX, "index", UNITS, ONE,                                \
      "trav.fchthrd to the scheduler", "work indices of the scheduler", id)
#define TP_PAIR_RAY(X, id)                                                     \
    X(RAY, "ray", HIT, "hit", UNITS, ONE,                                      \
      "rays to the RT core", "hit records of the RT core", id)
#define TP_PAIR_OP(X, id)                                                      \
    X(OP, "op", DONE, "done", UNITS, SEVERAL,                                  \
      "operations of special function units", "ends of operations, in op's order", id)
#define TP_PAIR_FETCH(X, id)                                                   \
    X(FETCH, "fetch", CODE, "code", MEMORY, ONE,                               \
      "requests to an instruction cache", "sectors of code", id)

#define TP_PAIRS(X)                                                            \
    TP_PAIR_MEM(X, )                                                           \
    TP_PAIR_NEXT(X, )                                                          \
    TP_PAIR_RAY(X, )                                                           \
    TP_PAIR_OP(X, )                                                            \
    TP_PAIR_FETCH(X, )
// clang-format on

/* Links of a port, at most. */
#define TP_SEVERAL 16
#define TP_LINKS_ONE 1
#define TP_LINKS_SEVERAL TP_SEVERAL

/* Rows of ports, those of answers first. */
#define TP_ANSWER_ROW(request, out, answer, ...) answer,
#define TP_REQUEST_ROW(request, ...) request,
enum { TP_PAIRS(TP_ANSWER_ROW) TP_PAIRS(TP_REQUEST_ROW) TP_ROWS };
#undef TP_ANSWER_ROW
#undef TP_REQUEST_ROW
#define TP_ANSWERS (TP_ROWS / 2)

/* What an instruction needs to issue: a link of a port of requests. */
#define TP_NEEDED(request, out, answer, in, use, links, ...)                   \
    TO_##request, TO_##request##_LAST = TO_##request + TP_LINKS_##links - 1,
enum needed_port { TP_PAIRS(TP_NEEDED) PORTS, NO_PORT };
#undef TP_NEEDED
_Static_assert(PORTS <= 32, "a mask of them is a word");

#endif
