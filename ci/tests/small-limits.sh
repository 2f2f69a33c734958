#!/bin/bash
# With little room for stacks, memory or open files (ulimit -s, -v, -n) each tool runs,
# or refuses in one line with a documented status: none crashes. Soft limits of stacks
# are raised.
# ci: area tools
# ci: needs sim sample-primary sample-hello bin/corbel-scene bin/corbel-rays
. ci/tests/head

samples=$root/$B/samples root=$PWD
cd "$dir"

"$bin/corbel-scene" generate arcade a.scene --triangles 9984 --ply a.ply --obj a.obj >/dev/null
"$bin/corbel-scene" generate cornell c.scene >/dev/null
"$bin/corbel-rays" c.scene c.rays --kind primary --size 8 >/dev/null
"$bin/corbel-scene" trace c.scene c.rays --hits c.hits >/dev/null
"$bin/sim-run" --quiet -a tiny -o ran --interval 1000 --profile "$samples/rv64/primary" c.scene \
    --size 8 2>/dev/null
printf 'offer,rw,addr\n0,R,0x40\n' >q.req.csv
echo x >q.jsonl

tried=0 refused=0
# tries "OPTION VALUE" COMMAND...: no signal; what fails says one line
tries() {
    local status=0
    # shellcheck disable=SC2086 # two words
    (ulimit $1 && exec "${@:2}") >stdout 2>stderr || status=$?
    tried=$((tried + 1))
    [ $status -ne 0 ] || return 0
    ((status < 128 || (status >= 200 && status < 206))) ||
        fail "$1: ${*:2}: status $status, $(cat stderr)"
    [ "$(grep -cv '^results hash' stderr)" -eq 1 ] || fail "$1: ${*:2}: $(cat stderr)"
    refused=$((refused + 1))
}
all() { # LIMIT
    tries "$1" "$bin/sim-run" --quiet -a tiny -o run "$samples/rv64/hello"
    tries "$1" "$bin/sim-run" --quiet -a tiny --functional "$samples/rv64/hello"
    tries "$1" "$bin/sim-run" --quiet --memory 64M -j 2 -a tiny -o run --profile --stalls \
        --trace harts --interval 1000 "$samples/rv64/primary" c.scene --size 8
    tries "$1" "$bin/sim-run" -a tiny --describe
    tries "$1" "$bin/corbel-scene" convert a.ply b.scene --nodes bvh6 --treelets 2048
    tries "$1" "$bin/corbel-scene" convert a.obj b.scene --quality low
    tries "$1" "$bin/corbel-scene" check a.scene
    tries "$1" "$bin/corbel-scene" trace c.scene c.rays --by embree --hits d.hits
    tries "$1" "$bin/corbel-scene" compare c.hits c.hits c.scene
    tries "$1" "$bin/corbel-rays" c.scene d.rays --kind secondary --size 8 --threads 4
    tries "$1" "$bin/sim-report" ran -o p.html
    tries "$1" "$bin/sim-report" --csv 'l1.*' ran -o p.csv
    tries "$1" "$bin/sim-diff" ran ran
    tries "$1" "$bin/dram-run" ddr4-2400 q.req.csv
    tries "$1" "$bin/page-run" q.req.csv
    tries "$1" "$bin/rtp-run" q.jsonl
    tries "$1" "$samples/native/primary" c.scene --size 8
}

for kib in 64 128 256 512; do all "-s $kib"; done
for kib in 30000 50000 100000 200000 400000; do all "-v $kib"; done
for files in 3 4 6 9; do all "-n $files"; done

(
    ulimit -S -s 64
    "$bin/sim-run" --quiet -a tiny "$samples/rv64/hello" >/dev/null 2>&1 &&
        "$bin/corbel-scene" convert a.ply b.scene >/dev/null &&
        "$bin/corbel-rays" c.scene d.rays --kind secondary --size 8 --threads 4 >/dev/null
) || fail "a soft limit of stacks is not raised"
[ $refused -gt 20 ] || fail "only $refused commands were refused: what was tested?"
echo "small-limits: $tried commands, $refused of them refused in one line"
