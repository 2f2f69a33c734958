#!/bin/bash
# Whole chips with ray streams, or whose rays move, drawn from seeds, trace odd rays in
# odd scenes without a hang: the hits are those of plain traversal, and each ray, bucket,
# record and treelet is counted as often in as out. SEED and COUNT choose the seeds; each
# is a scene with rays and a chip of each of four kinds.
# ci: area fuzz
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/streams
# ci: needs samples/native/streams
. ci/tests/head

trap 'status=$?; [ $status = 0 ] || KEEP=1; clear_up $status' EXIT # of a seed that fails
"$B/bin/corbel-gcc" -O2 ci/tests/streams/none.c -o "$dir/none.elf"
"${CC:-cc}" -O2 -Iruntime/include ci/tests/streams/none.c "$B/lib/libcorbel-native.a" \
    -pthread -lm -o "$dir/none.native"
COUNT=${COUNT:-100} ci/tests/streams/fuzz.py "$dir"
