/*
 * A kind of rtp between drivers: links take a cycle, as on the chip, so that
 * cycles are the hardware's. Each run has a program, a scene and results of its
 * own.
 */
#ifndef SIM_UNITS_RTP_BENCH_H
#define SIM_UNITS_RTP_BENCH_H

#include "sim/units/common/bench.h"
#include "sim/units/rtp/rtp_machine.h"

/* First in a scenario's build: the machine that its units share, emptied. */
struct rtp_machine *rtp_bench_machine(struct bench *b, uint32_t pixels);
void rtp_bench_program(struct rtp_machine *m, const uint32_t *words,
                       uint32_t count);
/* Triangles in planes z = 1, 2, ... that rays along z hit; shader words are
 * numbers from 1 on. */
void rtp_bench_triangles(struct rtp_machine *m, uint32_t count);
/* The payload of a ray from the origin along z. */
struct payload rtp_bench_ray(void);

/* A driver that sends to a port of the unit, or takes from one. */
struct driver *rtp_bench_from(struct bench *b, struct unit *u,
                              const char *input);
struct driver *rtp_bench_to(struct bench *b, struct unit *u,
                            const char *output);
/* Both, where the second answers the first. */
struct driver *rtp_bench_both(struct bench *b, struct unit *u,
                              const char *input, const char *output);

/* Adds to a driver's script a message as it is, tag and all. */
void rtp_bench_send(struct driver *d, uint64_t at, struct msg m,
                    const struct payload *p);
uint32_t rtp_bench_word(const struct payload *p, unsigned i);

#endif
