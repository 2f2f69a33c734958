#!/bin/bash
# --profile and --trace of SMs: cycles of warps, lanes, splits and sectors of each line as
# formulas say, calls as those of thread processors, sums as in stats.json, rows of warps; the
# same however the run is computed, and out of a checkpoint. Each cycle of a sub-core has one
# reason why it issued nothing.
# ci: area observe simt
# ci: needs toolchain bin/sim-run report samples/rv64/path bin/corbel-scene
. ci/tests/head

export PYTHONPATH=ci/tests/traces PYTHONDONTWRITEBYTECODE=1

# One warp of 8 lanes; a multiplication takes 5 cycles, an addition 2. Half of the lanes go
# the long way. The first add waits for 4 cycles, the second for 3, as the nop is one.
cat >"$dir/hand.S" <<'END'
        .globl _start
_start: li t0, 7
        andi t1, a0, 1
        bnez t1, 1f
        mul t1, t0, t0
        add t1, t1, t0
        mul t2, t1, t1
        nop
        add t2, t2, t1
1:      add t2, t2, t1
        li a7, 93
        li a0, 0
        ecall
END
riscv64-unknown-elf-gcc -g -march=rv64im -mabi=lp64 -nostdlib -static \
    -Wl,--no-warn-rwx-segments "$dir/hand.S" -o "$dir/hand"
one=(-a tiny-simt -s chip.warps=1 -s chip.subcores=1)
"$sim" --quiet "${one[@]}" -s tp.imul_latency=5 -o "$dir/hand.out" --profile --trace harts \
    --trace pipeline "$dir/hand" 2>"$dir/err" || fail "hand: $(cat "$dir/err")"
python3 - "$dir/hand.out" <<'PY' || fail "of the program"
import json
import sys

import konata
import perfetto

slices, parents = perfetto.read(f"{sys.argv[1]}/harts.pftrace")
row = "warp 0, harts 0 to 7"
assert parents == {row: "tm0.sm"}, parents
assert slices[row][:9] == [
    (0, 2, "issued"), (2, 3, "wait_result"), (3, 5, "issued"), (5, 9, "wait_result"),
    (9, 10, "issued"), (10, 11, "wait_result"), (11, 13, "issued"), (13, 16, "wait_result"),
    (16, 17, "issued")], slices[row]
found = konata.read(f"{sys.argv[1]}/pipeline.kanata")
assert [one["text"][0].split()[1] for one in found[:12]] == [
    "li", "and", "bnez", "mul", "add", "mul", "nop", "add", "add", "li", "li", "ecall"]
assert found[3]["stages"] == [(4, 5, "issued"), (5, 9, "result")] and found[3]["retired"] == 9
assert found[4]["stages"][:2] == [(5, 9, "wait_result"), (9, 10, "issued")]
assert [f"{row}, {lanes} lanes, " in one["text"][1] for one, lanes in
        zip(found, 3 * [8] + 5 * [4] + 4 * [8])] == 12 * [True], found[3]["text"]
profile = json.load(open(f"{sys.argv[1]}/profile.json"))
names = [e["name"] for e in profile["events"]]
lines = {l["line"]: dict(zip(names, l["counts"])) for l in profile["lines"] if l["line"]}
assert lines[4]["splits"] == 1 and sum(l["splits"] for l in lines.values()) == 1
assert [lines[n]["instructions"] for n in range(2, 14)] == 3 * [8] + 5 * [4] + 4 * [8]
assert all(lines[n]["issued"] == 1 and lines[n]["live_lanes"] == 8 for n in range(2, 14))
assert lines[6]["wait_result"] == 4 and lines[9]["wait_result"] == 3
PY

# Sectors by line: of strides of words; lanes of loops with a trip count by lane.
"$B/bin/corbel-gcc" -march=rv64imafdc_zicbom -mabi=lp64d -O2 -g ci/tests/simt/counts.c \
    -o "$dir/counts" || fail counts
for run in "stride 1" "stride 2" "stride 8" "ways 8" "bank 4"; do
    # shellcheck disable=SC2086
    "$sim" --quiet "${one[@]}" -s chip.warp=32 --profile -o "$dir/${run/ /-}" "$dir/counts" \
        $run 40 >/dev/null 2>"$dir/err" || fail "$run: $(cat "$dir/err")"
done
python3 - "$dir" <<'PY' || fail "of lines"
import json
import sys


def lines(run, function):
    """The counts of the lines of a function, by their text."""
    profile = json.load(open(f"{sys.argv[1]}/{run}/profile.json"))
    names = [e["name"] for e in profile["events"]]
    of = [f["name"] for f in profile["functions"]].index(function)
    return {l["source"].strip(): dict(zip(names, l["counts"]))
            for l in profile["lines"] if l["function"] == of}


for n, sectors in (1, 4), (2, 8), (8, 32):
    load = lines(f"stride-{n}", "stride")["(void)*word;"]
    assert load["accesses"] == 40 and load["sectors"] == 40 * sectors, load
    assert load["instructions"] == load["live_lanes"] == 32 * load["issued"], load
banks = lines("bank-4", "bank").values()
assert sum(l["shared_accesses"] for l in banks) == 40, banks
assert sum(l["shared_conflicts"] for l in banks) == 40 * 3, banks
ways = lines("ways-8", "ways")
asm = max(ways.values(), key=lambda l: l["issued"])
assert asm["splits"] == 40 * 7, asm
# Of each way two tests of all lanes that are left, 8 steps of 4 lanes and their jump; and of all
# lanes an instruction for x.
lanes = sum(2 * 4 * (8 - way) + 4 * 9 for way in range(8)) + 32
assert asm["instructions"] == 40 * lanes and asm["issued"] == 40 * (8 * 11 + 1), asm
PY

# Calls are those of harts, as on thread processors.
cat >"$dir/calls.c" <<'END'
#include <corbel/corbel.h>
static __attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static int sum;
static void kernel(void *arg)
{
    for (unsigned i; (i = corbel_next()) < 60;)
        __atomic_fetch_add(&sum, fib(i % 2 ? 6 : 7), __ATOMIC_RELAXED);
}
int main(void)
{
    corbel_launch(kernel, 0);
    return sum != 30 * (8 + 13);
}
END
"$B/bin/corbel-gcc" -O1 -g "$dir/calls.c" -o "$dir/calls" 2>"$dir/err" || fail "$(cat "$dir/err")"
for chip in tiny tiny-simt; do
    "$sim" --quiet -a $chip -o "$dir/$chip.out" --profile "$dir/calls" 2>"$dir/err" ||
        fail "$chip: $(cat "$dir/err")"
    awk -F'[ =]' '/^cfn=/ { to = $2 } /^calls=/ && to == "fib" { n += $2 }
        END { print n }' "$dir/$chip.out/callgrind.out" >"$dir/$chip.calls"
done
[ "$(cat "$dir/tiny-simt.calls")" = $((30 * (25 + 41))) ] || fail "calls: $(cat "$dir/tiny-simt.calls")"
cmp "$dir/tiny.calls" "$dir/tiny-simt.calls" || fail "calls are not those of harts"

# A whole program, in several ways.
"$bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null
chip=(-a tiny-simt -s chip.tms=2 -s chip.warp=16)
files=(profile.txt profile.json callgrind.out harts.pftrace pipeline.kanata)
observed=(--profile --trace "harts:*,9000:60000" --trace "pipeline:*.sm,9000:60000")
program=("$B/samples/rv64/path" "$dir/cornell.scene" --size 8 --traversal rtcore --spp 1
    --out "$dir/image.png")
run() { # NAME OPTION...: the results hash to NAME, files to NAME.out
    local name=$1
    shift
    "$sim" --quiet "${chip[@]}" -o "$dir/$name.out" "$@" "${program[@]}" >/dev/null \
        2>"$dir/$name" || fail "$name: $(cat "$dir/$name")"
}
run plain
run watched "${observed[@]}"
run otherwise "${observed[@]}" -j 2 --epoch 1 --no-skip --reverse-units
cmp "$dir/plain" "$dir/watched" || fail "results change"
run profiled --profile # which looks only at warps that something has happened to
cmp "$dir/watched.out/profile.json" "$dir/profiled.out/profile.json" || fail "without traces"
run fetching --profile -s chip.icache=1 # sums are compared as the run ends
"$sim" --quiet "${chip[@]}" "${observed[@]}" -o "$dir/resumed.out" --checkpoint "$dir/saved" \
    --max-cycles 30000 "${program[@]}" >/dev/null 2>&1 || [ $? = 204 ] || fail "to be saved"
"$sim" --resume "$dir/saved" -o "$dir/resumed.out" >/dev/null 2>"$dir/resumed" ||
    fail "resumed: $(cat "$dir/resumed")"
for file in "${files[@]}"; do
    cmp "$dir/watched.out/$file" "$dir/otherwise.out/$file" || fail "$file depends on the host"
    cmp "$dir/watched.out/$file" "$dir/resumed.out/$file" || fail "$file resumed"
done
"$bin/sim-report" --profile "$dir/watched.out" | cmp - "$dir/watched.out/profile.txt" ||
    fail "sim-report prints another profile"
# The page has a table of lines by lanes.
"$bin/sim-report" "$dir/watched.out" -o "$dir/page.html" || fail "sim-report"
browser=$(command -v chromium || true)
if [ "$browser" ]; then
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/chromium" \
        --window-size=1280,900 --dump-dom "file://$dir/page.html" >"$dir/dom" 2>"$dir/err" ||
        fail "chromium: $(cat "$dir/err")"
    grep -q '<h3>Lanes</h3>.*A warp has 16 lanes.*SIMT efficiency.*Sectors an access' "$dir/dom" ||
        fail "no table of lanes in the page"
fi
python3 - "$dir" <<'PY' || fail "of the sums"
import json
import sys

stats = json.load(open(f"{sys.argv[1]}/watched.out/stats.json"))
group = stats["groups"]["tp"]
profile = json.load(open(f"{sys.argv[1]}/watched.out/profile.json"))
truth = group["counters"] | group["buckets"]
names = [event["name"] for event in profile["events"]]
assert dict(zip(names, profile["totals"])) == {n: truth[n] for n in names}
assert profile["cost"] == sum(group["buckets"].values()) - group["buckets"]["parked"]
assert truth["loads_first"] > 0 and truth["sectors"] > 0 and truth["splits"] > 0
assert truth["lane_slots"] == 16 * truth["issued"]
assert truth["lane_slots"] > truth["live_lanes"] > truth["instructions"]
assert profile["lanes"]["warp"] == 16
shares = [n for name, n in group["derived"].items() if name.startswith("share_")]
assert len(shares) > 10 and abs(sum(shares) - 1) < 1e-6, shares
for name, unit in stats["units"].items() if isinstance(stats["units"], dict) else [
        (u["name"], u) for u in stats["units"]]:
    if not name.endswith(".sm"):
        continue
    counters = unit["counters"]
    slots = {n: c for n, c in counters.items() if n.startswith("slot_")}
    assert sum(slots.values()) == 2 * stats["cycles"], (name, slots)
    assert counters["slots"] == sum(slots.values())
    assert slots["slot_wait_memory"] > 0 and slots["slot_wait_rtcore"] > 0, slots
PY

# Of a run that is timed within its regions: all of it is counted, in a service where it is not.
run untold --timing roi
run region --timing roi "${observed[@]}"
cmp "$dir/untold" "$dir/region" || fail "results of regions change"
python3 - "$dir/region.out" <<'PY' || fail "of regions"
import json
import sys

stats = json.load(open(f"{sys.argv[1]}/stats.json"))
group, profile = stats["groups"]["tp"], json.load(open(f"{sys.argv[1]}/profile.json"))
totals = dict(zip((e["name"] for e in profile["events"]), profile["totals"]))
assert all(totals[n] == cycles for n, cycles in group["buckets"].items())
assert sum(group["buckets"].values()) == 2 * 4 * stats["cycles"]
slots = sum(n for name, n in group["counters"].items() if name.startswith("slot_"))
assert slots == 2 * 2 * stats["cycles"], slots
PY

# Cores whose costs have no sum.
cat >"$dir/mixed.lua" <<'END'
-- mixed: an SM and a thread processor
local t = tile("t")
local sm, tp = unit{tile = t, kind = "simt", name = "sm"}, unit{tile = t, kind = "tp", name = "tp"}
local l1 = unit{tile = t, kind = "cache", name = "l1", size = 4096,
  owner = "owner"}
local dram = unit{tile = t, kind = "dram", name = "dram"}
for _, core in ipairs{sm, tp} do
  both(core, "mem", l1, "cpu", "reply", "data", 1, 4)
end
both(l1, "mem", dram, "cpu", "reply", "fill", 1, 8)
END
status=0
"$sim" -a "$dir/mixed.lua" --profile -o "$dir/mixed" "$dir/calls" >/dev/null 2>"$dir/err" || status=$?
[ $status = 200 ] && grep -q -- '--profile: sm and tp of .* are of different kinds' "$dir/err" ||
    fail "an SM beside a thread processor: status $status: $(cat "$dir/err")"
echo "costs of warps, lanes and lines are what formulas say"
