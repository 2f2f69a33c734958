/*
 * The program's code, decoded for the timing model. Pages are decoded when
 * their bytes differ from what was decoded last, at first from 0s: so large
 * empty data costs nothing, and a fence.i only what has changed.
 */
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void *reserve(uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        heap_lacks(bytes, 1, "decoded instructions");
    return at;
}

static uint64_t text_bytes(const struct machine *m)
{
    return m->text_range.end - m->text_range.start + 2;
}

bool text_create(struct host *host, struct error *error)
{
    struct machine *m = &host->machine;
    host->text = reserve(text_bytes(m) / 2 * sizeof *host->text);
    host->text_copy = reserve(text_bytes(m));
    m->text = host->text;
    text_refresh(host);
    return true;
}

void text_free(struct host *host)
{
    if (host->text)
        munmap(host->text, text_bytes(&host->machine) / 2 * sizeof *host->text);
    if (host->text_copy)
        munmap(host->text_copy, text_bytes(&host->machine));
}

/* As a fetch would see it: the second half of an instruction may be missing. */
static void decode_at(struct host *host, uint64_t pc)
{
    const struct machine *m = &host->machine;
    struct isa_insn *insn = &host->text[(pc - m->text_range.start) / 2];
    uint32_t word = 0;
    memset(insn, 0, sizeof *insn);
    if (!machine_executable(m, pc, 2))
        return;
    memcpy(&word, machine_at(m, pc), 2);
    if ((word & 3) == 3) {
        if (!machine_executable(m, pc + 2, 2)) {
            insn->imm = 2; /* of the address that faults */
            return;
        }
        memcpy(&word, machine_at(m, pc), 4);
    }
    isa_decode(word, &m->profile, insn);
}

/* Instructions may begin in the last halfword before the page. */
static void refresh_page(struct host *host, uint64_t at, uint64_t bytes)
{
    struct machine *m = &host->machine;
    uint8_t *copy = host->text_copy + (at - m->text_range.start);
    if (!memcmp(copy, machine_at(m, at), bytes))
        return;
    memcpy(copy, machine_at(m, at), bytes);
    uint64_t pc = at > m->text_range.start ? at - 2 : at;
    for (; pc < at + bytes; pc += 2)
        decode_at(host, pc);
}

void text_refresh(struct host *host)
{
    struct range r = host->machine.text_range;
    for (uint64_t at = r.start; at < r.end; at += PAGE)
        refresh_page(host, at, r.end - at < PAGE ? r.end - at : PAGE);
}
