/* What is in a scene, for people, for programs, and whether it is sound. */
#ifndef SCENE_INFO_H
#define SCENE_INFO_H

#include <corbel/scene.h>

void info_text(const struct corbel_scene *scene);
void info_json(const struct corbel_scene *scene);

/*
 * Walks the whole tree: references in range, blocks equal to the faces they
 * name, boxes of leaves that touch their triangles, every triangle with area
 * in some leaf, statistics as the header says. False: *why names what is
 * wrong.
 */
bool info_verify(const struct corbel_scene *scene, const char **why);

#endif
