#!/bin/bash
# --log-commits: the text of a small program as written down by hand from the
# description of Spike's format; the same log for each hart in both modes; a log
# of a cycle-level run that depends on nothing but the run; and no run that
# is changed by its log.
# ci: area host tp
# ci: needs bin/sim-run bin/corbel-scene tests/isa-fuzz samples/rv64/hello samples/rv32/hello
# ci: needs samples/rv64/primary samples/rv32/primary samples/rv64/path samples/rv32/path
. ci/tests/head

tools riscv64-unknown-elf-as riscv64-unknown-elf-ld
samples=$root/$B/samples
tools=$PWD/$B
cd "$dir"
one=(-a tiny -s chip.tps=1 -s tp.harts=1)

# assemble XLEN NAME: NAME from NAME.s
assemble() {
    riscv64-unknown-elf-as -march="rv$1gc" -mno-arch-attr -o "$2.o" "$2.s"
    riscv64-unknown-elf-ld -m "elf$1lriscv" --no-warn-rwx-segments \
        -Ttext=0x10000 -Tdata=0x20000 -o "$2" "$2.o"
}

# run STATUS ARGUMENT...: stdout to out, stderr to err
run() {
    local expected=$1 status=0
    shift
    "$sim" "$@" >out 2>err </dev/null || status=$?
    [ $status = "$expected" ] || fail "$*: status $status"
}

# logged LOG ARGUMENT...: writes LOG, prints the results hash
logged() {
    local log=$1
    shift
    run 0 --quiet --log-commits --log "$log" "$@"
    tail -n 1 err
}

plain() {
    run 0 --quiet "$@"
    tail -n 1 err
}

# both_modes PROGRAM...: one hart, the same log and the results of no log
both_modes() {
    local mode hash
    for mode in --functional --no-skip; do
        hash=$(plain "${one[@]}" $mode "$@")
        [ "$(logged log$mode "${one[@]}" $mode "$@")" = "$hash" ] ||
            fail "$mode $*: results change with the log"
    done
    cmp log--functional log--no-skip || fail "$*: logs of the modes differ"
}

# variants ARGUMENT...: whatever the way of running, the log is the same
variants() {
    local options hash
    hash=$(plain -j 1 "$@")
    logged expected -j 1 "$@" >hash
    [ "$(cat hash)" = "$hash" ] || fail "$*: results change with the log"
    while read -r options; do
        # shellcheck disable=SC2086 # several words
        logged log $options "$@" >hash
        cmp log expected || fail "$options $*: another log"
    done <<'END'
-j 2
-j 1 --epoch 1
-j 2 --epoch 3 --schedule dynamic
-j 1 --no-skip
-j 1 --reverse-units
-j 2 --no-skip --reverse-units --epoch 1
END
}

# ---- the text
cat >golden.s <<'END'
    .globl _start
_start:
    .word 0xfff00513    # li a0,-1
    .word 0x000205b7    # lui a1,0x20
    .word 0x00a5a023    # sw a0,0(a1)
    .word 0x0035c603    # lbu a2,3(a1)
    .word 0x00c5a6af    # amoadd.w a3,a2,(a1)
    .word 0x1005b72f    # lr.d a4,(a1)
    .word 0x18c5b72f    # sc.d a4,a2,(a1)
    .word 0x18c5b72f    # again: fails
    .half 0x478d        # c.li a5,3
    .word 0xd0078553    # fcvt.s.w fa0,a5,rne
    .word 0x580505d3    # fsqrt.s fa1,fa0,rne: inexact
    .word 0x00379673    # fscsr a2,a5
    .half 0x0001        # c.nop
    .word 0x000102b7    # lui t0,0x10
    .word 0x05028293    # addi t0,t0,0x50
    .word 0x30529073    # csrw mtvec,t0
    .word 0x00100073    # ebreak
    .word 0x05d00893    # li a7,93
    .word 0x01e5a503    # lw a0,30(a1): over the end of a sector
    .word 0x00000073    # ecall
    .word 0x00000013    # nop
    .word 0x34102373    # csrr t1,mepc
    .word 0x00430313    # addi t1,t1,4
    .word 0x34131073    # csrw mepc,t1
    .word 0x30501073    # csrw mtvec,zero
    .word 0x30200073    # mret
    .data
    .balign 64
    .zero 64
END
cat >golden.log <<'END'
core   0: 3 0x0000000000010000 (0xfff00513) x10 0xffffffffffffffff
core   0: 3 0x0000000000010004 (0x000205b7) x11 0x0000000000020000
core   0: 3 0x0000000000010008 (0x00a5a023) mem 0x0000000000020000 0xffffffff
core   0: 3 0x000000000001000c (0x0035c603) x12 0x00000000000000ff mem 0x0000000000020003
core   0: 3 0x0000000000010010 (0x00c5a6af) x13 0xffffffffffffffff mem 0x0000000000020000 mem 0x0000000000020000 0x000000fe
core   0: 3 0x0000000000010014 (0x1005b72f) x14 0x00000000000000fe mem 0x0000000000020000
core   0: 3 0x0000000000010018 (0x18c5b72f) x14 0x0000000000000000 mem 0x0000000000020000 0x00000000000000ff
core   0: 3 0x000000000001001c (0x18c5b72f) x14 0x0000000000000001
core   0: 3 0x0000000000010020 (0x478d) x15 0x0000000000000003
core   0: 3 0x0000000000010022 (0xd0078553) f10 0xffffffff40400000
core   0: 3 0x0000000000010026 (0x580505d3) c1_fflags 0x0000000000000001 f11 0xffffffff3fddb3d7
core   0: 3 0x000000000001002a (0x00379673) c1_fflags 0x0000000000000003 c2_frm 0x0000000000000000 x12 0x0000000000000001
core   0: 3 0x000000000001002e (0x0001)
core   0: 3 0x0000000000010030 (0x000102b7) x5  0x0000000000010000
core   0: 3 0x0000000000010034 (0x05028293) x5  0x0000000000010050
core   0: 3 0x0000000000010038 (0x30529073) c773_mtvec 0x0000000000010050
core   0: 3 0x0000000000010050 (0x34102373) x6  0x000000000001003c
core   0: 3 0x0000000000010054 (0x00430313) x6  0x0000000000010040
core   0: 3 0x0000000000010058 (0x34131073) c833_mepc 0x0000000000010040
core   0: 3 0x000000000001005c (0x30501073) c773_mtvec 0x0000000000000000
core   0: 3 0x0000000000010060 (0x30200073) c768_mstatus 0x8000000000007880
core   0: 3 0x0000000000010040 (0x05d00893) x17 0x000000000000005d
core   0: 3 0x0000000000010044 (0x01e5a503) x10 0x0000000000000000 mem 0x000000000002001e
END
assemble 64 golden
both_modes golden
diff golden.log log--functional || fail "the text of the log"

# What traps has no line: no pc of the program between the labels but those of
# the loads that do not trap.
cat >traps.s << 'END'
    .option norvc
    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    la a1, data
    fmv.w.x fa0, zero
    lw a0, 0(zero)
    sw a0, 0(t0)
    amoadd.w a0, a0, (zero)
    lr.w a0, (zero)
    .word 0xffffffff
    ecall
    lw a2, 0(a1)
    addi a3, a1, 1
    amoadd.w a0, a0, (a3)
    fdiv.s fa1, fa0, fa0
    fld fa0, 0(zero)
    frflags a4
    csrw mtvec, zero
    li a0, 0
    li a7, 93
    ecall
handler:
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    mret
    .data
data: .dword 5
END
assemble 64 traps
both_modes traps
grep -c 'c768_mstatus' log--functional | grep -qx 8 || fail "8 traps"
grep -E '\((00002503|ffffffff|1000252f)\)' log--functional &&
    fail "lines of instructions that trapped"
grep -q '(0x00102773) x14 0x0000000000000010$' log--functional ||
    fail "flags across a trap"

# ---- where it goes
for mode in --functional --reverse-units; do
    run 0 "${one[@]}" $mode --log-commits golden
    grep '^core' err | diff golden.log - || fail "$mode: the log on stderr"
    [ "$(sed -n '$p' err | cut -c 1-14)" = "results hash: " ] || fail "stderr"
done
run 205 --log-commits --log missing/log golden
[ "$(wc -l <err)" = 1 ] || fail "a log that cannot be opened"
run 200 --log log golden
[ "$(wc -l <err)" = 1 ] || fail "--log alone"
for mode in --functional --reverse-units; do
    run 205 --quiet $mode --log-commits --log /dev/full golden
    grep -q '^sim-run: /dev/full: cannot write the log: ' err ||
        fail "$mode: a full disk"
done

# ---- a run without end can be watched
echo '1: j 1b' >endless.s
assemble 64 endless 2>/dev/null
for mode in --functional --reverse-units; do
    "$sim" --quiet "${one[@]}" $mode --log-commits --log endless.log endless \
        2>/dev/null &
    for _ in $(seq 100); do
        [ ! -s endless.log ] || break
        sleep 0.05
    done
    kill $!
    wait $! || true
    grep -q '^core   0: 3 0x0000000000010000 (0xa001)$' endless.log ||
        fail "$mode: no log of an endless run"
    rm endless.log
done

# ---- both modes
for xlen in 32 64; do
    for seed in 1 2 3; do
        "$tools/tests/isa-fuzz" --seeds $seed-$seed --xlen $xlen --count 1000 \
            --elf random
        both_modes random
    done
done
"$tools/bin/corbel-scene" generate arcade arcade.scene --triangles 10000 \
    >/dev/null 2>&1
for program in hello "primary arcade.scene --size 4" \
    "path arcade.scene --size 2 --spp 1"; do
    # shellcheck disable=SC2086
    both_modes "$samples"/rv64/$program
    # shellcheck disable=SC2086
    both_modes "$samples"/rv32/$program
done

# ---- many harts
variants -a tiny "$samples/rv64/primary" arcade.scene --size 6
variants -a tiny -s chip.tms=3 -s tp.scratch_latency=3 -s l1.mshrs=2 \
    "$samples/rv32/primary" arcade.scene --size 6
variants -a trax -s chip.tms=2 -s chip.tps=8 "$samples/rv64/hello"
variants -a rtx2080 -s chip.tms=2 "$samples/rv64/hello"
echo "logs agree: $(wc -l <expected) lines in the last"
