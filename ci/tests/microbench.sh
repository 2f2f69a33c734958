#!/bin/bash
# Measured latencies are those of the chip's description, cycle by cycle: L1, L2
# and DRAM, on several chips and with parameters changed. The microbenchmarks
# find what is wrong, run natively and on rv32, and refuse bad usage. A chip
# that differs from its description in one number is found.
# ci: area memory
# ci: needs memory-check sample-microbench
. ci/tests/head

native=$B/samples/native/microbench

echo "== latencies as described"
# exact OPTION...: of sim-run, for the chip
exact() {
    ci/memory/check "$@" >"$dir/table" 2>&1 || {
        cat "$dir/table"
        fail "check $*"
    }
    echo "$*: $(grep -c '[0-9]$' "$dir/table") rows"
}
one=(-s chip.tms=1)
small=("${one[@]}" -s l1.size=16k -s l2.size=4k) # the L2 in all: 128 KiB
exact -a tiny
exact -a core
exact -a rtx2080 "${one[@]}"
exact -a rtx2080-arches "${one[@]}"
exact -a rtx2080 "${one[@]}" -s chip.stripe=4096 -s chip.dram=ddr4
exact -a rtx2080-paper "${small[@]}" -s chip.dram=ddr4
exact -a rtx2080-paper "${small[@]}" -s chip.dram=hbm2
exact -a rtx2080-paper "${small[@]}" -s l1.latency=31 -s l2.latency=77 -s dram.front=13
exact -a rtx2080-paper "${small[@]}" -s chip.clock=999 -s dram.back=1
exact -a rtx2080-paper "${small[@]}" -s dram.row_policy=closed -s dram.cap=1
exact -a tiny -s dram.clock=333333 -s dram.mapping=RoBaRaCoCh
exact -a tiny -s dram.clock=7000000 -s l2.latency=1 -s l1.latency=1
sed -n '1,$p' "$dir/table"

echo "== a number that is different in one place"
# found PATH.PARAM=VALUE OPTION...: the check says so, and where
found() {
    local status=0
    ci/memory/check --wrong "$@" >"$dir/table" 2>&1 || status=$?
    [ $status = 1 ] && grep -q WRONG "$dir/table" ||
        { cat "$dir/table"; fail "status $status with $1 and ${*:2}"; }
    echo "$1: $(grep -c WRONG "$dir/table") rows"
}
found l1.latency=5 -a tiny
found l2.latency=9 -a tiny
found dram.front=11 -a tiny
found dram.back=9 -a tiny
found dram.clock=1599999 -a tiny
found dram.device=ddr4-2933 -a tiny
found dram.mapping=RoBaRaCoCh -a rtx2080-paper "${small[@]}"
found chip.clock=1516 -a rtx2080-paper "${small[@]}"
found chip.hash=stride -a rtx2080 "${one[@]}" -s chip.stripe=4096

echo "== all patterns: what is read back is right"
patterns=("chase --bytes 4k,64k --order linear" "chain" "read --bytes 64k --shift 32"
    "write --bytes 64k --warm" "copy --bytes 64k --stride 32" "random --count 2k"
    "atomic --stride 0" "atomic --stride 64 --harts 1,2")
for pattern in "${patterns[@]}"; do
    for run in "$sim --quiet -a tiny $B/samples/rv64/microbench" \
        "$sim --quiet -a tiny $B/samples/rv32/microbench" \
        "$sim --quiet --functional -a tiny $B/samples/rv64/microbench" \
        "env CORBEL_THREADS=3 $native"; do
        # shellcheck disable=SC2086
        $run $pattern >"$dir/rows" 2>"$dir/log" ||
            fail "$run $pattern"
        awk -F, -v n="${pattern%% *}" 'NR > 1 && (NF != 13 || $1 != n || !$6) { exit 1 }
            END { exit NR < 2 }' "$dir/rows" ||
            { cat "$dir/rows"; fail "rows of $run $pattern"; }
    done
done

echo "== bad usage"
refused() {
    local status=0
    "$native" "${@:2}" >"$dir/stdout" 2>"$dir/log" || status=$?
    [ $status = 2 ] && [ "$(wc -l <"$dir/log")" = 1 ] && [ ! -s "$dir/stdout" ] &&
        grep -q -- "$1" "$dir/log" || { cat "$dir/log"; fail "status $status: ${*:2}"; }
}
refused 'no pattern: expected chase'
refused 'race: expected chase' race
refused '--byte: expected --bytes' read --byte 3
refused '--bytes: expected a value' read --bytes
for value in 0 63 x 4k,x , 3G 1T -1 ''; do
    refused '--bytes' chase --bytes "$value"
done
refused 'a power of two' read --bytes 96k
refused '--stride: expected' read --stride 12
refused '--stride: expected' read --stride 128k
refused '--stride 0: expected' read --stride 0
refused '--harts: expected' read --harts 0
refused '--harts: expected' read --harts 1000000
refused 'linear or scattered' chase --order up
refused 'one number' read --count 1,2

echo pass
