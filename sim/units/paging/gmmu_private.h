/* The state of a GMMU beside what sim/uvm keeps. */
#ifndef SIM_GMMU_PRIVATE_H
#define SIM_GMMU_PRIVATE_H

#include "sim/core/paging_role.h"
#include "sim/units/common/address_map.h"
#include "sim/units/common/msg_list.h"
#include "sim/units/paging/gmmu.h"
#include "sim/units/paging/managed_ranges.h"
#include "sim/units/paging/paging.h"

enum { GMMU_WALK, GMMU_DONE, GMMU_BACK, GMMU_PCIE, GMMU_MEM, GMMU_DATA };

#define GMMU_TLBS 256u

enum { FAULT_REPORT, FAULT_CHANNEL, FAULT_OVERLAP };
enum { SHOOT_ENTRY, SHOOT_FULL, SHOOT_NONE };
enum { ON_EVICT, ON_MAP, ON_BOTH };

/* A channel of PCIe, as the GMMU knows it. */
struct gmmu_channel {
    bool used;
    uint64_t end;              /* CYCLE_NEVER: not told yet */
    struct paging_event event; /* what it carries */
    struct uvm_transfer transfer;
    /* Of its pages' sectors, in a DRAM that is charged: how many there are (0
     * until the end is told), were asked for, have still to be answered. */
    uint64_t sectors, sent, awaited;
    uint32_t dma; /* the request of a read without migration, else NONE */
};

/* One that handles faults. */
struct gmmu_context {
    struct uvm_batch batch; /* none: it is free */
    uint64_t end;
};

struct gmmu {
    struct unit unit;
    struct gmmu_params params;
    struct gmmu_stats stats;
    struct account account;
    struct uvm *uvm;
    struct managed *managed; /* which TLBs read */
    struct address_map map;  /* of the partitions of a DRAM that is charged */
    /* Requests: that have just come (port in when), that walk (when: the cycle
     * in which they end, port in from), that read without migration, and for
     * each TLB those to be answered. */
    struct msg_list arrived, walks, dma;
    struct msg_list *ready;
    uint64_t ready_ports[GMMU_TLBS / 64];
    uint32_t waiting; /* requests whose page is not there */
    struct gmmu_channel read, write;
    struct gmmu_context contexts[64];
    bool sync, moved, leftover;
    unsigned sync_next; /* allocation */
    uint64_t sync_from;
    uint64_t asked[UVM_USER_RANGES]; /* when prefetches were, oldest first */
    unsigned asked_count;
    /* What has happened, if the run keeps a log. */
    bool logs;
    struct paging_event *events;
    size_t event_count, event_room;
};

bool gmmu_build(struct unit *u, struct error *error);
void gmmu_keep(struct unit *u, struct state *s);
void gmmu_destroy(struct unit *u);
extern const struct paging_role gmmu_role;

/* Queues the answer; the request's page, if it has one, stays until then. */
void gmmu_answer(struct gmmu *g, uint32_t index, enum page_op op);

/* gmmu_channels.c: steps of a cycle, see gmmu.h. */
void gmmu_take_done(struct gmmu *g);
void gmmu_end_write(struct gmmu *g, uint64_t now);
void gmmu_start_write(struct gmmu *g, uint64_t now);
void gmmu_end_read(struct gmmu *g, uint64_t now);
void gmmu_start_read(struct gmmu *g, uint64_t now);
/* The channel is in use from now on; its end is not known yet. value: bytes,
 * of a fault's handling cycles. */
void gmmu_start(struct gmmu *g, struct gmmu_channel *c, enum paging_kind kind,
                uint64_t address, uint64_t value);

/* gmmu_dram.c: a transfer has its begin and its end; sectors that are due are
 * asked for; answers come in. */
void gmmu_charge_begin(struct gmmu *g, struct gmmu_channel *c);
void gmmu_charge(struct gmmu *g, uint64_t now);
void gmmu_take_data(struct gmmu *g);
/* Has DRAM done all of it? If not, the next cycle with a sector. */
bool gmmu_charged(const struct gmmu_channel *c);
uint64_t gmmu_charge_next(const struct gmmu_channel *c, uint64_t now);

/* Keeps an event, if events are kept. */
void gmmu_log(struct gmmu *g, const struct paging_event *event);
/* Prefetches of the program that have ended by now. */
void gmmu_end_prefetches(struct gmmu *g, uint64_t now);

#endif
