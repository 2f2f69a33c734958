/*
 * --serve: what the simulation hands over to those who watch it, and what they
 * ask of it. The simulation looks at this only where all tiles stand still, and
 * takes no number from it: it waits there, or ends as by a signal, so results
 * are the same.
 */
#ifndef SIM_HOST_LIVE_LIVE_H
#define SIM_HOST_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct live;

/* Cycles from one border to the next if the command line has no --interval. */
#define LIVE_INTERVAL 10000

/* ---- the server, on a thread of its own ---- */

enum live_file {
    LIVE_PAGE,     /* HTML */
    LIVE_RUN,      /* JSON of the page's run */
    LIVE_STATS,    /* as stats.json */
    LIVE_PROGRESS, /* JSON */
    LIVE_FILES
};

/* A file as it is now. */
struct live_reply {
    char *text; /* for free(); NULL: there is none yet */
    size_t size;
    bool last; /* it tells how the run ended */
};
struct live_reply live_reply(struct live *live, enum live_file file);
/* A file of which live_reply has said that it is the last has been sent. */
void live_sent_last(struct live *live, enum live_file file);

/* Stand still as soon as can be; go on; end the run as SIGINT does. */
void live_pause(struct live *live);
void live_resume(struct live *live);
void live_stop(struct live *live);
/* Go on for `cycles`, 0: up to the next border. False: the run does not
 * stand. */
bool live_step(struct live *live, uint64_t cycles);

/* What orders have to come with: 32 hexadecimal digits. */
const char *live_token(const struct live *live);

#endif
