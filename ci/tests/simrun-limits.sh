#!/bin/bash
# --max-cycles ends what would not end by itself: a loop of traps in which no
# instruction is executed to its end, and a chip of spinning harts, which
# together execute no more than the limit. --max-output ends a run that never does before
# it fills the disk, with files as of a run that was stopped. Regions of interest are kept
# up to a number.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc

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

# ---- outputs that grow: FILE [OPTION]...
outgrows() {
    local file=$1 got=0
    shift
    rm -rf "$dir/results"
    timeout 60 "$sim" --quiet --max-output 50k -o "$dir/results" "$@" "$dir/spin" \
        >"$dir/out" 2>"$dir/err" || got=$?
    [ $got = 204 ] || fail "$*: status $got, expected 204"
    grep -qE "^sim-run: $file: the limit of --max-output, 51200 bytes, was reached at (cycle|instruction) " \
        "$dir/err" || fail "$*: does not name the limit"
    grep -q '"ending":[[:space:]]*"limit"' "$dir/results/manifest.json" ||
        fail "$*: not marked as stopped"
    [ -s "$dir/results/stats.json" ] && [ -z "$(compgen -G "$dir/results/*.[0-9]*")" ] ||
        fail "$*: files: $(ls "$dir/results")"
    [ ! -e "$file" ] || [ "$(stat -c %s "$file")" -gt 51200 ] || fail "$*: the file is cut"
}
outgrows "$dir/results/intervals.csv" -a tiny --interval 100
outgrows "$dir/results/unit-intervals.csv" -a rtx2080 -j 1 --interval 5000 --interval-level unit
outgrows "$dir/profile" -a tiny --host-profile "$dir/profile"
outgrows "$dir/log" -a tiny --log-commits --log "$dir/log"
outgrows "$dir/log" --functional --log-commits --log "$dir/log"
outgrows stderr -a tiny --log-commits
tail -c 1 "$dir/log" | cmp -s - <(echo) || fail "the log of commits ends within a line"
[ "$(stat -c %s "$dir/log")" -lt 2000000 ] || fail "the log of commits goes on"
# a pipe is its reader's
{ "$sim" --functional --max-output 50k --max-cycles 10k --log-commits "$dir/spin" 2>&1 || :; } |
    cat >"$dir/err"
grep -q "the limit of 10240 instructions was reached" "$dir/err" || fail "a pipe is bounded"

# ---- regions of interest
program regions 'bnez a0, 3f
li s0, 100100
1: li a7, 0x1005
li a0, 1
ecall
li a7, 0x1005
li a0, 0
ecall
addi s0, s0, -1
bnez s0, 1b
li a7, 93
li a0, 0
ecall
3: li a7, 0x1001
ecall'
"$sim" --functional "$dir/regions" >"$dir/out" 2>"$dir/err" || fail "regions: status $?"
grep -q '^sim-run: note: 100 regions of interest are left out: there are 100000$' "$dir/err" ||
    fail "regions: no bound"
echo "runs end at their limit"
