/*
 * Does random things to all names that it finds: arguments SEED, how many
 * things, a path of --fs itself, then names. What it reads is searched for
 * MARK, which stands in all files that it has no right to.
 */
#define MARK "SECRET"

/* For --signature. */
__asm__(".pushsection .data\n"
        ".globl begin_signature, end_signature\n"
        "begin_signature: .word 1, 2\n"
        "end_signature: .word 0\n"
        ".popsection");

enum { CWD = -100, NAMES = 160, PATH = 256, OPENED = 6 };
static char names[NAMES][PATH];
static int name_count;
static long opened[OPENED];
static char bytes[4096];
static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static long rename_to(long at, const char *from, long to_at, const char *to,
                      long flags)
{
    register long a0 __asm__("a0") = at, a1 __asm__("a1") = (long)from,
                     a2 __asm__("a2") = to_at, a3 __asm__("a3") = (long)to,
                     a4 __asm__("a4") = flags, a7 __asm__("a7") = 276;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7)
                     : "memory");
    return a0;
}

static void search(const char *what, const char *at, long count)
{
    const char mark[] = MARK;
    for (long i = 0; i + (long)sizeof mark - 1 <= count; i++) {
        long k = 0;
        while (k < (long)sizeof mark - 1 && at[i + k] + 1 == mark[k])
            k++;
        if (k == sizeof mark - 1) {
            say_number("LEAK", count);
            say(what);
            say("\n");
            return;
        }
    }
}

static void copy(char *to, const char *from, long room)
{
    long n = 0;
    for (; from[n] && n < room - 1; n++)
        to[n] = from[n];
    to[n] = 0;
}

static void add(char *to, const char *from)
{
    copy(to + length(to), from, PATH - length(to));
}

static void keep_name(const char *folder, const char *name)
{
    if (name_count == NAMES)
        return;
    names[name_count][0] = 0;
    if (folder[0]) {
        copy(names[name_count], folder, PATH);
        add(names[name_count], "/");
    }
    add(names[name_count], name);
    name_count++;
}

static void list(const char *folder)
{
    long n, fd = call(56, CWD, (long)(folder[0] ? folder : "."), 0, 0);
    if (fd < 0)
        return;
    while ((n = call(61, fd, (long)bytes, sizeof bytes, 0)) > 0)
        for (char *d = bytes; d < bytes + n; d += *(uint16_t *)(d + 16))
            if (d[19] != '.')
                keep_name(folder, d + 19);
    call(57, fd, 0, 0, 0);
}

/* A name as it is, in one of many spellings, in another folder, or beside it.
 */
static const char *pick(const char *root)
{
    static char paths[2][PATH];
    static int turn;
    char *to = paths[turn ^= 1];
    const char *name = names[draw(name_count)],
               *other = names[draw(name_count)];
    to[0] = 0;
    switch (draw(12)) {
    case 0:
        add(to, "/fs/");
        break;
    case 1:
        add(to, root);
        add(to, "/");
        break;
    case 2:
        add(to, "./");
        break;
    case 3:
        add(to, other);
        add(to, "/../");
        break;
    case 4:
    case 5:
        add(to, other);
        add(to, "/");
        break;
    case 6:
        add(to, "../");
        break;
    }
    add(to, name);
    switch (draw(24)) {
    case 0:
        add(to, ".old");
        break;
    case 1:
        add(to, ".1.part");
        break;
    case 2:
        add(to, "/");
        break;
    case 3:
        add(to, "/..");
        break;
    }
    return to;
}

/* A folder that is open, or the current one. */
static long place(void)
{
    long fd = opened[draw(OPENED)];
    return draw(4) || fd < 3 ? CWD : fd;
}

static void use(const char *path, long fd)
{
    static const char text[] = "written by the program\n";
    long n = call(63, fd, (long)bytes, sizeof bytes, 0);
    search(path, bytes, n);
    switch (draw(4)) {
    case 0:
        call(64, fd, (long)text, sizeof text - 1, 0);
        break;
    case 1:
        call(46, fd, draw(100), 0, 0);
        break;
    case 2:
        call(62, fd, draw(100), 0, 0);
        break;
    }
    int slot = draw(OPENED);
    if (opened[slot] >= 3)
        call(57, opened[slot], 0, 0, 0);
    opened[slot] = fd;
}

static void open_one(const char *path)
{
    static const long flags[] = {
        0,     0,     1,     2,       0101,    0102,    01102,     0302,
        02101, 01000, 01001, 0200000, 0400000, 0400101, 010000000, 0100};
    long fd = call(56, place(), (long)path,
                   flags[draw(sizeof flags / sizeof *flags)], 0666);
    if (fd >= 3)
        use(path, fd);
}

static void map_one(const char *path)
{
    uint64_t count = 0;
    long at = call(CORBEL_SYS_MAP, (long)path, (long)&count, 0, 0);
    if (at > 0)
        search(path, (const char *)at, count < 4096 ? (long)count : 4096);
}

/* Calls that there are not, too: to link, to make a link, to execute. */
static void act(const char *root)
{
    const char *path = pick(root), *to = pick(root);
    uint32_t st[32];
    switch (draw(14)) {
    case 0:
    case 1:
    case 2:
    case 3:
        open_one(path);
        break;
    case 4:
    case 5:
    case 6:
        rename_to(place(), path, place(), to, draw(3) == 0);
        break;
    case 7:
        call(35, place(), (long)path, draw(2) * 0x200, 0);
        break;
    case 8:
        call(34, place(), (long)path, 0777, 0);
        break;
    case 9:
        call(79, place(), (long)path, (long)st, draw(2) * 0x100);
        call(48, CWD, (long)path, draw(8), 0);
        break;
    case 10:
        call(88, place(), (long)path, 0, 0);
        break;
    case 11:
        map_one(path);
        break;
    case 12:
        call(CORBEL_SYS_SCENE, (long)path, 0, 0, 0);
        break;
    case 13:
        call(36, (long)path, CWD, (long)to, 0);
        call(37, CWD, (long)path, CWD, (long)to);
        call(221, (long)path, 0, 0, 0);
        break;
    }
}

static unsigned long number(const char *text)
{
    unsigned long n = 0;
    while (*text >= '0' && *text <= '9')
        n = 10 * n + (*text++ - '0');
    return n;
}

int run(struct corbel_boot *boot)
{
    state = number(argument(boot, 1)) * 2654435761u + 1;
    const long things = number(argument(boot, 2));
    const char *root = argument(boot, 3);
    for (uint32_t i = 4; i < boot->argc; i++)
        keep_name("", argument(boot, i));
    list("");
    for (int i = name_count; i-- > 0;)
        if (name_count < NAMES / 2)
            list(names[i]);
    say_number("names", name_count);
    for (long i = 0; i < things; i++)
        act(root);
    return 0;
}
