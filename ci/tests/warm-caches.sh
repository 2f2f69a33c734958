#!/bin/bash
# --save-caches and --warm-caches: a run that begins with the caches of an
# earlier one of the same program has fewer misses and the same output, passes
# the check of memory and does not depend on how it is computed; what does not
# fit is refused.
# ci: area cache checkpoints
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary
. ci/tests/head

cd "$dir"

# run STATUS ARGUMENT...: stdout to out, stderr to err
run() {
    local expected=$1 status=0
    shift
    timeout 60 "$sim" --quiet "$@" >out 2>err </dev/null || status=$?
    [ $status = "$expected" ] || fail "$*: status $status"
}

# refused STATUS PATTERN ARGUMENT...: one line that matches
refused() {
    local pattern=$2
    run "$1" "${@:3}"
    [[ $(wc -l <err) = 1 && $(cat err) =~ ^sim-run:\ $pattern ]] ||
        { cat err; fail "${*:3}: expected $pattern"; }
}

# misses DIR: loads of DRAM by the L2
misses() {
    python3 -c 'import json, sys
l2 = json.load(open(sys.argv[1]))["groups"]["l2"]
counters, rate = l2["counters"], l2["derived"]["hit_rate"]
assert abs(rate * counters["reads"] - counters["hits"]) < 1e-6, rate
print(counters["misses_read"])' "$1/stats.json"
}

"$root/$B/bin/corbel-scene" generate cornell cornell.scene >/dev/null 2>&1
program=("$root/$B/samples/rv64/primary" cornell.scene --size 8)
chip=(-a tiny -s chip.tms=2)
run 0 "${chip[@]}" --save-caches caches -o cold "${program[@]}" --out cold.ppm
run 0 "${chip[@]}" --warm-caches caches -o warm "${program[@]}" --out cold.ppm
cp err expected
mv cold.ppm warm.ppm
[ $((2 * $(misses warm))) -lt "$(misses cold)" ] ||
    fail "$(misses warm) misses of the warm L2, $(misses cold) of the cold one"
grep -A 3 '"warm_caches"' warm/manifest.json |
    grep -qE '"xxh64":.*"[0-9a-f]{16}"' || fail "no hash in the manifest"
while read -r options; do
    # shellcheck disable=SC2086
    run 0 "${chip[@]}" $options --warm-caches caches "${program[@]}" \
        --out cold.ppm
    diff err expected || fail "$options: another result"
    cmp cold.ppm warm.ppm
done <<'END'
-j 1
-j 2 --epoch 1 --schedule dynamic
-j 1 --no-skip --reverse-units
-j 2 --check-memory
-j 2 --save-caches again
END
cmp -s caches again && fail "the caches of another run are the same"

sed -i.bak '/^line/{s/ [0-9a-f]* [0-9a-f]*$/ ff/;q}' caches
refused 201 'caches: .*' "${chip[@]}" --warm-caches caches "${program[@]}"
mv caches.bak caches
refused 201 'caches: of another chip: tm0.l1: size is 16384 .* 8192' \
    "${chip[@]}" -s l1.size=8192 --warm-caches caches "${program[@]}"
refused 201 'caches: of another chip: .*tm2.l1' -a tiny -s chip.tms=3 \
    --warm-caches caches "${program[@]}"
refused 201 'warm/stats.txt: does not begin with' "${chip[@]}" --warm-caches warm/stats.txt \
    "${program[@]}"
refused 201 'cornell.scene:1: a byte of 0, expected text' "${chip[@]}" \
    --warm-caches cornell.scene "${program[@]}"
refused 201 'missing: No such file' --warm-caches missing "${program[@]}"
refused 205 'missing/caches: cannot save the caches' \
    --save-caches missing/caches "${program[@]}"
refused 200 '--warm-caches: not with --functional' --functional \
    --warm-caches caches "${program[@]}"
echo "L2 misses: $(misses cold) cold, $(misses warm) warm"
