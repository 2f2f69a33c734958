/*
 * Vectors of tree pre-eviction: the leaves of a root that are resident, the
 * victim; what is written back, and the leaves that are left.
 */
#include "sim/uvm/replay/page_replay.h"
#include "sim/uvm/uvm.h"
#include <inttypes.h>

enum { CASE, ROOT, BEFORE, VICTIM, WRITTEN, AFTER };

#define LEAF_PAGES (UVM_LEAF / UVM_PAGE)

/* Brings a leaf to the device; false: it is there already. */
static bool bring(struct uvm *u, uint64_t leaf)
{
    struct uvm_transfer t;
    if (uvm_request(u, (uint32_t)leaf * LEAF_PAGES, false) != UVM_FAULT)
        return false;
    uvm_turn(u, uvm_take_faults(u, 1));
    while (uvm_next_read(u, &t))
        uvm_landed(u, &t);
    return true;
}

static bool bring_all(const struct sheet *s, struct uvm *u, uint64_t leaves)
{
    const char *at = s->cells[BEFORE];
    uint64_t leaf, victim;
    int more;
    while ((more = sheet_list(s, BEFORE, &at, leaves - 1, &leaf)) > 0)
        if (!bring(u, leaf))
            return sheet_wrong(s, BEFORE, "a list without the same leaf twice");
    if (more < 0 || !sheet_number(s, VICTIM, 0, leaves - 1, &victim))
        return false;
    if (!uvm_resident(u, (uint32_t)victim * LEAF_PAGES))
        return sheet_wrong(s, VICTIM, "one of the valid leaves");
    uvm_evict_tree(u, (uint32_t)victim * LEAF_PAGES);
    return true;
}

static void print(const struct sheet *s, struct uvm *u, uint64_t leaves,
                  FILE *out)
{
    const char *blank = "";
    struct uvm_transfer t;
    for (unsigned i = CASE; i <= VICTIM; i++)
        fprintf(out, "%s,", s->cells[i]);
    while (uvm_next_write(u, &t)) {
        fprintf(out, "%s0x%" PRIx64 ":%" PRIu64, blank, uvm_address(u, t.page),
                uvm_bytes(&t));
        blank = " ";
    }
    fputc(',', out);
    blank = "";
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        if (uvm_resident(u, leaf * LEAF_PAGES)) {
            fprintf(out, "%s%" PRIu32, blank, leaf);
            blank = " ";
        }
    fputs(s->end, out);
}

static bool line(const struct sheet *s, FILE *out)
{
    uint64_t bytes;
    if (!sheet_number(s, ROOT, UVM_LEAF, UVM_ROOT, &bytes))
        return false;
    if (corbel_managed_trees(bytes) != bytes)
        return sheet_wrong(s, ROOT, "65536 times a power of two");
    struct uvm_stats stats = {0};
    struct uvm_options options = uvm_options_default(UVM_ROOT);
    options.prefetch = UVM_PREFETCH_sl;
    struct uvm *u = uvm_new(&options, &stats);
    bool ok = uvm_allocate(u, 0, bytes, s->error) &&
              bring_all(s, u, bytes / UVM_LEAF);
    if (ok)
        print(s, u, bytes / UVM_LEAF, out);
    uvm_free(u);
    return ok;
}

static bool run(struct sheet *s, const struct replay_options *options,
                FILE *out)
{
    int more;
    while ((more = sheet_next(s)) > 0)
        if (!line(s, out))
            return false;
    return more == 0;
}

const struct replay_kind replay_evictions = {
    .name = "evictions",
    .count = 6,
    .columns = {"case", "root_bytes", "valid_leaves_before", "victim_leaf",
                "write_backs_start:bytes", "valid_leaves_after"},
    .run = run,
};
