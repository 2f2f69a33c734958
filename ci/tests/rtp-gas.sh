#!/bin/bash
# Assembler, linker, disassembler and readelf of rtp-unknown-elf: every
# instruction and pseudo-instruction becomes its words, and is disassembled
# back; every wrong line has its message; objects are linked, and what cannot be
# linked is refused; listing and line numbers are there.
# ci: area rtp toolchain
# ci: needs toolchain
. ci/tests/head

sources=$PWD/ci/tests/rtp-gas
cp "$sources"/*.s "$dir"
cd "$dir"

same() { # WHAT EXPECTED IS: two files
    diff "$2" "$3" >differences || { head -n 20 differences >&2; fail "$1"; }
}
assemble() { # NAME: NAME.s
    "$bin/corbel-rtp-as" "$1.s" -o "$1.o" || fail "$1.s is not assembled"
}
words() { # FILE SECTION: its words, one a line
    "$bin/corbel-rtp-objcopy" -O binary -j "$2" "$1" "$1.raw"
    od -An -v -tx4 -w4 "$1.raw" | tr -d ' '
}
again() { # NAME: NAME.o disassembled, and assembled again as NAME-again.o
    "$bin/corbel-rtp-objdump" -z -d "$1.o" | "$sources/words.py" source >"$1-again.s"
    assemble "$1-again"
}

# ---- instructions ----
for source in words data; do
    assemble $source
    words $source.o .text >$source.is
    "$sources/words.py" expected $source.s >$source.expected
    same "$source.s becomes other words" $source.expected $source.is
done
sed -nE 's/^RTP\((\w+),.*/\1/p; s/^RTP_(ALIAS|PSEUDO)\("(\w+)".*/\2/p' \
    "$OLDPWD/sdk/isa/rtp.def" | sort -u | while read -r name; do
    grep -qE "^ +$name( |$)" words.s || fail "words.s has no $name"
done
again words
words words-again.o .text >words-again.is
same "words.s is disassembled to something else" words.expected words-again.is

# Words of any kind: what is disassembled is assembled to a word that is
# disassembled the same, and is the same but for bits that mean nothing.
"$sources/words.py" random 20000 >random.s
assemble random
again random
for object in random random-again; do
    "$bin/corbel-rtp-objdump" -z -d $object.o | cut -f3 | sed 1,3d >$object.text
done
same "random words are disassembled to something else" random.text random-again.text
[ "$(sort -u random.text | wc -l)" -gt 15000 ] || fail "random words are mostly the same"

# ---- messages ----
! "$bin/corbel-rtp-as" errors.s -o errors.o 2>errors.said || fail "errors.s is assembled"
grep -v 'Assembler messages:$' errors.said | sort -t: -k2n >errors.is
"$sources/words.py" messages errors.s >errors.expected
same "of errors.s the assembler says something else" errors.expected errors.is
# This one is said when all else is right.
! echo ' .byte later' | "$bin/corbel-rtp-as" -o errors.o - 2>byte.said || fail ".byte of a symbol is assembled"
grep -q ':1: Error: a value of this size must be known when assembling$' byte.said || fail ".byte of a symbol: $(cat byte.said)"

# ---- linking ----
assemble first
assemble second
"$bin/corbel-rtp-readelf" -rW first.o second.o | grep -oE 'R_RTP_\w+' | sort -u | tr '\n' ' ' >relocations
[ "$(cat relocations)" = "R_RTP_32 R_RTP_HI16 R_RTP_LO16 R_RTP_PC16 R_RTP_PC32 R_RTP_S16 R_RTP_U16 " ] ||
    fail "other relocations: $(cat relocations)"
"$bin/corbel-rtp-ld" first.o second.o -o linked || fail "two objects are not linked"
for section in .text .const .triangles; do words linked $section; done >linked.is
for section in text const triangles; do
    for object in first second; do
        awk -v s=$section 'BEGIN { at = "text" } /^ *\.(const|triangles)/ { at = substr($1, 2) } at == s' \
            $object.s >part.s
        "$sources/words.py" expected part.s
    done
done >linked.expected
same "the linked program has other words" linked.expected linked.is
"$bin/corbel-rtp-readelf" -hlW linked >linked.elf
grep -q 'Machine: *Corbel rtp$' linked.elf || fail "another machine"
grep -qE 'LOAD +\w+ 0x00000000 0x00000000 0x00024 0x00024 R E' linked.elf || fail "another program segment"
grep -qE 'LOAD +\w+ 0x20000000 0x20000000 0x00014 0x00014 R ' linked.elf || fail "another segment of constants"
grep -qE 'LOAD +\w+ 0x40000000 0x40000000 0x00010 0x00010 R ' linked.elf || fail "another segment of triangles"

# refused MESSAGE SOURCE [OBJECT...]: linked, with those objects behind it.
refused() {
    echo "$2" >refused.s
    assemble refused
    ! "$bin/corbel-rtp-ld" refused.o "${@:3}" -o refused 2>refused.said || fail "ld accepts: $2"
    grep -qF -- "$1" refused.said || fail "ld says of \"$2\": $(cat refused.said)"
}
echo '.space 0x4000' >full.s
assemble full
"$bin/corbel-rtp-ld" full.o -o full || fail "4096 words are not linked"
refused "region \`program' overflowed by 4 bytes" '.space 0x4004; .const; .word 1'
refused "region \`constants' overflowed by 4 bytes" 'fin; .const; .space 0x8004'
refused "region \`triangles' overflowed by 16 bytes" 'fin; .triangles; .space 0xa030'
refused 'the size of section .const is not a multiple of 4 bytes' '.const; .byte 1'
refused 'the size of section .triangles is not a multiple of 16 bytes' '.triangles; .word 1'
refused 'the size of section .text is not a multiple of 4 bytes' 'fin; .byte 1'
refused 'there is no memory for .data and .bss' '.data; .word 1'
refused 'start is not at address 0' 'fin' first.o second.o
refused "undefined reference to \`nowhere'" 'jmp nowhere'
refused 'relocation truncated to fit: R_RTP_PC16' 'jmp 0x20000000'
refused 'relocation truncated to fit: R_RTP_S16' 'ii_addi R1,R0,#far; .const; x: .word 1; .set far,x-0x1fff8000'
refused 'relocation truncated to fit: R_RTP_U16' 's_write_low R1,#x; .const; x: .word 1'
refused "branch to \`odd', which is not at a multiple of 4" 'jmp odd; .global odd; odd = . + 1'
# A relocation of a type that there is not: r_info of the first one of first.o.
rela=$((16#$("$bin/corbel-rtp-readelf" -rW first.o | sed -nE "s/.* at offset 0x([0-9a-f]+) .*/\1/p" | head -n 1)))
cp first.o type.o
printf '\377' | dd of=type.o bs=1 seek=$((rela + 4)) conv=notrunc status=none
! "$bin/corbel-rtp-ld" type.o second.o -o refused 2>refused.said || fail "ld knows relocations of type 0xff"
grep -qF 'type.o: unsupported relocation type 0xff' refused.said || fail "relocation type 0xff: $(cat refused.said)"
echo '.globl sub, pixel, size; sub: nop' | riscv64-unknown-elf-as -o foreign.o -
! "$bin/corbel-rtp-ld" first.o foreign.o -o refused 2>refused.said || fail "ld links an object of RISC-V"

# ---- listing, lines ----
"$bin/corbel-rtp-as" -g -aln=first.list first.s -o lines.o
tr -s ' \t' ' ' <first.list | grep -q '^ 5 0008 0400DFA3 jmp_link sub' ||
    fail "the listing has no line 5: $(head -n 8 first.list)"
"$bin/corbel-rtp-ld" lines.o second.o -o lines
"$bin/corbel-rtp-objdump" -dl lines | grep -A1 'first.s:8$' | grep -q 'fin$' || fail "fin is not in line 8"

# ---- programs of the reference data ----
shared=$shared/rtp-golden
if [ ! -d "$shared" ]; then
    skip "no $shared, all else passed"
fi
"$sources/words.py" golden golden.s golden.expected "$shared"/*.jsonl.gz
assemble golden
words golden.o .text >golden.is
same "the reference programs become other words" golden.expected golden.is
again golden
words golden-again.o .text >golden-again.is
same "the reference programs are disassembled to something else" golden.expected golden-again.is
cd "$OLDPWD"
echo "rtp-gas: ok"
