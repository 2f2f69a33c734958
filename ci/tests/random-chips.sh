#!/bin/bash
# Chips drawn from seeds (random-chips.lua): one hash however they are
# run, and the native image. FIRST and COUNT in the environment choose the seeds.
# ci: area determinism
# ci: needs bin/sim-run samples/rv64/mandelbrot samples/native/mandelbrot
. ci/tests/head

first=${FIRST:-1} count=${COUNT:-24}

ways=("-j 1" "-j 2" "-j 1 --epoch 1 --reverse-units"
    "-j 3 --epoch 1 --schedule dynamic" "-j 1 --no-skip")

"$B/samples/native/mandelbrot" --size 2 --out "$dir/native.ppm" >/dev/null

# hash_of WAY: the last line, of a run that ends or comes to the limit
hash_of() {
    local status=0
    rm -f "$dir/image.ppm"
    # shellcheck disable=SC2086
    "$sim" -a ci/tests/random-chips.lua -s "chip.seed=$seed" $1 --quiet \
        --max-cycles 400000 "$B/samples/rv64/mandelbrot" --size 2 \
        --out "$dir/image.ppm" >"$dir/out" 2>&1 || status=$?
    case $status in
    0) cmp "$dir/native.ppm" "$dir/image.ppm" >&2 || echo "another image" ;;
    204) ;;
    *) echo "status $status" ;;
    esac
    tail -n 1 "$dir/out"
}

ended=0
for ((seed = first; seed < first + count; seed++)); do
    expected=$(hash_of "${ways[0]}")
    [[ $expected == "results hash: "* ]] || complain "seed $seed:" "$expected"
    [ ! -f "$dir/image.ppm" ] || ended=$((ended + 1))
    for way in "${ways[@]:1}"; do
        hash=$(hash_of "$way")
        [ "$hash" = "$expected" ] || complain "seed $seed:" "$way: $hash, not $expected"
    done
done
echo "$count chips, on $ended of them the program ended"
[ $((4 * ended)) -ge "$count" ] || fail "too few"
