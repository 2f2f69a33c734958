#!/bin/bash
# Calls on files with impossible descriptors, lengths and flags: each has its
# error, no descriptor of the simulator can be named, and nothing beside --fs is
# read or changed.
# ci: area host
. ci/tests/guest

mkdir -p "$dir/files/sub" "$dir/outside"
echo inside > "$dir/files/in.txt"
echo secret > "$dir/secret.txt"
mkfifo "$dir/files/pipe"
ln -s loop "$dir/files/loop"
python3 -c 'import socket, sys
socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$dir/files/socket" 2> /dev/null ||
    mkfifo "$dir/files/socket"
program descriptors << 'END'
enum { CWD = -100 };
static char text[8192], bytes[64];
static long opened(const char *path, long flags)
{
    return call(56, CWD, (long)path, flags, 06777);
}
/* A path of `count` pieces: letters, or names. */
static const char *long_path(const char *piece, int count)
{
    char *to = text;
    while (count--)
        for (const char *c = piece; *c; c++)
            *to++ = *c;
    *to = 0;
    return text;
}
static void paths(void)
{
    say_number("name of 255", opened(long_path("n", 255), 0));
    say_number("name of 256", opened(long_path("n", 256), 0));
    say_number("mkdir of 256", call(34, CWD, (long)long_path("n", 256), 0777, 0));
    say_number("path of 4095", opened(long_path("sub/../", 585), 0200000));
    say_number("path of 4095 letters", opened(long_path("n", 4095), 0));
    say_number("path of 4096", opened(long_path("n", 4096), 0));
    say_number("path of slashes", opened(long_path("/", 4000), 0));
    say_number("links in a ring", opened("loop", 0));
    say_number("socket", opened("socket", 0));
    say_number("no file behind a file", opened("in.txt/", 0));
    say_number("no memory", call(56, CWD, 0x10, 0, 0));
}
static void numbers(long fd)
{
    static const long wrong[] = {-1, -2147483647 - 1, 2147483647, 255, 256, 1000};
    for (int i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        say_number("read", call(63, wrong[i], (long)bytes, 1, 0));
        say_number("write", call(64, wrong[i], (long)bytes, 1, 0));
        say_number("lseek", call(62, wrong[i], 0, 0, 0));
        say_number("close", call(57, wrong[i], 0, 0, 0));
        say_number("fstat", call(80, wrong[i], (long)text, 0, 0));
        say_number("list", call(61, wrong[i], (long)text, 64, 0));
        say_number("truncate", call(46, wrong[i], 0, 0, 0));
        say_number("open at", call(56, wrong[i], (long)"in.txt", 0, 0));
    }
    /* Those of the simulator itself: none has a number here. */
    int others = 0;
    for (int i = 3; i < 300; i++)
        others += i != fd && call(63, i, (long)bytes, 1, 0) != -9;
    say_number("others", others);
    say_number("close twice", call(57, fd, 0, 0, 0) + call(57, fd, 0, 0, 0));
}
/* top: the end of the stack, and of memory. */
static void lengths(long top)
{
    long fd = opened("in.txt", 2);
    say_number("read much", call(63, fd, top - 16, -1, 0));
    say_number("write much", call(64, fd, top - 16, -1, 0));
    say_number("list much", call(61, fd, top - 16, -1, 0));
    say_number("write all", call(64, fd, top - 16, 16, 0));
    say_number("back", call(62, fd, 0, 0, 0));
    say_number("read nothing", call(63, fd, -1, 0, 0));
    say_number("read nowhere", call(63, fd, 0, 8, 0));
    say_number("write nowhere", call(64, fd, 0, 8, 0));
    say_number("seek before", call(62, fd, -1, 0, 0));
    say_number("seek how", call(62, fd, 0, 99, 0));
    say_number("shrink to less than none", call(46, fd, -1, 0, 0));
    say_number("still", call(63, fd, (long)bytes, 64, 0));
    say_number("list a file", call(61, fd, (long)text, 64, 0));
    call(57, fd, 0, 0, 0);
    fd = opened("sub", 0200000);
    say_number("list nowhere", call(61, fd, 0, 64, 0));
    say_number("list nothing", call(61, fd, (long)text, 0, 0));
    say_number("read a directory", call(63, fd, (long)text, 64, 0));
    call(57, fd, 0, 0, 0);
}
static void flags(void)
{
    say_number("unnamed", opened(".", 020200002));
    say_number("path only", opened("pipe", 010000000));
    say_number("truncate a pipe", opened("pipe", 01001));
    say_number("make a directory", opened("made", 0200100));
    say_number("for what", opened("in.txt", 3));
    long fd = opened("new", 0102);
    say_number("made", fd);
    call(57, fd, 0, 0, 0);
}
static void many(void)
{
    int count = 0;
    long fd;
    while ((fd = opened("in.txt", 0)) >= 0)
        count++;
    say_number("open at most", count);
    say_number("then", fd);
    say_number("and to make", opened("late", 0102));
    for (int i = 3; i < 256; i++)
        call(57, i, 0, 0, 0);
    say_number("again", opened("in.txt", 0));
}
int run(struct corbel_boot *boot)
{
    paths();
    for (int i = 3; i < 16; i++)
        call(57, i, 0, 0, 0);
    numbers(opened("in.txt", 0));
    lengths((long)boot->stack_top);
    flags();
    for (int i = 3; i < 16; i++)
        call(57, i, 0, 0, 0);
    many();
    return 0;
}
END
cat > "$dir/expected" << 'END'
name of 255 -2
name of 256 -36
mkdir of 256 -36
path of 4095 3
path of 4095 letters -36
path of 4096 -14
path of slashes -13
links in a ring -40
socket -13
no file behind a file -20
no memory -14
END
for _ in {1..6}; do
    printf '%s -9\n' read write lseek close fstat list truncate 'open at'
done >> "$dir/expected"
cat >> "$dir/expected" << 'END'
others 0
close twice -9
read much -14
write much -14
list much -14
write all 16
back 0
read nothing 0
read nowhere -14
write nowhere -14
seek before -22
seek how -22
shrink to less than none -22
still 16
list a file -20
list nowhere -14
list nothing -22
read a directory -21
unnamed -21
path only -13
truncate a pipe -13
make a directory -22
for what 3
made 4
open at most 253
then -24
and to make -24
again 3
END
extra=(--max-cycles 20M)
runs descriptors 0
[ "$(cat "$dir/secret.txt")" = secret ] || complain "a file outside was changed"
[ -z "$(ls -A "$dir/outside")" ] || complain "something was made outside"
[ ! -e "$dir/files/late" ] || complain "a file was made without a descriptor for it"
[ "$(stat -c %a "$dir/files/new")" -le 777 ] || complain "a file runs as its owner"

[ $failures -eq 0 ] && echo "descriptors, lengths and flags lead nowhere"
