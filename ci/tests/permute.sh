#!/bin/bash
# --permute SEED hands out work in another order and nothing else: the image is
# that of a run without it, other seeds have other results, the same seed the
# same on any number of threads and after a checkpoint; manifests name it.
# ci: area host
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary
. ci/tests/head

cd "$dir"
samples=$root/$B/samples/rv64
"$bin/corbel-scene" generate cornell c.scene >/dev/null
# run NAME OPTION...: leaves NAME.png, and says the results hash
run() {
    local name=$1
    shift
    "$sim" --quiet -o "$name" "$@" "$samples/primary" c.scene --size 40 --out image.png >log 2>&1 ||
        fail "status $?: $name"
    mv image.png "$name.png"
    manifest "$name" results_hash
}
manifest() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/manifest.json")).get(sys.argv[2]))' "$1" "$2"; }
cycles() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/stats.json"))["cycles"])' "$1"; }

for chip in tiny tiny-simt; do
    list=(-a $chip)
    run own "${list[@]}" >/dev/null
    one=$(run one "${list[@]}" --permute 1 -j 1)
    run two "${list[@]}" --permute 2 >/dev/null
    [ "$(run again "${list[@]}" --permute 1 -j 2 --epoch 1 --no-skip)" = "$one" ] || fail "$chip: threads change it"
    for name in one two again; do
        cmp own.png $name.png || fail "$chip: $name has another image"
    done
    [ "$one" != "$(manifest own results_hash)" ] && [ "$(cycles own)" != "$(cycles two)" ] ||
        fail "$chip: $(cycles own), $(cycles one), $(cycles two) cycles: seeds make no difference"
    status=0
    "$sim" --quiet "${list[@]}" --permute 1 --checkpoint ck --max-cycles 20000 -o stopped "$samples/primary" c.scene \
        --size 40 --out image.png >log 2>&1 || status=$?
    [ $status = 204 ] || fail "status $status, expected 204"
    "$sim" --quiet --resume ck -o resumed >log 2>&1 || fail "status $?: resumed"
    [ "$(manifest resumed results_hash)" = "$one" ] || fail "$chip: a resumed run differs"
    [ "$(manifest resumed permute) $(manifest own permute)" = '1 None' ] || fail 'manifest'
done

# ---- where there is no order to change ----
status=0
"$sim" --resume ck -o other --permute 2 >out 2>err || status=$?
[ $status = 201 ] && grep -q 'permute' err || fail "status $status, expected 201: another seed"
status=0
"$sim" --functional --permute 2 "$samples/primary" c.scene >out 2>err || status=$?
[ $status = 200 ] && grep -qx 'sim-run: --permute: not with --functional, which has no order of work' err ||
    fail "status $status, expected 200: --functional"
for value in 0 -1 one 4294967296; do
    status=0
    "$sim" --permute $value "$samples/primary" c.scene >out 2>err || status=$?
    [ $status = 200 ] && [ "$(wc -l <err)" = 1 ] || fail "status $status, expected 200: $value"
done

echo 'permute: ok'
