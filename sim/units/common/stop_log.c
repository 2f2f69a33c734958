/* The log of what a debugger is told grows as check_log does. */
#include "sim/units/common/stop_log.h"
#include "sim/core/heap.h"

void stop_log_add(struct stop_log *log, const struct stop_record *record)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->records = heap_resize(log->records, log->room,
                                   sizeof *log->records, "the debugger");
    }
    log->records[log->count++] = *record;
}
