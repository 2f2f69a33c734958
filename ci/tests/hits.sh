#!/bin/bash
# Hit records of primary --hits against reference records: the same hits and
# misses, distances to 1e-5 relative. Natively, executed and timed by sim-run.
#
#   hits.sh                                   all reference scenes
#   hits.sh MESH REFERENCE EYE LOOK FOV       any other, square pictures
#
# Scenes are kept in build/test-scenes.
# ci: area hits
# ci: needs bin/sim-run bin/corbel-scene samples
. ci/tests/head

scenes=$shared/scenes
[ $# -eq 5 ] || [ -d "$scenes/ref" ] ||
    skip "no reference scenes in $scenes (set CORBEL_SHARED)"
mkdir -p "$B/test-scenes"

# scene_of MESH: $scene, made if corbel-scene has changed since
scene_of() {
    local name=${1##*/}
    scene=$B/test-scenes/${name%%.*}.scene
    [ "$scene" -nt "$B/bin/corbel-scene" ] && [ "$scene" -nt "$1" ] ||
        "$B/bin/corbel-scene" convert "$1" "$scene" >"$dir/log" 2>&1 ||
        { cat "$dir/log"; exit 1; }
}

# same REFERENCE COMMAND...
same() {
    local start=$SECONDS
    rm -f "$dir/hits"
    "${@:2}" "$scene" "${view[@]}" --out "$dir/image.png" --hits "$dir/hits" \
        >"$dir/log" 2>&1 || { cat "$dir/log"; echo "FAIL: ${*:2} $scene"; exit 1; }
    "$B/bin/corbel-scene" compare "$dir/hits" "$1" >"$dir/log" ||
        { cat "$dir/log"; echo "FAIL: ${*:2} $scene"; exit 1; }
    echo "  $(<"$dir/log") ($((SECONDS - start)) s): ${*:2}"
}

# check MESH REFERENCE EYE LOOK FOV
check() {
    local records=$2 bytes
    [[ $2 == *.xz ]] && xz -dc "$2" >"$dir/reference" && records=$dir/reference
    bytes=$(stat -c %s "$records")
    view=(--eye "$3" --look "$4" --fov "$5" --size "$(awk "BEGIN { print sqrt($bytes / 8) }")")
    echo "$1"
    scene_of "$1"
    local sim=("$B/bin/sim-run" --quiet)
    same "$2" "$B/samples/native/primary"
    same "$2" "${sim[@]}" --functional "$B/samples/rv64/primary"
    same "$2" "${sim[@]}" -a rtx2080 "$B/samples/rv64/primary"
}

if [ $# -eq 5 ]; then
    check "$@"
    exit
fi
# Cameras: README.md of the reference scenes.
while read -r name camera; do
    # shellcheck disable=SC2086
    check "$scenes/$name.ply.xz" "$scenes/ref/$name.hits.xz" $camera
done <<'END'
cornell-box 0,0.8,1.8 0,0.8,0 90
bunny -0.02,0.15,0.25 -0.017,0.105,0 45
city-diorama 3.6,2.6,4.4 0,0.2,-0.4 45
crytek-sponza -900.6,150.8,120.74 79.7,14.0,-17.4 90
hairball-proc 0,0,10 0,0,0 53.1301023542
san-miguel-part 7.448,1.014,12.357 8.056,1.04,11.563 90
END
