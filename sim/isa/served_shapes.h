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
#define SERVED_ITEM_LOAD true
#define SERVED_ITEM_STORE true
#define SERVED_HIT_STORE true
#define SERVED_HIT_LOAD true
#define SERVED_RAY_LOAD true
#define SERVED_RAY_STORE true
#define SERVED_RAY_END true

#endif
