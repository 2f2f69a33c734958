// What exceptions of the library say of themselves.
#include <any>
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <variant>
#include <vector>

// clang-format off
#define SHOW(action)                                                          \
    try {                                                                     \
        action;                                                               \
        std::puts(#action ": nothing thrown");                                \
    } catch (const std::exception &e) {                                       \
        std::printf("%s: %s\n", #action, e.what());                           \
    }
// clang-format on

static std::vector<int> v(3);
static std::vector<bool> flags(3);
static std::deque<int> deque(2);
static std::array<int, 2> array;
static const std::array<int, 2> constant{};
static std::string s("abc");
static std::string_view view("abc");
static std::bitset<8> bits;
static std::map<int, int> map;
static std::unordered_map<int, int> hashed;
static const std::size_t five = 5, most = static_cast<std::size_t>(-1);

static void places()
{
    SHOW(v.at(five));
    SHOW(flags.at(five));
    SHOW(deque.at(five));
    SHOW(array.at(five));
    SHOW(constant.at(five));
    SHOW(s.at(five));
    SHOW(view.at(five));
    SHOW(map.at(1));
    SHOW(hashed.at(1));
    SHOW(bits.test(9));
    SHOW(bits.set(9));
    SHOW(bits.reset(9));
    SHOW(bits.flip(9));
    SHOW(std::bitset<8>(s));
    SHOW(std::bitset<8>(s, 9));
    SHOW(std::bitset<80>().set().to_ullong());
}

static void strings()
{
    SHOW(s.substr(9));
    SHOW(s.erase(9));
    SHOW(s.insert(9, "x"));
    SHOW(s.insert(1, s, 9, 1));
    SHOW(s.replace(9, 1, "x"));
    SHOW(s.compare(9, 1, "x"));
    SHOW(s.copy(nullptr, 1, 9));
    SHOW(s.append(s, 9, 1));
    SHOW(s.assign(s, 9, 1));
    SHOW(std::string(s, 9));
    SHOW(view.substr(9));
    SHOW(view.compare(9, 1, "x"));
    SHOW(view.copy(nullptr, 1, 9));
    SHOW(s.reserve(most));
    SHOW(s.resize(most));
    SHOW(std::string(static_cast<const char *>(nullptr)));
    SHOW(v.reserve(most));
    SHOW(std::vector<int>(most, 1));
}

static void others()
{
    SHOW(std::stoi("x"));
    SHOW(std::stoi("99999999999999999999"));
    SHOW(std::stol(""));
    SHOW(std::stof("1e99"));
    SHOW(std::stod("1e-400"));
    SHOW(std::stoull("z"));
    SHOW(std::function<void()>()());
    SHOW(std::any_cast<int>(std::any(1.5)));
    SHOW(std::get<int>(std::variant<int, float>(1.5f)));
    SHOW(std::optional<int>().value());
    SHOW(std::shared_ptr<int>(std::weak_ptr<int>()));
    SHOW(std::regex("("));
    SHOW(std::regex("[z-a]"));
    SHOW(throw std::system_error(
        std::make_error_code(std::errc::no_such_file_or_directory), "open"));
    SHOW(throw std::runtime_error("%s%n"));
}

int main()
{
    places();
    strings();
    others();
}
