/*
 * Messages between processors, caches and memories.
 *
 * Requests carry addr, size (1..32 bytes, never crossing a 32-byte sector),
 * from (the hart) and a tag of the requester's choice; the answer brings the
 * tag back. The value of a load up to 8 bytes travels in value, that of a
 * whole writable sector as a payload; read-only sectors travel without data, as
 * everybody reads them in place.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#define SECTOR 32u

enum mem_op {
    MEM_READ,       /* answer MEM_DATA */
    MEM_WRITE,      /* value; answer MEM_DONE */
    MEM_ATOMIC,     /* value, aux = enum isa_access; answer MEM_OLD */
    MEM_INVALIDATE, /* forget cached writable data; answer MEM_DONE */
    MEM_FILL,      /* read for timing only, the asker owns the data; MEM_DATA */
    MEM_WRITEBACK, /* write for timing only; no answer */
    MEM_DATA,
    MEM_DONE,
    MEM_OLD, /* value before the atomic; for sc: 0 success, 1 failure */
};

#endif
