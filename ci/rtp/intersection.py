"""What an intersection core answers to a ray.

Every operation is rounded to single by itself, in the order written here; none
is fused. Numbers are Python floats that are exact singles.
"""
from arithmetic import divide, rounded as r, to_float, to_word

LEAST_DETERMINANT = to_float(0x322BCC77)  # about 1e-8: only front faces hit
MISS = (0, 0, 0, 0, 0, 0, 0)


class Triangle:
    """A vertex, both edges from it and their cross product."""

    def __init__(self, vertices, shader):
        v0, v1, v2 = (tuple(map(to_float, vertex)) for vertex in vertices)
        self.origin = v0
        self.edge1 = subtract(v1, v0)
        self.edge2 = subtract(v2, v0)
        self.normal = cross(self.edge1, self.edge2)
        self.shader = shader


def subtract(p, q):
    return r(p[0] - q[0]), r(p[1] - q[1]), r(p[2] - q[2])


def cross(p, q):
    return (r(r(p[1] * q[2]) - r(p[2] * q[1])),
            r(r(p[2] * q[0]) - r(p[0] * q[2])),
            r(r(p[0] * q[1]) - r(p[1] * q[0])))


def dot(p, q):
    return r(r(r(p[0] * q[0]) + r(p[1] * q[1])) + r(p[2] * q[2]))


def distance(origin, direction, triangle):
    """t where the ray meets the triangle, or None. NaN compares as false: a
    triangle is only left out for what is known to be wrong with it."""
    p = cross(direction, triangle.edge2)
    determinant = dot(triangle.edge1, p)
    if determinant < LEAST_DETERMINANT:
        return None
    inverse = r(divide(1.0, determinant))
    s = subtract(origin, triangle.origin)
    u = r(dot(s, p) * inverse)
    if u < 0 or u > 1:
        return None
    q = cross(s, triangle.edge1)
    v = r(dot(direction, q) * inverse)
    if v < 0 or r(u + v) > 1:
        return None
    return r(dot(triangle.edge2, q) * inverse)


def intersect(origin, direction, triangles):
    """The nearest hit of all triangles, the first of equals: shader word,
    point, normal. All are words, and all are zero without a hit."""
    o = tuple(map(to_float, origin))
    d = tuple(map(to_float, direction))
    nearest, best = None, 0.0
    for triangle in triangles:
        t = distance(o, d, triangle)
        if t is not None and t > 0 and (nearest is None or t < best):
            nearest, best = triangle, t
    if nearest is None:
        return MISS
    point = (to_word(r(best * d[k]) + o[k]) for k in range(3))
    return (nearest.shader, *point, *map(to_word, nearest.normal))
