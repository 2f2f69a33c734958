#!/bin/bash
# The runtime on a chip with several harts: launches, work indices, malloc in
# kernels, --corbel-bare, the C library's files and C++, for the three targets.
# ci: area toolchain
# ci: needs toolchain bin/sim-run
. ci/tests/head

src=ci/tests/toolchain-link

# expect STATUS PROGRAM ARGUMENTS...: standard input is the expected output
expect() {
    local expected=$1 program=$2 status=0
    shift 2
    build/bin/sim-run -a tiny --quiet -j 1 ${mode-} --fs "$dir" "$dir/$program" "$@" \
        >"$dir/said" 2>"$dir/err" || status=$?
    [ "$status" = "$expected" ] ||
        fail "$program on $abi: status $status, expected $expected: $(cat "$dir/said" "$dir/err")"
    diff - "$dir/said" >&2 || fail "$program on $abi: other output than expected"
}

for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    abi=${target#*/}
    flags=(-march="${target%/*}" -mabi="$abi" -O2 -Wall)
    build/bin/corbel-gcc "${flags[@]}" "$src/harts.c" -o "$dir/harts"
    build/bin/corbel-gcc "${flags[@]}" --corbel-bare "$src/bare-harts.c" -o "$dir/bare"
    build/bin/corbel-gcc "${flags[@]}" "$src/c.c" -o "$dir/c"
    build/bin/corbel-g++ "${flags[@]}" "$src/cpp.cpp" -o "$dir/cpp"

    expect 0 harts <<<'8 harts: 0 of them or items wrong, 0 blocks torn'
    for mode in "--harts 1" "--harts 3" "--harts 8" "--functional --harts 3"; do
        harts=${mode##* }
        expect 0 harts <<<"$harts harts: 0 of them or items wrong, 0 blocks torn"
    done
    mode=
    expect 7 bare x </dev/null
    expect 5 c file last <<EOF
constructed 42, 3 arguments, the last last
1.414214 1099511627776
kernel: sum 8, hart 0 of 8, its own stack
huge none, errno Not enough space
stat 0, 13 bytes
second
remove 0, open No such file or directory
cycles pass
destructor
EOF
    mode=--functional expect 3 cpp <<EOF
construct global
construct local
destroy local
caught thrown
out of range
a1 10 3 2.500000 1.25 7
destroy global
EOF
done
# Those that are not used are parked all the time, and each cycle has its bucket.
build/bin/sim-run -a tiny --quiet -j 1 --harts 3 -o "$dir/run" "$dir/harts" >/dev/null \
    2>"$dir/err" || fail "--harts 3 -o: $(cat "$dir/err")"
python3 - "$dir/run/stats.json" <<'END' || fail "--harts 3: statistics"
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    stats = json.load(file)
assert (stats["harts"], stats["harts_used"]) == (8, 3)
cycles, tp = stats["cycles"], stats["groups"]["tp"]
assert tp["accounts"] == 8
assert sum(tp["buckets"].values()) == 8 * cycles
assert tp["buckets"]["parked"] >= 5 * cycles
END
status=0
build/bin/sim-run -a tiny --harts 9 "$dir/harts" >"$dir/said" 2>"$dir/err" || status=$?
[ $status = 200 ] && grep -q '^sim-run: --harts 9: this chip has 1..8$' "$dir/err" ||
    fail "--harts 9: status $status, $(cat "$dir/err")"
echo "toolchain-harts: ok"
