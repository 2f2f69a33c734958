#include "sim/host/run/demangle.h"
#include <cctype>
#include <cstring>
#include <cxxabi.h>

/*
 * A symbol may come from a file that means harm. Time and stack grow with its
 * length; and each reference to what was named before (S_, S0_, T_, ...) may
 * double what is written, or, three of them together, make it three times as
 * long: 3^(36 / 3) is half a million. An expansion of a pack (Dp, sp) may
 * repeat its pattern as often as the symbol is long.
 */
static const size_t longest = 4096;
static const unsigned most_references = 36, most_packs = 2;

/* Does a reference begin here? A name may contain what looks like one. */
static bool refers(const char *at)
{
    if (*at != 'S' && *at != 'T')
        return false;
    do
        at++;
    while (std::isdigit((unsigned char)*at) ||
           std::isupper((unsigned char)*at));
    return *at == '_';
}

static bool expands(const char *at)
{
    return !std::strncmp(at, "Dp", 2) || !std::strncmp(at, "sp", 2);
}

/* Is there a bound to how much is written of the symbol? */
static bool bounded(const char *symbol)
{
    unsigned references = 0, packs = 0;
    if (strnlen(symbol, longest + 1) > longest)
        return false;
    for (const char *at = symbol; *at; at++) {
        references += refers(at);
        packs += expands(at);
    }
    return references <= most_references && packs <= most_packs;
}

char *demangle(const char *symbol)
{
    if (std::strncmp(symbol, "_Z", 2) || !bounded(symbol))
        return nullptr;
    return abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr);
}
