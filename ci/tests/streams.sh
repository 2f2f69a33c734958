#!/bin/bash
# streams finds, treelet by treelet, what replay finds in the whole tree: byte by
# byte, whatever the treelets, the number of harts, who traverses, and whether
# hits that are stored already make rays shorter.
# ci: area streams samples
# ci: needs bin/corbel-scene bin/corbel-rays samples/native/streams samples/native/replay
. ci/tests/head

samples=$root/$B/samples/native
cd "$dir"

# same SCENE RAYS OPTIONS...: records, colours and what is printed are replay's
compared=0
same() {
    "$samples/replay" "$1" "$2" --hits expected.hits >expected
    "$samples/replay" "$1" "$2" --image expected.ppm >colours
    "$samples/streams" "$@" --hits found.hits >found
    "$samples/streams" "$@" --colours --image found.ppm >found-colours
    cmp expected found && cmp colours found-colours && cmp expected.hits found.hits &&
        cmp expected.ppm found.ppm || fail "$*: not what replay finds"
    compared=$((compared + 1))
}

"$bin/corbel-scene" generate cornell --obj cornell.obj >log
"$bin/corbel-scene" generate arcade --obj arcade.obj --triangles 10000 >log
"$bin/corbel-scene" generate layers --obj layers.obj --triangles 1000 >log
# scene MESH OPTIONS...: a.scene, and rays for it
scene() {
    "$bin/corbel-scene" convert "$1.obj" a.scene "${@:2}" >log
    "$bin/corbel-rays" a.scene a.rays --kind secondary --size 40x24 >log
}

scene arcade --nodes bvh6 --treelets 2048
for threads in 1 2 5; do
    for way in "--mode software" "--early on" "--early delayed" "--mode rt"; do
        # shellcheck disable=SC2086 # words of their own
        CORBEL_THREADS=$threads same a.scene a.rays $way
    done
done
export CORBEL_THREADS=3
for way in software rt; do
    same a.scene a.rays --machine strata --mode $way
    same a.scene a.rays --machine strata --mode $way --buffer 64
done
scene cornell --nodes bvh2 --treelets 512
same a.scene a.rays
same a.scene a.rays --machine strata --buffer 640
scene arcade --nodes cwbvh6t --treelets 8192
same a.scene a.rays --early on
same a.scene a.rays --machine strata --mode rt
scene layers --nodes bvh6 --treelets 65536
same a.scene a.rays
scene layers --nodes bvh4 --treelets 2048
same a.scene a.rays --early delayed
"$bin/corbel-rays" a.scene a.rays --kind primary --size 33x17 >log
same a.scene a.rays

# refused STATUS TEXT ARGUMENTS: one line on stderr
refused() {
    local status=0
    "$samples/streams" "${@:3}" >stdout 2>stderr || status=$?
    [ $status -eq "$1" ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q "$2" stderr ||
        fail "${*:3}: status $status, $(cat stderr)"
}
scene arcade --nodes cwbvh6t --treelets 8192
refused 1 'without references to their parents' a.scene a.rays --machine strata
scene cornell --nodes bvh6
refused 1 'has no treelets' a.scene a.rays
refused 2 'expected --mode' a.scene a.rays --mode x
refused 2 'expected --early' a.scene a.rays --early x
refused 2 'too few' a.scene
refused 2 'expected --machine' a.scene a.rays --machine x
refused 2 'expected --buffer' a.scene a.rays --buffer 63
refused 2 'expected --buffer' a.scene a.rays --buffer 64k
refused 2 'expected --machine dual' a.scene a.rays --machine strata --early on
refused 2 'expected .* --mode software' a.scene a.rays --mode rt --early delayed
refused 2 'expected --machine strata' a.scene a.rays --buffer 64
refused 2 'expected --machine strata' a.scene a.rays --machine dual --buffer 64

# What a unit refuses ends the program, with one line.
status=0
cat >refused.c <<'END'
#include <corbel/corbel.h>
#include <corbel/streams.h>
int main(int argc, char **argv)
{
    struct corbel_item item = {{{0}, 0, {0, 0, 1}, 1}, 0, 0x123456};
    corbel_scene_open(argv[1]);
    corbel_stream_push(&item);
    return 0;
}
END
scene arcade --nodes cwbvh6t --treelets 8192
"${CC:-cc}" -I"$root/runtime/include" refused.c "$root/build/lib/libcorbel-native.a" \
    -pthread -lm -o refused || fail "refused.c cannot be built"
timeout 60 ./refused a.scene 2>stderr || status=$?
[ $status -eq 1 ] && [ "$(wc -l <stderr)" -eq 1 ] &&
    grep -q 'corbel_swi.*a work item of a treelet that the scene does not have' stderr ||
    fail "an unknown treelet: status $status, $(cat stderr)"
echo "streams: $compared runs as replay"
