#!/bin/bash
# clang-tidy, without its analyzer, and cppcheck find nothing in the C files (`make lint`
# has the analyzer, too), and something in one that is wrong.
# ci: area house
. ci/tests/head

cat >"$dir/tidy.c" <<'C'
int all(int count);
int all(int count)
{
    int sum = 0;
    for (unsigned char i = 0; i < count; i++)
        sum += i;
    return sum;
}
C
cat >"$dir/check.c" <<'C'
int read_past(void);
int read_past(void)
{
    int list[4] = {0};
    return list[4];
}
C
# finds FILE NAME: that is what ci/lint says of it
finds() {
    local status=0
    ci/lint --quick "$1" >"$dir/said" || status=$?
    [ $status != 77 ] || { tail -n 1 "$dir/said"; exit 77; }
    [ $status = 1 ] && grep -q "$2" "$dir/said" || fail "$1: $status, expected 1 and $2: $(<"$dir/said")"
}
finds "$dir/tidy.c" bugprone-too-small-loop-variable
finds "$dir/check.c" arrayIndexOutOfBounds

# What was in order is not read again, until a header that it includes changes.
here=$(realpath --relative-to=. "$dir")
usual=$B
export B=$dir/built
echo 'typedef int counter;' >"$dir/kept.h"
sed 's/unsigned char/counter/; 1i #include "kept.h"' "$dir/tidy.c" >"$dir/kept.c"
mkdir -p "$B/obj/$here"
gcc -MM -MF "$B/obj/$here/kept.d" "$here/kept.c"
ci/lint --quick "$here/kept.c" || fail "kept.c is in order"
kept=$(ls "$B/lint" | grep -cv cppcheck)
[ "$kept" = 1 ] || fail "$kept files are known to be in order, expected 1"
echo 'typedef unsigned char counter;' >"$dir/kept.h"
finds "$here/kept.c" bugprone-too-small-loop-variable
export B=$usual

JOBS=1 ci/lint --quick
echo "lint: nothing found"
