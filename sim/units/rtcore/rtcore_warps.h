/*
 * Rays that come together: those of one instruction of a warp, or a ray of a
 * thread processor alone. What takes a place in the RT core, and when results
 * return, are tables: a row for each policy here and in rtcore_warps.c.
 */
#ifndef SIM_RTCORE_WARPS_H
#define SIM_RTCORE_WARPS_H

/* What has to find a place: a ray, or its warp, too. */
#define RTCORE_PLACES(FIRST, X)                                                \
    FIRST(rays)                                                                \
    X(warps)                                                                   \
    /* the end of the list: new ones come here */

/* Results return one by one as rays finish, or with those of the warp. */
#define RTCORE_ANSWERS(FIRST, X)                                               \
    FIRST(rays)                                                                \
    X(warps)                                                                   \
    /* the end of the list: new ones come here */

struct rtcore;

struct rtcore_places {
    /* Warps of which rays may be inside, by the core's parameters. */
    unsigned (*most)(const struct rtcore *r);
};

struct rtcore_answers {
    bool together; /* results wait for the last one of their warp */
};

extern const struct rtcore_places *const rtcore_places[];
extern const struct rtcore_answers *const rtcore_answers[];

#endif
