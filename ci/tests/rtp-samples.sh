#!/bin/bash
# The samples of the target rtp: the simulated chips, with and without time and
# with all defects of the original hardware, and the model of the chip in ci/rtp,
# each run on the linked program, give the picture of the sample's model in C, byte
# for byte; and the pictures are pictures. The first program of docs/guides/rtp.md gives
# what the page says.
# ci: area rtp samples
# ci: needs bin/sim-run sdk-commands samples-rtp
. ci/tests/head

colours() { # FILE: how many
    od -An -v -tx4 -w16 "$1" | sort -u | wc -l
}
simulated() { # SAMPLE OPTION...: its picture is that of the model
    "$sim" "${@:2}" "$B/samples/rtp/$1" --pixels 3072 --width 64 --image "$dir/$1.ppm" \
        --raw "$dir/$1.raw" >"$dir/said" 2>&1 || fail "$*: $(cat "$dir/said")"
    cmp "$dir/$1.expected" "$dir/$1.raw" || fail "$*: not the model's picture"
    [ "$(head -n 2 "$dir/$1.ppm" | tr '\n' ' ')" = 'P6 64 48 ' ] || fail "$*: no picture of 64 x 48"
}
for sample in normals lambert mirror; do
    program=$B/samples/rtp/$sample
    "$program-model" "$program" "$dir/$sample.expected"
    [ "$(stat -c %s "$dir/$sample.expected")" = $((64 * 48 * 16)) ] || fail "$sample: another size"
    simulated $sample -a rtp-4x4
    simulated $sample -a rtp-4x16
    simulated $sample -a rtp-4x4 --functional
    simulated $sample -a rtp-4x4 -s core.rtl_quirks=all -s triangles.rtl_quirks=all
    ci/tests/rtp-samples/picture.py "$program" "$dir/$sample.is" >"$dir/cycles"
    cmp "$dir/$sample.expected" "$dir/$sample.is" || fail "$sample: not the model's picture"
done
[ "$(colours "$dir/normals.is")" = 6 ] || fail "normals: $(colours "$dir/normals.is") colours"
[ "$(colours "$dir/mirror.is")" -gt "$(colours "$dir/lambert.is")" ] || fail "mirror: nothing reflects"

# The page's program: red of pixel 51 is 51/256.
sed -n '/^start:/,/^ *fin/p' docs/guides/rtp.md >"$dir/first.s"
"$B/bin/corbel-rtp-as" -g "$dir/first.s" -o "$dir/first.o"
"$B/bin/corbel-rtp-ld" "$dir/first.o" -o "$dir/first"
"$sim" -a rtp-4x4 "$dir/first" --pixels 64 --raw "$dir/first.raw" >"$dir/said" 2>&1
[ "$(od -An -v -tf4 -w16 -j$((51 * 16)) -N16 "$dir/first.raw" | tr -s ' ')" = ' 0.19921875 0 0 0' ] ||
    fail "the first program gives $(od -An -tf4 -j816 -N16 "$dir/first.raw")"

# A program, its model and the files of both say so when they cannot be read.
! "$B/samples/rtp/normals-model" "$B/samples/rtp/normals.s" "$dir/none" 2>"$dir/said" || fail "a missing program is accepted"
grep -q 'expected a linked program of rtp' "$dir/said" || fail "said: $(cat "$dir/said")"
echo "rtp-samples: ok"
