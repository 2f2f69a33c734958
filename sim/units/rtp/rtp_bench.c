/* Drivers, programs and scenes for the tests of rtp's kinds. */
#include "sim/units/rtp/rtp_bench.h"
#include "sim/rtp/rtp_decode.h"

struct rtp_machine *rtp_bench_machine(struct bench *b, uint32_t pixels)
{
    struct rtp_machine *m = chip_alloc(b->chip, 1, sizeof *m);
    rtp_set_pixels(b->chip, m, pixels);
    rtp_machine_use(&b->machine, m);
    return m;
}

void rtp_bench_program(struct rtp_machine *m, const uint32_t *words,
                       uint32_t count)
{
    for (uint32_t i = 0; i < RTP_CODE_WORDS; i++)
        m->code[i] = rtp_decode(m->words[i] = i < count ? words[i] : 0);
    m->code_words = count;
}

void rtp_bench_triangles(struct rtp_machine *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float z = (float)(i + 1);
        m->scene.triangles[i] = (struct rtp_triangle){
            .v = {{-1, -1, z}, {-1, 3, z}, {3, -1, z}}, .shader = i + 1};
    }
    m->scene.count = count;
}

struct payload rtp_bench_ray(void)
{
    static const float words[6] = {[5] = 1};
    struct payload p = {{0}};
    memcpy(p.bytes, words, sizeof words);
    return p;
}

struct driver *rtp_bench_from(struct bench *b, struct unit *u,
                              const char *input)
{
    struct driver *d = bench_lone_driver(b);
    bench_far_link(b, d, "out", u, input, 1, DEPTH);
    return d;
}

struct driver *rtp_bench_to(struct bench *b, struct unit *u, const char *output)
{
    struct driver *d = bench_lone_driver(b);
    bench_far_link(b, u, output, d, "in", 1, DEPTH);
    return d;
}

struct driver *rtp_bench_both(struct bench *b, struct unit *u,
                              const char *input, const char *output)
{
    struct driver *d = rtp_bench_from(b, u, input);
    bench_far_link(b, u, output, d, "in", 1, 0);
    return d;
}

void rtp_bench_send(struct driver *d, uint64_t at, struct msg m,
                    const struct payload *p)
{
    unsigned n = driver_ask(d, at, m, p);
    d->asks[n].msg.tag = m.tag;
}

uint32_t rtp_bench_word(const struct payload *p, unsigned i)
{
    uint32_t word;
    memcpy(&word, p->bytes + 4 * i, sizeof word);
    return word;
}
