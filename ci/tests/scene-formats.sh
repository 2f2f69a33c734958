#!/bin/bash
# The hits of a scene are the same bytes in every node format with every
# triangle format, for every size of the traversal's stack: two small reference
# scenes, or without them the arcade; in two of over 100,000 triangles, every node
# format with one triangle format each. scene-reference.sh compares with hits found
# by others.
# ci: area scene hits
# ci: long
# ci: needs bin/corbel-scene
. ci/tests/head

tool=$bin/corbel-scene
scenes=$shared/scenes
[ ! -d "$scenes/ref" ] || scenes=$(realpath "$scenes")
cd "$dir"

# formats OPTION: what --help lists for it
formats() {
    "$tool" --help | awk -v option="--$1" '$1 == option { found = 1; next }
        found { print; exit }'
}
read -ra nodes <<<"$(formats nodes)"
read -ra leaves <<<"$(formats leaves)"
[ ${#nodes[@]} -gt 1 ] && [ ${#leaves[@]} -gt 0 ] || {
    echo "scene-formats: --help lists no formats"
    exit 1
}

# encode NODES LEAVES: plain.scene as pair.scene; false: formats that do not go
# together, as one line says
encode() {
    "$tool" convert plain.scene pair.scene --quality low --nodes "$1" \
        --leaves "$2" >/dev/null 2>message && return
    grep -q 'is too long for nodes of format' message && return 1
    cat message
    exit 1
}

# compare_pair VIEW..: pair.scene against expected.hits
compare_pair() {
    local stack
    for stack in 1 2 4 8 16; do
        "$tool" trace pair.scene --size 64 "$@" --stack $stack --hits pair.hits >/dev/null
        cmp expected.hits pair.hits
    done
}

# all_pairs NAME VIEW..: of plain.scene
all_pairs() {
    local name=$1 node leaf pairs=0 apart=()
    shift
    "$tool" trace plain.scene --size 64 "$@" --hits expected.hits >/dev/null
    for node in "${nodes[@]}"; do
        for leaf in "${leaves[@]}"; do
            encode "$node" "$leaf" || { apart+=("$node/$leaf"); continue; }
            compare_pair "$@" || fail "$name, $node, $leaf"
            pairs=$((pairs + 1))
        done
    done
    echo "$name: $pairs pairs of formats alike; not possible: ${apart[*]:-none}"
    [ $((4 * ${#apart[@]})) -lt "$pairs" ]
}

# some_pairs NAME FIRST VIEW..: of plain.scene, each node format with the next triangle
# format that goes with it, FIRST being that of the first
some_pairs() {
    local name=$1 next=$2 node leaf pairs=()
    shift 2
    "$tool" trace plain.scene --size 64 "$@" --hits expected.hits >/dev/null
    for node in "${nodes[@]}"; do
        leaf=${leaves[next++ % ${#leaves[@]}]}
        encode "$node" "$leaf" || {
            leaf=${leaves[next++ % ${#leaves[@]}]}
            encode "$node" "$leaf"
        }
        compare_pair "$@" || fail "$name, $node, $leaf"
        pairs+=("$node/$leaf")
    done
    echo "$name: alike: ${pairs[*]}"
}

if [ ! -d "$scenes/ref" ]; then
    "$tool" generate arcade plain.scene --triangles 30000
    all_pairs arcade
    echo "scene-formats: no reference scenes in $scenes (set CORBEL_SHARED)"
    exit
fi

# scene, eye, look-at point, vertical field of view: shared/scenes/README.md
small() {
    "$tool" convert "$scenes/$1.ply.xz" plain.scene
    all_pairs "$1" --eye="$2" --look="$3" --fov="$4"
}
large() { # NAME FIRST EYE LOOK FOV
    "$tool" convert "$scenes/$1.ply.xz" plain.scene
    some_pairs "$1" "$2" --eye="$3" --look="$4" --fov="$5"
}
small cornell-box 0,0.8,1.8 0,0.8,0 90
small bunny -0.02,0.15,0.25 -0.017,0.105,0 45
large crytek-sponza 0 -900.6,150.8,120.74 79.7,14.0,-17.4 90
large city-diorama 2 3.6,2.6,4.4 0,0.2,-0.4 45
