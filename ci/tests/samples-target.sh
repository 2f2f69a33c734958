#!/bin/bash
# Every sample as rv64 and rv32 ELF, executed by sim-run --functional: the same
# image, hit records and output as natively, for each traversal and node format.
set -euo pipefail

B=${B:-build}
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/samples-target.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*"
    exit 1
}

make --no-print-directory samples "$B/bin/corbel-scene" "$B/bin/sim-run" \
    >"$work/log" 2>&1 || { tail -20 "$work/log"; fail build; }
for format in cwbvh6 bvh6 bvh2; do
    "$B/bin/corbel-scene" generate cornell "$work/$format.scene" \
        --nodes $format >"$work/log" 2>&1 || { cat "$work/log"; fail generate; }
done

# target rv64|rv32 SAMPLE [argument...]
target() {
    "$B/bin/sim-run" --functional --quiet -a tiny --fs . \
        "$B/samples/$1/$2" "${@:3}" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$*"; }
}

size=(--size 40x30)
for sample in mandelbrot primary ao path; do
    scene=("$work/cwbvh6.scene")
    [ $sample = mandelbrot ] && scene=()
    "$B/samples/native/$sample" "${scene[@]}" "${size[@]}" --out "$work/$sample.png"
done
camera=(--size 32 --fov 53.1301023542 --eye 0.3,1.1,2.7 --look -.1,8e-1,0)
"$B/samples/native/primary" "$work/cwbvh6.scene" "${camera[@]}" \
    --out "$work/native.png" --hits "$work/native.hits"

for xlen in rv64 rv32; do
    target $xlen hello
    grep -q '^The sum of 0 to 999 is 499500$' "$work/log" || fail "$xlen hello"
    target $xlen hello-cpp
    grep -q '^Caught: no such number$' "$work/log" || fail "$xlen hello-cpp"
    target $xlen mandelbrot "${size[@]}" --out "$work/t.png"
    cmp "$work/mandelbrot.png" "$work/t.png" || fail "$xlen mandelbrot"
    for sample in primary ao path; do
        for run in rtcore:cwbvh6 rtcore:bvh6 rtcore:bvh2 isect:cwbvh6 \
            software:cwbvh6 software:bvh6 software:bvh2; do
            target $xlen $sample "$work/${run#*:}.scene" "${size[@]}" \
                --traversal ${run%:*} --out "$work/t.png"
            cmp "$work/$sample.png" "$work/t.png" || fail "$xlen $sample $run"
        done
    done
    target $xlen primary "$work/cwbvh6.scene" "${camera[@]}" \
        --out "$work/t.png" --hits "$work/t.hits"
    cmp "$work/native.png" "$work/t.png" || fail "$xlen primary camera"
    cmp "$work/native.hits" "$work/t.hits" || fail "$xlen primary --hits"
done

status=0
"$B/bin/sim-run" --functional --quiet -a tiny "$B/samples/rv64/primary" \
    no-such.scene >"$work/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'no-such.scene: No such file' "$work/log" ||
    { cat "$work/log"; fail "missing scene: status $status"; }

echo "rv64 and rv32 images, hit records and output equal the native ones"
