/* The boot block of a program in memory, with its arguments and environment. */
#include "sim/host/run/boot.h"
#include "runtime/include/corbel/abi.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/run/programs.h"
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* First address that the boot block must leave alone. */
static uint64_t boot_end(const struct host *host)
{
    return programs_start(host, CORBEL_ELF_START);
}

/*
 * The two arrays of strings that a program gets. They lie behind the boot block
 * in this order: argv's pointers, those of the environment if there is one, all
 * strings. argv is that of the command line for the first program; another one
 * gets its path alone.
 */
struct strings {
    char *const *argv;
    const char *const *env;
    unsigned argc, env_count;
};

static struct strings strings_of(const struct host *host)
{
    const struct options *o = host->options;
    bool first = host->programs.first == &host->programs.all[0];
    return (struct strings){
        first ? o->program : (char *const *)&host->programs.first->path, o->env,
        first ? (unsigned)o->program_argc : 1, o->env_count};
}

/* All strings in one count: those of argv, then those of the environment. */
static const char *string_at(const struct strings *s, unsigned i)
{
    return i < s->argc ? s->argv[i] : s->env[i - s->argc];
}

/* Without an environment the block ends before the address of one. */
static uint64_t boot_bytes(const struct strings *s)
{
    return s->env_count ? sizeof(struct corbel_boot)
                        : offsetof(struct corbel_boot, envp);
}

/* Each array ends with a null pointer. */
static uint64_t pointer_bytes(const struct host *host, const struct strings *s)
{
    unsigned pointers = s->argc + 1 + (s->env_count ? s->env_count + 1 : 0);
    return pointers * (uint64_t)host->machine.profile.xlen / 8;
}

/*
 * Where strings begin: at multiples of this, so that the length of one moves no
 * other, nor what lies in a cache line with it. 1 if there are too many for
 * that.
 */
static uint64_t string_room(const struct host *host, const struct strings *s)
{
    uint64_t start =
        CORBEL_BOOT_ADDRESS + boot_bytes(s) + pointer_bytes(host, s);
    uint64_t end = start + CORBEL_STRING_ROOM;
    for (unsigned i = 0; i < s->argc + s->env_count; i++)
        end += strlen(string_at(s, i)) + CORBEL_STRING_ROOM;
    return end <= boot_end(host) ? CORBEL_STRING_ROOM : 1;
}

/* The first multiple of room that is not before an address. */
static uint64_t next_string(uint64_t at, uint64_t room)
{
    return (at + room - 1) / room * room;
}

/* Checked with strings packed closely, as write_strings will do if it must. */
bool boot_fits(const struct host *host, struct error *error)
{
    struct strings s = strings_of(host);
    uint64_t bytes = boot_bytes(&s) + pointer_bytes(host, &s);
    for (unsigned i = 0; i < s.argc + s.env_count; i++)
        bytes += strlen(string_at(&s, i)) + 1;
    return CORBEL_BOOT_ADDRESS + bytes <= boot_end(host) ||
           error_set(error,
                     "%s: %" PRIu64 " bytes of arguments%s do not fit below "
                     "the program at 0x%" PRIx64,
                     host->programs.first->path, bytes,
                     s.env_count ? " and environment" : "", boot_end(host));
}

/*
 * Writes each string, and its address into the array that it belongs to. Memory
 * is 0 before, so that the null pointers behind both arrays are there already.
 */
static void write_strings(struct host *host, const struct strings *s,
                          uint64_t argv, uint64_t envp)
{
    const struct machine *m = &host->machine;
    unsigned pointer = m->profile.xlen / 8;
    uint64_t room = string_room(host, s);
    uint64_t text = next_string(argv + pointer_bytes(host, s), room);
    for (unsigned i = 0; i < s->argc + s->env_count; i++) {
        const char *string = string_at(s, i);
        uint64_t at = i < s->argc ? argv + (uint64_t)i * pointer
                                  : envp + (uint64_t)(i - s->argc) * pointer;
        memcpy(machine_at(m, at), &text, pointer);
        memcpy(machine_at(m, text), string, strlen(string) + 1);
        const uint64_t next = next_string(text + strlen(string) + 1, room);
        if (i == 0)
            host->programs.name = (struct range){text, next};
        text = next;
    }
}

/* What crt0 reads at reset; its layout is the runtime's (abi.h). */
void boot_write(struct host *host)
{
    const struct machine *m = &host->machine;
    struct strings s = strings_of(host);
    uint64_t argv = CORBEL_BOOT_ADDRESS + boot_bytes(&s);
    struct corbel_boot boot = {
        .magic = CORBEL_BOOT_MAGIC,
        .harts = host->harts,
        .argc = s.argc,
        .argv = argv,
        .heap_start = host->layout.heap_start,
        .heap_end = host->layout.ceiling,
        .stack_top = host->layout.stack_guard + GUARD_BYTES + STACK_BYTES,
        .scratch = m->scratch_bytes,
        .envp = argv + (s.argc + 1) * (uint64_t)m->profile.xlen / 8,
    };
    memcpy(machine_at(m, CORBEL_BOOT_ADDRESS), &boot, boot_bytes(&s));
    write_strings(host, &s, argv, boot.envp);
}
