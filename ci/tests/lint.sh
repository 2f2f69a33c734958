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
    [ $status = 1 ] && grep -q "$2" "$dir/said" && return
    echo "FAIL: $1: status $status, expected 1 and $2:"
    cat "$dir/said"
    exit 1
}
finds "$dir/tidy.c" bugprone-too-small-loop-variable
finds "$dir/check.c" arrayIndexOutOfBounds

JOBS=1 ci/lint --quick
echo "lint: nothing found"
