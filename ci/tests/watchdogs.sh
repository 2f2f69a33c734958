#!/bin/bash
# A run that hangs ends and says who waits for whom: an answer that is lost on
# its way, harts that wait for a kernel, a far fault that takes longer than
# --max-stall allows; and --max-time ends what would go on for ever. Lost
# credits and links that are never drained: sim/units/tp/waits_for_test.c.
# ci: area host
# ci: needs bin/sim-run samples/rv64/mandelbrot samples/rv64/uvm
. ci/tests/head

samples=build/samples/rv64

# ends STATUS ENDING ARGUMENT...: its name in the manifest
ends() {
    local got=0
    timeout 60 "$sim" --quiet -o "$dir/results" "${@:3}" >/dev/null 2>"$dir/err" || got=$?
    [ $got = "$1" ] || fail "${*:3}: status $got, expected $1"
    grep -q "\"ending\":[[:space:]]*\"$2\"" "$dir/results/manifest.json" ||
        fail "${*:3}: the manifest does not say $2"
}

says() {
    grep -qF "$1" "$dir/err" || fail "does not say: $1"
    grep -qF "$1" "$dir/results/log.txt" || fail "the log does not say: $1"
}

# The log is of one hash for whatever way of running.
hang=(-a tiny "$samples/mandelbrot" --size 8)
ends 203 deadlock -s l2.fault=lost_answer "${hang[@]}"
says "deadlock at cycle"
says "tm0.tp0 waits for an answer of tm0.l1, which waits for an answer of part0.l2.0, which waits for no other"
ends 203 deadlock -s l1.fault=lost_answer "${hang[@]}"
says "tm0.tp0 waits for an answer of tm0.l1, which waits for no other"
says "parked, waiting for a kernel"

paging=(-a tiny -s chip.uvm=on -s gmmu.fault_mode=channel)
slow=(-s gmmu.page_fault_latency=1000000 "$samples/uvm" P1)
reference=
for how in "" "--no-skip" "-j 2 --epoch 1" "--reverse-units"; do
    # shellcheck disable=SC2086
    ends 203 "no progress" $how --max-stall 100000 "${paging[@]}" "${slow[@]}"
    says "no progress: at cycle 200000 no hart, ray or access has got on for 100000 cycles"
    says "tm0.tp0 waits for an answer of tm0.tlb, which waits for an answer of gmmu, which waits for an answer of pcie, which waits for no other"
    hash=$(tail -n 1 "$dir/err")
    [ "$hash" = "${reference:=$hash}" ] || fail "$how: another hash"
done
ends 0 exit --max-stall 2M "${paging[@]}" "${slow[@]}"
echo "runs that hang say why"

cat >"$dir/spin.S" <<'END'
.globl _start
_start: j _start
END
riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -nostdlib -static -Wl,-Ttext=0x10000 \
    "$dir/spin.S" -o "$dir/spin"
for mode in "-a tiny" "-a tiny --functional"; do
    # shellcheck disable=SC2086
    ends 204 limit $mode --max-time 1 "$dir/spin"
    says "the limit of 1 seconds was reached at"
done
for option in --max-time --max-stall; do
    got=0
    "$sim" $option 0 "$dir/spin" 2>"$dir/err" || got=$?
    [ $got = 200 ] || fail "$option 0: status $got"
    grep -q -e "$option 0: expected a number 1" "$dir/err" || fail "$option 0"
done
echo "runs end at their limit of host time"
