/* ISA strings: which extensions harts have. */
#include "sim/isa/csr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    enum isa_extension needs;
} extensions[ISA_EXT_COUNT] = {
#define X(name, needs, meaning) [ISA_EXT_##name] = {#name, ISA_EXT_##needs},
    ISA_EXTENSIONS(X)
#undef X
};

const char *isa_extension_name(enum isa_extension extension)
{
    return extension < ISA_EXT_COUNT ? extensions[extension].name : "i";
}

static uint32_t bit(enum isa_extension extension)
{
    return 1u << extension;
}

#define DIGITS "0123456789"

/* What g stands for. */
#define GENERAL                                                                \
    (1u << ISA_EXT_m | 1u << ISA_EXT_a | 1u << ISA_EXT_f | 1u << ISA_EXT_d |   \
     1u << ISA_EXT_zicsr | 1u << ISA_EXT_zifencei)

/* ISA_EXT_COUNT: none is called so. */
static enum isa_extension find(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < ISA_EXT_COUNT && (strlen(extensions[i].name) != length ||
                                 strncasecmp(extensions[i].name, name, length)))
        i++;
    return (enum isa_extension)i;
}

/* A version, if there is one: digits, or digits p digits. */
static const char *skip_version(const char *at)
{
    size_t digits = strspn(at, DIGITS);
    at += digits;
    if (!digits || tolower((unsigned char)*at) != 'p')
        return at;
    size_t minor = strspn(at + 1, DIGITS);
    return minor ? at + 1 + minor : at;
}

/* Length of an extension's name, without a version at its end. */
static size_t name_length(const char *at)
{
    if (!strchr("sxzSXZ", *at))
        return 1;
    size_t whole = strcspn(at, "_"), length = 1;
    while (length < whole && *skip_version(at + length) != '_' &&
           *skip_version(at + length) != 0)
        length++;
    return length;
}

/* Always false, with the text at which the string went wrong. */
static bool fail(char *problem, size_t size, const char *what, const char *text)
{
    snprintf(problem, size, "%s: %.80s", what, text);
    return false;
}

/* The set with all that its extensions need, and what these need in turn. */
static uint32_t with_needs(uint32_t set)
{
    uint32_t before;
    do {
        before = set;
        for (unsigned i = 0; i < ISA_EXT_COUNT; i++)
            if (isa_has(set, (enum isa_extension)i) &&
                extensions[i].needs != ISA_EXT_i)
                set |= bit(extensions[i].needs);
    } while (set != before);
    return set;
}

/* 0: no extension is called so. */
static uint32_t named(const char *name, size_t length)
{
    enum isa_extension extension = find(name, length);
    return extension == ISA_EXT_COUNT ? 0 : bit(extension);
}

/* The base behind rv32 or rv64. */
static bool parse_base(const char *at, uint32_t *set)
{
    *set = *at == 'g' || *at == 'G' ? GENERAL : 0;
    return *at && strchr("iIgG", *at);
}

bool isa_profile_parse(const char *text, struct isa_profile *profile,
                       char *problem, size_t size)
{
    uint32_t set;
    *profile = (struct isa_profile){0};
    if (!strncasecmp(text, "rv32", 4))
        profile->xlen = 32;
    else if (!strncasecmp(text, "rv64", 4))
        profile->xlen = 64;
    else
        return fail(problem, size, "an ISA begins with rv32 or rv64, not",
                    text);
    const char *at = text + 4;
    if (!parse_base(at, &set))
        return fail(problem, size, "i or g expected after rv32 or rv64", text);
    at = skip_version(at + 1);
    while (*at) {
        at += *at == '_' && at[1];
        size_t length = name_length(at);
        uint32_t extension = named(at, length);
        if (!extension)
            return fail(problem, size,
                        "no extension that is known here begins at", at);
        set |= extension;
        at = skip_version(at + length);
    }
    /* Order and repetition do not matter, as set is a set. */
    profile->extensions = with_needs(set);
    return true;
}

bool isa_profile_check(const struct isa_profile *profile, char *problem,
                       size_t size)
{
    for (unsigned i = 0; i < ISA_EXT_COUNT; i++) {
        enum isa_extension needs = extensions[i].needs;
        if (isa_has(profile->extensions, (enum isa_extension)i) &&
            needs != ISA_EXT_i && !isa_has(profile->extensions, needs)) {
            snprintf(problem, size, "extension %s needs %s", extensions[i].name,
                     extensions[needs].name);
            return false;
        }
    }
    return true;
}

/* Letters follow the base directly, longer names after a '_'. */
int isa_profile_text(const struct isa_profile *profile, char *text, size_t size)
{
    int length = snprintf(text, size, "rv%ui", profile->xlen);
    for (unsigned i = 0; i < ISA_EXT_COUNT; i++) {
        const char *name = extensions[i].name;
        if (!isa_has(profile->extensions, (enum isa_extension)i))
            continue;
        size_t used = (size_t)length < size ? (size_t)length : size;
        length += snprintf(text + used, size - used, "%s%s", name[1] ? "_" : "",
                           name);
    }
    return length;
}

/* The rest is 0. Floating point is on from the start (mstatus.FS), and a trap
 * returns to machine mode, the only one (MPP). */
void isa_hart_reset(struct isa_hart *hart, const struct isa_profile *profile,
                    uint32_t id, uint64_t pc)
{
    bool floating = isa_has(profile->extensions, ISA_EXT_f);
    *hart = (struct isa_hart){
        .id = id,
        .pc = pc,
        .xlen = profile->xlen,
        .extensions = profile->extensions,
        .misaligned = isa_has(profile->extensions, ISA_EXT_c) ? 0 : 2,
        .mstatus = MSTATUS_MPP | (floating ? MSTATUS_FS : 0),
    };
}
