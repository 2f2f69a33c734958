/* Names the legs of requests, and says where they are. */
#include "sim/verdict/trip_ways.h"
#include <stdio.h>

struct place ways_place(const struct way *way, unsigned served, unsigned leg)
{
    struct place at = {NOWHERE, leg, 0};
    unsigned there = LEG_second_way - LEG_first_way,
             back = LEG_first_fill - LEG_second_fill;
    if (leg < LEG_translation) {
        at.level = 1 + leg / there;
        at.as = leg % there;
    } else if (leg >= LEG_third_fill && leg <= LEG_first_home) {
        at.level = 1 + (LEG_first_home - leg) / back;
        at.as = leg + (at.level - 1) * back;
    } else if (leg >= LEG_memory_way && leg <= LEG_memory_home) {
        at.group = served == SERVED_buffer ? NOWHERE : way->end;
    }
    if (at.level)
        at.group = way->cache[at.level];
    return at;
}

/* What legs are called, those at any cache as at the first one. */
static const char *const called[LEGS] = {
    [LEG_first_way] = "link",
    [LEG_first_port] = "port",
    [LEG_first_bank] = "pipeline",
    [LEG_first_stall] = "stall",
    [LEG_first_below] = "queue to below",
    [LEG_first_fill] = "fill",
    [LEG_first_reply] = "reply",
    [LEG_first_home] = "link back",
    [LEG_memory_way] = "link",
    [LEG_memory_port] = "port",
    [LEG_memory_front] = "way to the controller",
    [LEG_memory_held] = "held",
    [LEG_memory_queue] = "queue",
    [LEG_memory_row] = "row opened",
    [LEG_memory_conflict] = "row conflict",
    [LEG_memory_bus] = "data",
    [LEG_memory_back] = "way back",
    [LEG_memory_reply] = "reply",
    [LEG_memory_home] = "link back",
};

const char *ways_leg(unsigned leg)
{
    static const char *const names[LEGS] = {
#define NAME(name, ...) #name,
        TRIP_LEGS_OF(NAME, )
#undef NAME
    };
    return names[leg];
}

void ways_name(const struct measured *t, const struct way *way, unsigned served,
               unsigned leg, char *text, size_t size)
{
    struct place at = ways_place(way, served, leg);
    const char *what = called[at.as];
    if (at.group < t->group_count && what)
        snprintf(text, size, "%s %s", t->groups[at.group].name, what);
    else
        snprintf(text, size, "%s", ways_leg(leg));
}
