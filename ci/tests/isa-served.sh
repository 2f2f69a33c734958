#!/bin/bash
# A row of xtrav.def whose shape a unit serves is refused when the simulator is
# built, unless it is the row that the unit serves.
set -euo pipefail

B=${B:-build}
mkdir -p "$B/tests"
dir=$(mktemp -d "$B/tests/isa-served.XXXXXX")
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/sdk/isa"

fail() {
    echo "isa-served: $1" >&2
    exit 1
}
# Does the simulator compile with the table in $dir?
compiles() {
    gcc -std=c17 -D_GNU_SOURCE -fsyntax-only -I"$dir" -I. -Iruntime/include \
        sim/isa/execute.c 2>"$dir/errors"
}

cp sdk/isa/xtrav.def "$dir/sdk/isa"
compiles || fail "the table as it is: $(cat "$dir/errors")"

row='XTRAV(peek, "trav.peek", 0x0000600B, 0xFFFFF07F, "d", NEXT, "rd = what fchthrd would give")'
echo "$row" >>"$dir/sdk/isa/xtrav.def"
compiles && fail "a second row of shape NEXT compiles"
grep -q 'no unit serves the row peek of shape NEXT, only fchthrd' "$dir/errors" ||
    fail "a second row of shape NEXT: $(head -n 3 "$dir/errors")"

cp sdk/isa/xtrav.def "$dir/sdk/isa"
row='XTRAV(probe, "trav.probe", 0x0000600B, 0x0000707F, "D,S,j", TRACE, "as traceray")'
echo "$row" >>"$dir/sdk/isa/xtrav.def"
compiles && fail "a second row of shape TRACE compiles"
grep -q 'no unit serves the row probe of shape TRACE, only traceray' "$dir/errors" ||
    fail "a second row of shape TRACE: $(head -n 3 "$dir/errors")"
