/*
 * The logs of tiles for --check-memory: records are added, and the log grows.
 */
#include "sim/units/common/check_log.h"
#include "sim/core/heap.h"
#include <stdio.h>
#include <stdlib.h>

static void grow(struct check_log *log)
{
    log->room = log->room ? 2 * log->room : 1024;
    log->records = heap_resize(log->records, log->room, sizeof *log->records,
                               "the memory check");
}

void check_log_add(struct check_log *log, const struct unit *u,
                   const struct check_record *record)
{
    if (log->count == log->room)
        grow(log);
    struct check_record *r = &log->records[log->count++];
    *r = *record;
    r->cycle = unit_now(u);
    r->unit = u->id;
}
