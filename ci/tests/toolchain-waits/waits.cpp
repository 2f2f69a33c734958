/*
 * All harts at what waits on a word: latch, barrier, semaphores, and the wait
 * of atomics of each size. Says for each whether all came through, and in
 * order.
 */
#include <corbel/corbel.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

static std::atomic<unsigned> arrived, failures;

static void expect(bool right)
{
    if (!right)
        failures++;
}

static bool run(const char *name, void (*kernel)(void *))
{
    arrived = failures = 0;
    corbel_launch(kernel, nullptr);
    bool right = failures == 0 && arrived == corbel_harts();
    std::printf("%s: %s\n", name, right ? "right" : "wrong");
    return right;
}

static std::latch *gate;

static void at_latch(void *)
{
    arrived++;
    gate->arrive_and_wait();
    expect(gate->try_wait() && arrived == corbel_harts());
    gate->wait();
}

/* A completion for each phase; half of the harts leave before the last. */
static unsigned phases;

struct completion {
    void operator()() noexcept
    {
        phases++;
    }
};

static std::barrier<completion> *meet;

static void at_barrier(void *)
{
    arrived++;
    for (unsigned i = 1; i <= 3; i++) {
        meet->arrive_and_wait();
        expect(phases == i && arrived == corbel_harts());
    }
    if (corbel_hart() % 2 == 1) {
        meet->arrive_and_drop();
        return;
    }
    auto token = meet->arrive();
    meet->wait(std::move(token));
    expect(phases == 4);
    meet->arrive_and_wait();
    expect(phases == 5);
}

/* Two may be inside. */
static std::counting_semaphore<> room(2);
static std::atomic<int> inside;

static void at_semaphore(void *)
{
    room.acquire();
    expect(++inside <= 2);
    arrived++;
    inside--;
    room.release();
}

/* Hart 0 has nothing for the others at first, then all at once. */
static std::counting_semaphore<> goods(0);

static void at_store(void *)
{
    if (corbel_hart() > 0)
        goods.acquire();
    else
        goods.release((std::ptrdiff_t)corbel_harts() - 1);
    arrived++;
}

/* What is never given, is given, is given late. */
static std::binary_semaphore never(0), given(1), late(0);

static void at_time(void *)
{
    unsigned hart = corbel_hart();

    arrived++;
    if (hart < 4)
        expect(!never.try_acquire() && !never.try_acquire_for(2us));
    if (hart == 0) {
        expect(given.try_acquire_for(1us) && !given.try_acquire());
        std::this_thread::sleep_for(5us);
        late.release();
    }
    if (hart == (corbel_harts() > 1))
        expect(late.try_acquire_until(std::chrono::system_clock::now() + 1h));
}

/* A number that goes from hart to hart, those of sixteen harts. */
template <class T> static std::atomic<T> turn;

template <class T> static void at_turn(void *)
{
    unsigned hart = corbel_hart();

    arrived++;
    if (hart >= 16)
        return;
    for (T is; (is = turn<T>.load()) != (T)hart;)
        turn<T>.wait(is, std::memory_order_relaxed);
    turn<T> = (T)(hart + 1);
    turn<T>.notify_all();
}

static std::atomic_flag flag, answer;

static void at_flag(void *)
{
    if (arrived++ == corbel_harts() - 1) {
        flag.test_and_set();
        flag.notify_all();
    }
    flag.wait(false);
    if (corbel_hart() == (corbel_harts() > 1)) {
        answer.test_and_set();
        answer.notify_one();
    }
    if (corbel_hart() == 0)
        answer.wait(false);
}

/* A plain load is enough to see what others did, if the loop yields. */
static std::atomic<bool> ready;

static void at_yield(void *)
{
    if (arrived++ == corbel_harts() - 1)
        ready = true;
    while (!ready.load(std::memory_order_relaxed))
        std::this_thread::yield();
}

int main()
{
    std::latch latch(corbel_harts());
    std::barrier<completion> barrier(corbel_harts());

    gate = &latch;
    meet = &barrier;
    bool right = run("latch", at_latch);
    right &= run("barrier", at_barrier) && phases == 5;
    right &= run("semaphore", at_semaphore) && run("store", at_store);
    right &= run("time", at_time);
    right &= run("turn of 1 byte", at_turn<signed char>);
    right &= run("turn of 2 bytes", at_turn<short>);
    right &= run("turn of 4 bytes", at_turn<int>);
    right &= run("turn of 8 bytes", at_turn<long long>);
    right &= run("turn of a float", at_turn<float>);
    right &= run("flag", at_flag) && run("yield", at_yield);
    return !right;
}
