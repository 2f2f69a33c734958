#!/bin/bash
# The target's <math.h> is as exact as docs/reference/libm.md says: against MPFR, on the
# target, no function errs by more than 4 units of the last place where glibc errs
# by less than 2, and none returns a NaN, an infinity or a zero of the wrong sign.
# Few arguments; ci/libm/table has the million.
# ci: area toolchain
# ci: needs bin/sim-run runtime
. ci/tests/head

tools riscv64-unknown-elf-gcc

ci/libm/table --count 300 --target rv64imafc >"$dir/table" || {
    echo "libm: the lines above" >&2
    exit 1
}
rows=$(tail -n +3 "$dir/table" | wc -l)
[ "$rows" = "$(grep -cE '^(ONE|TWO|ORDER|THREE)\(' ci/libm/functions.def)" ]

# The page's table has all functions, and no error above 4.
table() { # of docs/reference/libm.md: function, double, float
    awk -F ' *[|] *' '/^[|] [a-z0-9]+ [|]/ && $2 != "function" { print $2, $3, $6 }' docs/reference/libm.md
}
[ "$(table | wc -l)" = "$rows" ]
table | awk '$2 > 4 || $3 > 4 { print "libm: docs/reference/libm.md: " $0; bad = 1 } END { exit bad }' >&2
echo "libm: ok"
