#!/bin/bash
# Whole chips with ray streams, or whose rays move, drawn from seeds, trace odd rays in
# odd scenes without a hang: the hits are those of plain traversal, and each ray, bucket,
# record and treelet is counted as often in as out. SEED and COUNT choose the seeds; each
# is a scene with rays and a chip of each of four kinds.
set -euo pipefail

B=${B:-build}
make --no-print-directory "$B/bin/sim-run" "$B/bin/corbel-scene" "$B/bin/corbel-rays" \
    "$B/samples/rv64/streams" "$B/samples/native/streams" >/dev/null
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/streams-fuzz.XXXXXX")
trap '[ $? != 0 ] || rm -rf "$work"' EXIT # a seed that fails leaves its files
"$B/bin/corbel-gcc" -O2 ci/tests/streams/none.c -o "$work/none.elf"
"${CC:-cc}" -O2 -Iruntime/include ci/tests/streams/none.c "$B/lib/libcorbel-native.a" \
    -pthread -lm -o "$work/none.native"
COUNT=${COUNT:-100} ci/tests/streams/fuzz.py "$work"
