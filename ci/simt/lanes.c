/*
 * Runs a kernel of simt-golden that has become RISC-V (ptx.py), or nothing in
 * its place, in groups:
 *
 *     lanes with|without KERNEL GROUPS SIZE [PARAMETER...]
 *
 * A parameter is a number, or in, other, out: an array of zeros. The difference
 * of both runs is what the kernel counts.
 */
#include <corbel/corbel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As ptx.py has it. */
struct member {
    uint64_t parameter[8];
    uint32_t tid, cta, ntid, unused;
    unsigned char *shared, *barrier;
    uint64_t first, size;
};
_Static_assert(sizeof(struct member) == 112, "the last one is at 104");

static const struct kernel {
    const char *name;
    void (*run)(const struct member *);
    uint64_t bytes;
} * kernel;
extern const struct kernel ptx_kernels[];
void ptx_nothing(const struct member *);

enum { WORDS = 1 << 21, BARRIER = 64 };

static int in[WORDS], other[WORDS], out[WORDS];
static uint64_t parameter[8];
static void (*volatile body)(const struct member *);

static void run(void *unused)
{
    struct member m;
    memcpy(m.parameter, parameter, sizeof parameter);
    m.tid = corbel_lane();
    m.cta = corbel_group();
    m.ntid = corbel_group_size();
    m.barrier = corbel_group_memory(BARRIER + kernel->bytes);
    m.shared = m.barrier + BARRIER;
    m.first = corbel_hart() - m.tid;
    m.size = m.ntid;
    if (m.tid == 0)
        memset(m.barrier, 0, BARRIER);
    corbel_group_sync();
    body(&m);
    corbel_group_sync();
}

static uint64_t value_of(const char *text)
{
    if (!strcmp(text, "in"))
        return (uintptr_t)in;
    if (!strcmp(text, "other"))
        return (uintptr_t)other;
    return strcmp(text, "out") ? (uint64_t)strtoll(text, NULL, 0)
                               : (uintptr_t)out;
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 13)
        return 2;
    for (kernel = ptx_kernels; kernel->name; kernel++)
        if (!strcmp(kernel->name, argv[2]))
            break;
    if (!kernel->name) {
        fprintf(stderr, "lanes: %s: expected a kernel\n", argv[2]);
        return 2;
    }
    body = strcmp(argv[1], "with") ? ptx_nothing : kernel->run;
    for (int i = 5; i < argc; i++)
        parameter[i - 5] = value_of(argv[i]);
    corbel_roi_begin();
    corbel_launch_grid(run, NULL, (uint32_t)atoi(argv[3]),
                       (uint32_t)atoi(argv[4]));
    corbel_roi_end();
    return 0;
}
