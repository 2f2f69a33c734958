#!/bin/bash
# The model of the rtp chip in ci/rtp comes to what the reference data say:
# registers, memory, results and the cycle of every event; rays bit by bit. And
# it makes the same random cases again from the same seed, with every
# instruction in them. EVERY in the environment takes each EVERYth ray only.
set -euo pipefail

mkdir -p build/tests
dir=$(mktemp -d build/tests/rtp-model.XXXXXX)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAIL: $*"
    exit 1
}

generate() { # SEED FOLDER
    ci/rtp/generate --seed "$1" --cores 40 --chips 20 "$dir/$2" >"$dir/$2.log"
}
generate 1 one
generate 1 again
generate 2 two
cat "$dir/one.log"
diff -r "$dir/one" "$dir/again" >&2 || fail "the same seed gives other cases"
cmp -s "$dir/one/chip.jsonl" "$dir/two/chip.jsonl" && fail "another seed gives the same cases"
grep -q 'core: 40 cases, .* without trace$' "$dir/one.log" || fail "instructions of a core"
grep -q 'chip: 20 cases, .* without nothing$' "$dir/one.log" || fail "instructions of a chip"
ci/rtp/check "$dir"/one/*.jsonl

golden=${CORBEL_SHARED:-../shared}/rtp-golden
[ -d "$golden" ] || { echo "skip: no reference data in $golden"; exit 77; }
ci/rtp/check --every "${EVERY:-10}" "$golden"/*.jsonl.gz "$golden/intersect.csv.gz"
