/*
 * C++ on the harts: the kernel squares numbers into a vector, main sorts them
 * downwards and catches an exception. Prints the same natively and on the
 * target, but for the number of harts.
 */
#include <corbel/corbel.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

namespace
{

void square(void *arg)
{
    auto &numbers = *static_cast<std::vector<uint32_t> *>(arg);
    for (uint32_t i = corbel_next(); i < numbers.size(); i = corbel_next())
        numbers[i] = i * i;
}

uint32_t at(const std::vector<uint32_t> &numbers, std::size_t index)
{
    if (index >= numbers.size())
        throw std::out_of_range("no such number");
    return numbers[index];
}

} // namespace

int main()
{
    std::vector<uint32_t> numbers(100);
    std::printf("Hello from %u harts in C++\n", corbel_harts());
    corbel_launch(square, &numbers);
    std::sort(numbers.begin(), numbers.end(), std::greater<uint32_t>());
    std::printf("The largest square is %u\n", unsigned(at(numbers, 0)));
    try {
        at(numbers, 100);
    } catch (const std::out_of_range &error) {
        std::printf("Caught: %s\n", error.what());
        return 0;
    }
    return 1;
}
