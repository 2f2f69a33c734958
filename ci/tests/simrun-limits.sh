#!/bin/bash
# --max-cycles ends what would not end by itself: a loop of traps in which no
# instruction is executed to its end, and a chip of spinning harts, which
# together execute no more than the limit.
set -euo pipefail

sim=${SIM:-build/bin/sim-run}
[ -x "$sim" ] || { echo "skip: $sim is not built"; exit 77; }
command -v riscv64-unknown-elf-gcc >/dev/null ||
    { echo "skip: no riscv64-unknown-elf-gcc"; exit 77; }
mkdir -p build/tests
dir=$(mktemp -d build/tests/simrun-limits.XXXXXX)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*"
    [ ! -s "$dir/err" ] || sed 's/^/  /' "$dir/err"
    exit 1
}

# program NAME ASSEMBLY
program() {
    printf '.globl _start\n_start:\n%s\n' "$2" >"$dir/$1.S"
    riscv64-unknown-elf-gcc -march=rv64ima_zicsr -mabi=lp64 -nostdlib -static \
        -Wl,-Ttext=0x10000 "$dir/$1.S" -o "$dir/$1"
}

# ends LIMIT ARGUMENT...
ends() {
    local got=0 limit=$1
    shift
    timeout 60 "$sim" --quiet --max-cycles "$limit" -o "$dir/results" "$@" \
        >/dev/null 2>"$dir/err" || got=$?
    [ $got = 204 ] || fail "$*: status $got, expected 204"
    grep -q "the limit of $limit " "$dir/err" || fail "$*: does not name the limit"
}

instructions() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["instructions"])' \
        "$dir/results/stats.json"
}

trap_at() { # what traps, and its handler
    printf 'la t0, handler\ncsrw mtvec, t0\n.balign 4\nhandler:\n%s' "$1"
}
program ecalls "$(trap_at ecall)"
program breakpoints "$(trap_at ebreak)"
program faults "$(trap_at 'lw t0, 0(zero)')"
program illegal "$(trap_at .word\ 0)"
program spin '1: j 1b'
program units '1: .insn r CUSTOM_0, 0, 0, t0, zero, zero
j 1b'

for loop in ecalls breakpoints faults illegal; do
    ends 1000 --functional "$dir/$loop"
    ends 5000 --functional --log-commits --log "$dir/log" "$dir/$loop"
    ends 5000 -a tiny "$dir/$loop"
done
for loop in spin units; do
    for limit in 1 9999 25000 123456; do
        ends $limit --functional -a tiny "$dir/$loop"
        [ "$(instructions)" = $limit ] || fail "$loop: $(instructions) instructions, limit $limit"
    done
done
echo "runs end at their limit"
