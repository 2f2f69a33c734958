/* Vectors of the PCIe curve: cycles of a transfer by size, clock and a. */
#include "sim/uvm/curve.h"
#include "sim/uvm/replay/page_replay.h"
#include <inttypes.h>

enum { BYTES, MHZ, A, CYCLES };

static bool run(struct sheet *s, const struct replay_options *options,
                FILE *out)
{
    int more;
    while ((more = sheet_next(s)) > 0) {
        uint64_t bytes, cycles;
        struct uvm_curve curve = uvm_curve_default(1);
        if (!sheet_number(s, BYTES, 1, 1ull << 40, &bytes) ||
            !sheet_positive(s, MHZ, &curve.mhz) ||
            !sheet_positive(s, A, &curve.a) ||
            !sheet_number(s, CYCLES, 0, UINT64_MAX, &cycles))
            return false;
        fprintf(out, "%s,%s,%s,%" PRIu64 "%s", s->cells[BYTES], s->cells[MHZ],
                s->cells[A], uvm_curve_cycles(&curve, bytes), s->end);
    }
    return more == 0;
}

const struct replay_kind replay_curve = {
    .name = "curve",
    .count = 4,
    .columns = {"transfer_bytes", "f_core_MHz", "a", "cycles"},
    .run = run,
};
