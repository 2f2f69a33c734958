#!/bin/bash
# Scenes that were changed, with a right hash, in every pair of formats, and of
# three with treelets: all programs accept the same ones, give the same reason
# for the others, and find the same hits in those that they accept.
# HOSTILE_RUNS: changed scenes of a pair; HOSTILE_BUILD: where the programs are
# that are tried.
# ci: area scene host
# ci: needs sim sample-primary
. ci/tests/head

build=$PWD/${HOSTILE_BUILD:-build}
runs=${HOSTILE_RUNS:-2}
bin=$build/bin
native=$build/samples/native/primary
guest=$root/$B/samples/rv64/primary
gcc -O1 -I. -Iruntime/include ci/tests/scene-hostile/mutate.c -o "$dir/mutate"
cd "$dir"

# run STATUS COMMAND...: ends with one of these statuses, in a minute
run() {
    status=0
    timeout 60 "${@:2}" >out 2>err || status=$?
    [[ " $1 " == *" $status "* ]] || { tail -20 err; fail "status $status, expected $1: ${*:2}"; }
}

view=(--eye 0,1,3.4 --look 0,1,0 --fov 53 --size 8)
accepted=0 refused=0

# refuses COMMAND...: with the reason that corbel-scene gave
refuses() {
    run 1 "$@"
    grep -qF "$why" err || fail "$* does not say: $why"
}

# finds COMMAND...: the hits that corbel-scene found
finds() {
    run 0 "$@" --hits other.hits
    cmp -s hits other.hits || fail "other hits: $*"
}

try() { # SCENE
    run "0 3" "$bin/corbel-scene" info "$1"
    sim=("$bin/sim-run")
    if [ $status = 3 ]; then
        why=$(sed 's/.*\.scene: //' err)
        run 3 "$bin/corbel-scene" check "$1"
        run 3 "$bin/corbel-scene" trace "$1" "${view[@]}"
        run 3 "$bin/corbel-rays" "$1" a.rays --kind tertiary --size 4
        refuses "$native" "$1" "${view[@]}" --out a.png
        refuses "${sim[@]}" --functional "$guest" "$1" "${view[@]}" --out a.png
        refused=$((refused + 1))
    else
        run "0 3" "$bin/corbel-scene" check "$1"
        run 0 "$bin/corbel-scene" trace "$1" "${view[@]}" --hits hits
        run "0 2" "$bin/corbel-rays" "$1" a.rays --kind tertiary --size 4
        finds "$native" "$1" "${view[@]}" --out a.png
        finds "${sim[@]}" --functional "$guest" "$1" "${view[@]}" --out a.png
        finds "${sim[@]}" -a tiny -s rtcore.stack=2 "$guest" "$1" "${view[@]}" --out a.png
        accepted=$((accepted + 1))
    fi
}

"$bin/corbel-scene" generate cornell plain.scene >/dev/null
# formats OPTION: what --help lists for it
formats() {
    "$bin/corbel-scene" --help | awk -v option="--$1" '$1 == option { found = 1; next }
        found { print; exit }'
}
seed=0
# tries NODES LEAVES OPTION...: changed scenes of these formats, if they fit
tries() {
    "$bin/corbel-scene" convert plain.scene good.scene --nodes "$1" --leaves "$2" \
        "${@:3}" >/dev/null 2>&1 || return 0
    for ((i = 0; i < runs; i++)); do
        seed=$((seed + 1))
        ./mutate good.scene "$1-$2-$seed.scene" "$seed"
        try "$1-$2-$seed.scene"
        rm "$1-$2-$seed.scene"
    done
}

for nodes in $(formats nodes); do
    for leaves in $(formats leaves); do
        tries "$nodes" "$leaves"
    done
done
whole=$seed
for nodes in cwbvh6t cwbvh5t bvh5; do
    for leaves in $(formats leaves); do
        tries "$nodes" "$leaves" --treelets 1536
    done
done
((seed > whole)) || fail "no scene with treelets was tried"
echo "scene-hostile: $accepted changed scenes accepted, $refused refused by all alike"
[ $accepted -gt 5 ] && [ $refused -gt 5 ]
