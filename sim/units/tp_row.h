/*
 * Hints to the host from units that know some cycles before that a thread
 * processor of their tile will have something to do. They change nothing of the
 * model, and read nothing of the core, whose lines are far: where it is follows
 * from its place in a row of cores that were made alike and one after the
 * other.
 */
#ifndef SIM_TP_ROW_H
#define SIM_TP_ROW_H

#include "sim/core/unit.h"

struct tp_row;

/*
 * The row of the cores that answers go to, and how many of the links, from the
 * first on, lead to its first, second, ... core; NULL and 0: none. Only when
 * all units are built. Hints are for links below *count.
 */
const struct tp_row *tp_row_at(const struct outport *answers, unsigned links,
                               uint32_t *count);

/* Answers will come: of the RT core, after which the hart will run; of the
 * scheduler; of the L1 (loads: to a load). tag: that of the request, which the
 * hart has made. */
void tp_foresee_hit(const struct tp_row *row, size_t nth, uint32_t tag);
void tp_foresee_index(const struct tp_row *row, size_t nth, uint32_t tag);
void tp_foresee_answer(const struct tp_row *row, size_t nth, uint32_t tag,
                       bool loads);

/* Its port to the RT core will have room. */
void tp_foresee_room(const struct tp_row *row, size_t nth);

/* The same some cycles later, when what was asked for is there: the hart whose
 * turn it will be. */
void tp_expect_room(const struct tp_row *row, size_t nth);

#endif
