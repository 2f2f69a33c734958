#!/bin/bash
# --profile: costs of lines, functions and calls as computed by hand, sums as in
# stats.json, files that callgrind_annotate reads, however the run is computed,
# and no result that changes.
# ci: area observe tp
# ci: needs bin/sim-run report samples/rv64/primary bin/corbel-scene
. ci/tests/head

gcc=$root/$B/bin/corbel-gcc

# On `core`, where a multiplication takes 5 cycles. Of 5 rounds each:
#   work: 7 instructions, and 4 cycles until t1 is there
#   leaf: 4 instructions, and 3 cycles until t2 is there, as the nop is one
#   _start: 25 instructions in all
# The word that work loads is in the first cache but in the first round.
cat >"$dir/hand.S" <<'END'
        .globl _start
        .type _start, @function
_start: bnez a0, 1f
        li s0, 5
        la s2, _start
1:      call work
        addi s0, s0, -1
        bnez s0, 1b
        li a7, 93
        li a0, 0
        ecall
        .size _start, . - _start

        .type work, @function
work:   mv s1, ra
        li t0, 7
        mul t1, t0, t0
        addi t1, t1, 1
        call leaf
        jr s1
        .size work, . - work

        .type leaf, @function
leaf:   mul t2, t1, t1
        nop
        add t2, t2, t1
        lw zero, 0(s2)
        jr ra
        .size leaf, . - leaf
END
cat >"$dir/hand.py" <<'END'
import collections
import sys

events, function, callee = None, None, None
own, within = (collections.defaultdict(collections.Counter) for _ in range(2))
lines, calls = collections.Counter(), {}
for row in open(sys.argv[1]):
    key, _, value = row.rstrip("\n").partition("=")
    if row.startswith("events: "):
        events = row.split()[1:]
    elif key == "fn":
        function = value
    elif key == "cfn":
        callee = value
    elif key == "calls":
        calls[function, callee] = int(value.split()[0])
    elif row.startswith("0x"):
        counts = dict(zip(events, map(int, row.split()[2:])))
        (within[callee] if callee else own[function]).update(counts)
        if not callee:
            lines[int(row.split()[1])] += counts["Cycles"]
        callee = None
claims = {
    "calls": calls == {("_start", "work"): 5, ("work", "leaf"): 5},
    "work": own["work"]["Instructions"] == 35 and own["work"]["Cycles"] == 55
    and own["work"]["wait_result"] == 20,
    "leaf": own["leaf"]["Instructions"] == 25 and own["leaf"]["Cycles"] == 40
    and own["leaf"]["wait_result"] == 15,
    "what work led to": within["work"]["Cycles"] == 95 and within["leaf"]["Cycles"] == 40,
    "_start": own["_start"]["Instructions"] == 27
    and own["_start"]["Cycles"] == 27 + own["_start"]["service"],
    "loads": own["leaf"]["loads_first"] + own["leaf"]["loads_joined"] == 4
    and own["leaf"]["loads_second"] + own["leaf"]["loads_memory"] == 1,
    "lines": lines[17] == 5 and lines[18] == 25 and lines[26] == 20,
}
wrong = [claim for claim, holds in claims.items() if not holds]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
END
for xlen in 32 64; do
    abi=$([ $xlen = 32 ] && echo ilp32 || echo lp64)
    (cd "$dir" && riscv64-unknown-elf-gcc -g -march=rv${xlen}im -mabi=$abi -nostdlib -static \
        -Wl,--no-warn-rwx-segments -Wl,--no-relax hand.S -o hand) 2>/dev/null
    (cd "$dir" && "$sim" --quiet -a core -s tp.imul_latency=5 -o hand.out --profile hand \
        >hand.err 2>&1) || fail "rv$xlen: $(cat "$dir/hand.err")"
    python3 "$dir/hand.py" "$dir/hand.out/callgrind.out" || fail "rv$xlen: of the program"
    grep -q 'addi t1, t1, 1 .*wait_result 80 %' "$dir/hand.out/profile.txt" ||
        fail "rv$xlen: the text of the source"
done

# Inlined functions are named, and so is what inlines them; recursion ends.
cat >"$dir/inlined.c" <<'END'
#include <corbel/corbel.h>
static inline __attribute__((always_inline)) int inner(int x)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("mul %0, %0, %0" : "+r"(x));
    return x;
}
static __attribute__((noinline)) int outer(int x)
{
    return inner(x) + 1;
}
static __attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void)
{
    return outer(3) == 1 || fib(12) != 144;
}
END
(cd "$dir" && "$gcc" -O1 -g inlined.c -o inlined &&
    "$sim" --quiet -a tiny -o inlined.out --profile inlined 2>inlined.err) ||
    fail "inlined: $(cat "$dir/inlined.err")"
grep -q '^ *[0-9.]* *[0-9.]* .* inner (inlined.c:2)' "$dir/inlined.out/profile.txt" ||
    fail "an inlined function is not listed"
python3 - "$dir" <<'PY' || fail "of inlined functions and recursion"
import json
import sys

p = json.load(open(f"{sys.argv[1]}/inlined.out/profile.json"))
names = [f["name"] for f in p["functions"]]
stacks = [None] + p["stacks"]

def path(number):
    return path(stacks[number][0]) + [names[stacks[number][1]]] if number else []

paths = {tuple(path(i)): s[2] for i, s in enumerate(stacks) if i}
ends = [q[-3:] for q in paths]
fib = next(f for f in p["functions"] if f["name"] == "fib")
issued = fib["counts"][[e["name"] for e in p["events"]].index(p["instructions"])]
claims = {
    "main, outer, inner": ("main", "outer", "inner") in ends,
    "a function is met once on a path": all(len(set(q)) == len(q) for q in paths if "fib" in q),
    "465 calls of fib, of at least 3 instructions": issued > 3 * 465,
    "stacks are all": sum(paths.values()) == p["cost"],
}
wrong = [claim for claim, holds in claims.items() if not holds]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
PY
calls=$(awk -F'[ =]' '/^cfn=/ { to = $2 } /^calls=/ && to == "fib" { n += $2 }
    END { print n }' "$dir/inlined.out/callgrind.out")
[ "$calls" = 465 ] || fail "fib(12) makes $calls calls, not 465"

# A whole program, in several ways.
"$B/bin/corbel-scene" generate cornell "$dir/cornell.scene" >/dev/null
run() { # NAME OPTION...: the results hash to NAME, files to NAME.out
    local name=$1
    shift
    "$sim" --quiet -a tiny -s chip.tms=2 -o "$dir/$name.out" "$@" \
        "$B/samples/rv64/primary" "$dir/cornell.scene" --size 16 --out "$dir/image.png" \
        >/dev/null 2>"$dir/$name" || fail "$name: $(cat "$dir/$name")"
}
run plain
run watched --profile
run otherwise --profile -j 2 --epoch 1 --no-skip --reverse-units
cmp "$dir/plain" "$dir/watched" || fail "results change"
[ ! -e "$dir/plain.out/profile.txt" ] || fail "a profile unasked"
for file in profile.txt profile.json callgrind.out; do
    cmp "$dir/watched.out/$file" "$dir/otherwise.out/$file" || fail "$file depends on the host"
done
# ---- sim-report prints the same of profile.json alone, and what an older one lacks
for run in hand inlined watched; do
    "$bin/sim-report" --profile "$dir/$run.out" | cmp - "$dir/$run.out/profile.txt" ||
        fail "$run: sim-report prints another profile"
done
sed -i 's/"place":[0-9]*,//g' "$dir/otherwise.out/profile.json"
! "$bin/sim-report" --profile "$dir/otherwise.out" 2>"$dir/said" || fail "a profile without places"
grep -q "lines have no 'place'.* run it again" "$dir/said" || fail "older: $(cat "$dir/said")"
! "$bin/sim-report" --profile "$dir/plain.out" 2>"$dir/said" || fail "a profile of none"
grep -q 'no profile.json: expected a run with --profile' "$dir/said" || fail "$(cat "$dir/said")"

python3 - "$dir/watched.out" <<'PY' || fail "of the sums"
import json
import sys

stats = json.load(open(f"{sys.argv[1]}/stats.json"))["groups"]["tp"]
profile = json.load(open(f"{sys.argv[1]}/profile.json"))
truth = stats["counters"] | stats["buckets"]
names = [event["name"] for event in profile["events"]]
by_function = [sum(f["counts"][e] for f in profile["functions"] if "counts" in f)
               for e in range(len(names))]
sums, events = None, None
calls = False
for row in open(f"{sys.argv[1]}/callgrind.out"):
    if row.startswith("events: "):
        events = row.split()[1:]
        sums = dict.fromkeys(events, 0)
    elif row.startswith("0x") and not calls:
        for event, count in zip(events, row.split()[2:]):
            sums[event] += int(count)
    calls = row.startswith("calls=")
cycles = sum(stats["buckets"].values()) - stats["buckets"]["parked"]
claims = {
    "totals": dict(zip(names, profile["totals"])) == {n: truth[n] for n in names},
    "functions": by_function == profile["totals"],
    "instructions": sums["Instructions"] == stats["counters"]["instructions"],
    "cycles": sums["Cycles"] == cycles == profile["cost"],
    "events": all(truth[e] == n for e, n in sums.items() if e in truth),
    "loads": truth["loads_first"] > 0 and truth["loads_memory"] > 0,
}
wrong = [claim for claim, holds in claims.items() if not holds]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
PY
total=$(sed -n 's/^summary: \([0-9]*\) .*/\1/p' "$dir/watched.out/callgrind.out")
callgrind_annotate --show=Cycles "$dir/watched.out/callgrind.out" >"$dir/annotate" 2>&1 ||
    fail "callgrind_annotate: $(cat "$dir/annotate")"
! grep -i 'warning\|malformed' "$dir/annotate" || fail "callgrind_annotate complains"
tr -d , <"$dir/annotate" | grep "^ *$total (100.0%) *PROGRAM TOTALS" >/dev/null ||
    fail "callgrind_annotate has another total"

status=0
"$sim" -a rtp-4x4 --describe --profile -o "$dir/rtp" 2>"$dir/err" >/dev/null || status=$?
[ $status = 200 ] && grep -q '^sim-run: --profile: .*rtp-4x4.* no thread processors' "$dir/err" ||
    fail "on a chip without thread processors: status $status"
status=0
"$sim" --quiet --profile -a tiny "$dir/inlined" >/dev/null 2>"$dir/err" || status=$?
[ $status = 200 ] && grep -q '^sim-run: --profile: needs' "$dir/err" ||
    fail "without --outdir: status $status"
