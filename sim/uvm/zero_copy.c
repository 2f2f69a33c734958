/*
 * Zero-copy: whether a page that is not resident migrates, or a read of it goes
 * over PCIe. Each leaf counts its accesses and how often its root went back to
 * the host.
 */
#include "sim/uvm/uvm_private.h"

static void halve_all(struct uvm *u)
{
    for (uint32_t i = 0; i < u->root_count; i++)
        u->roots[i].accesses /= 2;
    for (uint32_t i = 0; i < u->root_count * ROOT_LEAVES; i++) {
        u->leaves[i].accesses /= 2;
        u->leaves[i].trips /= 2;
    }
}

void uvm_count_access(struct uvm *u, uint32_t page)
{
    struct uvm_root *r = root_of(u, page);
    if (r->accesses == COUNT_MAX)
        halve_all(u);
    r->accesses++;
    leaf_of(u, page)->accesses++;
}

void uvm_count_trip(struct uvm *u, uint32_t root)
{
    struct uvm_leaf *l = &u->leaves[root * ROOT_LEAVES];
    for (uint32_t i = 0; i < u->roots[root].leaves; i++) {
        if (l[i].trips == TRIPS_MAX)
            halve_all(u);
        l[i].trips++;
    }
}

/* Reads of a leaf before it migrates. */
static uint64_t adaptive_threshold(const struct uvm *u, uint32_t page)
{
    const struct uvm_options *o = &u->options;
    if (u->oversubscribed)
        return (uint64_t)o->threshold * o->penalty *
               (leaf_of(u, page)->trips + 1u);
    uint64_t wanted = (u->used + u->staged_reads) * 100 + o->buffer * u->total;
    return 1 + o->threshold * wanted / ((u->total + u->staged_writes) * 100);
}

bool uvm_migrates(struct uvm *u, uint32_t page, bool write)
{
    if (u->dma == UVM_DMA_OFF || (u->dma == UVM_OVERSUB && !u->oversubscribed))
        return true;
    uint64_t threshold = u->dma == UVM_ADAPTIVE ? adaptive_threshold(u, page)
                                                : u->options.threshold;
    bool migrates = write || leaf_of(u, page)->accesses >= threshold;
    u->stats->migrated_by_write += write;
    u->stats->migrated_by_read += migrates && !write;
    return migrates;
}
