/*
 * The traversal of traverse.h by trav.boxisect and trav.triisect, for programs
 * that want the same hit from instructions instead of software:
 * corbel_traverse_isect(scene, ray, flags, hit).
 */
#ifndef CORBEL_TRAVERSE_ISECT_H
#define CORBEL_TRAVERSE_ISECT_H

#include <corbel/traverse.h>
#include <corbel/xtrav.h>

#define CORBEL_TRAVERSE_BATCH 0
#define CORBEL_TRAVERSE_NAME(name) corbel_##name##_isect
#define CORBEL_TRAVERSE_BOX corbel_boxisect
#define CORBEL_TRAVERSE_TRIANGLE corbel_triisect
#include <corbel/traverse_template.h>

#endif
