/*
 * FOR_NEWER_HOSTS before a function: it is compiled once more for hosts that
 * have the instructions of x86-64-v3 (AVX2), with all that it calls (by clang:
 * that it inlines), and chosen when the program is loaded. For loops that
 * become vectors; results are the same. Sanitizers do not bear functions that
 * are chosen that early.
 */
#ifndef SIM_NEWER_HOSTS_H
#define SIM_NEWER_HOSTS_H

#if defined(__x86_64__) && defined(__gnu_linux__)
#if defined(__clang__)
#if __clang_major__ >= 19 && !__has_feature(address_sanitizer) &&              \
    !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define FOR_NEWER_HOSTS                                                        \
    __attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
#elif __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) &&                      \
    !defined(__SANITIZE_THREAD__)
#define FOR_NEWER_HOSTS                                                        \
    __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#endif
#endif
#ifndef FOR_NEWER_HOSTS
#define FOR_NEWER_HOSTS
#endif

#endif
