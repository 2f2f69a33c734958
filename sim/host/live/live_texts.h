/*
 * Statistics of a run that goes on, as text: what --serve hands over. Memory is
 * that of a page's charts, however long the run is.
 */
#ifndef SIM_HOST_LIVE_LIVE_TEXTS_H
#define SIM_HOST_LIVE_LIVE_TEXTS_H

struct host;
struct snapshots;

/* Texts for free(); stats: as stats.json; run: of the page (page.h). */
struct snapshot {
    char *stats, *run;
};

struct snapshots *snapshots_new(const struct host *host);
void snapshots_free(struct snapshots *s);
/* An interval ends at host->now, all accounts closed. */
void snapshots_add(struct snapshots *s, struct host *host);
/* Takes a snapshot; all accounts are closed at host->now. */
struct snapshot snapshots_take(struct snapshots *s, struct host *host);
void snapshot_free(struct snapshot *s);

#endif
