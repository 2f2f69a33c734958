#!/bin/bash
# SMs without work cost nothing: two groups on 80 SMs take hardly more host instructions a cycle
# than on one SM, and the same cycles. A launch begins on the harts alone that run groups, and
# takes no longer for those that there are besides, nor for the number of its groups.
# ci: area simt speed
# ci: needs bin/sim-run toolchain sample-gpu
. ci/tests/head

"$B/bin/corbel-gcc" -O2 -Wall -Werror ci/tests/groups/launches.c -o "$dir/launches"
"$sim" --quiet -a rtx3080ti -o "$dir/launched" "$dir/launches" 2 >"$dir/cycles" 2>"$dir/err"
cat "$dir/cycles"
awk '/^[0-9]/ && $3 > 20000 { print "a launch takes " $3; bad = 1 } END { exit bad || NR != 9 }' \
    "$dir/cycles" || fail "launches take long"
sed -n 's/.*launch of kernel .* on \([0-9]*\) harts/\1/p' "$dir/launched/log.txt" | paste -sd " " >"$dir/harts"
says_only "64 64 4800 15 1320 1 1440 256 64 64 4800 15 1320 1 1440 256" cat "$dir/harts"

tools valgrind

# instructions SMS STEPS: "cycles host-instructions" of two groups of 32 that go that far
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$dir/$1-$2" "$sim" --quiet -j 1 --harts 64 \
        -a rtx3080ti -s chip.tms="$1" --outdir "$dir/run-$1-$2" "$B/samples/rv64/gpu" myocyte \
        --size "2,$2" >"$dir/log" 2>&1 || fail "$1 SMs"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles"])' \
        "$dir/run-$1-$2/stats.json"
    sed -n 's/^summary: //p' "$dir/$1-$2"
}

for sms in 1 80; do
    for steps in 1 3; do
        echo "$sms $steps $(instructions $sms $steps | paste -sd " ")"
    done
done >"$dir/table"
cat "$dir/table"
python3 - "$dir/table" <<'END' || fail "idle SMs cost"
import sys
rows = {(int(sms), int(steps)): (int(cycles), int(host)) for sms, steps, cycles, host in
        (line.split() for line in open(sys.argv[1]))}
rate = {}
for sms in 1, 80:
    (before, few), (after, many) = rows[sms, 1], rows[sms, 3]
    rate[sms] = (many - few) / (after - before)
assert rows[1, 3][0] == rows[80, 3][0], "other cycles"
idle = (rate[80] - rate[1]) / 79
print(f"{rate[1]:.0f} host instructions a cycle on one SM, {rate[80]:.0f} on 80: "
      f"{idle:.2f} for each that is idle")
assert rate[80] < 1.25 * rate[1] and idle < 2.5
END
