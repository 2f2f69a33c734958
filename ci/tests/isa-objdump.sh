#!/bin/bash
# The disassembler says what objdump says: all compressed words, random words
# and random operands for every row of the table, RV32 and RV64. Without the
# patched binutils the custom instructions are left out.
set -euo pipefail

B=${B:-build}
prefix=$B/toolchain/tools/bin/riscv64-unknown-elf-
extension=_xtrav1p0
if [ ! -x "${prefix}objdump" ]; then
    prefix=riscv64-unknown-elf-
    extension=
fi
if ! command -v "${prefix}objdump" >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-objdump"
    exit 77
fi
make -s B="$B" "$B/tests/isa-list-words"
list=$B/tests/isa-list-words
work=$B/isa-objdump
mkdir -p "$work"

"$list" --compressed >"$work/compressed.bin"
"$list" --random 1 200000 >"$work/random.bin"
"$list" --rows 2 400 >"$work/rows.bin"

# NAME XLEN: objdump's lines as "address: text", addresses as numbers, without
# symbols and comments.
with_objdump() {
    echo ".incbin \"$work/$1.bin\"" |
        "${prefix}as" -march="rv$2gc_zba_zbb$extension" -o "$work/$1.o" -
    "${prefix}objdump" -D -j .text "$work/$1.o" |
        sed -nE 's/\t/ /g
                 s/ *#.*//
                 s/[ ,]([0-9a-f]+) <.*>$/&@/
                 s/([ ,])([0-9a-f]+) <[^>]*>@$/\10x\2/
                 s/ +$//
                 s/^ *([0-9a-f]+): [0-9a-f]+ +/\1: /p'
}

failed=0
for xlen in 32 64; do
    for words in compressed random rows; do
        with_objdump $words $xlen >"$work/expected"
        "$list" $xlen "$work/$words.bin" >"$work/found"
        if [ -z "$extension" ]; then # custom-0 is unknown to this objdump
            sed -i 's/: trav\..*/: custom/' "$work/found"
            paste -d '|' "$work/found" "$work/expected" |
                sed -E '/: custom\|/d' >"$work/both"
            cut -d '|' -f 1 "$work/both" >"$work/found"
            cut -d '|' -f 2 "$work/both" >"$work/expected"
        fi
        if ! diff "$work/expected" "$work/found" >"$work/difference"; then
            echo "rv$xlen $words: < objdump, > ours"
            grep '^[<>]' "$work/difference" | head -n 20
            failed=1
        fi
        [ "$(wc -l <"$work/found")" -gt 40000 ] || failed=1
    done
done
exit $failed
