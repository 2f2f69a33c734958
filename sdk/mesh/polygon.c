/*
 * An ear is a convex corner whose triangle holds no other corner; cutting it
 * off leaves a polygon with one corner less. Only corners that are not convex
 * can lie in an ear. If a corner is no ear it can become one only when a
 * neighbour has been cut off, so all corners together are tried about three
 * times each at every effort.
 */
#include "polygon.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What may be cut off; the next only when no corner passes the one before. */
enum effort {
    EFFORT_SPIKE,  /* where the outline turns back, or stays in one place */
    EFFORT_EAR,    /* an ear that no corner touches */
    EFFORT_FLAT,   /* a corner on a straight line */
    EFFORT_TOUCH,  /* an ear that others touch */
    EFFORT_CONVEX, /* any convex corner: edges cross */
    EFFORT_ANY,
};

/* A corner in the plane onto which the polygon is projected, in a ring of those
 * that are left. */
struct corner {
    double x, y;
    double turn; /* twice the area of the corner's triangle; > 0: convex */
    uint32_t vertex;
    uint32_t before, after; /* neighbours that are left */
    enum effort least;      /* it failed all efforts below */
};

void polygon_free(struct polygon *polygon)
{
    free(polygon->corner);
    free(polygon->vertex);
    memset(polygon, 0, sizeof *polygon);
}

/* The arrays are kept from polygon to polygon. */
void polygon_add(struct polygon *polygon, uint32_t vertex)
{
    if (polygon->corners == polygon->room) {
        polygon->room = polygon->room < 16 ? 16 : 2 * polygon->room;
        polygon->vertex =
            reallocate(polygon->vertex, polygon->room, sizeof *polygon->vertex);
    }
    polygon->vertex[polygon->corners++] = vertex;
}

/* By Newell: half its length is the area, whatever the corners' plane. */
static void find_normal(const struct polygon *p, const struct mesh *mesh,
                        double normal[3])
{
    const float *origin = mesh->vertex[p->vertex[0]];
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 1; i + 1 < p->corners; i++) {
        const float *a = mesh->vertex[p->vertex[i]];
        const float *b = mesh->vertex[p->vertex[i + 1]];
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] +=
                ((double)a[u] - origin[u]) * ((double)b[v] - origin[v]) -
                ((double)a[v] - origin[v]) * ((double)b[u] - origin[u]);
        }
    }
}

/* > 0: c lies to the left of the line from a to b. */
static double turn(const struct corner *a, const struct corner *b,
                   const struct corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* The corner's neighbours have changed, so all efforts may be tried on it
 * again. */
static void set_turn(struct corner *corner, uint32_t i)
{
    struct corner *c = &corner[i];
    c->turn = turn(&corner[c->before], c, &corner[c->after]);
    c->least = EFFORT_SPIKE;
}

/* The ring of corners in the plane, turned so that it runs to the left. */
static void make_ring(struct polygon *p, const struct mesh *mesh)
{
    double normal[3];
    find_normal(p, mesh, normal);
    int axis = fabs(normal[1]) > fabs(normal[0]);
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    const double sign = normal[axis] < 0 ? -1 : 1;
    for (uint32_t i = 0; i < p->corners; i++) {
        const float *v = mesh->vertex[p->vertex[i]];
        p->corner[i] = (struct corner){
            .x = sign * v[(axis + 1) % 3],
            .y = v[(axis + 2) % 3],
            .vertex = p->vertex[i],
            .before = i > 0 ? i - 1 : p->corners - 1,
            .after = i + 1 < p->corners ? i + 1 : 0,
        };
    }
    for (uint32_t i = 0; i < p->corners; i++)
        set_turn(p->corner, i);
}

/* Corners of different vertices may lie in one place. */
static bool same_place(const struct corner *a, const struct corner *b)
{
    return a->x == b->x && a->y == b->y;
}

/* q is within the angle of the ear c, its sides not included. */
static bool within_angle(const struct corner *a, const struct corner *c,
                         const struct corner *b, const struct corner *q)
{
    return turn(a, c, q) > 0 && turn(c, b, q) > 0;
}

/*
 * Is corner q in the way of the ear a c b? In the place of a or b it is not: an
 * edge from there into the triangle would have to leave it through a side. In
 * the place of c it is if one of its edges goes into the triangle.
 */
static bool in_the_way(const struct corner *corner, const struct corner *a,
                       const struct corner *c, const struct corner *b,
                       const struct corner *q, bool touching)
{
    const double sides[3] = {turn(a, c, q), turn(c, b, q), turn(b, a, q)};
    if (!touching)
        return sides[0] > 0 && sides[1] > 0 && sides[2] > 0;
    if (!(sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0))
        return false;
    if (same_place(q, c))
        return within_angle(a, c, b, &corner[q->before]) ||
               within_angle(a, c, b, &corner[q->after]);
    return !same_place(q, a) && !same_place(q, b);
}

/*
 * A convex corner whose triangle has no other corner in it. Only corners that
 * are not convex can lie there. touching: one on the triangle's border counts
 * as well.
 */
static bool is_ear(const struct corner *corner, const struct corner *c,
                   bool touching)
{
    const struct corner *a = &corner[c->before], *b = &corner[c->after];
    if (!(c->turn > 0))
        return false;
    for (uint32_t i = b->after; i != c->before; i = corner[i].after)
        if (!(corner[i].turn > 0) &&
            in_the_way(corner, a, c, b, &corner[i], touching))
            return false;
    return true;
}

/* Its triangle is no part of the plane, and it would be in the way of ears. */
static bool is_spike(const struct corner *corner, const struct corner *c)
{
    const struct corner *a = &corner[c->before], *b = &corner[c->after];
    return c->turn == 0 &&
           (a->x - c->x) * (b->x - c->x) + (a->y - c->y) * (b->y - c->y) >= 0;
}

/* May the corner be cut off at this effort? */
static bool may_cut(const struct corner *corner, const struct corner *c,
                    enum effort effort)
{
    switch (effort) {
    case EFFORT_SPIKE:
        return is_spike(corner, c);
    case EFFORT_EAR:
        return is_spike(corner, c) || is_ear(corner, c, true);
    case EFFORT_FLAT:
        return c->turn == 0;
    case EFFORT_TOUCH:
        return is_ear(corner, c, false);
    case EFFORT_CONVEX:
        return c->turn > 0;
    default:
        return true;
    }
}

/* Adds the corner's triangle and takes the corner out of the ring. */
static void cut_off(struct corner *corner, const struct corner *c,
                    struct mesh *mesh)
{
    const uint32_t before = c->before, after = c->after;
    mesh_add_face(mesh, corner[before].vertex, c->vertex, corner[after].vertex);
    corner[before].after = after;
    corner[after].before = before;
    set_turn(corner, before);
    set_turn(corner, after);
}

/* Spikes come first. The result is the greatest effort that was needed. */
static enum effort cut_ring(struct corner *corner, uint32_t left,
                            struct mesh *mesh)
{
    enum effort effort = EFFORT_SPIKE, greatest = EFFORT_SPIKE;
    uint32_t failed = 0, i = 1;
    while (left > 2) {
        struct corner *c = &corner[i];
        i = c->after;
        if (effort >= c->least && may_cut(corner, c, effort)) {
            cut_off(corner, c, mesh);
            left--;
            greatest = effort > greatest ? effort : greatest;
            effort = effort > EFFORT_EAR ? EFFORT_EAR : effort;
            i = is_spike(corner, &corner[c->before]) ? c->before : i;
            failed = 0;
            continue;
        }
        c->least = effort >= c->least ? effort + 1 : c->least;
        if (++failed == left) {
            effort++;
            failed = 0;
        }
    }
    return greatest;
}

/* A polygon that could only be cut with effort has edges that cross, which is
 * noted. */
void polygon_cut(struct polygon *p, struct mesh *mesh)
{
    if (p->corners == 3) {
        mesh_add_face(mesh, p->vertex[0], p->vertex[1], p->vertex[2]);
        return;
    }
    if (p->corner_room < p->room) {
        p->corner_room = p->room;
        p->corner = reallocate(p->corner, p->room, sizeof *p->corner);
    }
    make_ring(p, mesh);
    if (cut_ring(p->corner, p->corners, mesh) >= EFFORT_CONVEX)
        mesh->note[MESH_NOTE_crossing]++;
}
