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
    MEM_READ,       /* answer MEM_DATA; in value caches leave hints */
    MEM_WRITE,      /* value; answer MEM_DONE */
    MEM_ATOMIC,     /* value, aux = enum isa_access; answer MEM_OLD */
    MEM_UPDATE,     /* payload of a sector, tag = mask of its bytes that are
                       written back, from = number of the sender's choice;
                       answer MEM_UPDATED with the same tag and from */
    MEM_INVALIDATE, /* write back what is dirty, then forget cached writable
                       data; answer MEM_DONE */
    MEM_FLUSH,      /* write back what is dirty and keep it; MEM_DONE */
    MEM_BLOCK,     /* size bytes (up to 128) at addr, at every level: aux = enum
                      mem_block; MEM_DONE */
    MEM_FILL,      /* read for timing only, the asker owns the data; MEM_DATA */
    MEM_WRITEBACK, /* write for timing only; no answer */
    MEM_DATA,
    MEM_DONE,
    MEM_OLD, /* value before the atomic; for sc: 0 success, 1 failure */
    MEM_UPDATED,
    MEM_FAULT, /* instead of any of these: the request failed at addr; aux = its
                  enum mem_op, value = number of the unit that could not serve
                  it (unit.id); no payload */
};

/* The cache-block operations of Zicbom. Inval writes back first, as the
 * extension allows: no value depends on what happened to be cached. */
enum mem_block { BLOCK_INVAL, BLOCK_CLEAN, BLOCK_FLUSH };

/*
 * In flags of a request: levels of cache, from here on, that shall not keep
 * the data (a copy that is there is used all the same).
 */
#define MEM_BYPASS 0x03u

/*
 * In flags of an answer: how many caches had to ask below for it (0: the first
 * one had it), and whether one of them was asking already.
 */
#define MEM_DEPTH 0x03u
#define MEM_JOINED 0x04u

#endif
