/*
 * Runs kernels that were written for SIMT cores at large (kern.c, micro.c of
 * simt-golden/kernels) by the interface of groups, and prints a digest of what
 * they leave:
 *
 *     golden KERNEL GROUPS SIZE [ARGUMENT...]
 *
 * With SERIAL defined it is the reference: members of kernels without barriers
 * one after the other, others by plain loops.
 */
#include "kern.c"
#include "micro.c"

#include <corbel/corbel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 14, ARGUMENTS = 6 };

#ifdef SERIAL
static int tid, cta, ntid;
int simt_tid(void)
{
    return tid;
}
int simt_cta(void)
{
    return cta;
}
int simt_ntid(void)
{
    return ntid;
}
void simt_barrier(void)
{
    abort();
}
void *simt_shared(unsigned slot, unsigned bytes)
{
    abort();
}
#else
int simt_tid(void)
{
    return (int)corbel_lane();
}
int simt_cta(void)
{
    return (int)corbel_group();
}
int simt_ntid(void)
{
    return (int)corbel_group_size();
}
void simt_barrier(void)
{
    corbel_group_sync();
}
/* Members ask for all slots of a kernel in the same order, once each. */
void *simt_shared(unsigned slot, unsigned bytes)
{
    return corbel_group_memory(bytes);
}
#endif

static int a[ARGUMENTS], in[WORDS], ring[WORDS], out[WORDS], more[WORDS];
static float fin[WORDS], fother[WORDS], fout[WORDS];
static int groups, size;

/* name, call, plain loops in its place (NULL: member by member) */
#define KERNELS(X)                                                             \
    X(vecadd, (fin, fother, fout, a[0]), NULL)                                 \
    X(hotspot, (fin, fother, fout, a[0], a[0]), plain_hotspot)                 \
    X(matmul, (fin, fother, fout, a[0]), plain_matmul)                         \
    X(nn, (fin, fout, a[0], 0.5f, 0.25f), NULL)                                \
    X(pathfinder, (in, ring, out, a[0], a[1], a[2]), plain_pathfinder)         \
    X(reduce, (in, out, a[0]), plain_reduce)                                   \
    X(transpose_naive, (fin, fout, a[0]), NULL)                                \
    X(backprop_fwd, (fin, fother, fout, 16), plain_backprop)                   \
    X(fma_dep, (fout, a[0], 0.99f, 0.5f), NULL)                                \
    X(imad_dep, (out, a[0], 5, 3), NULL)                                       \
    X(alu_dep, (out, a[0], 5, 3), NULL)                                        \
    X(fma_ilp4, (fout, a[0], 0.99f, 0.5f), NULL)                               \
    X(mix_ilp, (out, a[0], 5, 0.5f), NULL)                                     \
    X(dfma_dep, (fout, a[0], 0.99f, 0.5f), NULL)                               \
    X(sin_dep, (fout, a[0]), NULL)                                             \
    X(exlg_dep, (fout, a[0]), NULL)                                            \
    X(rsqrt_dep, (fout, a[0]), NULL)                                           \
    X(sqrt_dep, (fout, a[0]), NULL)                                            \
    X(idiv_dep, (out, a[0], 3), NULL)                                          \
    X(div_loop, (out, a[0], a[1], 5), NULL)                                    \
    X(nest, (out, a[0], a[1], 5), NULL)                                        \
    X(early, (out, a[0], 5), NULL)                                             \
    X(chase, ((u32 *)out, (u32 *)ring, a[0], a[1]), NULL)                      \
    X(stride_ld, (out, in, a[0], a[1], a[2], WORDS - 1), NULL)                 \
    X(stride_st, (out, a[0], a[1], a[2], WORDS - 1), NULL)                     \
    X(bcast_ld, (out, in, a[0]), NULL)                                         \
    X(smem_ld, (out, a[0], a[1]), plain_smem)                                  \
    X(barr, (out, a[0], 5), plain_barr)                                        \
    X(atom_add, (out, more, a[0], a[1]), NULL)                                 \
    X(occ8k, (out, a[0], 5), plain_occ)                                        \
    X(occ32k, (out, a[0], 5), plain_occ)                                       \
    X(bfs_level, (in, ring, out, more, a[0], a[1]), NULL)

/* ---- plain loops ---- */

#ifdef SERIAL
#define PLAIN(name) static void plain_##name(void)
#else
#define PLAIN(name) __attribute__((unused)) static void plain_##name(void)
#endif

static float at(const float *t, int x, int y)
{
    int n = a[0];
    x = x < 0 ? 0 : x > n - 1 ? n - 1 : x;
    y = y < 0 ? 0 : y > n - 1 ? n - 1 : y;
    return t[y * n + x];
}

PLAIN(hotspot)
{
    for (int y = 0; y < a[0]; y++)
        for (int x = 0; x < a[0]; x++) {
            float c = at(fin, x, y);
            float v = at(fin, x, y - 1) + at(fin, x, y + 1) - 2.0f * c;
            v = FMAF(0.1f, v, fother[y * a[0] + x]);
            v = FMAF(0.1f, at(fin, x - 1, y) + at(fin, x + 1, y) - 2.0f * c, v);
            fout[y * a[0] + x] = c + v;
        }
}

PLAIN(matmul)
{
    for (int i = 0; i < a[0] * a[0]; i++)
        for (int k = 0; k < a[0]; k++)
            fout[i] = FMAF(fin[i / a[0] * a[0] + k],
                           fother[k * a[0] + i % a[0]], fout[i]);
}

/* With the same blocks: the outer columns of each see less of the wall. */
PLAIN(pathfinder)
{
    const int columns = a[0], steps = a[2];
    int *from = malloc(sizeof ring), *to = malloc(sizeof ring);
    memcpy(from, ring, sizeof ring);
    for (int s = 0; s < steps; s++) {
        for (int x = 0; x < columns; x++) {
            int best = from[x];
            if (x && from[x - 1] < best)
                best = from[x - 1];
            if (x + 1 < columns && from[x + 1] < best)
                best = from[x + 1];
            to[x] = best + in[(a[1] + s) * columns + x];
        }
        memcpy(from, to, sizeof ring);
    }
    memcpy(out, from, (size_t)columns * sizeof *out);
    free(from);
    free(to);
}

PLAIN(reduce)
{
    for (int i = 0; i < a[0]; i++)
        out[0] += in[i];
}

PLAIN(backprop)
{
    for (int g = 0; g < groups; g++)
        for (int x = 0; x < 16; x++) {
            float p[16];
            for (int y = 0; y < 16; y++)
                p[y] = fother[(g * 16 + y) * 16 + x] * fin[g * 16 + y];
            for (int w = 1; w < 16; w *= 2)
                for (int y = 0; y < 16; y += 2 * w)
                    p[y] += p[y + w];
            fout[g * 16 + x] = p[0];
        }
}

PLAIN(smem)
{
    for (int i = 0; i < groups * size; i++)
        for (int k = 0, p = i % size * a[0]; k < a[1]; k++, p += 32)
            out[i] += (p + a[0]) & 2047;
}

PLAIN(barr)
{
    for (int i = 0; i < groups * size; i++) {
        unsigned x = (unsigned)(i % size);
        for (int k = 0; k < a[0]; k++)
            x = x * 5 + (unsigned)k;
        out[i] = (int)x;
    }
}

PLAIN(occ)
{
    for (int i = 0; i < groups * size; i++) {
        unsigned x = (unsigned)(i + 1) & 127;
        for (int k = 0; k < a[0]; k++)
            x = x * 5 + (unsigned)k;
        out[i] = (int)x;
    }
}

/* ---- kernels by name ---- */

#define X(name, call, plain)                                                   \
    static void run_##name(void *unused)                                       \
    {                                                                          \
        name call;                                                             \
    }
KERNELS(X)
#undef X

static const struct {
    const char *name;
    void (*run)(void *);
    void (*plain)(void);
} kernels[] = {
#define X(name, call, plain) {#name, run_##name, plain},
    KERNELS(X)
#undef X
};

/* A ring through all words, and numbers. */
static void fill(const char *name)
{
    for (int i = 0; i < WORDS; i++) {
        unsigned x = (unsigned)i * 0x9e3779b9u;
        x = (x ^ x >> 15) * 0x85ebca6bu;
        in[i] = (int)(x >> 24);
        ring[i] = (i + 1056) & (WORDS - 1);
        fin[i] = (float)(x >> 16) * 0x1p-16f;
        fother[i] = (float)(x & 0xffff) * 0x1p-16f;
    }
    if (strcmp(name, "bfs_level"))
        return;
    for (int i = 0; i < a[0]; i++) {
        in[i] = 4 * i;
        for (int k = 0; k < 4; k++)
            ring[4 * i + k] = ring[4 * i + k] * 7 % a[0];
        out[i] = i % 5 ? -1 : 1;
    }
    in[a[0]] = 4 * a[0];
}

static void launch(unsigned k)
{
#ifdef SERIAL
    ntid = size;
    if (kernels[k].plain) {
        kernels[k].plain();
        return;
    }
    for (cta = 0; cta < groups; cta++)
        for (tid = 0; tid < size; tid++)
            kernels[k].run(NULL);
#else
    corbel_launch_grid(kernels[k].run, NULL, (unsigned)groups, (unsigned)size);
#endif
}

static unsigned digest(const void *words)
{
    const unsigned *w = words;
    unsigned x = 0;
    for (int i = 0; i < WORDS; i++)
        x = (x ^ w[i]) * 0x01000193u + (x >> 15);
    return x;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    groups = atoi(argv[2]);
    size = atoi(argv[3]);
    for (int i = 4; i < argc && i - 4 < ARGUMENTS; i++)
        a[i - 4] = atoi(argv[i]);
    fill(argv[1]);
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (!strcmp(kernels[k].name, argv[1])) {
            launch(k);
            printf("%s: %08x %08x %08x\n", argv[1], digest(out), digest(fout),
                   digest(more));
            return 0;
        }
    return 2;
}
