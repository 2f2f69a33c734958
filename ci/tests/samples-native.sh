#!/bin/bash
# Every sample natively on the Cornell box: the same image for any number of
# threads, traversal and node format, and from gcc and clang; the files
# decode; sanitizer builds are silent; bad usage is refused as documented.
# ci: area samples
# ci: needs bin/corbel-scene samples-native
. ci/tests/head

bin=$B/samples/native
size=40x30
formats=(cwbvh6 bvh6 bvh2)
tracers=(primary ao path)

# picture BIN SAMPLE NAME SCENE [option...]: $dir/NAME.png
picture() {
    local scene=("$4")
    [ "$2" = mandelbrot ] && scene=()
    "$1/$2" "${scene[@]}" --size $size --out "$dir/$3.png" "${@:5}" \
        >"$dir/log" 2>&1 || fail "$2 $3"
    [ -s "$dir/log" ] && fail "$2 $3: unexpected output"
    return 0
}

# same NAME NAME
same() {
    cmp -s "$dir/$1.png" "$dir/$2.png" || fail "$2.png differs from $1.png"
}

for format in "${formats[@]}"; do
    "$B/bin/corbel-scene" generate cornell "$dir/$format.scene" \
        --nodes "$format" >"$dir/log" 2>&1 || fail generate
done
scene=$dir/cwbvh6.scene

echo "== 1, 2, 7 threads; traversals; node formats"
for sample in mandelbrot "${tracers[@]}"; do
    CORBEL_THREADS=1 picture "$bin" "$sample" "$sample" "$scene"
    for threads in 2 7; do
        CORBEL_THREADS=$threads picture "$bin" "$sample" "$sample-$threads" "$scene"
        same "$sample" "$sample-$threads"
    done
done
for sample in "${tracers[@]}"; do
    for format in "${formats[@]}"; do
        for traversal in rtcore isect software; do
            name=$sample-$format-$traversal
            picture "$bin" "$sample" "$name" "$dir/$format.scene" --traversal $traversal
            same "$sample" "$name"
        done
    done
done

echo "== the pictures are not all one colour and decode"
for sample in mandelbrot "${tracers[@]}"; do
    if command -v pngtopnm >/dev/null; then
        pngtopnm "$dir/$sample.png" >"$dir/$sample.pnm" || fail "$sample.png"
    else
        file "$dir/$sample.png" | grep -q 'PNG image data, 40 x 30, 8-bit/color RGB' ||
            fail "$sample.png is no PNG"
    fi
    "$bin/$sample" $([ "$sample" = mandelbrot ] || echo "$scene") --size $size \
        --out "$dir/$sample.ppm"
    colours=$(tail -c +14 "$dir/$sample.ppm" | od -An -v -tu1 -w3 | sort -u | wc -l)
    [ "$colours" -gt 5 ] || fail "$sample has $colours colours only"
done

echo "== hello"
for sample in hello hello-cpp; do
    CORBEL_THREADS=3 "$bin/$sample" | grep -q '^Hello from 3 harts' || fail "$sample"
done

echo "== gcc and clang"
if command -v clang >/dev/null; then
    ci/variant clang samples-native >/dev/null
    for sample in mandelbrot "${tracers[@]}"; do
        picture "$B/clang/samples/native" "$sample" "$sample-clang" "$scene"
        same "$sample" "$sample-clang"
    done
else
    echo "no clang here: not compared"
fi

echo "== sanitizers"
check_sanitizer() {
    ci/variant "$1" samples-native >/dev/null
    for sample in mandelbrot "${tracers[@]}"; do
        CORBEL_THREADS=4 picture "$B/$1/samples/native" "$sample" "$sample-$1" "$scene"
        same "$sample" "$sample-$1"
    done
    CORBEL_THREADS=4 "$B/$1/samples/native/hello" >/dev/null 2>"$dir/log" || fail "hello $1"
    [ ! -s "$dir/log" ] || fail "hello $1"
    picture "$B/$1/samples/native" primary software "$scene" --traversal software
    # Members of groups in turns on a thread, and a thread each.
    CORBEL_THREADS=4 "$B/$1/samples/native/gpu" lud --check >/dev/null 2>"$dir/log" || fail "gpu lud $1"
    CORBEL_THREADS=16 "$B/$1/samples/native/gpu" nw --check >/dev/null 2>"$dir/log" || fail "gpu nw $1"
}
check_sanitizer asan
check_sanitizer tsan

echo "== options with = as with a blank"
"$bin/primary" "$scene" --eye=1,1,3 --look=-0.5,1,0 --fov=40 --size=8 --out="$dir/equals.ppm"
"$bin/primary" "$scene" --eye 1,1,3 --look -0.5,1,0 --fov 40 --size 8 --out "$dir/blank.ppm"
cmp "$dir/equals.ppm" "$dir/blank.ppm" || fail "--eye=1,1,3 is not --eye 1,1,3"

echo "== bad input"
# refused STATUS MESSAGE COMMAND...: one line on stderr, nothing on stdout
refused() {
    local status=0
    "${@:3}" >"$dir/stdout" 2>"$dir/stderr" || status=$?
    [ "$status" = "$1" ] || fail "status $status, expected $1: ${*:3}"
    [ "$(wc -l <"$dir/stderr")" -le "${lines:-1}" ] && [ ! -s "$dir/stdout" ] &&
        grep -qE -- "$2" "$dir/stderr" ||
        { cat "$dir/stdout" "$dir/stderr"; fail "expected '$2': ${*:3}"; }
    [ ! -e "$dir/none.png" ] || fail "left an image behind: ${*:3}"
}
out=(--out "$dir/none.png")
refused 2 'no scene given' "$bin/primary" "${out[@]}"
refused 2 'unknown option --sice' "$bin/primary" "$scene" --sice 3 "${out[@]}"
refused 2 'unknown option --spp' "$bin/primary" "$scene" --spp 3 "${out[@]}"
refused 2 'unexpected argument' "$bin/primary" "$scene" "$scene" "${out[@]}"
refused 2 'unexpected argument' "$bin/mandelbrot" "$scene" "${out[@]}"
refused 2 '--eye needs a value' "$bin/primary" "$scene" --eye
for value in 0 -1 16385 99999999999 8x 8x0 8x8x8 x8 1.5 ''; do
    refused 2 "--size $value: expected" "$bin/primary" "$scene" --size "$value" "${out[@]}"
done
for value in 1,2 1,2,3,4 1,2,x nan,0,0 1e999,0,0 '' ,,; do
    refused 2 "--eye $value: expected" "$bin/primary" "$scene" --eye "$value" "${out[@]}"
done
refused 2 '--eye 1,2: expected' "$bin/primary" "$scene" --eye=1,2 "${out[@]}"
refused 2 '--eye : expected' "$bin/primary" "$scene" --eye= "${out[@]}"
refused 2 'unknown option --eyes=1,2,3' "$bin/primary" "$scene" --eyes=1,2,3 "${out[@]}"
for value in 0 180 -20 inf 40x; do
    refused 2 "--fov $value: expected" "$bin/primary" "$scene" --fov "$value" "${out[@]}"
done
refused 2 '--traversal magic: expected rtcore' "$bin/primary" "$scene" --traversal magic
refused 2 '--out a.jpg: expected' "$bin/primary" "$scene" --out a.jpg
refused 2 '--spp 0: expected' "$bin/path" "$scene" --spp 0 "${out[@]}"
refused 2 'CORBEL_THREADS=many: expected' env CORBEL_THREADS=many "$bin/hello"
refused 2 'CORBEL_THREADS=0: expected' env CORBEL_THREADS=0 "$bin/hello"
refused 1 'camera looks at the point' "$bin/primary" "$scene" --eye 1,2,3 --look 1,2,3 "${out[@]}"
refused 1 'no-such.scene: No such file' "$bin/primary" no-such.scene "${out[@]}"
refused 1 'Is a directory' "$bin/primary" "$dir" "${out[@]}"
refused 1 'No such file' "$bin/primary" "$scene" --out "$dir/no/such.png"
refused 1 'No such file' "$bin/primary" "$scene" "${out[@]/none/ok}" --hits "$dir/no/such"
lines=2 # the runtime says what is wrong with the file, then the program ends
refused 1 'wrong magic number' "$bin/primary" Makefile "${out[@]}"
head -c 300 "$scene" >"$dir/short.scene"
refused 1 'truncated' "$bin/primary" "$dir/short.scene" "${out[@]}"
cp "$scene" "$dir/damaged.scene"
printf '\x55' | dd of="$dir/damaged.scene" bs=1 seek=400 conv=notrunc status=none
refused 1 'damaged: contents do not match' "$bin/primary" "$dir/damaged.scene" "${out[@]}"
unset lines

echo "pass"
