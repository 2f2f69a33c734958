#!/bin/bash
# --trace: slices of harts and stages of instructions as computed by hand, sums as in
# stats.json, the same in a window as in the whole run and however the run is computed,
# within the memory that is given, and no result that changes.
set -euo pipefail

B=${B:-build}
sim=$PWD/${SIM:-$B/bin/sim-run}
make -s "$B/bin/sim-run" "$B/samples/rv64/primary" "$B/bin/corbel-scene"
mkdir -p "$B/tests"
dir=$(mktemp -d "$B/tests/traces.XXXXXX")
trap 'rm -rf "$dir"' EXIT
export PYTHONPATH=ci/tests/traces PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# On `core`, where a multiplication takes 5 cycles: the first add waits for 4, the second
# for 3, as the nop is one; the last multiplication for the one before it, whose register
# it writes, and which is done in the cycle in which it issues.
cat >"$dir/hand.S" <<'END'
        .globl _start
_start: li t0, 7
        mul t1, t0, t0
        add t1, t1, t0
        mul t2, t1, t1
        nop
        add t2, t2, t1
        mul t1, t0, t0
        mul t1, t0, t0
        li a7, 93
        li a0, 0
        ecall
END
riscv64-unknown-elf-gcc -march=rv64im -mabi=lp64 -nostdlib -static \
    -Wl,--no-warn-rwx-segments "$dir/hand.S" -o "$dir/hand"
"$sim" --quiet -a core -s tp.imul_latency=5 -o "$dir/hand.out" --trace harts \
    --trace pipeline "$dir/hand" 2>"$dir/err" || fail "hand: $(cat "$dir/err")"
python3 - "$dir/hand.out" <<'PY' || fail "of the program"
import sys

import konata
import perfetto

slices, parents = perfetto.read(f"{sys.argv[1]}/harts.pftrace")
assert parents == {"hart 0": "tp"}
shown = slices["hart 0"]
assert shown[:5] == [(0, 2, "issued"), (2, 6, "wait_result"), (6, 9, "issued"),
                     (9, 12, "wait_result"), (12, 14, "issued")], shown
found = konata.read(f"{sys.argv[1]}/pipeline.kanata")
assert [one["text"][0].split()[1] for one in found[:11]] == [
    "li", "mul", "add", "mul", "nop", "add", "mul", "mul", "li", "li", "ecall"]
mul, add = found[1], found[2]
assert mul["stages"] == [(1, 2, "issued"), (2, 6, "result")] and mul["retired"] == 6
assert add["stages"] == [(2, 6, "wait_result"), (6, 7, "issued")]
assert found[5]["stages"] == [(9, 12, "wait_result"), (12, 13, "issued")]
assert not any(one["flushed"] for one in found[:11])
assert found[6]["retired"] == 18 and found[7]["stages"][:2] == [
    (14, 18, "wait_result"), (18, 19, "issued")], found[6:8]
PY

# A whole program: all of it, a window, in other ways.
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null
run() { # NAME OPTION...: the results hash to NAME, files to NAME.out
    local name=$1
    shift
    "$sim" -a tiny -s chip.tms=2 -o "$dir/$name.out" "$@" "$B/samples/rv64/primary" \
        "$dir/cornell.scene" --size 8 --out "$dir/image.png" >/dev/null 2>"$dir/$name.err" ||
        fail "$name: $(cat "$dir/$name.err")"
    tail -n 1 "$dir/$name.err" >"$dir/$name"
}
run plain
run all --trace harts --trace pipeline:
window=20000:26000
run window --trace "harts:*,$window" --trace "pipeline:*.tp1,$window"
run other --trace "harts:*,$window" --trace "pipeline:*.tp1,$window" -j 2 --epoch 1 --no-skip \
    --reverse-units
run small --trace harts:,:,40k --trace pipeline:,20000:,40k
cmp "$dir/plain" "$dir/all" || fail "results change"
for file in harts.pftrace pipeline.kanata; do
    cmp "$dir/window.out/$file" "$dir/other.out/$file" || fail "$file depends on the host"
done
[ ! -e "$dir/plain.out/harts.pftrace" ] || fail "a trace unasked"
grep -q 'the trace of harts ends at cycle [0-9]*, as its memory (40960 bytes) is full' \
    "$dir/small.err" || fail "a full trace is not told: $(cat "$dir/small.err")"
! grep -q 'the trace of' "$dir/window.err" || fail "a window is told to be full"
python3 - "$dir" <<'PY' || fail "of the traces"
import collections
import json
import sys

import konata
import perfetto

stats = json.load(open(f"{sys.argv[1]}/all.out/stats.json"))
buckets, cycles = stats["groups"]["tp"]["buckets"], stats["cycles"]
whole, parents = perfetto.read(f"{sys.argv[1]}/all.out/harts.pftrace")
sums = collections.Counter()
for hart, shown in whole.items():
    assert shown[0][0] == 0 and shown[-1][1] == cycles, hart
    assert all(a[1] == b[0] and a[2] != b[2] for a, b in zip(shown, shown[1:])), hart
    for begin, end, name in shown:
        sums[name] += end - begin
assert len(whole) == stats["harts"]
assert sums == {name: n for name, n in buckets.items() if n}, sums


def cut(shown, begin, end):
    return [(max(b, begin), min(e, end), n) for b, e, n in shown if b < end and e > begin]


part, _ = perfetto.read(f"{sys.argv[1]}/window.out/harts.pftrace")
assert part == {hart: cut(shown, 20000, 26000) for hart, shown in whole.items()}

found = konata.read(f"{sys.argv[1]}/all.out/pipeline.kanata")
issued = [(b, one) for one in found for b, _, n in one["stages"] if n == "issued"]
assert len(issued) == buckets["issued"]
waits = collections.Counter()
for one in found:
    for begin, end, name in one["stages"]:
        waits[name] += end - begin
del waits["result"]
assert waits == {name: n for name, n in buckets.items() if n}, waits
part = konata.read(f"{sys.argv[1]}/window.out/pipeline.kanata")
harts = {one["hart"] for one in part}
assert harts and all(parents[f"hart {hart}"].endswith(".tp1") for hart in harts), parents
expected = sum(one["hart"] in harts and 20000 <= b < 26000 for b, one in issued)
assert sum(n == "issued" for one in part for _, _, n in one["stages"]) == expected > 0
small, _ = perfetto.read(f"{sys.argv[1]}/small.out/harts.pftrace")
ends = {shown[-1][1] for shown in small.values()}
assert len(ends) == 1 and 0 < max(ends) < cycles, ends
assert small == {hart: cut(shown, 0, max(ends)) for hart, shown in whole.items()}
PY

refused() { # TEXT OPTION...
    local status=0
    "$sim" --quiet -a tiny "${@:2}" "$dir/hand" >/dev/null 2>"$dir/err" || status=$?
    [ $status = 200 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$1" "$dir/err" ||
        fail "${*:2}: status $status, $(cat "$dir/err")"
}
refused '--trace: needs --outdir' --trace harts
refused '--trace rays: expected KIND' -o "$dir/x" --trace rays
refused '--trace harts:*,5: expected KIND' -o "$dir/x" --trace 'harts:*,5'
refused '--trace harts:*,7:5: expected KIND' -o "$dir/x" --trace 'harts:*,7:5'
refused '--trace 1: expected a number' -o "$dir/x" --trace 'harts:*,0:5,1'
refused '--trace harts:nobody: no thread processor' -o "$dir/x" --trace harts:nobody
