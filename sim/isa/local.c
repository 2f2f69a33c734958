/* isa_run_local: the loop of local_loop.h for both XLENs. */
#include "sim/isa/local.h"

#include "sim/isa/threaded.h"

#define XLEN 64
#include "sim/isa/local_loop.h"
#undef XLEN
#define XLEN 32
#include "sim/isa/local_loop.h"
#undef XLEN

uint64_t isa_run_local(struct isa_hart *hart, struct isa_local *local,
                       const struct isa_insn *insn, uint64_t limit)
{
    return hart->xlen == 64 ? local64(hart, local, insn, limit)
                            : local32(hart, local, insn, limit);
}
