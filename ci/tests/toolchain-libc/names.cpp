// What programs in C++ met: std::stold, and a variable called infinity.
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

const double infinity = std::numeric_limits<double>::infinity();

int main()
{
    std::size_t used = 0;
    double value = (double)std::stold("2.5e-3 m", &used);
    std::printf("%g %d %g\n", value, (int)used, infinity);
    std::printf("%g %g\n", std::stod("0x1p-3"), (double)std::stof("1e10"));
    std::printf("%s %s\n", std::to_string(1.5).c_str(),
                std::to_string(-7LL).c_str());
}
