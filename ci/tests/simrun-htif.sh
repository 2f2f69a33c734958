#!/bin/bash
# HTIF by stores of 32 bits: a command is two of them, in whatever order and
# wherever a turn ends between them; one alone is a command too. On RV32 and
# RV64, with and without timing.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc

# WORD stores to tohost, in an order that is given; then waits for the answer.
cat >"$dir/htif.S" <<'END_OF_PROGRAM'
    .globl _start, tohost, fromhost
    .macro say char
    li t1, \char
    li t2, 0x01010000
    FIRST
    SECOND
1:  lw t3, 0(s0)
    lw t4, 4(s0)
    or t3, t3, t4
    bnez t3, 1b
    .endm
_start:
    la s0, tohost
    li t0, 4990
1:  addi t0, t0, -1
    bnez t0, 1b
    .rept NOPS
    nop
    .endr
    say 'A'
    say 'b'
    say 10
    li t1, 7 << 1 | 1
    sw t1, 0(s0)
    EXIT
1:  j 1b
    .section .tohost, "aw", @progbits
    .balign 64
tohost: .dword 0
    .balign 64
fromhost: .dword 0
END_OF_PROGRAM

# program XLEN FIRST SECOND EXIT NOPS
program() {
    local abi="-march=rv64ima_zicsr -mabi=lp64"
    [ "$1" = 64 ] || abi="-march=rv32ima_zicsr -mabi=ilp32"
    # shellcheck disable=SC2086
    riscv64-unknown-elf-gcc $abi -nostdlib -static -Wl,-Ttext=0x80000000 \
        -Wl,--no-warn-rwx-segments -DFIRST="$2" -DSECOND="$3" -DEXIT="$4" \
        -DNOPS="$5" "$dir/htif.S" -o "$dir/program"
}

# runs WHAT OPTION...: says "Ab", ends with 7
runs() {
    local what=$1 got=0
    shift
    "$sim" "$@" --quiet --max-cycles 2M "$dir/program" >"$dir/out" 2>"$dir/err" || got=$?
    [ $got = 7 ] && [ "$(cat "$dir/out")" = Ab ] && return
    echo "FAIL: $what: status $got, expected 7, and printed: $(cat "$dir/out")"
    head -n 1 "$dir/err"
    failures=$((failures + 1))
}

low='sw t1, 0(s0)' high='sw t2, 4(s0)'
for xlen in 32 64; do
    for exit in 'sw zero, 4(s0)' nop; do
        program $xlen "$low" "$high" "$exit" 0
        runs "RV$xlen, low half first, then $exit" -a core
        program $xlen "$high" "$low" "$exit" 0
        runs "RV$xlen, high half first, then $exit" -a core
        runs "RV$xlen, the same, every cycle" -a core --no-skip --epoch 1
    done
    for nops in {0..24}; do
        program $xlen "$low" "$high" nop "$nops"
        runs "RV$xlen, $nops nops" --functional
    done
done
[ $failures = 0 ] && echo "halves of tohost are one command"
