/* Compares hit records; see trace.h. */
#include "scene_trace.h"
#include "sdk/common/file.h"
#include "sdk/common/report.h"

#include <corbel/line.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerances as parts of the distance and of the scene's largest side, and how
 * many differences are printed. */
#define DISTANCE_TOLERANCE 1e-5
#define EXTENT_TOLERANCE 1e-6
#define GRAZING_TOLERANCE 1e-4
#define DIFFERENCES_SHOWN 5

/* Both files must have the same number of records. */
static void check_sizes(const char *const path[2], const size_t bytes[2],
                        size_t record)
{
    if (bytes[0] != bytes[1] || bytes[0] % record != 0)
        fail(STATUS_INPUT,
             "%s has %zu bytes, %s %zu: expected equally many records of %zu "
             "bytes",
             path[0], bytes[0], path[1], bytes[1], record);
}

/*
 * Files do not say which records they have. Read as the other kind, indices
 * become tiny distances and distances become indices: nothing that a traversal
 * writes.
 */
static bool is_length(float x)
{
    return isfinite(x) && (x == 0 || fabsf(x) >= 0x1p-64f);
}

static size_t implausible_short(const struct hit_record *record, size_t bytes)
{
    size_t found = 0;
    for (size_t i = 0; i < bytes / sizeof *record; i++)
        found += record[i].index == CORBEL_MISS
                     ? record[i].distance != -1
                     : !is_length(record[i].distance);
    return found;
}

static bool is_weight(float x)
{
    return is_length(x) && x >= -0x1p-16f && x <= 1 + 0x1p-16f;
}

static size_t implausible_full(const struct corbel_hit *record, size_t bytes)
{
    size_t found = 0;
    for (size_t i = 0; i < bytes / sizeof *record; i++)
        found += record[i].index == CORBEL_MISS
                     ? record[i].b1 != 0 || record[i].b2 != 0
                     : !is_length(record[i].t) || !is_weight(record[i].b1) ||
                           !is_weight(record[i].b2);
    return found;
}

/* A full record takes the place of two short ones. */
static bool records_are_full(const void *records, size_t bytes)
{
    return bytes % sizeof(struct corbel_hit) == 0 &&
           2 * implausible_full(records, bytes) <
               implausible_short(records, bytes);
}

/* Two misses, or two hits at about the same distance, whatever the triangles
 * are. */
static bool records_agree(const struct hit_record *a,
                          const struct hit_record *b)
{
    if (a->index == CORBEL_MISS || b->index == CORBEL_MISS)
        return a->index == b->index;
    if (memcmp(a, b, sizeof *a) == 0) /* not numbers, too */
        return true;
    return fabs((double)a->distance - b->distance) <=
           DISTANCE_TOLERANCE * fabs((double)b->distance);
}

static void print_path(const char *path)
{
    fputs("  ", stdout);
    corbel_line_put(stdout, path);
    fputs(": ", stdout);
}

static void print_record(const char *name, const struct hit_record *record)
{
    print_path(name);
    if (record->index == CORBEL_MISS)
        puts("miss");
    else
        printf("triangle %u at %.9g\n", record->index, record->distance);
}

/* Without their scene full records can be found the same, and no more; both are
 * freed. */
static bool full_records_same(const char *path, void *a, void *b, size_t bytes)
{
    const bool same = memcmp(a, b, bytes) == 0;
    free(a);
    free(b);
    if (!same)
        fail(STATUS_INPUT,
             "%s: records of rays, expected FILE.scene too, by which they are "
             "compared",
             path);
    printf("%zu records of rays, all the same\n",
           bytes / sizeof(struct corbel_hit));
    return true;
}

/* Hits of another triangle at the same distance are counted, as they may be a
 * tie. */
bool hits_compare(const char *path_a, const char *path_b)
{
    size_t bytes[2], different = 0, other_triangle = 0;
    struct hit_record *a = file_read(path_a, &bytes[0]);
    struct hit_record *b = file_read(path_b, &bytes[1]);
    check_sizes((const char *[]){path_a, path_b}, bytes, sizeof *a);
    if (records_are_full(a, bytes[0]) && records_are_full(b, bytes[1]))
        return full_records_same(path_a, a, b, bytes[0]);
    const size_t records = bytes[0] / sizeof *a;
    for (size_t i = 0; i < records; i++) {
        if (records_agree(&a[i], &b[i])) {
            other_triangle += a[i].index != b[i].index;
            continue;
        }
        if (different++ < DIFFERENCES_SHOWN) {
            printf("record %zu differs\n", i);
            print_record(path_a, &a[i]);
            print_record(path_b, &b[i]);
        }
    }
    printf("%zu records, %zu differ, %zu name another triangle at the same "
           "distance\n",
           records, different, other_triangle);
    free(a);
    free(b);
    return different == 0;
}

/* ---- full records ---- */

/* What two records are to each other; trace.h says what the words mean. */
enum verdict { EQUAL, TIE, GRAZING, DIFFERENT, VERDICTS };

/* What is compared, and how far apart equal hits may be. */
struct comparison {
    const struct corbel_scene *scene;
    const char *path[2];
    double extent; /* of the scene, the largest */
    size_t count[VERDICTS], hits;
    double farthest; /* of two hits that count as one */
};

/* The largest side of the scene's bounds, the measure of tolerances. */
static double scene_extent(const struct corbel_scene *scene)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)scene->bounds.max[axis] -
                                  scene->bounds.min[axis]);
    return extent;
}

/* Where the barycentric coordinates say that a hit is. */
static void hit_point(const struct corbel_scene *scene,
                      const struct corbel_hit *hit, double point[3])
{
    struct corbel_triangle triangle;
    corbel_scene_triangle(scene, hit->index, &triangle);
    for (int i = 0; i < 3; i++)
        point[i] = triangle.v[0][i] * (1.0 - hit->b1 - hit->b2) +
                   triangle.v[1][i] * (double)hit->b1 +
                   triangle.v[2][i] * (double)hit->b2;
}

/* The larger of the distances along the ray and between the points. */
static double hits_apart(const struct corbel_scene *scene,
                         const struct corbel_hit *a, const struct corbel_hit *b)
{
    double p[3], q[3], square = 0;
    hit_point(scene, a, p);
    hit_point(scene, b, q);
    for (int i = 0; i < 3; i++)
        square += (p[i] - q[i]) * (p[i] - q[i]);
    return fmax(sqrt(square), fabs((double)a->t - b->t));
}

/* Also keeps the largest distance between two hits that count as one. */
static enum verdict judge(struct comparison *c, const struct corbel_hit *a,
                          const struct corbel_hit *b)
{
    if (memcmp(a, b, sizeof *a) == 0) /* not numbers, too */
        return EQUAL;
    if (a->index == CORBEL_MISS && b->index == CORBEL_MISS)
        return a->t == b->t ? EQUAL : DIFFERENT;
    if (a->index == CORBEL_MISS || b->index == CORBEL_MISS)
        return DIFFERENT;
    const double apart = hits_apart(c->scene, a, b);
    const bool same = a->index == b->index;
    if (apart <= EXTENT_TOLERANCE * c->extent +
                     DISTANCE_TOLERANCE * fabs((double)b->t)) {
        c->farthest = fmax(c->farthest, apart);
        return same ? EQUAL : TIE;
    }
    return same && apart <= GRAZING_TOLERANCE * c->extent ? GRAZING : DIFFERENT;
}

static void print_hit(const char *name, const struct corbel_hit *hit)
{
    print_path(name);
    if (hit->index == CORBEL_MISS)
        printf("miss, t %.9g\n", hit->t);
    else
        printf("triangle %u at %.9g, barycentrics %.9g %.9g\n", hit->index,
               hit->t, hit->b1, hit->b2);
}

/* Counts a record's verdict and prints the first few that differ. */
static void compare_one(struct comparison *c, size_t record,
                        const struct corbel_hit *a, const struct corbel_hit *b)
{
    const enum verdict verdict = judge(c, a, b);
    c->hits += a->index != CORBEL_MISS;
    if (c->count[verdict]++ < DIFFERENCES_SHOWN && verdict == DIFFERENT) {
        printf("record %zu differs\n", record);
        print_hit(c->path[0], a);
        print_hit(c->path[1], b);
    }
}

/* A hit of a triangle that the scene does not have is of another scene. */
static void check_hits(const struct comparison *c, int file,
                       const struct corbel_hit *hit, size_t count)
{
    if (!records_are_full(hit, count * sizeof *hit) &&
        implausible_full(hit, count * sizeof *hit) > count / 2)
        fail(STATUS_INPUT,
             "%s: not records of rays, expected no FILE.scene for those of a "
             "view",
             c->path[file]);
    for (size_t i = 0; i < count; i++)
        if (hit[i].index != CORBEL_MISS && hit[i].index >= c->scene->triangles)
            fail(STATUS_INPUT,
                 "%s: record %zu: triangle %u, expected below %u, the "
                 "scene's triangles",
                 c->path[file], i, hit[i].index, c->scene->triangles);
}

/* Both files are checked against the scene before anything is compared. */
bool hits_compare_full(const struct corbel_scene *scene, const char *path_a,
                       const char *path_b, unsigned limit)
{
    struct comparison c = {scene, {path_a, path_b}, scene_extent(scene), {0}, 0,
                           0};
    size_t bytes[2];
    struct corbel_hit *a = file_read(path_a, &bytes[0]);
    struct corbel_hit *b = file_read(path_b, &bytes[1]);
    check_sizes(&c.path[0], bytes, sizeof *a);
    const size_t records = bytes[0] / sizeof *a;
    check_hits(&c, 0, a, records);
    check_hits(&c, 1, b, records);
    for (size_t i = 0; i < records; i++)
        compare_one(&c, i, &a[i], &b[i]);
    printf("%zu records, %zu hits: %zu equal, %zu ties, %zu grazing, %zu "
           "differ; same hits within %.2g extents\n",
           records, c.hits, c.count[EQUAL], c.count[TIE], c.count[GRAZING],
           c.count[DIFFERENT], c.extent > 0 ? c.farthest / c.extent : 0);
    free(a);
    free(b);
    return c.count[DIFFERENT] <= limit;
}
