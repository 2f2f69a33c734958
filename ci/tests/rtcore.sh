#!/bin/bash
# The RT core in programs: hits and counts of each ray are the native ones with
# any stack, scheduler and pipelines, timed and functional; scenes in a format
# that the chip does not read end the run.
# ci: area rtcore
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays sample-replay
. ci/tests/head

samples=$B/samples
declare -i count=0

# scene NAME OPTIONS...: $dir/NAME.scene
scene() {
    "$B/bin/corbel-scene" generate arcade "$dir/$1.scene" --triangles 10000 \
        "${@:2}" > /dev/null
}

# traced NAME SCENE COMMAND...: $dir/NAME.hits and $dir/NAME.counts
traced() {
    "${@:3}" "$dir/$2.scene" "$dir/rays" --hits "$dir/$1.hits" \
        > /dev/null 2> "$dir/log" || { cat "$dir/log"; fail "${*:3}"; }
    "${@:3}" "$dir/$2.scene" "$dir/rays" --counts "$dir/$1.counts" \
        > /dev/null 2> "$dir/log" || { cat "$dir/log"; fail "${*:3} --counts"; }
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
            cmp "$dir/target.$kind" "$dir/native.$kind" ||
                fail "$1: $kind of ${settings[*]} $mode"
            count+=1
        done
    done
    [ -e "$dir/first.$1" ] || cp "$dir/native.hits" "$dir/first.$1"
    cmp "$dir/native.hits" "$dir/first.$1" || fail "$1: hits of stack $2"
}

# together CHIP SCENE SETTINGS...: places, answers and order of warps, and stacks of which a part
# lies in memory: as the native program, whose stack holds all
together() {
    local settings=() setting
    for setting in "${@:3}"; do
        settings+=(-s "rtcore.$setting")
    done
    CORBEL_STACK=0 CORBEL_POP_CULL=0 traced native "$2" "$samples/native/replay"
    traced target "$2" "$sim" --quiet -a "$1" --fs . -s rtcore.pop_cull=0 "${settings[@]}" \
        "$samples/rv64/replay"
    for kind in hits counts; do
        cmp "$dir/target.$kind" "$dir/native.$kind" || fail "$1, $2: $kind of ${settings[*]}"
        count+=1
    done
}

# refused PATTERN SCENE SETTINGS...
refused() {
    local got=0
    "$sim" --quiet -a tiny --fs . "${@:3}" "$samples/rv64/replay" \
        "$dir/$2.scene" "$dir/rays" > "$dir/out" 2> "$dir/log" || got=$?
    [ $got -eq 201 ] || fail "status $got, expected 201"
    [ "$(grep -vc '^results hash' "$dir/log")" -eq 1 ] || fail "not one line"
    grep -qE "$1" "$dir/log" || fail "expected: $1"
    count+=1
}

scene wide --nodes bvh8
scene small --nodes cwbvh6 --leaves indexed
"$B/bin/corbel-rays" "$dir/wide.scene" "$dir/rays" --kind primary \
    --size 12x8 > /dev/null

same wide 1 1 "schedule=oldest"
same wide 4 0 "schedule=greedy prefetch=3"
same wide 0 1 "schedule=round_robin drain=1 box_width=2 tri_pipes=1"
same small 2 1 "box_interval=3 prefetch=7 tri_width=0"
same small 0 0 "max_rays=3 ops=1"

for chip in tiny tiny-simt; do
    together $chip wide stack=0 answers=warps
    together $chip wide stack=0 places=warps max_warps=2 schedule=oldest_warp
    together $chip small stack=0 places=warps answers=warps max_rays=5 schedule=same_warp
    together $chip small stack=1 stack_traffic=on
    together $chip wide stack=3 stack_traffic=on places=warps answers=warps schedule=same_warp
done
# Entries that lie in memory are written and come back; nothing restarts.
"$sim" --quiet -a tiny-simt --fs . --outdir "$dir/run" -s rtcore.stack=1 -s rtcore.stack_traffic=on \
    "$samples/rv64/replay" "$dir/wide.scene" "$dir/rays" >"$dir/log" 2>&1 || fail "stack_traffic"
python3 - "$dir/run/stats.json" <<'E2' || fail "stack_traffic: counters"
import json, sys
c = json.load(open(sys.argv[1]))["groups"]["rtcore"]["counters"]
assert c["stack_writes"] > 0 and c["stack_reads"] > 0 and c["restarts"] == 0, c
E2
got=0
"$sim" --memory 32M -a tiny -s chip.tms=16 -s rtcore.max_rays=1024 -s rtcore.stack_traffic=on \
    "$samples/rv64/replay" 2>"$dir/log" || got=$?
[ $got = 200 ] && grep -qx 'sim-run: --memory: 32 MiB do not hold .* the 56 MiB of stacks of RT cores' \
    "$dir/log" || fail "no room for stacks: status $got"

refused 'scene .*wide.scene has nodes bvh8, the RT cores of this chip read cwbvh6: convert it with corbel-scene convert --nodes cwbvh6' \
    wide -s rtcore.nodes=cwbvh6
refused 'has triangles indexed, .* read plain: .* --leaves plain' \
    small -s rtcore.nodes=cwbvh6 -s rtcore.triangles=plain
refused 'has nodes bvh8' wide --functional -s rtcore.nodes=bvh2
same small 8 1 "nodes=cwbvh6 triangles=indexed"
echo "$count comparisons"
