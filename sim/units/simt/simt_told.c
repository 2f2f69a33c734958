/* What a debugger is told of lanes (stop_log.h): nothing of the run changes. */
#include "sim/units/common/stop_log.h"
#include "sim/units/simt/simt_private.h"

void simt_tell_access(struct simt *t, struct simt_warp *w,
                      const struct isa_lanes *l)
{
    for (uint64_t m = l->mask; m; m &= m - 1)
        stop_note(
            t->machine, &t->unit,
            (struct stop_record){.kind = STOP_ACCESS,
                                 .hart = hart_of(t, w, first_of(m))->isa.id,
                                 .access = l->access,
                                 .address = l->at[first_of(m)],
                                 .size = l->size});
}

void simt_tell_came(struct simt *t, struct simt_warp *w, uint64_t lanes)
{
    for (unsigned i = 0; i < w->path_count; i++) {
        const struct simt_path *p = &w->paths[i];
        const struct isa_insn *insn = insn_at(t, p->pc);
        if (!insn || !(insn->reads & ISA_MARK))
            continue;
        for (uint64_t m = lanes & p->mask; m; m &= m - 1)
            stop_note(t->machine, &t->unit,
                      (struct stop_record){
                          .kind = STOP_CAME,
                          .hart = hart_of(t, w, first_of(m))->isa.id});
    }
}
