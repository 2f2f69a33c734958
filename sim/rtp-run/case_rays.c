/*
 * Rows of a table: a ray, triangles and the hit. case, origin, direction, n,
 * triangles (10 words each, with blanks between), shader word, point, normal,
 * t, cycles; all words hexadecimal.
 */
#include "sim/rtp-run/case_input.h"
#include "sim/rtp/intersect.h"
#include "sim/rtp/rtp_float.h"
#include <stdlib.h>

enum { NAME, ORIGIN, DIRECTION = 4, COUNT = 7, TRIANGLES, RESULT, CYCLES = 17 };
#define RESULTS 8

static uint32_t next_word(char **text)
{
    return (uint32_t)strtoul(*text, text, 16);
}

static struct rtp_triangle next_triangle(char **text)
{
    struct rtp_triangle t;
    uint32_t words[9];
    for (unsigned i = 0; i < 9; i++)
        words[i] = next_word(text);
    for (unsigned k = 0; k < 3; k++)
        t.v[k] = (struct rtp_vec){rtp_float(words[3 * k]),
                                  rtp_float(words[3 * k + 1]),
                                  rtp_float(words[3 * k + 2])};
    t.shader = next_word(text);
    return t;
}

bool replay_ray(char **cells, unsigned count)
{
    static const char *const names[RESULTS] = {"shader word", "x",  "y",  "z",
                                               "normal x",    "ny", "nz", "t"};
    const struct rtp_rules rules = {0};
    struct rtp_hit hit = {0};
    uint32_t ray[8], is[9];
    if (count <= CYCLES)
        return differs(cells[NAME], "%u cells, expected %d", count, CYCLES + 1);
    for (unsigned i = 0; i < 6; i++) {
        char *word = cells[ORIGIN + i];
        ray[i] = next_word(&word);
    }
    struct rtp_ray r = rtp_ray_of(ray, ray + 3);
    char *text = cells[TRIANGLES];
    unsigned long n = strtoul(cells[COUNT], NULL, 10);
    if (n > RTP_TRIANGLES_ROOM)
        return differs(cells[NAME], "%.20s triangles, expected %d at most",
                       cells[COUNT], RTP_TRIANGLES_ROOM);
    for (; n; n--) {
        struct rtp_triangle t = next_triangle(&text);
        rtp_intersect(&rules, &r, &t, &hit);
    }
    rtp_hit_words(&hit, is + 1, is + 4);
    is[0] = hit.shader;
    is[7] = rtp_bits(hit.t);
    is[4] = rtp_bits(hit.normal.x);
    is[5] = rtp_bits(hit.normal.y);
    is[6] = rtp_bits(hit.normal.z);
    for (unsigned i = 0; i < RESULTS; i++) {
        char *word = cells[RESULT + i];
        uint32_t expected = next_word(&word);
        if (is[i] != expected)
            return differs(cells[NAME], "%s is %08x, expected %08x", names[i],
                           is[i], expected);
    }
    return true;
}
