#!/bin/bash
# Calls with paths: what they do below --fs, that they stay there however a path
# is spelt, and that nothing but files and directories is opened.
# ci: area host
. ci/tests/guest

mkdir -p "$dir/files/sub"
echo inside > "$dir/files/in.txt"
echo secret > "$dir/secret.txt"
ln -s ../secret.txt "$dir/files/link"
ln -s in.txt "$dir/files/fine"
ln -s "$dir" "$dir/files/up"
mkdir "$dir/outside" "$dir/files/tree"
echo b > "$dir/files/tree/b"
echo a > "$dir/files/tree/a"
ln -s a "$dir/files/tree/c"
mkdir "$dir/files/tree/d"
mkfifo "$dir/files/pipe" "$dir/pipe"
ln -s "$dir/outside" "$dir/files/out"
program paths << 'END'
enum { CWD = -100 };
static char text[4096];
static void list(long fd)
{
    long n;
    while ((n = call(61, fd, (long)text, 64, 0)) > 0)
        for (char *d = text; d < text + n; d += *(uint16_t *)(d + 16)) {
            say(d + 19);
            say_number("", d[18]);
        }
    say_number("listed", n);
}
static void change(const char *from, const char *to)
{
    register long flags __asm__("a4") = 0;
    __asm__ volatile("" : : "r"(flags));
    register long a0 __asm__("a0") = CWD, a1 __asm__("a1") = (long)from,
                  a2 __asm__("a2") = CWD, a3 __asm__("a3") = (long)to,
                  a7 __asm__("a7") = 276;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3),
                     "r"(flags), "r"(a7) : "memory");
    say_number(to, a0);
}
static void touch(const char *path)
{
    static int64_t times[4] = {1000000000, 0, 1000000000, 5};
    say_number("dates", call(88, CWD, (long)path, (long)times, 0));
}
static long opened(long at, const char *path, long flags)
{
    return call(56, at, (long)path, flags, 0666);
}
int run(struct corbel_boot *boot)
{
    say_number("getcwd", call(17, (long)text, 4096, 0, 0));
    say(text);
    say_number("", call(17, (long)text, 3, 0, 0));
    say_number("root", call(57, opened(CWD, "/fs/in.txt", 0), 0, 0, 0));

    static const char *const places[] = {
        "made", "made/", "made/sub", "none/sub", "in.txt/sub", ".", "sub/..",
        "", "/fs", "..", "up/new", "out/new", "out", "../outside/new",
        "/tmp/corbel-new", "/fs/made/abs"};
    for (int i = 0; i < sizeof places / sizeof *places; i++)
        say_number(places[i], call(34, CWD, (long)places[i], 0777, 0));

    change("in.txt", "made/moved");
    change("made/moved", "in.txt");
    change("in.txt", "../stolen");
    change("in.txt", "out/stolen");
    change("in.txt", "up/stolen");
    change("../secret.txt", "stolen");
    change("up/secret.txt", "stolen");
    change("none", "stolen");
    change("made", "made/sub/self");
    change("out", "link-moved");
    change("link-moved/x", "y");
    change("link-moved", "out");

    static const char *const asked[] = {"in.txt", "sub", "none", "fine", "link",
                                        "up", "../secret.txt", "pipe"};
    for (int i = 0; i < sizeof asked / sizeof *asked; i++)
        for (int mode = 0; mode < 5; mode += 1 + (mode == 2))
            say_number(asked[i], call(48, CWD, (long)asked[i], mode, 0));
    uint32_t st[32];
    static const char *const stats[] = {"in.txt", "sub", "fine", "out", "pipe"};
    for (int i = 0; i < sizeof stats / sizeof *stats; i++)
        for (long flags = 0; flags <= 0x100; flags += 0x100) {
            st[4] = 0;
            long n = call(79, CWD, (long)stats[i], (long)st, flags);
            say_number(stats[i], n ? n : st[4]);
        }

    long tree = opened(CWD, "tree", 0);
    list(tree);
    say_number("back", call(62, tree, 2, 0, 0));
    list(tree);
    say_number("bad place", call(62, tree, 99, 0, 0));
    call(62, tree, 0, 0, 0);
    say_number("no room", call(61, tree, (long)text, 8, 0));
    say_number("into code", call(61, tree, (long)&run, 64, 0));
    list(opened(CWD, "in.txt", 0));
    list(0);

    long at = opened(tree, "a", 0);
    say_number("at", call(63, at, (long)text, 64, 0));
    say_number("up from it", opened(tree, "../in.txt", 0));
    say_number("at a file", opened(at, "a", 0));
    say_number("at stdin", opened(0, "in.txt", 0));
    say_number("at nothing", opened(77, "in.txt", 0));
    say_number("absolute", call(57, opened(77, "/fs/in.txt", 0), 0, 0, 0));
    say_number("mkdirat", call(34, tree, (long)"e", 0777, 0));
    say_number("unlinkat", call(35, tree, (long)"e", 0, 0));
    say_number("rmdir", call(35, tree, (long)"e", 0x200, 0));
    say_number("not empty", call(35, CWD, (long)"made", 0x200, 0));
    say_number("rmdir ..", call(35, CWD, (long)"sub/..", 0x200, 0));
    say_number("rmdir outside", call(35, CWD, (long)"up/outside", 0x200, 0));
    say_number("rmdir ../outside", call(35, CWD, (long)"../outside", 0x200, 0));
    say_number("unlink in.txt/", call(35, CWD, (long)"in.txt/", 0, 0));
    say_number("rmdir", call(35, CWD, (long)"made/abs", 0x200, 0));
    say_number("rmdir", call(35, CWD, (long)"made/sub/", 0x200, 0));
    say_number("rmdir", call(35, CWD, (long)"/fs/made", 0x200, 0));

    long fd = opened(CWD, "cut", 0102);
    call(64, fd, (long)"hello", 5, 0);
    say_number("ftruncate", call(46, fd, 2, 0, 0));
    say_number("end", call(62, fd, 0, 2, 0));
    say_number("read only", call(46, at, 0, 0, 0));
    say_number("stdout", call(46, 1, 0, 0, 0));
    touch("cut");
    touch("none");
    touch("../secret.txt");
    touch("up/secret.txt");

    say_number("pipe", opened(CWD, "pipe", 0));
    say_number("pipe", opened(CWD, "pipe", 01));
    say_number("pipe", opened(CWD, "pipe", 02));
    say_number("named pipe", opened(CWD, argument(boot, 1), 0));
    say_number("device", opened(CWD, argument(boot, 2), 0));
    say_number("directory", opened(CWD, argument(boot, 3), 0));
    say_number("pipe as scene",
               call(CORBEL_SYS_SCENE, (long)argument(boot, 1), 0, 0, 0));
    return 0;
}
END
cat > "$dir/expected" << 'END'
getcwd 4
/fs -34
root 0
made 0
made/ -17
made/sub 0
none/sub -2
in.txt/sub -20
. -17
sub/.. -17
 -2
/fs -17
.. -13
up/new -13
out/new -13
out -17
../outside/new -13
/tmp/corbel-new -13
/fs/made/abs 0
made/moved 0
in.txt 0
../stolen -13
out/stolen -13
up/stolen -13
stolen -13
stolen -13
stolen -2
made/sub/self -22
link-moved 0
y -13
out 0
in.txt 0
in.txt -13
in.txt 0
in.txt 0
sub 0
sub 0
sub 0
sub 0
none -2
none -2
none -2
none -2
fine 0
fine -13
fine 0
fine 0
link -13
link -13
link -13
link -13
up -13
up -13
up -13
up -13
../secret.txt -13
../secret.txt -13
../secret.txt -13
../secret.txt -13
pipe 0
pipe -13
pipe -13
pipe -13
in.txt 33188
in.txt 33188
sub 16877
sub 16877
fine 33188
fine 41380
out -13
out 41380
pipe 4516
pipe 4516
. 4
.. 4
a 8
b 8
c 10
d 4
listed 0
back 2
a 8
b 8
c 10
d 4
listed 0
bad place -22
no room -22
into code -14
listed -20
listed -20
at 2
up from it -13
at a file -20
at stdin -20
at nothing -9
absolute 0
mkdirat 0
unlinkat -21
rmdir 0
not empty -39
rmdir .. -16
rmdir outside -13
rmdir ../outside -13
unlink in.txt/ -20
rmdir 0
rmdir 0
rmdir 0
ftruncate 0
end 2
read only -22
stdout -22
dates 0
dates -2
dates -13
dates -13
pipe -13
pipe -13
pipe -13
named pipe -13
device -13
directory -13
pipe as scene -13
END
runs paths 0 "$dir/pipe" /dev/zero "$dir/outside"
[ "$(cat "$dir/secret.txt")" = secret ] || complain "a file outside was changed"
[ -z "$(ls -A "$dir/outside")" ] || complain "something was made outside"
[ "$(stat -c %Y "$dir/files/cut")" = 1000000000 ] || complain "no date was set"
[ "$(find "$dir/secret.txt" -newermt 2002-01-01)" ] ||
    complain "a file outside got a date"

[ $failures -eq 0 ] && echo "paths stay where they may lead"
