#!/bin/bash
# All regions of interest count, however many, and one that is open when the
# program exits, faults or is stopped; calls that make no sense change nothing,
# and are told.
# ci: area host observe
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc python3

# COUNT regions, then what LAST says.
cat >"$dir/program.S" <<'END'
    .globl _start
    .macro mark begin
    li a0, \begin
    li a7, 0x1005
    ecall
    .endm
_start:
    bnez a0, park
    li s0, COUNT
1:  mark 1
    bnez a0, bad
    addi s0, s0, -1
    mark 0
    bnez a0, bad
    bnez s0, 1b
    LAST
bad:
    li a0, 1
    li a7, 93
    ecall
park:
    li a7, 0x1001
    ecall
END
# regions STATUS NOTES COUNT REGIONS WHAT LAST [OPTIONS]
regions() {
    local status=$1 notes=$2 count=$3 expected=$4 last=$5 got=0
    shift 5
    riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -nostdlib -static \
        -Wl,-Ttext=0x10000 -Wl,--no-warn-rwx-segments -DCOUNT="$count" "-DLAST=$last" \
        -o "$dir/program" "$dir/program.S"
    "$sim" "$@" -o "$dir/run" "$dir/program" 2>"$dir/err" || got=$?
    if [ $got != "$status" ] || ! grep -qE -e "$notes" "$dir/err" ||
        ! python3 - "$dir/run/stats.json" "$expected" <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
roi = stats["region_of_interest"]
assert len(roi["regions"]) == int(sys.argv[2]), len(roi["regions"])
length = sum(r["end"] - r["begin"] for r in roi["regions"])
assert all(r["begin"] < r["end"] for r in roi["regions"])
for name, group in roi["groups"].items():
    assert sum(group["buckets"].values()) == length * group["accounts"], name
END
    then
        echo "FAIL: $last: status $got, expected $status and: $notes"
        sed 's/^/  /' "$dir/err"
        failures=$((failures + 1))
    fi
}
exit='li a0, 0; li a7, 93; ecall'
open='open, and counted up to the end'
regions 0 '^results hash' 200 200 "$exit"
regions 0 '^region dram' 2 2 "$exit"
regions 0 '^region  ' 2 2 "$exit"
regions 0 "$open" 3 4 "mark 1; $exit"
regions 202 "$open" 3 4 'mark 1; ebreak'
regions 204 "$open" 3 4 'mark 1; 2: j 2b' --max-cycles 20k
regions 0 'note: 1 corbel_roi_begin within .* and 0 corbel_roi_end .* cycle [1-9]' 70 71 \
    "mark 1; mark 1; mark 0; $exit"
regions 0 'note: 0 corbel_roi_begin within .* and 2 corbel_roi_end .* cycle [1-9]' 70 70 \
    "mark 0; mark 0; $exit"
[ $failures = 0 ] && echo "all regions of interest count"
