#!/bin/bash
# Hit records of primary --hits, natively, against the reference records: the
# same hits and misses, distances to 1e-5. All reference scenes with --all,
# else those that are converted within seconds.
set -euo pipefail

B=${B:-build}
scenes=${CORBEL_SHARED:-../shared}/scenes
[ -d "$scenes/ref" ] || { echo "skip: no reference scenes in $scenes"; exit 77; }
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/samples-hits.XXXXXX")
trap 'rm -rf "$work"' EXIT

make --no-print-directory "$B/bin/corbel-scene" "$B/samples/native/primary" \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# check NAME EYE LOOK FOV
check() {
    "$B/bin/corbel-scene" convert "$scenes/$1.ply.xz" "$work/scene" --quality low >/dev/null
    "$B/samples/native/primary" "$work/scene" --size 256 --eye "$2" --look "$3" \
        --fov "$4" --out "$work/image.png" --hits "$work/hits"
    if ! "$B/bin/corbel-scene" compare "$work/hits" "$scenes/ref/$1.hits.xz" >"$work/log"; then
        echo "FAIL: $1: $(cat "$work/log")"
        exit 1
    fi
    echo "$1: $(cat "$work/log")"
}
check cornell-box 0,0.8,1.8 0,0.8,0 90
check bunny -0.02,0.15,0.25 -0.017,0.105,0 45
check city-diorama 3.6,2.6,4.4 0,0.2,-0.4 45
[ "${1:-}" = --all ] || exit 0
check crytek-sponza -900.6,150.8,120.74 79.7,14.0,-17.4 90
check hairball-proc 0,0,10 0,0,0 53.1301023542
check san-miguel-part 7.448,1.014,12.357 8.056,1.04,11.563 90
