/*
 * FOR_NEWER_HOSTS before a function: it is compiled once more for hosts that
 * have the instructions of x86-64-v3 (AVX2), with all that it calls, and chosen
 * when the program is loaded. For loops that become vectors; results are the
 * same. Sanitizers do not bear functions that are chosen that early.
 */
#ifndef SIM_NEWER_HOSTS_H
#define SIM_NEWER_HOSTS_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&    \
    __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) &&                        \
    !defined(__SANITIZE_THREAD__)
#define FOR_NEWER_HOSTS                                                        \
    __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define FOR_NEWER_HOSTS
#endif

#endif
