/* What is in a scene, for people, for programs, and whether it is sound. */
#ifndef SCENE_INFO_H
#define SCENE_INFO_H

#include <corbel/verify.h>

void info_text(const struct corbel_scene *scene);
void info_json(const struct corbel_scene *scene);

/*
 * Is the tree of a scene that can be traversed (scene_read()) that of its mesh:
 * triangles of leaves equal to the faces they name, boxes of leaves that touch
 * their triangles, every triangle with area in some leaf. False: why says what
 * is wrong, and where.
 */
bool info_verify(const struct corbel_scene *scene, char why[CORBEL_WHY]);

#endif
