/*
 * Names of a file, numbered from 1 on in the order in which they come first.
 */
#ifndef MESH_NAMES_H
#define MESH_NAMES_H

#include "input.h"

struct names {
    void *tree;
    uint32_t count;
};

/* The number of a name, whose text stays where it is. */
uint32_t names_number(struct names *names, struct word name);
void names_free(struct names *names);

#endif
