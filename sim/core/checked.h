/*
 * The rules of unit.h, checked where they can be broken, in a build that is
 * made for it (make checked, which defines CHECKED as 1). A rule that is broken
 * ends the process with a line that names the unit, the cycle and the rule. In
 * other builds nothing of this is compiled in.
 */
#ifndef SIM_CHECKED_H
#define SIM_CHECKED_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef CHECKED
#define CHECKED 0
#endif

struct msg;
struct tile;
struct unit;

/* unit: which of them breaks the rule. */
#define RULE(unit, holds, rule)                                                \
    do {                                                                       \
        if (CHECKED && !(holds))                                               \
            rule_broken(unit, rule);                                           \
    } while (0)

/* An assertion that would cost other builds time. */
#define CHECKED_ASSERT(holds) assert(!CHECKED || (holds))

#define RULE_RECEIVE "takes a message outside of its receive"
#define RULE_SEND "sends outside of its send"
#define RULE_WAKE "asks to be woken in a cycle that is not to come"
#define RULE_ROOM "sends where link_ready has not found room"
#define RULE_EMPTY "takes a message where there is none"
#define RULE_PORTS                                                             \
    "uses a port that is not its own, or another way round than \
in its table of ports"
#define RULE_TWICE "takes a payload twice, or one that there is not"
#define RULE_LEFT "leaves the payload of a message that it has read"
#define RULE_GONE "sends a message that it has read in receive: it is gone"
#define RULE_BUCKETS "has buckets whose sum is not the number of its cycles"
#define RULE_ALLOCATES "allocates while it runs"
#define RULE_OWNER "has had its memory written by another between its calls"
#define RULE_INPUT "asks for messages at a port that is no input of its table"

_Noreturn void rule_broken(const struct unit *u, const char *rule);

/* Marks in payload_next: a payload under way; one whose message was read. */
#define PAYLOAD_USED (UINT32_MAX - 1)
#define PAYLOAD_READ (UINT32_MAX - 2)

/* Memory that the unit has got while it was built: its own. */
void checked_owns(struct unit *u, void *memory, size_t bytes);
/* The engine calls a phase of the unit; it has returned. */
void checked_begin(struct unit *u);
void checked_end(struct unit *u);
/* Code other than the units may have written to the tile's units. */
void checked_forget(struct tile *t);
/* The unit has read a message, whose place in the pool is free now; the place
 * is used again. */
void checked_read(struct tile *t, uint32_t index);
void checked_reuse(struct tile *t, uint32_t index);
/* Is it a message that was read in a receive that is over? */
bool checked_is_gone(const struct msg *m);
/* All cycles before `now` are booked. */
void checked_buckets(const struct unit *u, uint64_t now);
/* Two numbers of 32 bits side by side, of which the first is small or NONE:
 * that they are an address as well depends on where the system has placed the
 * process's memory. So none of the addresses that look like this is searched
 * for, which are one in a hundred. */
static inline bool checked_is_pair(uint64_t word)
{
    return (uint32_t)word + (1u << 24) < 2u << 24;
}

/* Finds out at which addresses the process has memory that is written to, but
 * for the guest's; is it one of these, and no pair? */
void checked_addresses(void);
#if CHECKED
bool checked_is_address(uint64_t word);
#else
static inline bool checked_is_address(uint64_t word)
{
    return false;
}
#endif
/* The unit that runs on this thread, or NULL. */
const struct unit *checked_unit(void);

#endif
