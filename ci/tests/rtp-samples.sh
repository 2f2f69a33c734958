#!/bin/bash
# The samples of the target rtp: a model of the chip, run on the linked program,
# gives the picture of the sample's model in C, byte for byte; and the pictures
# are pictures.
set -euo pipefail

B=build dir=build/tests/rtp-samples
make -s samples-rtp >/dev/null
rm -rf "$dir"
mkdir -p "$dir"

fail() {
    echo "rtp-samples: $1" >&2
    exit 1
}
colours() { # FILE: how many
    od -An -v -tx4 -w16 "$1" | sort -u | wc -l
}
for sample in normals lambert mirror; do
    program=$B/samples/rtp/$sample
    "$program-model" "$program" "$dir/$sample.expected"
    [ "$(stat -c %s "$dir/$sample.expected")" = $((64 * 48 * 16)) ] || fail "$sample: another size"
    ci/tests/rtp-samples/picture.py "$program" "$dir/$sample.is" >"$dir/cycles"
    cmp "$dir/$sample.expected" "$dir/$sample.is" || fail "$sample: not the model's picture"
done
[ "$(colours "$dir/normals.is")" = 6 ] || fail "normals: $(colours "$dir/normals.is") colours"
[ "$(colours "$dir/mirror.is")" -gt "$(colours "$dir/lambert.is")" ] || fail "mirror: nothing reflects"
# A program, its model and the files of both say so when they cannot be read.
! "$B/samples/rtp/normals-model" "$B/samples/rtp/normals.s" "$dir/none" 2>"$dir/said" || fail "a missing program is accepted"
grep -q 'expected a linked program of rtp' "$dir/said" || fail "said: $(cat "$dir/said")"
rm -rf "$dir"
echo "rtp-samples: ok"
