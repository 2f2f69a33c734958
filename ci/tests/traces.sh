#!/bin/bash
# --trace: slices of harts and stages of instructions as computed by hand, sums as in
# stats.json, the same in a window as in the whole run and however the run is computed,
# within the memory that is given, and no result that changes.
# ci: area observe
# ci: needs bin/sim-run-stalls samples/rv64/primary bin/corbel-scene
. ci/tests/head

export PYTHONPATH=ci/tests/traces PYTHONDONTWRITEBYTECODE=1

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
window=25000:28000
run window --trace "harts:*,$window" --trace "pipeline:*.tp1,$window"
run other --trace "harts:*,$window" --trace "pipeline:*.tp1,$window" -j 2 --epoch 1 --no-skip \
    --reverse-units
run small --trace harts:,:,40k --trace pipeline:,20000:,40k
run small-other --trace harts:,:,40k --trace pipeline:,20000:,40k -j 2 --epoch 1 --no-skip \
    --reverse-units
cmp "$dir/plain" "$dir/all" || fail "results change"
for file in harts.pftrace pipeline.kanata; do
    cmp "$dir/window.out/$file" "$dir/other.out/$file" || fail "$file depends on the host"
done
for file in harts.pftrace pipeline.kanata; do
    cmp "$dir/small.out/$file" "$dir/small-other.out/$file" ||
        fail "$file depends on the host, where it is cut"
done
[ ! -e "$dir/plain.out/harts.pftrace" ] || fail "a trace unasked"
grep -q 'the trace of harts ends at cycle [0-9]*, as its memory (40960 bytes) is full' \
    "$dir/small.err" || fail "a full trace is not told: $(cat "$dir/small.err")"
! grep -q 'the trace of' "$dir/window.err" || fail "a window is told to be full"

# main alone fills a trace that has no window, on one of 16 processors, which may have all of
# the memory; the note says so, and what it says shows the kernel.
note=$(grep -o 'the trace of harts ends at .*' "$dir/small.err")
[[ $note =~ at\ cycle\ ([0-9]+).*\ ([0-9]+)\ %\ of\ it\ of\ tm0\.tp0\; ]] ||
    fail "who fills it is not told: $note"
((BASH_REMATCH[2] > 50)) || fail "main is not most of it: $note"
[[ $note =~ \'(harts:\*,roi:1)\'\ or\ \'(harts:\*,([0-9]+):([0-9]+))\' ]] ||
    fail "no window is proposed: $note"
from=${BASH_REMATCH[3]} to=${BASH_REMATCH[4]}
run region --trace "${BASH_REMATCH[1]}" --trace 'pipeline:*.tp1,launch' --stats-range roi \
    --stats-range launch:1 --stats-range roi:2
run cycles --trace "${BASH_REMATCH[2]}" --stats-range "$from:$to"
run region-other --trace "${BASH_REMATCH[1]}" --trace 'pipeline:*.tp1,launch' -j 2 --epoch 1 \
    --no-skip --reverse-units
cmp "$dir/plain" "$dir/region" || fail "results change"
cmp "$dir/region.out/harts.pftrace" "$dir/cycles.out/harts.pftrace" ||
    fail "a region is not its cycles"
for file in harts.pftrace pipeline.kanata; do
    cmp "$dir/region.out/$file" "$dir/region-other.out/$file" ||
        fail "$file of a region depends on the host"
done
grep -q -- '--stats-range: the run came to no roi:2' "$dir/region.err" || fail "no note of roi:2"
launch=$(sed -n 's/^ *\([0-9]*\)  launch of kernel.*/\1/p' "$dir/region.out/log.txt")
parked=$(sed -n 's/^ *\([0-9]*\)  all harts are parked.*/\1/p' "$dir/region.out/log.txt")
run kernel --trace "pipeline:*.tp1,$launch:$parked"
cmp "$dir/region.out/pipeline.kanata" "$dir/kernel.out/pipeline.kanata" ||
    fail "a launch is not its cycles"
python3 - "$dir" "$from" "$to" "$launch" "$parked" <<'PY' || fail "of windows by region"
import json
import sys

dir, (begin, end, launch, parked) = sys.argv[1], map(int, sys.argv[2:])
stats = json.load(open(f"{dir}/region.out/stats.json"))
roi, (first, second) = stats["region_of_interest"], stats["windows"]
assert roi["regions"] == [{"begin": begin, "end": end, "cycles": end - begin}]
assert roi["cycles"] == end - begin
assert (first["of"], first["begin"], first["end"]) == ("roi:1", begin, end)
assert (second["of"], second["begin"], second["end"]) == ("launch:1", launch, parked)
for part in ("groups", "units"):
    assert first[part] == roi[part], part
cycles = json.load(open(f"{dir}/cycles.out/stats.json"))["windows"][0]
del first["of"]
assert cycles == first
PY

# They come out of a checkpoint, within the window and before it.
for at in $((from / 2)) $(((from + to) / 2)); do
    windows=(--trace 'harts:*,roi' --trace rays:,launch --stats-range roi --stats-range launch)
    run whole "${windows[@]}"
    "$sim" -a tiny -s chip.tms=2 "${windows[@]}" -o "$dir/resumed.out" --checkpoint "$dir/saved" \
        --max-cycles "$at" "$B/samples/rv64/primary" "$dir/cornell.scene" --size 8 \
        --out "$dir/image.png" >/dev/null 2>&1 || [ $? = 204 ] || fail "to be saved at $at"
    "$sim" --resume "$dir/saved" -o "$dir/resumed.out" >/dev/null \
        2>"$dir/resumed" || fail "resumed at $at: $(cat "$dir/resumed")"
    for file in harts.pftrace rays.pftrace stats.json; do
        cmp "$dir/whole.out/$file" "$dir/resumed.out/$file" || fail "$file resumed at $at"
    done
done
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
assert part == {hart: cut(shown, 25000, 28000) for hart, shown in whole.items()}

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
expected = sum(one["hart"] in harts and 25000 <= b < 28000 for b, one in issued)
assert sum(n == "issued" for one in part for _, _, n in one["stages"]) == expected > 0
small, _ = perfetto.read(f"{sys.argv[1]}/small.out/harts.pftrace")
ends = {shown[-1][1] for shown in small.values()}
assert len(ends) == 1 and 0 < max(ends) < cycles, ends
assert small == {hart: cut(shown, 0, max(ends)) for hart, shown in whole.items()}
PY

# Rays and requests to memory: sums as in stats.json, each in one place at a time.
run observed --trace rays --trace requests
run part --trace "rays:tm1.*,$window" --trace "requests:tm1.*,$window"
run part-other --trace "rays:tm1.*,$window" --trace "requests:tm1.*,$window" -j 2 --epoch 1 \
    --no-skip --reverse-units
run little --trace rays:,:,8k --trace requests:,:,400k
run little-other --trace rays:,:,8k --trace requests:,:,400k -j 2 --epoch 1 --reverse-units
cmp "$dir/plain" "$dir/observed" || fail "results change"
for file in rays.pftrace requests.csv; do
    cmp "$dir/part.out/$file" "$dir/part-other.out/$file" || fail "$file depends on the host"
    cmp "$dir/little.out/$file" "$dir/little-other.out/$file" ||
        fail "$file depends on the host, where it is cut"
done
for kind in rays requests; do
    grep -q "the trace of $kind ends at cycle [0-9]*, as its memory" "$dir/little.err" ||
        fail "a full trace of $kind is not told: $(cat "$dir/little.err")"
done
cp -r "$dir/observed.out" "$dir/left.out"
run left
[ ! -e "$dir/left.out/rays.pftrace" ] && [ ! -e "$dir/left.out/requests.csv" ] ||
    fail "traces of an earlier run are left"
python3 - "$dir" <<'PY' || fail "of rays and requests"
import collections
import csv
import json
import re
import sys

import perfetto

stats = json.load(open(f"{sys.argv[1]}/observed.out/stats.json"))
counters = stats["groups"]["rtcore"]["counters"]
(rays, states), parents = perfetto.read_levels(f"{sys.argv[1]}/observed.out/rays.pftrace")
assert sum(map(len, rays.values())) == counters["rays"] > 0
assert {name for shown in rays.values() for _, _, name in shown} == {"ray"}
sums = collections.Counter()
for slot, shown in states.items():
    assert parents[slot] == slot.split(" ")[0]
    for begin, end, name in shown:
        sums[name] += end - begin
    ends = [(begin, end) for begin, end, _ in rays[slot]]
    joined = [shown[0][:2]]
    for begin, end, _ in shown[1:]:
        if begin == joined[-1][1] and (joined[-1][0], begin) not in ends:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    assert joined == ends, slot
assert sums == {n: v for n, v in counters.items() if n.startswith("ray_") and v and
                n != "ray_cycles"}, sums
assert sum(e - b for shown in rays.values() for b, e, _ in shown) == counters["ray_cycles"]

def cut(levels, of, begin, end):
    cuts = [{track: [(max(b, begin), min(e, end), n) for b, e, n in shown if b < end and e > begin]
             for track, shown in level.items() if re.match(of, track)} for level in levels]
    return [{track: shown for track, shown in level.items() if shown} for level in cuts]

part, _ = perfetto.read_levels(f"{sys.argv[1]}/part.out/rays.pftrace")
assert part == cut([rays, states], "tm1", 25000, 28000) and part[1]
little, _ = perfetto.read_levels(f"{sys.argv[1]}/little.out/rays.pftrace")
end = max(e for shown in little[0].values() for _, e, _ in shown)
assert little == cut([rays, states], "", 0, end)

def requests(name):
    with open(f"{sys.argv[1]}/{name}.out/requests.csv", newline="") as file:
        return list(csv.DictReader(file))

rows, groups = requests("observed"), {}
for unit in stats["units"]: # cores of a tile are told together
    groups[unit["name"]] = unit["group"]
found = collections.Counter()
for row in rows:
    legs = {name: int(value) for name, value in list(row.items())[7:]}
    cycles = int(row["ended"]) - int(row["begun"])
    assert sum(legs.values()) == cycles and (row["hart"] != "") == (".tp" in row["unit"]), row
    of = groups.get(row["unit"], "tp"), row["kind"], row["served"]
    found.update({(*of, "requests"): 1, (*of, "cycles"): cycles})
    found.update({(*of, leg): value for leg, value in legs.items()})
expected = collections.Counter()
for name, group in stats["groups"].items():
    for kind, trip in group.get("trips", {}).items():
        for level, by in trip["served"].items():
            expected.update({(name, kind, level, n): by[n] for n in ("requests", "cycles")})
            expected.update({(name, kind, level, n): v for n, v in by["legs"].items()})
assert found == expected, (found - expected, expected - found)
order = [int(row["ended"]) for row in rows]
assert order == sorted(order)
assert requests("part") == [row for row in rows if row["unit"].startswith("tm1.") and
                            25000 <= int(row["ended"]) < 28000] != []
few = requests("little")
assert 0 < len(few) < len(rows) and few == rows[:len(few)]
PY

refused() { # TEXT OPTION...
    local status=0
    "$sim" --quiet -a tiny "${@:2}" "$dir/hand" >/dev/null 2>"$dir/err" || status=$?
    [ $status = 200 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$1" "$dir/err" ||
        fail "${*:2}: status $status, $(cat "$dir/err")"
}
refused '--trace: needs --outdir' --trace harts
refused '--trace beams: expected KIND' -o "$dir/x" --trace beams
refused '--trace harts:*,5: expected KIND' -o "$dir/x" --trace 'harts:*,5'
refused '--trace harts:*,7:5: expected KIND' -o "$dir/x" --trace 'harts:*,7:5'
refused '--trace harts:*,roi:0: expected KIND' -o "$dir/x" --trace 'harts:*,roi:0'
refused '--stats-range region: expected FROM:TO, two cycles, or roi' -o "$dir/x" \
    --stats-range region
refused '--trace 1: expected a number' -o "$dir/x" --trace 'harts:*,0:5,1'
refused '--trace harts:*,7:: expected one --trace of harts' -o "$dir/x" --trace harts --trace rays \
    --trace 'harts:*,7:'
refused '--trace harts:nobody: no thread processor' -o "$dir/x" --trace harts:nobody
refused '--trace rays:*.tp*: no RT core' -o "$dir/x" --trace 'rays:*.tp*'
refused '--trace requests:*.l1: no unit that waits' -o "$dir/x" --trace 'requests:*.l1'
