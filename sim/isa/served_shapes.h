/*
 * The shapes of custom instructions (sdk/isa/shapes.def) whose rows are served
 * by a unit: SERVED_<shape> is true or false.
 */
#ifndef SIM_ISA_SERVED_SHAPES_H
#define SIM_ISA_SERVED_SHAPES_H

#include <stdbool.h>

#define SERVED_X_XX false
#define SERVED_NEXT true
#define SERVED_UNIT_XX true
#define SERVED_F_FF false
#define SERVED_F_FFF false
#define SERVED_BOX false
#define SERVED_TRI false
#define SERVED_TRACE true

#endif
