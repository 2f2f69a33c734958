/*
 * What the host asks of a unit that moves pages of managed memory between host
 * and chip, on behalf of the program. A kind that does points to a struct
 * paging_role (unit_kind.paging); a chip without one has all of its memory
 * there always. Which ranges are managed stands in the units' context (for ours
 * struct machine), in the order in which the program got them; a range never
 * goes away.
 *
 * All functions are called while all tiles stand still. Each may be NULL: there
 * is nothing to do.
 */
#ifndef SIM_PAGING_ROLE_H
#define SIM_PAGING_ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corbel_managed_stats; /* runtime/include/corbel/managed.h */
struct error;
struct unit;

/* What happens to pages: X(what, name, meaning). */
// clang-format off
#define PAGING_EVENTS(X) \
    X(FAULT, "fault", "a walk ends at a page that is not there, nor on its way") \
    X(HANDLING, "handling", "a fault has the read channel to itself (`fault_mode=channel`)") \
    X(MIGRATION, "migration", "pages come with a fault, or for one") \
    X(MAP, "map", "pages come without a transfer (`first_write_no_copy`)") \
    X(PREFETCH, "prefetch", "pages come that the program asked for") \
    X(REMOTE, "remote", "a read without migration") \
    X(WRITE_BACK, "write-back", "pages leave") \
    X(DROP, "drop", "pages leave without a transfer (`invalidate_clean`)") \
    X(HOME, "home", "the written pages of an allocation go back, by synchronise; its address")
// clang-format on

#define PAGING_ENUM(what, name, meaning) PAGING_##what,
enum paging_kind { PAGING_EVENTS(PAGING_ENUM) PAGING_KINDS };

/* In cycles [begin, end), by pages from an address on. bytes: of the pages, 0
 * for handling and remote reads. */
struct paging_event {
    uint64_t begin, end, address, bytes;
    enum paging_kind kind;
};

struct paging_role {
    /* Which files that a program opens are managed, as words of sim-run's
     * --managed, whose files are so as well; "": none. */
    const char *(*files)(const struct unit *u);
    /* Bytes from an address on, where a tree may begin, are managed from now
     * on; the context does not have them yet. blank: nothing has
     * been written there. False: the unit cannot have more, and the range does
     * not become one. */
    bool (*add)(struct unit *u, uint64_t now, uint64_t address, uint64_t bytes,
                bool blank, struct error *error);
    /* The program asks for a part of a managed range, bytes > 0; its pages come
     * in order. False: not now, as too many wait. */
    bool (*prefetch)(struct unit *u, uint64_t now, uint64_t address,
                     uint64_t bytes, struct error *error);
    /* All that was changed goes back to the host, no page stays. No kernel
     * runs. True: that is under way, and the unit asks for service (with any
     * tag) when it is done; false: it is done. */
    bool (*synchronise)(struct unit *u, uint64_t now);
    /* A kernel is launched. Cycles until it begins, a multiple of chip_grid(),
     * 0: it begins at once. */
    uint64_t (*launch)(struct unit *u);
    /* Adds what the unit has moved so far. */
    void (*sum)(const struct unit *u, struct corbel_managed_stats *stats);
    /* All that has happened, in the order in which the unit heard of it, if
     * the context wants to know (log_transfers). *count: of them. */
    const struct paging_event *(*events)(const struct unit *u, size_t *count);
};

#endif
