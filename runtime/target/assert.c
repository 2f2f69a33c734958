/*
 * What a failed assertion prints: one line, from a kernel as from main(), and
 * with little stack. The first hart that fails ends the program, with the
 * status of abort(); the others wait for that.
 *
 *     first.c:12: hart 5: kernel: assertion failed: x > 0
 */
#include <assert.h>
#include <corbel/corbel.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "runtime/target/target.h"

static char line[1024];
static size_t length;

static void add(const char *text)
{
    size_t n = strlen(text), room = sizeof line - 1 - length;

    n = n < room ? n : room;
    memcpy(line + length, text, n);
    length += n;
}

static void add_number(unsigned n)
{
    char digits[12];
    char *first = digits + sizeof digits - 1;

    *first = 0;
    do
        *--first = (char)('0' + n % 10);
    while (n /= 10);
    add(first);
}

void __assert_func(const char *file, int number, const char *function,
                   const char *expression)
{
    corbel_last();
    add(file);
    add(":");
    add_number((unsigned)number);
    add(": hart ");
    add_number(corbel_hart());
    add(": ");
    add(function ? function : "?");
    add(": assertion failed: ");
    add(expression);
    line[length++] = '\n';
    write(STDERR_FILENO, line, length);
    _exit(128 + SIGABRT);
}

void __assert(const char *file, int number, const char *expression)
{
    __assert_func(file, number, 0, expression);
}
