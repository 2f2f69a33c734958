/*
 * When commands may be issued in a channel.
 *
 * For each command there is a clock from which on the rules allow it in a
 * bank. What a rule above the bank level delays is kept per bank group, the
 * finest level above it: a rank's rule writes to the rank's groups, which lie
 * side by side. So a lookup is the greatest of few clocks, and only an issued
 * command costs work. What is about all groups has a row of its own. Levels
 * of one unit vanish: their rules are those of the level above.
 */
#ifndef SIM_DRAM_CHANNEL_TIMING_H
#define SIM_DRAM_CHANNEL_TIMING_H

#include "sim/dram/mapping.h"

struct state; /* sim/core/state.h */

#define TIMING_BANKS 256
#define TIMING_COMMANDS 16

/* The banks a command is about: `banks` from `bank` on, `stride` apart, and
 * the bank groups that they lie in. */
struct timing_target {
    uint16_t group, groups;
    uint16_t bank, banks, stride;
};

/* Where an effect is kept. A command's are in this order. */
enum timing_reach {
    REACH_ALL,   /* all groups, and so all banks */
    REACH_BANKS, /* of the target */
    REACH_GROUP, /* of the target: all of its groups and none besides */
    REACH_OTHER, /* groups */
};

struct timing_effect {
    uint8_t reach; /* enum timing_reach */
    uint8_t following;
    bool sibling;
    uint8_t window;
    uint8_t history;      /* of windows above 1 */
    uint16_t span;        /* groups of a unit of the level; 0: a bank */
    uint16_t parent_span; /* groups of the unit above */
    uint16_t stride;      /* from group to group, see timing_ready_all */
    uint16_t row;         /* reaches but OTHER: of the clocks of a timing */
    uint32_t cycles;
};

/* Clocks at which a command was last issued in the units of a level. */
struct timing_history {
    uint8_t command, depth;
    uint16_t span; /* as of an effect */
};

/* What is the same in all channels of a device. */
struct timing_rules {
    uint32_t groups, banks_per_group, banks;
    uint32_t scope_groups; /* of a unit that is refreshed as a whole */
    uint32_t rank_groups;
    uint8_t group_of[TIMING_BANKS];
    struct dram_address address[TIMING_BANKS]; /* no row, no column */
    uint16_t first[DRAM_COMMAND_COUNT + 1];    /* effects of a command */
    uint16_t others[DRAM_COMMAND_COUNT]; /* of these the first REACH_OTHER */
    struct timing_effect *effects;
    struct timing_history *histories;
    uint32_t history_count;
    uint32_t remembered; /* bit of each command with a history */
};

struct timing_past {
    uint64_t *clocks; /* [unit][depth], a ring each */
    uint64_t *count;  /* [unit] */
};

/* Rows of clocks that lie behind each other: by command, then by group or
 * bank, as those of one command are looked at together. */
struct timing {
    uint64_t *all;   /* [command] */
    uint64_t *group; /* [command][groups] */
    uint64_t *bank;  /* [command][banks] */
    uint32_t groups, banks;
    const struct timing_rules *rules;
    struct timing_past *past; /* by history */
};

/* used: commands that are issued at all; rules for others are left out. NULL
 * and an error if the device has too many banks. */
struct timing_rules *timing_rules_new(const struct dram_device *device,
                                      const bool *used, struct error *error);
void timing_rules_free(struct timing_rules *rules);

void timing_init(struct timing *timing, const struct timing_rules *rules);
void timing_destroy(struct timing *timing);
/* Saves or loads all clocks. */
void timing_state(struct timing *timing, struct state *s);

static inline struct timing_target timing_bank(const struct timing_rules *r,
                                               uint32_t bank)
{
    return (struct timing_target){r->group_of[bank], 1, (uint16_t)bank, 1, 1};
}

/* All banks of `groups` groups, from `group` on. */
struct timing_target timing_groups(const struct timing_rules *rules,
                                   uint32_t group, uint32_t groups);

static inline uint64_t timing_ready(const struct timing *t,
                                    enum dram_command command, uint32_t group,
                                    uint32_t bank)
{
    uint64_t a = t->group[command * t->groups + group];
    uint64_t b = t->bank[command * t->banks + bank];
    uint64_t ready = t->all[command];
    ready = a > ready ? a : ready;
    return b > ready ? b : ready;
}

/*
 * From when on the command may be issued in all banks of the target. For PREA
 * and REFab, whose target is always a whole refresh scope, the scope's first
 * group speaks for all of it.
 */
uint64_t timing_ready_all(const struct timing *timing,
                          enum dram_command command,
                          const struct timing_target *at);

void timing_issue(struct timing *timing, enum dram_command command,
                  const struct timing_target *at, uint64_t clock);

#endif
