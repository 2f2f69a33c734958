#!/bin/bash
# The length of an argument, or of a variable of the environment, moves nothing:
# a run takes the same cycles with each of up to 255 bytes, unless the program
# reads it. What counts as finished work has been finished. Names of C++ are
# told as in the source.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc
build() { # XLEN NAME
    local abi=lp64f
    [ "$1" = 64 ] || abi=ilp32f
    riscv64-unknown-elf-gcc -march="rv$1imafc" -mabi=$abi -mcmodel=medany -nostdlib \
        -static -Wl,-Ttext=0x10000 -Wl,--no-relax -Wl,--no-warn-rwx-segments \
        -o "$dir/$2" "$dir/$2.S"
}

# ---- all strings in order, first and last bytes: it reads pointers and those.
cat >"$dir/strings.S" <<'END'
    .globl _start
#if __riscv_xlen == 64
#define LOAD ld
#define STEP 8
#else
#define LOAD lw
#define STEP 4
#endif
_start:
    bnez a0, park
    lw s0, 16(a1)          /* argc */
    lw s1, 24(a1)          /* argv */
    li s2, 0
1:  LOAD t0, 0(s1)
    addi s1, s1, STEP
    lbu t1, 0(t0)
    add s2, s2, t1
    addi s0, s0, -1
    bnez s0, 1b
    LOAD t0, 0(s1)         /* argv[argc] */
    snez a0, t0
    li a7, 93
    ecall
park:
    li a7, 0x1001
    ecall
END
cycles() { "$sim" "$@" 2>&1 >/dev/null | awk '/^cycles/ { print $2 }'; }
text() { head -c "$1" /dev/zero | tr '\0' x; }
for xlen in 64 32; do
    build $xlen strings
    expected=$(cycles "$dir/strings" --out a.png last)
    [ -n "$expected" ] || complain "rv$xlen: no cycles"
    for length in 2 3 4 7 8 9 31 63 64 100 127 128 250 255; do
        [ "$(cycles "$dir/strings" --out "$(text $length)" last)" = "$expected" ] ||
            complain "rv$xlen: $length bytes take other cycles"
    done
    expected=$(cycles --env A=1 --env B=2 "$dir/strings" a b)
    [ "$(cycles --env A="$(text 200)" --env B=2 "$dir/strings" a "$(text 99)")" = "$expected" ] ||
        complain "rv$xlen: a long variable takes other cycles"
    # As many as fit, close together where there is no room for more.
    many=()
    for i in {1..1500}; do many+=("$i"); done
    [ -n "$(cycles "$dir/strings" "${many[@]}")" ] || complain "rv$xlen: 1500 arguments"
    [ -n "$(cycles "$dir/strings" "$(text 50000)")" ] || complain "rv$xlen: a long argument"
    "$sim" "$dir/strings" "$(text 65000)" 2>"$dir/err" && complain "it ran"
    grep -q 'of arguments do not fit' "$dir/err" ||
        complain "rv$xlen: too long an argument"
done

# ---- finished work: at any cycle, no more than is done, nor much less
cat >"$dir/work.S" <<'END'
    .globl _start, begin_signature, end_signature
_start:
    bnez a0, park
    li a0, 300
    li a7, 0x1006
    ecall
    la a0, kernel
    li a1, 0
    li a7, 0x1000
    ecall
    jal s0, body
    li a7, 0x1002
    ecall
2:  j 2b
park:
    li a7, 0x1001
    ecall
kernel:
    jal s0, body
    j park
body:
    li t1, 300
    la t3, begin_signature
    li t4, 1
1:  .word 0x0000028b       /* trav.fchthrd t0 */
    bgeu t0, t1, 3f
    andi t2, t0, 63
4:  addi t2, t2, -1
    bgtz t2, 4b
    amoadd.w x0, t4, (t3)
    fence
    j 1b
3:  fence
    jr s0
    .data
    .balign 4
begin_signature:
    .word 0
end_signature:
END
build 64 work
for limit in 100 500 1000 2000 4000 8000 40000; do
    for mode in "" --functional; do
        "$sim" $mode -a tiny --max-cycles $limit --signature "$dir/done" "$dir/work" \
            2>"$dir/err" && complain "it ended"
        noted=$(sed -nE 's/.*note: ([0-9]+) of 300 announced.*/\1/p' "$dir/err")
        done=$((16#$(cat "$dir/done")))
        [ -n "$noted" ] || { [ $limit = 100 ] && continue; }
        [ "${noted:--1}" -ge 0 ] && [ "$noted" -le $done ] && [ "$noted" -ge $((done - 8)) ] ||
            complain "$mode $limit: '$noted' are finished, but $done were done"
    done
done
[ "${noted:-0}" = 300 ] || complain "all are finished in the end, but $noted of 300 noted"

# ---- names of C++
cat >"$dir/name.S" <<'END'
    .globl _start
_start:
    j _ZN5scene5traceERK3RayPKc
    .type _ZN5scene5traceERK3RayPKc, @function
_ZN5scene5traceERK3RayPKc:
    nop
    ebreak
END
build 64 name
"$sim" --functional "$dir/name" 2>"$dir/err" && complain "it ran"
grep -q 'pc 0x[0-9a-f]* <scene::trace(Ray const&, char const\*)+0x2>' "$dir/err" ||
    complain "the name: $(cat "$dir/err")"
[ $failures = 0 ] && echo "arguments of any length, finished work, names of C++"
