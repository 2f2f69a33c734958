/*
 * What a verdict is made of, in stats.json: written by sim-run, and read again
 * by sim-report.
 */
#ifndef SIM_VERDICT_SAVED_H
#define SIM_VERDICT_SAVED_H

#include "sim/verdict/verdict_gather.h"
#include <cjson/cJSON.h>

/* ---- saved_write.c ---- */
/* Adds to a kind of the schema what limits it: "ports", "requests", "limits".
 */
void saved_kind(cJSON *to, const struct unit_kind *kind);
/* Adds "chip": what is known of each group's units. */
void saved_chip(cJSON *to, const struct measured *m);

/* ---- saved_read.c ---- */
struct saved;

/* Of a file whose members have the types of sim/report/shape_rules.h; it stays
 * as long as what this returns, which is for saved_free. NULL: the error says
 * what is missing, or wrong, from the file's name on. */
struct saved *saved_new(const cJSON *stats, const char *file,
                        struct error *error);
void saved_free(struct saved *s);

/* The verdict on the run, its regions, or a window: what has "groups". For
 * free(), before the saved; NULL: there is nothing to say. */
struct verdict *saved_verdict(const struct saved *s, const cJSON *section,
                              uint64_t cycles);

#endif
