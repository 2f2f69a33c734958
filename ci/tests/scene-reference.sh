#!/bin/bash
# corbel-scene's native traversal finds the reference hits of every scene but
# the largest: the same hits and misses, distances to 1e-5 relative, in three
# node formats, and the trees of two builders, the same bytes.
# usage: scene-reference.sh [SCENE EYE LOOK FOV]
# ci: area scene
# ci: needs bin/corbel-scene
. ci/tests/head

scenes=$shared/scenes
if [ ! -d "$scenes/ref" ]; then
    skip "no reference scenes in $scenes (set CORBEL_SHARED)"
fi
tool=build/bin/corbel-scene

# scene, eye, look-at point, vertical field of view: shared/scenes/README.md
check() {
    local scene=$1 format
    "$tool" convert "$scenes/$scene.ply.xz" "$dir/cwbvh6.scene" --nodes cwbvh6
    for format in bvh6 bvh2; do
        "$tool" convert "$dir/cwbvh6.scene" "$dir/$format.scene" --nodes $format \
            --quality low
    done
    for format in cwbvh6 bvh6 bvh2; do
        "$tool" trace "$dir/$format.scene" --eye="$2" --look="$3" --fov="$4" \
            --size 256 --hits "$dir/$format.hits"
        "$tool" compare "$dir/$format.hits" "$scenes/ref/$scene.hits.xz"
    done
    cmp "$dir/cwbvh6.hits" "$dir/bvh6.hits"
    cmp "$dir/cwbvh6.hits" "$dir/bvh2.hits"
}

if [ $# -eq 4 ]; then
    check "$@"
    exit
fi
check cornell-box 0,0.8,1.8 0,0.8,0 90
check bunny -0.02,0.15,0.25 -0.017,0.105,0 45
check crytek-sponza -900.6,150.8,120.74 79.7,14.0,-17.4 90
check city-diorama 3.6,2.6,4.4 0,0.2,-0.4 45
