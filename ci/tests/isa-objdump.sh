#!/bin/bash
# The disassembler says what the patched objdump says, and the decoder takes the
# words that have a name: all compressed words, all upper 12 bits of fences and
# of opcode SYSTEM, operands of every row of the tables, and random words, on
# RV32 and RV64. sim/isa/tests/compare_words.c has the kinds of words and the
# list of words on which decoder and disassembler differ, all counted here.
#
# COUNT (random 32-bit words for each XLEN), SEED and JOBS choose others than
# CI's.
# ci: area isa
# ci: needs tests/isa-compare-words toolchain
. ci/tests/head

count=${COUNT:-10000000}
seed=${SEED:-1}
export prefix=$B/toolchain/tools/bin/riscv64-unknown-elf-
export compare=$B/tests/isa-compare-words
export work=$dir
chunk=1000000 # words: 4 MB, of which objdump makes 50 MB of text

if [ ! -x "${prefix}objdump" ]; then
    skip "no ${prefix}objdump (make toolchain)"
fi

# XLEN KIND SEED COUNT BASE. Without symbols objdump gives targets as numbers.
shard() {
    local name=$work/$1-$2-$3
    "$compare" --write "$2" "$3" "$4" >"$name.bin"
    echo ".incbin \"$name.bin\"" |
        "${prefix}as" -march="rv$1gc_zicbom_zba_zbb_xtrav1p0" -o "$name.o" -
    "${prefix}strip" -s "$name.o"
    "${prefix}objdump" -D -z -j .text --adjust-vma="$5" "$name.o" |
        "$compare" "$1" "$5" "$name.bin" >"$name.counts" 2>"$name.differences"
    rm "$name.bin" "$name.o"
}
export -f shard

bases32=(0x0 0x80000000 0x7fffff00 0xff800000)
bases64=(0x0 0x80000000 0x7fffffffffffff00 0xffffffffff000000)
number=0

add() { # XLEN KIND COUNT: one line for a shard
    local -n bases=bases$1
    number=$((number + 1))
    echo "$1 $2 $((seed * 1000000 + number)) $3 ${bases[number % 4]}"
}

shards() { # XLEN
    local left kind
    add "$1" compressed 0
    add "$1" system 0
    add "$1" rows 3000
    add "$1" stream 300000
    for ((left = count; left > 0; left -= 2 * chunk)); do
        for kind in near uniform; do
            add "$1" $kind $(((left < 2 * chunk ? left + 1 : 2 * chunk) / 2))
        done
    done
}

status=0
{ shards 64; shards 32; } >"$work/shards"
xargs -P "${JOBS:-2}" -L 1 bash -euo pipefail -c 'shard "$@"' shard <"$work/shards" || status=1

for xlen in 32 64; do
    echo "rv$xlen"
    cat "$work/$xlen-"*.differences | sed -n 1,20p
    cat "$work/$xlen-"*.counts |
        awk '{ n = $1; $1 = ""; if (!($0 in sum)) order[++kinds] = $0; sum[$0] += n }
             END { for (i = 1; i <= kinds; i++) printf "%12d%s\n", sum[order[i]], order[i] }'
    random=$(cat "$work/$xlen-near"*.counts "$work/$xlen-uniform"*.counts |
        awk '$2 == "words" { sum += $1 } END { print sum }')
    [ "$random" -ge "$count" ] || {
        echo "rv$xlen: $random random words instead of $count"
        status=1
    }
done
exit $status
