/* What a C++ program may expect; prints what toolchain-link.sh expects. */
#include <corbel/corbel.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct announced {
    const char *name;
    explicit announced(const char *n) : name(n)
    {
        std::printf("construct %s\n", name);
    }
    ~announced()
    {
        std::printf("destroy %s\n", name);
    }
};

static announced global("global");

static void fail(int depth)
{
    announced local("local");
    if (depth > 0)
        throw std::runtime_error("thrown");
}

int main(int argc, char **)
{
    std::vector<std::string> words{"c", "a", "b"};
    std::map<std::string, int> count;
    std::sort(words.begin(), words.end());
    for (auto &word : words)
        count[word] += argc;
    try {
        fail(argc);
    } catch (const std::exception &e) {
        std::cout << "caught " << e.what() << '\n';
    }
    try {
        words.at(3);
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
    std::ostringstream text;
    volatile float two = 2;
    text << words[0] << count["a"] << ' ' << std::fma(two, 3.f, 4.f) << ' '
         << std::round(two + 0.5f) << ' ' << std::to_string(2.5) << ' '
         << std::stof("1.25") << ' ' << *std::make_shared<int>(7);
    std::cout << text.str() << std::endl;
    return 3;
}
