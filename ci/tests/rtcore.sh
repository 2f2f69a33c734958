#!/bin/bash
# The RT core in programs: hits and counts of each ray are the native ones with
# any stack, scheduler and pipelines, timed and functional; scenes in a format
# that the chip does not read end the run.
set -euo pipefail

B=${B:-build}
sim=$B/bin/sim-run
samples=$B/samples
for program in "$sim" "$samples/rv64/replay" "$samples/native/replay"; do
    [ -x "$program" ] || { echo "skip: $program is not built"; exit 77; }
done
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/rtcore.XXXXXX")
trap 'rm -rf "$work"' EXIT
declare -i count=0

fail() {
    echo "FAIL: $*"
    exit 1
}

# scene NAME OPTIONS...: $work/NAME.scene
scene() {
    "$B/bin/corbel-scene" generate arcade "$work/$1.scene" --triangles 10000 \
        "${@:2}" > /dev/null
}

# traced NAME SCENE COMMAND...: $work/NAME.hits and $work/NAME.counts
traced() {
    "${@:3}" "$work/$2.scene" "$work/rays" --hits "$work/$1.hits" \
        > /dev/null 2> "$work/log" || { cat "$work/log"; fail "${*:3}"; }
    "${@:3}" "$work/$2.scene" "$work/rays" --counts "$work/$1.counts" \
        > /dev/null 2> "$work/log" || { cat "$work/log"; fail "${*:3} --counts"; }
}

# same SCENE STACK POP_CULL "SETTINGS": as the native program
same() {
    local settings=(-s "rtcore.stack=$2" -s "rtcore.pop_cull=$3") setting mode
    for setting in $4; do
        settings+=(-s "rtcore.$setting")
    done
    CORBEL_STACK=$2 CORBEL_POP_CULL=$3 traced native "$1" \
        "$samples/native/replay"
    for mode in "" --functional; do
        # shellcheck disable=SC2086
        traced target "$1" "$sim" --quiet $mode -a tiny --fs . \
            "${settings[@]}" "$samples/rv64/replay"
        for kind in hits counts; do
            cmp "$work/target.$kind" "$work/native.$kind" ||
                fail "$1: $kind of ${settings[*]} $mode"
            count+=1
        done
    done
    [ -e "$work/first.$1" ] || cp "$work/native.hits" "$work/first.$1"
    cmp "$work/native.hits" "$work/first.$1" || fail "$1: hits of stack $2"
}

# refused PATTERN SCENE SETTINGS...
refused() {
    local got=0
    "$sim" --quiet -a tiny --fs . "${@:3}" "$samples/rv64/replay" \
        "$work/$2.scene" "$work/rays" > "$work/out" 2> "$work/log" || got=$?
    [ $got -eq 201 ] || fail "status $got, expected 201"
    [ "$(grep -vc '^results hash' "$work/log")" -eq 1 ] || fail "not one line"
    grep -qE "$1" "$work/log" || { cat "$work/log"; fail "expected: $1"; }
    count+=1
}

scene wide --nodes bvh8
scene small --nodes cwbvh6 --leaves indexed
"$B/bin/corbel-rays" "$work/wide.scene" "$work/rays" --kind primary \
    --size 12x8 > /dev/null

same wide 1 1 "schedule=oldest"
same wide 4 0 "schedule=greedy prefetch=3"
same wide 0 1 "schedule=round_robin drain=1 box_width=2 tri_pipes=1"
same small 2 1 "box_interval=3 prefetch=7 tri_width=0"
same small 0 0 "max_rays=3 ops=1"

refused 'scene .*wide.scene has nodes bvh8, the RT cores of this chip read cwbvh6: convert it with corbel-scene convert --nodes cwbvh6' \
    wide -s rtcore.nodes=cwbvh6
refused 'has triangles indexed, .* read plain: .* --leaves plain' \
    small -s rtcore.nodes=cwbvh6 -s rtcore.triangles=plain
refused 'has nodes bvh8' wide --functional -s rtcore.nodes=bvh2
same small 8 1 "nodes=cwbvh6 triangles=indexed"
echo "$count comparisons"
