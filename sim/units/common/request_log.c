/* Records of requests; sim/host/observe/trace_room.h says how many have room.
 */
#include "sim/units/common/request_log.h"
#include "sim/core/engine.h"
#include "sim/core/heap.h"
#include <string.h>

void request_log_add(struct request_log *log, const struct unit *u,
                     const struct msg *answer, const struct trip *trip,
                     uint8_t served, uint32_t cycles)
{
    uint64_t now = unit_now(u);
    if (!log->units[u->id] || now < log->window->from ||
        now >= log->window->to || now >= log->full)
        return;
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->records = heap_resize(log->records, log->room,
                                   sizeof *log->records, "a trace");
    }
    struct request_record *r = &log->records[log->count++];
    *r = (struct request_record){.begun = now - cycles,
                                 .ended = now,
                                 .address = answer->addr,
                                 .unit = u->id,
                                 .hart = (uint32_t)answer->from,
                                 .kind = (uint8_t)(trip->client - 1),
                                 .served = served};
    memcpy(r->legs, trip->legs, sizeof r->legs);
}
