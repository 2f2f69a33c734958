#!/bin/bash
# SMs without work cost nothing: two groups on 80 SMs take hardly more host instructions a cycle
# than on one SM, and the same cycles.
# ci: area simt speed
# ci: needs bin/sim-run sample-gpu
. ci/tests/head

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
