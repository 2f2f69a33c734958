#!/bin/bash
# Every hit record of a buffer of rays, scene by scene: what replay finds is
# byte by byte what corbel-scene traces with any size of the stack, what replay
# finds in another tree of another format, and what a chip's RT core finds with
# short stacks; and, up to ties, what Embree finds (docs/reference/exactness.md, "Against
# Embree").
#
#   hits-rays.sh                    all scenes; arcade where there are none
#   hits-rays.sh MESH EYE LOOK FOV  any other
# ci: area hits rays
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays sample-replay
. ci/tests/head

scenes=$shared/scenes

run() { "$@" >"$dir/log" 2>&1 || fail "$*"; }
same() { # HITS WHAT
    cmp "$dir/native.hits" "$1" >"$dir/log" 2>&1 || fail "$mesh, $rays: $2: other hits"
    rm "$1"
    compared=$((compared + 1))
}

# Rays of the scene and what replay finds: native.hits
make_rays() { # SIZE
    run "$bin/corbel-rays" "$dir/a.scene" "$dir/rays" --size "$1" $rays "${camera[@]}"
    run "$B/samples/native/replay" "$dir/a.scene" "$dir/rays" --hits "$dir/native.hits"
}

natively() { # STACK...
    for stack in "$@"; do
        run "$bin/corbel-scene" trace "$dir/a.scene" "$dir/rays" --stack "$stack" \
            --hits "$dir/hits"
        same "$dir/hits" "corbel-scene trace --stack $stack"
    done
    [ -e "$dir/b.scene" ] || return 0
    run "$B/samples/native/replay" "$dir/b.scene" "$dir/rays" --hits "$dir/hits"
    same "$dir/hits" "replay in another tree"
}

on_chip() { # STACK...
    for stack in "$@"; do
        run "$bin/sim-run" --quiet -a tiny -s rtcore.stack="$stack" \
            "$B/samples/rv64/replay" "$dir/a.scene" "$dir/rays" --hits "$dir/hits"
        same "$dir/hits" "sim-run, rtcore.stack=$stack"
    done
}

# At most 2 of 100,000 rays may differ, in one set at most one.
by_embree() {
    run "$bin/corbel-scene" trace "$dir/a.scene" "$dir/rays" --by embree \
        --quality "$quality" --hits "$dir/embree.hits"
    run "$bin/corbel-scene" compare "$dir/native.hits" "$dir/embree.hits" \
        "$dir/a.scene" --limit 1
    tail -n 1 "$dir/log" >"$dir/line"
    echo "  $rays: $(<"$dir/line")"
    read -r count ties differ < <(sed -E \
        's/^([0-9]+) records.* ([0-9]+) ties.* ([0-9]+) differ.*/\1 \2 \3/' "$dir/line")
    all=$((all + count)) all_ties=$((all_ties + ties)) all_differ=$((all_differ + differ))
    python3 - "$dir" >"$dir/log" 2>&1 <<'PY' || fail "$mesh, $rays: dead rays"
import struct, sys
rays, *hits = (open(f"{sys.argv[1]}/{name}", "rb").read()
               for name in ("rays", "native.hits", "embree.hits"))
dead, = struct.unpack_from("<I", rays, 44)
found = 0
for i, ray in enumerate(struct.iter_unpack("<8f", rays[128:])):
    if ray[7] < ray[3]:
        found += 1
        for records in hits:
            hit = struct.unpack_from("<3fI", records, 16 * i)
            assert hit == (ray[7], 0, 0, 0xffffffff), (i, hit)
assert found == dead, (found, dead)
PY
}

# check MESH SIZE SIMULATED_SIZE NATIVE_STACKS SIMULATED_STACKS
check() {
    local mean sets=("--kind primary" "--kind secondary" "--kind tertiary")
    mesh=$1
    echo "$mesh"
    rays=${sets[0]}
    make_rays 64
    # Rays that begin in the middle of what they hit.
    mean=$("$bin/corbel-scene" trace "$dir/a.scene" "$dir/rays" |
        sed -n 's/.*mean distance //p')
    [ "$2" = "$3" ] || sets+=("--kind primary --tmin $mean")
    for rays in "${sets[@]}"; do
        make_rays "$2"
        # shellcheck disable=SC2086
        natively $4
        by_embree
        [[ $rays != *tmin* ]] || continue
        [ "$2" = "$3" ] || make_rays "$3"
        # shellcheck disable=SC2086
        on_chip $5
    done
    rm -f "$dir"/[ab].scene
}

# small MESH [EYE LOOK FOV]: all stacks, two trees
small() {
    quality=high camera=(${2:+--eye="$2" --look="$3" --fov="$4"})
    [ -e "$dir/a.scene" ] || run "$bin/corbel-scene" convert "$1" "$dir/a.scene" --leaves packed
    run "$bin/corbel-scene" convert "$dir/a.scene" "$dir/b.scene" \
        --nodes cwbvh8 --leaves block128 --leaf 3 --quality low
    check "$1" 128 64 "1 2 4 8 0" "1 8 0"
}

large() { # MESH EYE LOOK FOV
    quality=low camera=(--eye="$2" --look="$3" --fov="$4")
    run "$bin/corbel-scene" convert "$1" "$dir/a.scene" --leaves packed --quality low
    check "$1" 32 32 "1 0" 8
}

compared=0 all=0 all_ties=0 all_differ=0
if [ $# -eq 4 ]; then
    small "$@"
elif [ -e "$scenes/crytek-sponza.ply.xz" ]; then
    # Cameras: README.md of the scenes.
    small "$scenes/cornell-box.ply.xz" 0,0.8,1.8 0,0.8,0 90
    small "$scenes/bunny.ply.xz" -0.02,0.15,0.25 -0.017,0.105,0 45
    small "$scenes/city-diorama.ply.xz" 3.6,2.6,4.4 0,0.2,-0.4 45
    small "$scenes/crytek-sponza.ply.xz" -900.6,150.8,120.74 79.7,14.0,-17.4 90
    large "$scenes/hairball-proc.ply.xz" 0,0,10 0,0,0 53.1301023542
    large "$scenes/san-miguel-part.ply.xz" 7.448,1.014,12.357 8.056,1.04,11.563 90
else
    echo "only arcade: no scenes in $scenes (set CORBEL_SHARED)"
    run "$bin/corbel-scene" generate arcade "$dir/a.scene" --triangles 20000
    small arcade
fi
[ $((all_differ * 100000)) -le $((all * 2)) ] || fail "$all_differ of $all rays differ from Embree's"
echo "hits-rays: $compared files of records are equal; Embree: of $all rays" \
    "$all_ties ties, $all_differ differ"
