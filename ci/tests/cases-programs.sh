#!/bin/bash
# Programs of $CORBEL_SHARED/cases/programs: every hart's lr and sc succeed in the
# end, waiting loops end as docs/guides/writing-a-kernel.md says, percentiles lie where
# the values do. A program that this test does not know fails it.
# (ci/tests/atomics.sh and unit tests have inputs of our own for all of this.)
# ci: area tp
# ci: needs runtime bin/sim-run
. ci/tests/head

cases=$shared/cases/programs
[ -d "$cases" ] || skip "no $cases"

# says STATUS LINE SIM-RUN-ARGUMENTS...: the status, and the first line of stdout
says() {
    local status=0
    "$B/bin/sim-run" "${@:3}" >"$dir/out" 2>"$dir/err" || status=$?
    [ $status = "$1" ] && [ "$(head -n 1 "$dir/out")" = "$2" ] ||
        complain "${*:3}: status $status, '$(head -n 1 "$dir/out")'; expected $1, '$2'"
}

bar() { # modes of waiting, by harts of one TM and of three
    local tms
    for tms in 1 3; do
        local chip=(-a tiny -s "chip.tms=$tms" --max-cycles 500k) harts=$((8 * tms))
        says 0 "done count $((3 * harts)) seen 0" "${chip[@]}" "$1" 0
        says 0 "done count 0 seen $harts" "${chip[@]}" "$1" 2
        says 0 "done count $harts seen 0" "${chip[@]}" "$1" 3
    done
    says 0 "done count 0 seen 8" -a tiny -s chip.tms=1 "$1" 1
    # A relaxed load: the pages say that acquire is needed.
    says 204 "" -a tiny -s chip.tms=3 --max-cycles 500k "$1" 1
    grep -q 'relaxed atomic load' docs/guides/writing-a-kernel.md || complain "the pages do not say so"
}

chase() {
    says 0 0 -a tiny -s chip.clock=3 "$1"
    grep -q 'region dram.*p50 21, p95 21, p99 21 cycles' "$dir/err" ||
        complain "chase: $(grep 'region dram' "$dir/err")"
}

for source in "$cases"/*.c; do
    name=$(basename "$source" .c)
    "$B/bin/corbel-gcc" -O2 -w "$source" -o "$dir/$name"
    case $name in
    bar) bar "$dir/bar" ;;
    cont2) says 0 "harts 47104 word 47104" -a rtx2080 "$dir/cont2" ;;
    chase) chase "$dir/chase" ;;
    *) complain "$name.c: this test does not know what is right" ;;
    esac
    echo "$name"
done
