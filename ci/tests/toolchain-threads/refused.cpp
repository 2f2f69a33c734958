/* None of these compiles for the target: -DCASE=n chooses one. */
#include <future>
#include <thread>

static void work()
{
}

int main()
{
#if CASE == 1
    std::thread thread(work);
#elif CASE == 2
    auto result = std::async(work);
#elif CASE == 3
    std::jthread thread(work);
#endif
}
