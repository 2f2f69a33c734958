/*
 * Atomics of structures of many sizes, by all harts: no hart sees a part of
 * what another stored, and no exchange is lost. Says for each size whether that
 * is so.
 */
#include <corbel/corbel.h>

#include <atomic>
#include <cstdio>
#include <cstring>

/* Every byte but the first follows from the first. */
template <unsigned size> struct bytes {
    unsigned char byte[size];

    static bytes of(unsigned first)
    {
        bytes b;
        for (unsigned i = 0; i < size; i++)
            b.byte[i] = (unsigned char)(first + i);
        return b;
    }
    bool whole() const
    {
        bytes b = of(byte[0]);
        return !std::memcmp(b.byte, byte, size);
    }
};

static std::atomic<unsigned> torn, added, taken;

template <unsigned size> static std::atomic<bytes<size>> shared;
template <unsigned size> static std::atomic<bytes<size>> counter;
template <unsigned size> static std::atomic<bytes<size>> given;

template <unsigned size> static void kernel(void *)
{
    unsigned hart = corbel_hart();

    for (unsigned i = 0; i < 5; i++) {
        shared<size>.store(bytes<size>::of(hart + i));
        torn += !shared<size>.load().whole();
        bytes<size> is = counter<size>.load();
        while (!counter<size>.compare_exchange_weak(
            is, bytes<size>::of(is.byte[0] + 1u)))
            torn += !is.whole();
        added += hart + 1;
        taken += given<size>.exchange(bytes<size>::of(hart + 1)).byte[0];
    }
}

template <unsigned size> static bool right()
{
    torn = added = taken = 0;
    shared<size> = counter<size> = given<size> = bytes<size>::of(0);
    corbel_launch(kernel<size>, nullptr);
    bytes<size> count = counter<size>, last = given<size>;
    bool right = torn == 0 && added == taken + last.byte[0] && count.whole() &&
                 count.byte[0] == 5 * corbel_harts() % 256;
#ifdef __riscv
    right = right && shared<size>.is_lock_free() ==
                         (size <= sizeof(void *) && !(size & (size - 1)));
#endif
    std::printf("%u: %s\n", size, right ? "right" : "wrong");
    return right;
}

/* Two registers, where there is such a type. */
#ifdef __SIZEOF_INT128__
static unsigned __int128 sum[5];

static void wide(void *)
{
    unsigned __int128 one = ((unsigned __int128)1 << 64) + 1;

    for (unsigned i = 0; i < 5; i++) {
        __atomic_fetch_add(&sum[0], one, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&sum[1], one, __ATOMIC_RELAXED);
        __atomic_fetch_xor(&sum[2], one << corbel_hart(), __ATOMIC_RELAXED);
        __atomic_fetch_or(&sum[3], one << corbel_hart(), __ATOMIC_RELAXED);
        __atomic_add_fetch(&sum[4], one, __ATOMIC_RELAXED);
    }
}

static bool wide_right()
{
    unsigned __int128 one = ((unsigned __int128)1 << 64) + 1, all = 0;

    corbel_launch(wide, nullptr);
    for (unsigned i = 0; i < corbel_harts(); i++)
        all |= one << i;
    return sum[0] == 5 * corbel_harts() * one && sum[1] == -sum[0] &&
           sum[2] == all && sum[3] == all && sum[4] == sum[0];
}
#else
static bool wide_right()
{
    return true;
}
#endif

int main()
{
    bool all = right<1>() & right<2>() & right<3>() & right<4>() & right<5>();

    all &= right<7>() & right<8>() & right<12>() & right<16>() & right<17>();
    all &= right<24>() & right<64>() & right<100>() & wide_right();
    return !all;
}
