/*
 * The numbers of the formats of files that one tool writes and another, or a
 * later one, reads. Readers refuse those that they do not know. A number grows
 * when something that is there changes its name, place, type, unit or meaning,
 * or goes; not when something is added, which readers let pass. Those of
 * checkpoints, of caches and of undo files grow with any change, as these have
 * no names in them.
 */
#ifndef SIM_CORE_FORMATS_H
#define SIM_CORE_FORMATS_H

#define STATS_FORMAT 2    /* stats.json; 1: no roles, histograms as counters */
#define MANIFEST_FORMAT 1 /* manifest.json; before it had a number: none */
#define PROFILE_FORMAT 1  /* profile.json */
#define PIXELS_FORMAT 1   /* pixels.json of --cost-images */
#define PROGRESS_FORMAT 1 /* progress.json of --serve */
#define CHECKPOINT_FORMAT 8
#define CACHES_FORMAT 1 /* of --save-caches */
#define UNDO_FORMAT 1   /* beside checkpoints: what a run has overwritten */

/* A number as a part of a text. */
#define FORMAT_TEXT(number) FORMAT_TEXT_OF(number)
#define FORMAT_TEXT_OF(number) #number

#endif
