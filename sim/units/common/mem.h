/*
 * Messages between processors, caches and memories.
 *
 * Requests carry addr, size (1..32 bytes, never crossing a 32-byte sector),
 * from (the hart) and a tag of the requester's choice; the answer brings addr,
 * tag and from back. Up to 8 bytes travel in value. More travel as a payload,
 * which is a whole sector, with the bytes of the access at their place in it;
 * but read-only sectors travel without data, as they are read in place.
 *
 * Any request but MEM_WRITEBACK may be answered by MEM_FAULT instead of what is
 * said below: the access has not happened. Caches pass that on to all that wait
 * for the sector, and keep nothing of it. Bytes that a cache writes back by
 * itself are lost then, as no request waits for an answer.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#define SECTOR 32u

enum mem_op {
    MEM_READ,       /* answer MEM_DATA; in value caches leave hints */
    MEM_WRITE,      /* value or payload; answer MEM_DONE */
    MEM_ATOMIC,     /* value, aux = enum isa_access; answer MEM_OLD */
    MEM_UPDATE,     /* payload of a sector, tag = mask of its bytes that are
                       written back, from = number of the sender's choice;
                       answer MEM_UPDATED with the same tag and from */
    MEM_INVALIDATE, /* write back what is dirty, then forget cached writable
                       data; answer MEM_DONE */
    MEM_FLUSH,      /* write back what is dirty and keep it; MEM_DONE */
    MEM_BLOCK,     /* size bytes (up to 128) at addr, at every level: aux = enum
                      mem_block; MEM_DONE */
    MEM_FILL,      /* read for timing only, the asker owns the data, aux = enum
                      mem_client; MEM_DATA */
    MEM_WRITEBACK, /* write for timing only, aux = enum mem_client; no answer */
    MEM_DATA,
    MEM_DONE,
    MEM_OLD, /* value before the atomic; for sc: 0 success, 1 failure */
    MEM_UPDATED,
    MEM_FAULT, /* the request failed at addr; aux = its enum mem_op, value =
                  number of the unit that could not serve it (unit.id); no
                  payload */
};

/* What a request is answered with unless it fails. */
static inline enum mem_op mem_answer_to(enum mem_op request)
{
    switch (request) {
    case MEM_READ:
    case MEM_FILL:
        return MEM_DATA;
    case MEM_ATOMIC:
        return MEM_OLD;
    case MEM_UPDATE:
        return MEM_UPDATED;
    default:
        return MEM_DONE;
    }
}

/* The number that its asker has given a request. */
#define mem_number(m) ((m)->op == MEM_UPDATE ? (uint32_t)(m)->from : (m)->tag)

/* For whom main memory carries bytes: caches, or units of ray streams. */
enum mem_client {
    CLIENT_CACHE,
    CLIENT_RAYS,  /* buckets of rays */
    CLIENT_SCENE, /* treelets, to the scene buffer */
    CLIENT_HITS,  /* hit records */
    CLIENT_PAGES, /* pages of managed memory that come and leave */
    CLIENT_COUNT,
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
 * In flags of a request of an instruction that makes several, to a TLB before
 * the first cache, which drops them: their numbers (mem_number) are equal but
 * for the low bits; and the translation of one of them will do for this one.
 */
#define MEM_GROUPED 0x40u
#define MEM_FOLLOWS 0x20u
#define MEM_GROUP_SHIFT 8

/*
 * In flags of an answer: how many caches had to ask below for it (0: the first
 * one had it), and whether one of them was asking already.
 */
#define MEM_DEPTH 0x03u
#define MEM_JOINED 0x04u

#endif
