/*
 * What waits for which channel, in builds with STALLS: how many transactions
 * each one finds in its channel's queue, how many of these twice the channels
 * would have in another one, and in which clocks data is moved while more wait.
 */
#include "sim/units/memory/dram_private.h"

#if STALLS

void dram_waits_build(struct dram_unit *d)
{
    const struct dram_unit_params *p = &d->params;
    struct error error;
    char order[sizeof p->mapping + 4];
    uint32_t channels = 2 * (uint32_t)p->channels;
    bool other = dram_mapping_of_channels(p->mapping, order, sizeof order);
    d->wider = dram_mapping_new(other ? order : p->mapping, d->device, channels,
                                &error);
    d->waiting = chip_alloc(d->unit.chip, channels, sizeof *d->waiting);
}

void dram_waits_free(struct dram_unit *d)
{
    if (d->wider)
        dram_mapping_free(d->wider);
}

/* The other one of the two that a channel would be. */
static uint32_t beside(const struct dram_unit *d, uint32_t channel)
{
    return channel ^ (uint32_t)d->params.channels;
}

void dram_waits_begin(struct dram_unit *d, struct request *r)
{
    if (!d->wider)
        return;
    r->channel = dram_locate(d->wider, r->local).channel;
    uint32_t here = d->waiting[r->channel]++;
    uint32_t apart = d->waiting[beside(d, r->channel)];
    d->stats.ahead += here + apart;
    d->stats.apart += apart;
}

void dram_waits_data(struct dram_unit *d, const struct request *r)
{
    if (d->wider &&
        d->waiting[r->channel] + d->waiting[beside(d, r->channel)] > 1)
        d->stats.crowded += d->device->burst;
}

void dram_waits_end(struct dram_unit *d, const struct request *r)
{
    if (d->wider)
        d->waiting[r->channel]--;
}

#endif
