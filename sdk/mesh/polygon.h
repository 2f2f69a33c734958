/*
 * Polygons as triangles, by cutting ears on the polygon's plane.
 *
 * A polygon of n corners becomes n - 2 triangles with the winding of the
 * polygon, which cover what is inside its outline, once. A convex one becomes
 * the fan around its first corner. It is looked at along the axis in which its
 * normal is longest, so corners may lie off the plane a little. Corners on a
 * straight line, or in the same place, may give triangles without area, but
 * only where no other triangles are possible.
 */
#ifndef MESH_POLYGON_H
#define MESH_POLYGON_H

#include "sdk/mesh/mesh.h"

/* The time for a polygon grows with the square of its corners. */
#define POLYGON_CORNERS_MAX 65536u

/* Memory of polygons, zero at first. */
struct polygon {
    struct corner *corner;
    uint32_t *vertex; /* of the mesh, for each corner; filled by the caller */
    uint32_t corners, room, corner_room;
};

/* Adds a corner. */
void polygon_add(struct polygon *polygon, uint32_t vertex);

/*
 * Adds the triangles of a polygon with 3 to POLYGON_CORNERS_MAX corners, whose
 * vertices exist, to the mesh. Polygons whose edges cross have no inside; they
 * get n - 2 triangles as well, and are counted in mesh->note.
 */
void polygon_cut(struct polygon *polygon, struct mesh *mesh);

void polygon_free(struct polygon *polygon);

#endif
