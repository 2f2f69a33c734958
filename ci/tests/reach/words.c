/* Does what its arguments say, up to --, each of which begins with a letter:
 * see act(). What is read or mapped is said, up to 40 bytes. */
__asm__(".pushsection .data\n"
        ".globl begin_signature, end_signature\n"
        "begin_signature: .word 1, 2\n"
        "end_signature: .word 0\n"
        ".popsection");

enum { CWD = -100 };
static char text[4096];

static long rename_to(const char *from, const char *to)
{
    register long a0 __asm__("a0") = CWD, a1 __asm__("a1") = (long)from,
                     a2 __asm__("a2") = CWD, a3 __asm__("a3") = (long)to,
                     a4 __asm__("a4") = 0, a7 __asm__("a7") = 276;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7)
                     : "memory");
    return a0;
}

static void show(const char *bytes, long count)
{
    if (count > 0)
        call(64, 1, (long)bytes, count < 40 ? count : 40, 0);
}

/* Opens, and reads or writes; the error, or 0. */
static long use(const char *path, long flags)
{
    static const char what[] = "written\n";
    long fd = call(56, CWD, (long)path, flags, 0666);
    if (fd < 0)
        return fd;
    if (flags & 3)
        call(64, fd, (long)what, sizeof what - 1, 0);
    else
        show(text, call(63, fd, (long)text, sizeof text, 0));
    call(57, fd, 0, 0, 0);
    return 0;
}

static long map(const char *path)
{
    uint64_t bytes = 0;
    long at = call(CORBEL_SYS_MAP, (long)path, (long)&bytes, 0, 0);
    if (at <= 0)
        return at;
    show((const char *)at, (long)bytes);
    return 0;
}

static long move(char *both)
{
    char *to = both;
    while (*to != ':')
        to++;
    *to = 0;
    long result = rename_to(both, to + 1);
    *to = ':';
    return result;
}

static void wait(void)
{
    for (volatile int i = 0; i < 30000; i++)
        ;
}

static long act(char *word)
{
    char *path = word + 1;
    switch (*word) {
    case 'r': /* read */
        return use(path, 0);
    case 'w': /* write, made if need be */
        return use(path, 0101);
    case 't': /* likewise, made empty before */
        return use(path, 01101);
    case 'x': /* make, if there is none */
        return use(path, 0301);
    case 'u':
        return call(35, CWD, (long)path, 0, 0);
    case 'd': /* remove a directory */
        return call(35, CWD, (long)path, 0x200, 0);
    case 'm':
        return call(34, CWD, (long)path, 0777, 0);
    case 's':
        return call(79, CWD, (long)path, (long)text, 0);
    case 'T': /* dates */
        return call(88, CWD, (long)path, 0, 0);
    case 'f': /* into memory */
        return map(path);
    case 'R': /* FROM:TO */
        return move(path);
    case 'l':
        wait();
        return 0;
    default:
        return -1;
    }
}

int run(struct corbel_boot *boot)
{
    for (uint32_t i = 1; i < boot->argc; i++) {
        char *word = (char *)argument(boot, i);
        if (*word == '-')
            return 0;
        long result = act(word);
        say_number(word, result);
    }
    return 0;
}
