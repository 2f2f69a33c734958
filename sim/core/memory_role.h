/*
 * A unit's place on the way of accesses to memory: where a request goes next,
 * whether the unit keeps copies of data or owns it. A kind whose units are on
 * the way points to a struct memory_role (unit_kind.memory); the
 * functions below tell the way without knowing a kind by name.
 */
#ifndef SIM_MEMORY_ROLE_H
#define SIM_MEMORY_ROLE_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct unit;

enum memory_holds {
    MEMORY_NOTHING, /* it asks for data, or it only takes time */
    MEMORY_COPIES,  /* of data that another one nearer to memory owns */
    MEMORY_OWNS, /* the one place where accesses to its bytes are performed */
};

/* No number of an output row: the way ends here. */
#define MEMORY_END UINT32_MAX

/* How addresses are spread over units side by side, as their parameters say. */
struct memory_map {
    int64_t stride, parts, slices, hash;
    int64_t line;  /* bytes that lie side by side in one slice; 0: as below */
    int64_t least; /* the same, if nothing is below */
};

struct memory_role {
    uint32_t next;  /* output row of the links towards memory, MEMORY_END */
    uint32_t aside; /* another one, whose links are numbered after those of
                       next (optional; it is not row 0) */
    /* Which of these links a request for an address takes (optional: the first
     * one). The unit is built. */
    unsigned (*link)(const struct unit *u, uint64_t address);
    /* Parameters are set, the unit may not be built yet (optional: nothing). */
    enum memory_holds (*holds)(const struct unit *u);

    /* Which part of all addresses it holds; as holds (optional: it is the only
     * one). */
    void (*map)(const struct unit *u, struct memory_map *map);

    /* Writes what the unit holds, to be read by a unit of the same name in an
     * equal chip, from where the file stands (optional, both or none). False:
     * what was read is of another chip. */
    void (*save)(const struct unit *u, FILE *out);
    bool (*load)(struct unit *u, FILE *in, struct error *error);
    /* Forgets all that it holds, while all tiles stand still and memory is
     * settled; what is on its way is not kept (optional: it holds nothing). */
    void (*empty)(struct unit *u);
};

/* Links towards memory, 0: the way ends here, or the unit is not on it. */
unsigned memory_links(const struct unit *u);
/* The unit at the other end of one of them. */
struct unit *memory_link(const struct unit *u, unsigned link);
/* Does it only pass requests on, by the link of the same number as that by
 * which they came? */
bool memory_passes(const struct unit *u);
/* The unit behind those that only pass requests on. */
struct unit *memory_behind(const struct unit *u, unsigned link);
/* The unit that gets this one's requests for an address, NULL: there is none.
 */
struct unit *memory_next(const struct unit *u, uint64_t address);
enum memory_holds memory_holds(const struct unit *u);
/* Its map, with the line of what is below where it has none; false: it has no
 * map. */
bool memory_map_of(const struct unit *u, struct memory_map *map);
/* Units with copies from here, this one included, to the owner, at most; 0: it
 * holds none; MEMORY_LEVELS_MAX: that many or more, as where the links lead
 * round in a ring. */
#define MEMORY_LEVELS_MAX 8
unsigned memory_level(const struct unit *u);

/* Does the way end here, at main memory? */
bool memory_ends(const struct unit *u);

/* The role of what memory ends at: it only takes time. */
extern const struct memory_role memory_role_end;

#endif
