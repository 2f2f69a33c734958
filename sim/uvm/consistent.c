/* For tests and checked builds: what is kept in several places agrees. */
#include "sim/uvm/uvm_private.h"

static bool tree_agrees(const struct uvm *u, uint32_t root, struct error *error)
{
    const struct uvm_root *r = &u->roots[root];
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++) {
        const struct uvm_leaf *l = &u->leaves[root * ROOT_LEAVES + leaf];
        unsigned listed = 0, staged = 0, chosen = 0;
        for (uint32_t i = 0; i < LEAF_PAGES; i++) {
            uint16_t f =
                u->pages[(root * ROOT_LEAVES + leaf) * LEAF_PAGES + i].flags;
            if ((f & RESIDENT && f & (CHOSEN | BLANK)) ||
                (f & STAGED && !(f & RESIDENT)))
                return error_set(error, "root %u: a page in two states", root);
            listed += (f & (RESIDENT | STAGED)) == RESIDENT;
            staged += !!(f & STAGED);
            chosen += !!(f & CHOSEN);
        }
        if (listed != l->listed || staged != l->staged ||
            r->valid[r->leaves + leaf] != listed + chosen)
            return error_set(error,
                             "root %u, leaf %u: %u listed, %u staged, tree %u; "
                             "pages say %u, %u, %u",
                             root, leaf, l->listed, l->staged,
                             r->valid[r->leaves + leaf], listed, staged,
                             listed + chosen);
    }
    for (uint32_t node = 1; node < r->leaves; node++)
        if (r->valid[node] != r->valid[2 * node] + r->valid[2 * node + 1])
            return error_set(error, "root %u: node %u is no sum", root, node);
    return true;
}

static bool order_agrees(const struct uvm *u, struct error *error)
{
    uint64_t newest = 0;
    uint32_t roots = 0, pages = 0;
    for (uint32_t r = u->root_list.first; r != UVM_NONE; r = u->roots[r].next) {
        uint64_t stamp = 0;
        const struct uvm_leaf *all = &u->leaves[r * ROOT_LEAVES];
        for (uint32_t i = u->roots[r].oldest; i != NO_LEAF; i = all[i].next) {
            if (all[i].stamp < stamp)
                return error_set(error, "root %u: leaves out of order", r);
            stamp = all[i].stamp;
            pages += all[i].listed;
        }
        if (stamp < newest)
            return error_set(error, "root %u is out of order", r);
        newest = stamp;
        roots++;
    }
    if (roots != u->root_list.count || pages + u->staged_writes > u->used)
        return error_set(error, "%u roots listed of %u, %u pages of %u", roots,
                         u->root_list.count, pages, (unsigned)u->used);
    return true;
}

static bool fits(const struct uvm *u, struct error *error)
{
    return u->used <= u->total ||
           error_set(error, "%u pages in a memory of %u", (unsigned)u->used,
                     (unsigned)u->total);
}

bool uvm_holds(const struct uvm *u, uint64_t cycle, struct error *error)
{
    return fits(u, error) &&
           (!u->root_count ||
            tree_agrees(u, (uint32_t)(cycle % u->root_count), error));
}

bool uvm_consistent(const struct uvm *u, struct error *error)
{
    for (uint32_t root = 0; root < u->root_count; root++)
        if (!tree_agrees(u, root, error))
            return false;
    return order_agrees(u, error) && fits(u, error);
}
