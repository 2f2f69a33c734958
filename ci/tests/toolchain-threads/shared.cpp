/*
 * What C++ promises to threads that share objects, by all harts at once.
 * Natively and on the target this prints the same.
 */
#include <corbel/corbel.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<unsigned> wrong;

static void check(bool right, const char *what)
{
    if (right || wrong++ > 0)
        return;
    std::printf("wrong on hart %u: %s\n", corbel_hart(), what);
}

/* ---- counts ---- */

static std::atomic<int> alive;

struct counted {
    counted()
    {
        alive++;
    }
    ~counted()
    {
        alive--;
    }
};

static void copy_pointers(void *arg)
{
    auto &pointer = *static_cast<std::shared_ptr<counted> *>(arg);
    std::weak_ptr<counted> weak = pointer;
    for (int i = 0; i < 50; i++) {
        std::vector<std::shared_ptr<counted>> copies(3, pointer);
        copies[1].reset();
        check(weak.lock() == pointer, "weak_ptr");
    }
    check(alive == 1, "destroyed too early");
}

/* ---- function-local statics ---- */

static std::atomic<int> constructed, attempts;

struct slow {
    int value;
    explicit slow(int first) : value(first)
    {
        constructed++;
        for (int i = 0; i < 100; i++)
            value += i;
    }
};

struct stubborn {
    stubborn()
    {
        if (attempts++ < 2)
            throw std::runtime_error("not yet");
    }
};

static void reach_statics(void *)
{
    static slow object(50);
    check(object.value == 5000, "static seen unfinished");
    for (bool made = false; !made;) {
        try {
            static stubborn later;
            made = true;
        } catch (const std::runtime_error &) {
        }
    }
    static std::string word = std::to_string(object.value);
    check(word == "5000", "static string");
}

/* ---- locks ---- */

struct locks {
    std::mutex mutex;
    std::recursive_mutex again;
    std::once_flag once, throws;
    std::condition_variable changed;
    std::promise<int> promise;
    std::shared_future<int> future{promise.get_future()};
    int sum = 0, calls = 0, arrived = 0;
    bool open = false;
    std::map<std::thread::id, unsigned> harts;
};

static void once_in_vain(locks &l)
{
    try {
        std::call_once(l.throws, [&] {
            if (l.calls++ < 2)
                throw 5;
        });
    } catch (int five) {
        check(five == 5, "call_once passes the exception on");
    }
}

static void lock(void *arg)
{
    auto &l = *static_cast<locks *>(arg);
    for (int i = 0; i < 20; i++) {
        std::lock_guard<std::mutex> guard(l.mutex);
        l.sum++;
    }
    {
        std::lock_guard<std::recursive_mutex> outer(l.again);
        std::lock_guard<std::recursive_mutex> inner(l.again);
        l.harts[std::this_thread::get_id()] = corbel_hart();
    }
    std::call_once(l.once, [&] { l.promise.set_value(42); });
    once_in_vain(l);
    check(l.future.get() == 42, "future");

    std::unique_lock<std::mutex> guard(l.mutex);
    if (++l.arrived == static_cast<int>(corbel_harts())) {
        l.open = true;
        l.changed.notify_all();
    }
    l.changed.wait(guard, [&] { return l.open; });
}

/* ---- exceptions, streams, what is thread-local ---- */

static int thrown(unsigned depth)
{
    auto kept = std::make_unique<std::string>(40, 'x');
    if (depth == 0)
        throw std::out_of_range(std::to_string(corbel_hart()));
    return thrown(depth - 1) + static_cast<int>(kept->size());
}

static void throw_and_catch(void *)
{
    for (int i = 0; i < 10; i++) {
        try {
            try {
                thrown(5);
            } catch (const std::out_of_range &) {
                throw;
            }
        } catch (const std::exception &e) {
            check(e.what() == std::to_string(corbel_hart()),
                  "what() of another");
        }
        check(std::uncaught_exceptions() == 0, "uncaught exceptions");
    }
}

static void format(void *)
{
    unsigned hart = corbel_hart();
    std::ostringstream out;
    out << "hart " << hart << ' ' << 0.5 + hart << ' ' << std::hex << 255;
    check(out.str() == "hart " + std::to_string(hart) + ' ' +
                           std::to_string(hart) + ".5 ff",
          "ostringstream");
    std::istringstream in("1.25 word");
    double number;
    std::string word;
    in >> number >> word;
    check(number == 1.25 && word == "word", "istringstream");
    std::printf("a line of a hart\n");
}

struct announced {
    std::string name;
    announced() : name("of hart " + std::to_string(corbel_hart()))
    {
    }
    ~announced()
    {
        std::printf("end %s\n", name.c_str());
    }
};

static thread_local announced own;

static void reach_own(void *round)
{
    std::string expected = "of hart " + std::to_string(corbel_hart());
    if (*static_cast<int *>(round) == 1)
        expected += ", again";
    check(own.name == expected, "thread-local object");
    own.name += ", again";
}

int main()
{
    unsigned harts = corbel_harts();
    auto pointer = std::make_shared<counted>();
    corbel_launch(copy_pointers, &pointer);
    std::printf("%ld pointers to %d objects\n", pointer.use_count(),
                alive.load());
    corbel_launch(reach_statics, nullptr);
    std::printf("constructed %d, %s\n", constructed.load(),
                attempts == 3 ? "at the third attempt" : "too easily");
    locks l;
    corbel_launch(lock, &l);
    std::printf("sum %s, ids %s, calls %d\n",
                l.sum == static_cast<int>(20 * harts) ? "right" : "wrong",
                l.harts.size() == harts ? "distinct" : "not distinct", l.calls);
    corbel_launch(throw_and_catch, nullptr);
    corbel_launch(format, nullptr);
    for (int round = 0; round < 2; round++)
        corbel_launch(reach_own, &round);
    std::printf("%u wrong\n", wrong.load());
    return wrong > 0;
}
