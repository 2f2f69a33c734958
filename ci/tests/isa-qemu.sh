#!/bin/bash
# Random straight-line programs leave the same registers, flags and memory in
# qemu-user, in isa_run() and in isa_execute(). SEEDS="1 2 3" and COUNT choose
# others than CI's.
set -euo pipefail

B=${B:-build}
SEEDS=${SEEDS:-$(seq 1 24)}
COUNT=${COUNT:-1000}
for tool in qemu-riscv32 qemu-riscv64 riscv64-unknown-elf-as; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: no $tool"
        exit 77
    fi
done
make -s B="$B" "$B/tests/isa-random-program" "$B/tests/isa-run-program"
work=$B/isa-qemu
mkdir -p "$work"

# XLEN SEED
build_program() {
    "$B/tests/isa-random-program" "$2" "$1" "$COUNT" >"$work/program.s"
    riscv64-unknown-elf-as -march="rv$1gc" -o "$work/program.o" "$work/program.s"
    riscv64-unknown-elf-ld -m "elf$1lriscv" --no-warn-rwx-segments \
        -Ttext=0x10000 -o "$work/program" "$work/program.o"
}

for seed in $SEEDS; do
    for xlen in 32 64; do
        build_program $xlen "$seed"
        "qemu-riscv$xlen" -cpu "rv$xlen,zba=true,zbb=true" "$work/program" >"$work/qemu"
        "$B/tests/isa-run-program" "$work/program" >"$work/run"
        "$B/tests/isa-run-program" --step "$work/program" >"$work/step"
        [ "$(stat -c %s "$work/qemu")" = 4608 ]
        for executor in run step; do
            if ! cmp "$work/qemu" "$work/$executor"; then
                echo "rv$xlen, seed $seed: qemu and $executor differ" \
                    "(bytes 0.. f registers, 257.. fcsr and x, 513.. data)"
                exit 1
            fi
        done
    done
done
