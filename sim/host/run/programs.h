/*
 * The programs of a run: one for each kind of core at most, chosen by the
 * machine that its ELF file names. The first one stands on the command line
 * with what follows it, further ones are given by --program. Those of a kind
 * that loads its programs itself (core_kind.load) are handed to it; all others
 * lie in the machine's memory, and the first of these is host->programs.first.
 */
#ifndef SIM_HOST_RUN_PROGRAMS_H
#define SIM_HOST_RUN_PROGRAMS_H

#include "sim/host/host.h"

/* Reads all files of the options, for cores among these kinds of units. */
bool programs_open(struct host *host, const struct unit_kind *const *kinds,
                   struct error *error);
/* Places what lies in the machine's memory, which has been reserved. */
bool programs_place(struct host *host, struct error *error);
/* The chip is there: a program that several kinds of cores can run is for the
 * kind of the chip's first core of them. */
void programs_settle(struct host *host);
/* Has the chip cores for each program, and can they run it the way the options
 * want? */
bool programs_check(const struct host *host, struct error *error);
/* Hands each program to the chip's cores of its kind. False: they refuse it. */
bool programs_load(struct host *host, struct error *error);
/* The program of the hart's kind of core has ended. False: so have all. */
bool program_done(struct host *host, const struct hart *hart);
/* The run is over: the kinds write what their options ask for. */
bool programs_finish(struct host *host, struct error *error);
void programs_close(struct host *host);

/* The program that a kind of core runs, NULL: none. */
const struct program *program_for(const struct host *host,
                                  const struct core_kind *core);
/* The same for a hart's core; an empty one, which has no symbols, if none. */
const struct program *program_of(const struct host *host,
                                 const struct hart *hart);

/* First address behind all programs in memory. */
uint64_t programs_end(const struct host *host);
/* First address of any of them, at most `end`. */
uint64_t programs_start(const struct host *host, uint64_t end);

/* Harts of the chip whose kind runs the program, and the first one's number. */
unsigned program_harts(const struct host *host, const struct program *program,
                       unsigned *first);

#endif
