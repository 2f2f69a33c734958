// Locales and characters beyond ASCII: status 0 if all is as
// docs/guides/porting.md says.
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <cwctype>
#include <locale.h>
#include <locale>
#include <stdexcept>

static int wrong;

static void expect(bool right, const char *what)
{
    if (!right)
        std::printf("not so: %s\n", what);
    wrong |= !right;
}
#define EXPECT(condition) expect(condition, #condition)

static void locales()
{
    for (const char *name : {"C.UTF-8", "C.utf8", "en_US.UTF-8"}) {
        EXPECT(!std::setlocale(LC_ALL, name));
        EXPECT(newlocale(LC_ALL_MASK, name, nullptr)); // "C" by that name
    }
    EXPECT(!std::strcmp(std::setlocale(LC_ALL, ""), "C"));
    EXPECT(std::setlocale(LC_ALL, "POSIX"));
    try {
        std::locale other("C.UTF-8");
        EXPECT(!"std::locale throws");
    } catch (const std::runtime_error &) {
    }
}

static void characters()
{
    mbstate_t state = {};
    wchar_t wide = 0, three[8];
    char bytes[8];
    EXPECT(MB_CUR_MAX == 1);
    EXPECT(mbrtowc(&wide, "\u00e4", 2, &state) == 1 && wide == 0xc3);
    EXPECT(std::mbstowcs(three, "\u20ac", 8) == 3);
    errno = 0;
    EXPECT(wcrtomb(bytes, 0x20ac, &state) == (std::size_t)-1 &&
           errno == EILSEQ);
    EXPECT(towupper(0xe4) == 0xe4 && !iswalpha(0xe4) && iswalpha('z'));
}

int main()
{
    const char *text = "Gr\u00fc\u00dfe \u20ac";
    char line[8];
    locales();
    characters();
    EXPECT(std::snprintf(line, sizeof line, "%ls", L"xy") == 1 &&
           !std::strcmp(line, "x"));
    std::printf("%-8s %d\n", text, (int)std::strlen(text) - 1);
    return wrong;
}
