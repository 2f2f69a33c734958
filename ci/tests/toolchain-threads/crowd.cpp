/* All harts of a large chip at one static, one mutex and one pointer. */
#include <corbel/corbel.h>

#include <cstdio>
#include <memory>
#include <mutex>

static std::mutex mutex;
static unsigned sum;

static std::shared_ptr<unsigned> &shared()
{
    static auto pointer = std::make_shared<unsigned>(3);
    return pointer;
}

static void kernel(void *)
{
    std::shared_ptr<unsigned> copy = shared();
    std::lock_guard<std::mutex> guard(mutex);
    sum += *copy;
}

int main()
{
    corbel_launch(kernel, nullptr);
    std::printf("%u of %u, %ld pointers\n", sum, 3 * corbel_harts(),
                shared().use_count());
    return sum != 3 * corbel_harts() || shared().use_count() != 1;
}
