/*
 * The walk of walk.h by trav.boxisect and trav.triisect, for programs that want
 * the same hits from instructions instead of software:
 * corbel_walk_next_isect(&w, scene).
 */
#ifndef CORBEL_WALK_ISECT_H
#define CORBEL_WALK_ISECT_H

#include <corbel/traverse_isect.h>
#include <corbel/walk.h>

#define CORBEL_WALK_NAME(name) corbel_walk_##name##_isect
#define CORBEL_WALK_NODE corbel_traversal_step_node_isect
#define CORBEL_WALK_BOX corbel_boxisect
#define CORBEL_WALK_TRIANGLE corbel_triisect
#include <corbel/walk_template.h>

#endif
