/*
 * Places instances: makes what a traversal reads of one from where it stands,
 * and the box that it has in the upper tree. docs/reference/exactness.md proves
 * that the box holds all that a ray can hit of the instance.
 */
#ifndef CORBEL_PLACE_H
#define CORBEL_PLACE_H

#include <corbel/boxtree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest product of the row sums of a matrix and its inverse: what the padding
 * has been proved for. */
#define CORBEL_INSTANCE_CONDITION_MAX 0x1p20

/* Rays that start within this many extents of the upper tree need no widening
 * of its boxes. */
#define CORBEL_INSTANCES_NEAR 4

static inline float corbel_round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? corbel_float_after(f) : f;
}

static inline float corbel_round_down(double x)
{
    return -corbel_round_up(-x);
}

/* The inverse of a matrix, by cofactors; false: it has none. */
static inline bool corbel_matrix_invert(double m[3][3], double inverse[3][3])
{
    double det = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int r = (k + 1) % 3, s = (k + 2) % 3;
            const int p = (i + 1) % 3, q = (i + 2) % 3;
            inverse[i][k] = m[r][p] * m[s][q] - m[r][q] * m[s][p];
        }
    for (int k = 0; k < 3; k++)
        det += m[0][k] * inverse[k][0];
    if (!(det < 0 || det > 0))
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            inverse[i][k] /= det;
            if (!(__builtin_fabs(inverse[i][k]) < 0x1p100))
                return false;
        }
    return true;
}

/* The largest sum of absolute values of a row. */
static inline double corbel_matrix_norm(double m[3][3])
{
    double norm = 0;
    for (int i = 0; i < 3; i++) {
        const double row = __builtin_fabs(m[i][0]) + __builtin_fabs(m[i][1]) +
                           __builtin_fabs(m[i][2]);
        norm = row > norm ? row : norm;
    }
    return norm;
}

/* The way from the object to the world that an instance stands for, exactly up
 * to binary64. */
static inline bool
corbel_instance_matrix(const struct corbel_instance *instance,
                       double inverse[3][3], double matrix[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[i][k] = instance->inverse[i][k];
    return corbel_matrix_invert(inverse, matrix);
}

/*
 * Sets inverse and origin for a transform from the object to the world. False:
 * it has no inverse, or one that the padding is not proved for, or reaches
 * beyond +-2^40.
 */
static inline bool corbel_instance_place(struct corbel_instance *instance,
                                         float transform[3][4])
{
    double m[3][3], inverse[3][3];
    bool within = true;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m[i][k] = transform[i][k];
            within = within && __builtin_fabsf(transform[i][k]) <= 0x1p40f;
        }
        instance->origin[i] = transform[i][3];
        within = within && __builtin_fabsf(transform[i][3]) <= 0x1p40f;
    }
    if (!within || !corbel_matrix_invert(m, inverse))
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            instance->inverse[i][k] = (float)inverse[i][k];
            within = within && __builtin_fabs(inverse[i][k]) <= 0x1p40;
        }
    return within && corbel_instance_matrix(instance, inverse, m) &&
           corbel_matrix_norm(m) * corbel_matrix_norm(inverse) <=
               CORBEL_INSTANCE_CONDITION_MAX;
}

/* What the box of an instance is made from. */
struct corbel_instance_frame {
    double row[3];       /* sums of the object-to-world matrix */
    double norm;         /* the largest of them */
    double inverse_norm; /* of the other matrix */
};

/* The box of the lower tree's bounds in the world, without padding. False: the
 * instance has no place. */
static inline bool corbel_instance_box(const struct corbel_instance *instance,
                                       const struct corbel_box *bounds,
                                       struct corbel_box *box,
                                       struct corbel_instance_frame *frame)
{
    double inverse[3][3], m[3][3];
    if (!corbel_instance_matrix(instance, inverse, m))
        return false;
    for (int i = 0; i < 3; i++) {
        double low = instance->origin[i], high = low;
        frame->row[i] = 0;
        for (int k = 0; k < 3; k++) {
            const double a = m[i][k] * bounds->min[k];
            const double b = m[i][k] * bounds->max[k];
            low += a < b ? a : b;
            high += a < b ? b : a;
            frame->row[i] += __builtin_fabs(m[i][k]);
        }
        box->min[i] = corbel_round_down(low);
        box->max[i] = corbel_round_up(high);
    }
    frame->norm = corbel_matrix_norm(m);
    frame->inverse_norm = corbel_matrix_norm(inverse);
    return true;
}

/*
 * Grows such a box by what rays can lose that start within `near` of all points
 * of the upper tree's bounds. reach: of the instance.
 */
static inline void
corbel_instance_pad(const struct corbel_instance_frame *frame, double reach,
                    double near, struct corbel_box *box)
{
    const double object =
        frame->inverse_norm * (near + frame->norm * reach) + reach;
    for (int i = 0; i < 3; i++) {
        const double pad =
            (double)CORBEL_TREE_PAD * (frame->row[i] * object + near);
        box->min[i] = corbel_round_down((double)box->min[i] - pad);
        box->max[i] = corbel_round_up((double)box->max[i] + pad);
    }
}

/* By what an upper tree's boxes grow for rays from farther away, for each unit
 * of their distance; condition: the largest of an instance. */
static inline float corbel_instances_widen(double condition)
{
    return corbel_round_up((double)CORBEL_TREE_PAD * (1 + condition));
}

static inline double corbel_box_extent(const struct corbel_box *box)
{
    double extent = 0;
    for (int i = 0; i < 3; i++) {
        const double e = (double)box->max[i] - box->min[i];
        extent = e > extent ? e : extent;
    }
    return extent;
}

#ifdef __cplusplus
}
#endif
#endif
