#include "sim/host/demangle.h"
#include <cstring>
#include <cxxabi.h>

/* The library takes time and stack that grow with the length of a symbol, and
 * files may have any. */
static const size_t longest = 4096;

char *demangle(const char *symbol)
{
    if (std::strncmp(symbol, "_Z", 2) || strnlen(symbol, longest + 1) > longest)
        return nullptr;
    return abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr);
}
