#!/bin/bash
# What a program holds below --fs is bounded by --max-fs: by size, with holes, by
# lengths, by names, through appending, and through files without a name; what it
# gives back it may have again. A note says once what was refused, and a resumed
# run goes on with what was taken.
# ci: area host
. ci/tests/guest

mkdir -p "$dir/files"
program room << 'END'
enum { CWD = -100, MAKE = 0102, TRUNC = 01000, APPEND = 02000, K = 1024 };
static char bytes[64 * K];
static long opened(const char *path, long flags)
{
    return call(56, CWD, (long)path, flags, 0666);
}
static long written(long fd, long n) { return call(64, fd, (long)bytes, n, 0); }
static long length_is(long fd, long n) { return call(46, fd, n, 0, 0); }
static long seek(long fd, long n) { return call(62, fd, n, 0, 0); }
/* 1 MiB in all; a name counts 16 KiB. */
int run(struct corbel_boot *boot)
{
    long a = opened("a", MAKE);
    say_number("hole", length_is(a, 900 * K));
    say_number("too long", length_is(a, 1100 * K));
    say_number("over what is there", written(a, 64 * K));
    seek(a, 980 * K);
    say_number("what fits", written(a, 64 * K));
    say_number("nothing fits", written(a, 1));
    seek(a, 2000 * K);
    say_number("far", written(a, 1));
    say_number("a name", opened("b", MAKE));
    say_number("a directory", call(34, CWD, (long)"d", 0777, 0));
    say_number("there already", opened("a", MAKE) > 0);
    say_number("shorter", length_is(a, 500 * K));
    long b = opened("b", MAKE | APPEND);
    for (int i = 0; i < 7; i++)
        say_number("append", written(b, 64 * K));
    say_number("append", written(b, 64 * K));
    say_number("append", written(b, 64 * K));
    /* Without a name it is there until it is closed. */
    say_number("unlink", call(35, CWD, (long)"b", 0, 0));
    say_number("the name is free", length_is(a, 516 * K));
    say_number("the bytes are not", length_is(a, 600 * K));
    call(57, b, 0, 0, 0);
    say_number("closed", length_is(a, 600 * K));
    say_number("all", length_is(a, 1008 * K));
    say_number("anew", opened("a", MAKE | TRUNC) > 0);
    b = opened("b", MAKE);
    say_number("b", length_is(b, 992 * K));
    call(57, b, 0, 0, 0);
    say_number("over it", call(276, CWD, (long)"a", CWD, (long)"b"));
    say_number("once more", length_is(a, 1008 * K));
    say_number("no more", length_is(a, 1009 * K));
    /* What an argument names outside is not what is removed here. */
    length_is(a, 0);
    const char *other = argument(boot, 1);
    for (int i = 0; i < 100; i++) {
        call(57, opened(other, MAKE), 0, 0, 0);
        call(35, CWD, (long)other, 0, 0);
    }
    say_number("no profit", length_is(a, 1009 * K));
    say_number("directories", call(34, CWD, (long)"d", 0777, 0));
    say_number("come", length_is(a, 1000 * K));
    say_number("and go", call(35, CWD, (long)"d", 0x200, 0));
    say_number("again", length_is(a, 1008 * K));
    return 0;
}
END
cat > "$dir/expected" << 'END'
hole 0
too long -27
over what is there 65536
what fits 28672
nothing fits -27
far -27
a name -28
a directory -28
there already 1
shorter 0
append 65536
append 65536
append 65536
append 65536
append 65536
append 65536
append 65536
append 45056
append -27
unlink 0
the name is free 0
the bytes are not -27
closed 0
all 0
anew 1
b 0
over it 0
once more 0
no more -27
no profit -27
directories 0
come -27
and go 0
again 0
END
outside=$dir/given # is there, and not below --fs
touch "$outside"
for mode in --functional ""; do
    rm -rf "$dir/files" && mkdir "$dir/files"
    (cd "$dir" && "$sim" $mode --fs files --max-fs 1M "$dir/room-64" given) \
        > "$dir/out" 2> "$dir/err" || complain "$mode: status $?"
    diff "$dir/expected" "$dir/out" || complain "$mode: other answers"
    [ "$(grep -c '^sim-run: note: ' "$dir/err")" = 1 ] &&
        grep -q "note: a: a length of 1126400 bytes is refused: .* --fs files is limited to 1048576 bytes, --max-fs SIZE allows more" "$dir/err" ||
        complain "$mode: $(cat "$dir/err")"
    [ "$(stat -c %s "$dir/files/b")" = $((1008 << 10)) ] || complain "$mode: other files"
done

# ---- by default there is room for all that a program may want, not for more;
# saved in between
program more << 'END'
int run(struct corbel_boot *boot)
{
    long a = call(56, -100, (long)"more", 0102, 0666);
    say_number("much", call(46, a, 15L << 30, 0, 0));
    say_number("more", call(46, a, 17L << 30, 0, 0));
    call(46, a, 900L << 10, 0, 0);
    for (volatile int i = 0; i < 20000; i++)
        ;
    say_number("1500 K", call(46, a, 1500L << 10, 0, 0));
    return 0;
}
END
printf 'much 0\nmore -27\n1500 K 0\n' > "$dir/expected"
(cd "$dir/files" && "$sim" --quiet "$dir/more-64") > "$dir/out" 2> "$dir/err" ||
    complain "default: status $?"
diff "$dir/expected" "$dir/out" || complain "default: other answers"
rm "$dir/files/more"
printf 'much -27\nmore -27\n1500 K -27\n' > "$dir/expected"
saved=(--fs "$dir/files" --checkpoint "$dir/ck")
"$sim" "${saved[@]}" --max-fs 1M --max-cycles 20k "$dir/more-64" > "$dir/out" 2> "$dir/err" &&
    got=0 || got=$?
[ $got = 204 ] || complain "saving: status $got"
"$sim" --resume "$dir/ck" --fs "$dir/files" >> "$dir/out" 2>> "$dir/err" || complain "resuming: status $?"
diff "$dir/expected" "$dir/out" || complain "resumed: other answers"
[ "$(grep -c 'max-fs' "$dir/err")" = 1 ] || complain "resumed: it is not noted once"

[ $failures -eq 0 ] && echo "a program's files are bounded"
