#!/bin/bash
# The simulator's disassembler of the processor rtp says what objdump says about
# every word: all 64 opcodes with edges of all fields, and random words. COUNT
# (random words for each opcode) and SEED choose others than CI's.
# ci: area rtp toolchain
# ci: quick
# ci: needs tests/rtp-words toolchain/ready/rtp
. ci/tests/head

tools=$B/toolchain/tools/bin/rtp-unknown-elf-
if [ ! -x "${tools}objdump" ]; then
    skip "no ${tools}objdump (make toolchain)"
fi

python3 - "${SEED:-1}" "${COUNT:-200}" "$dir/words" <<'E2'
import itertools
import random
import struct
import sys

rng = random.Random(int(sys.argv[1]))
edges = (0, 1, 15, 16, 29, 31)
lows = (0, 1, 2, 3, 4, 0x7fff, 0x8000, 0x8001, 0xfffc, 0xffff)
words = []
for op in range(64):
    fields = [d << 21 | a << 16 for d, a in itertools.product(edges, edges)]
    words += [op << 26 | f | low for f in fields for low in lows]
    words += [op << 26 | f | b << 11 for f in fields for b in edges]
    words += [op << 26 | rng.getrandbits(26) for _ in range(int(sys.argv[2]))]
with open(sys.argv[3], "wb") as file:
    file.write(struct.pack(f"<{len(words)}I", *words))
E2
echo ".incbin \"$dir/words\"" | "${tools}as" -o "$dir/words.o" -

# Targets are numbers without symbols; the second base lets them wrap.
for base in 0x0 0xffff0000; do
    "$B/tests/rtp-words" $base <"$dir/words" >"$dir/said"
    "${tools}objdump" -d -z --adjust-vma=$base "$dir/words.o" |
        sed -nE 's/^ *([0-9a-f]+):[[:space:]]+([0-9a-f]{8})[[:space:]]+(.*)$/\1: \2 \3/p' |
        sed -E 's/ +$//' >"$dir/expected"
    [ "$(wc -l <"$dir/said")" -ge 20000 ] || fail "too few words"
    diff "$dir/expected" "$dir/said" >"$dir/differences" || {
        echo "FAIL: at $base, objdump <, simulator >"
        head -n 20 "$dir/differences"
        exit 1
    }
done
echo "$(wc -l <"$dir/said") words at two addresses: equal"
