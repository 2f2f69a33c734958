// clang-format off
/*
 * The ports of a streaming multiprocessor, in pairs: by one requests leave, by
 * the other their answers come.
 *
 *   X(request, out, answer, in, links, requests, answers)
 *
 * Sectors are dealt to the links of `mem` by address, so that requests for one
 * sector stay in their order.
 */
#ifndef SIM_SIMT_PORTS_H
#define SIM_SIMT_PORTS_H

#define SIMT_MEM_LINKS 16

#define SIMT_PAIRS(X)                                                          \
    X(MEM, "mem", DATA, "data", SIMT_MEM_LINKS,                                \
      "requests to the L1", "answers of the L1")                               \
    X(NEXT, "next", INDEX, "index", 1,                                         \
      "trav.fchthrd to the scheduler", "work indices of the scheduler")        \
    X(RAY, "ray", HIT, "hit", 1,                                               \
      "rays to the RT core", "hit records of the RT core")                     \
    X(FETCH, "fetch", CODE, "code", 1,                                         \
      "requests to an instruction cache", "sectors of code")
// clang-format on

#define SIMT_ANSWER_ROW(request, out, answer, ...) answer,
#define SIMT_REQUEST_ROW(request, ...) request,
enum { SIMT_PAIRS(SIMT_ANSWER_ROW) SIMT_PAIRS(SIMT_REQUEST_ROW) SIMT_ROWS };
#undef SIMT_ANSWER_ROW
#undef SIMT_REQUEST_ROW

#endif
