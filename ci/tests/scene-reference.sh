#!/bin/bash
# corbel-scene's native traversal finds the reference hits of every scene but
# the largest: the same hits and misses, distances to 1e-5 relative, in three
# node formats, and the trees of two builders, the same bytes.
# usage: scene-reference.sh [SCENE EYE LOOK FOV]
set -euo pipefail

scenes=${CORBEL_SHARED:-../shared}/scenes
if [ ! -d "$scenes/ref" ]; then
    echo "skipped: no reference scenes in $scenes (set CORBEL_SHARED)"
    exit 77
fi
make -s build/bin/corbel-scene
tool=build/bin/corbel-scene
mkdir -p build/tmp
temp=$(mktemp -d build/tmp/scene-reference.XXXXXX)
trap 'rm -rf "$temp"' EXIT

# scene, eye, look-at point, vertical field of view: shared/scenes/README.md
check() {
    local scene=$1 format
    "$tool" convert "$scenes/$scene.ply.xz" "$temp/cwbvh6.scene" --nodes cwbvh6
    for format in bvh6 bvh2; do
        "$tool" convert "$temp/cwbvh6.scene" "$temp/$format.scene" --nodes $format \
            --quality low
    done
    for format in cwbvh6 bvh6 bvh2; do
        "$tool" trace "$temp/$format.scene" --eye="$2" --look="$3" --fov="$4" \
            --size 256 --hits "$temp/$format.hits"
        "$tool" compare "$temp/$format.hits" "$scenes/ref/$scene.hits.xz"
    done
    cmp "$temp/cwbvh6.hits" "$temp/bvh6.hits"
    cmp "$temp/cwbvh6.hits" "$temp/bvh2.hits"
}

if [ $# -eq 4 ]; then
    check "$@"
    exit
fi
check cornell-box 0,0.8,1.8 0,0.8,0 90
check bunny -0.02,0.15,0.25 -0.017,0.105,0 45
check crytek-sponza -900.6,150.8,120.74 79.7,14.0,-17.4 90
check city-diorama 3.6,2.6,4.4 0,0.2,-0.4 45
