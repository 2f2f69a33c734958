#!/bin/bash
# Extensions as a parameter of the chip: what is taken away is illegal and the
# message names it; --isa and --signature; statuses told by HTIF.
# ci: area host isa
# ci: needs bin/sim-run samples
. ci/tests/head

tools riscv64-unknown-elf-gcc

# assemble NAME XLEN: a bare program from stdin
assemble() {
    riscv64-unknown-elf-gcc -march="rv$2gc_zicbom_zba_zbb" \
        -mabi="$([ "$2" = 64 ] && echo lp64 || echo ilp32)" -nostdlib -static \
        -Wl,-Ttext=0x80000000 -Wl,--no-relax -o "$dir/$1-$2" -x assembler -
}

# says STATUS TEXT ARGUMENT...: both modes end so and say so.
says() {
    local status=$1 text=$2 mode got
    shift 2
    for mode in "" --functional; do
        got=0
        "$sim" $mode --max-cycles 100k --quiet "$@" > "$dir/out" 2> "$dir/err" || got=$?
        [ $got -eq "$status" ] || complain "$* $mode: status $got, expected $status"
        grep -qE -- "$text" "$dir/err" ||
            { complain "$* $mode: expected '$text', got:"; cat "$dir/err"; }
    done
}

# ---- one instruction of each extension
needs() { # EXTENSION XLEN ISA INSTRUCTION ENCODING
    assemble "needs_$1" "$2" << END
    .option norvc
    .globl _start, tohost
_start:
    la s0, tohost
    .option rvc
culprit: $4
    .option norvc
    li t0, 1
    sw t0, 0(s0)
1:  j 1b
    .data
    .balign 64
tohost: .dword 0
END
    says 202 "fault: hart 0, cycle [0-9]+, pc 0x80000008 <culprit>: illegal instruction 0x$5 \(.*\): it needs extension $1, the cores have $3\$" \
        --isa "$3" "$dir/needs_$1-$2"
    says 0 "results hash" "$dir/needs_$1-$2"
    says 202 "needs extension $1," -s "tp.ext_$1=0" ${6:+-s "tp.ext_$6=0"} \
        "$dir/needs_$1-$2"
}
needs m 64 rv64ia "mul a0, a1, a2" 02c58533
needs m 32 rv32i "remu a0, a1, a2" 02c5f533
needs a 64 rv64im "amoadd.d a0, a1, (s0)" 00b4352f
needs f 64 rv64i_zicsr "fadd.s fa0, fa1, fa2" 00c5f553 d
needs d 64 rv64if_zicsr "fadd.d fa0, fa1, fa2" 02c5f553
needs d 32 rv32if_zicsr "fmul.d fa0, fa1, fa2" 12c5f553
needs c 64 rv64ima "c.addi a0, 1" 0505
needs zifencei 64 rv64ima_zicsr "fence.i" 0000100f
needs zicbom 32 rv32im "cbo.flush (s0)" 0024200f
needs zicntr 64 rv64im_zicsr "rdcycle a0" c0002573
needs zicntr 32 rv32im_zicsr "rdinstreth a0" c8202573
needs zba 64 rv64im_zbb "sh1add a0, a1, a2" 20c5a533
needs zbb 64 rv64im_zba "cpop a0, a1" 60259513
needs zbb 32 rv32im_zba "rev8 a0, a1" 6985d513
needs xtrav 64 rv64imafdc_zicsr ".4byte 0x0000050b" 0000050b
says 202 "needs extension zicsr," --isa rv64ima "$dir/needs_zicntr-64"
says 202 "needs extension f," --isa rv64imac_zicsr "$dir/needs_d-64"

# The line of a custom instruction is that of its call.
says 202 '\(samples/hello/hello.c:[0-9]+\): illegal instruction 0x[0-9a-f]{8} \(trav.fchthrd a.\): it needs extension xtrav,' \
    --isa rv64gc build/samples/rv64/hello

# A trap handler gets the fault; misa tells what there is.
assemble handler 64 << 'END'
    .globl _start, tohost
_start:
    la t0, handler
    csrw mtvec, t0
    fadd.s fa0, fa1, fa2
1:  j 1b
    .balign 4
handler:
    csrr a0, mtval
    li a1, 0x00c5f553
    sub a0, a0, a1
    csrr a1, misa
    andi a1, a1, 0x28
    or a0, a0, a1
    slli a0, a0, 1
    ori a0, a0, 1
    la t0, tohost
    sw a0, 0(t0)
1:  j 1b
    .data
    .balign 64
tohost: .dword 0
END
says 0 "results hash" --isa rv64imac_zicsr "$dir/handler-64"

# ---- what is refused
says 200 "--isa rv64gq: no extension that is known here begins at: q" --isa rv64gq "$dir/handler-64"
says 200 "--isa x86: an ISA begins with rv32 or rv64" --isa x86 "$dir/handler-64"
says 200 "--isa rv32...: .*handler-64 is for rv64" --isa rv32i "$dir/handler-64"
says 201 "tm0.tp1: ext_...: differ from those of other harts" -a tiny -s tm0.tp1.ext_m=0 "$dir/handler-64"
says 201 "ext_...: extension d needs f" -s tp.ext_f=0 "$dir/handler-64"

# ---- signature; statuses told by HTIF
assemble signature 32 << 'END'
    .globl _start, tohost, begin_signature, end_signature
_start:
    csrr a0, mhartid
1:  bnez a0, 1b
    la t0, begin_signature
    li t1, 0x12345678
    sw t1, 4(t0)
    la t0, tohost
    li t1, (256 << 1) | 1
    sw t1, 0(t0)
1:  j 1b
    .data
    .balign 64
tohost: .dword 0
    .balign 16
begin_signature: .word 0xdeadbeef, 0, 1
    .byte 0xaa, 0xbb
end_signature: .word 0xffffffff
END
printf 'deadbeef\n12345678\n00000001\n0000bbaa\n' > "$dir/expected"
says 125 "results hash" --signature "$dir/signature" "$dir/signature-32"
diff "$dir/expected" "$dir/signature" || complain "the signature differs"
says 200 "--signature: .*handler-64 has no symbol begin_signature" --signature "$dir/none" "$dir/handler-64"
[ ! -e "$dir/none" ] || complain "a signature was written"
says 205 "$dir/no/where: cannot write the file of --signature: No such file" --signature "$dir/no/where" "$dir/signature-32"

# Without -a a bare program has one hart.
runs_on() { # CHIP OPTION...
    local chip=$1
    shift
    "$sim" "$@" "$dir/signature-32" 2> "$dir/err" || true
    grep -q "^$chip harts" "$dir/err" || complain "$* does not run on $chip harts"
}
runs_on "core  1"
runs_on "tiny  8" -a tiny

[ $failures -eq 0 ] && echo "extensions and signatures behave"
