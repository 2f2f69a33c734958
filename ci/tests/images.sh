#!/bin/bash
# Every sample computes the same image, byte for byte, natively and on target,
# rv32 and rv64, executed and timed, with each way to traverse and each node
# format; hello, hello-cpp and primary --hits write the same.
# ci: area samples
# ci: quick
# ci: needs bin/sim-run bin/corbel-scene samples
. ci/tests/head

size=(--size 16x12)
declare -i count=0

# Machine; traversals; node formats; targets. tiny has 8 harts.
all='rtcore isect software | cwbvh6 bvh6 bvh2'
machines="
--functional -a tiny     | $all                            | rv64 rv32
-a tiny                  | $all                            | rv64 rv32
-a tiny -s chip.tms=3    | rtcore          | bvh6          | rv64
-a trax -s chip.tms=4    | isect software  | cwbvh6 bvh2   | rv64
-a trax -s chip.tms=4    | software        | bvh6          | rv32
-a rtx2080               | rtcore          | cwbvh6 bvh2   | rv64
-a rtx2080               | rtcore          | bvh6          | rv32
"

# arguments SAMPLE FORMAT TRAVERSAL: of its run, in $arguments
arguments() {
    arguments=("${size[@]}")
    [ "$1" = mandelbrot ] && return
    arguments=("$dir/$2.scene" "${size[@]}" --traversal "$3")
    case $1 in
    primary) arguments+=(--hits "$dir/t.hits") ;;
    *) arguments+=(--spp 1) ;;
    esac
}

# produce NAME COMMAND...: image and hits are those that came first
produce() {
    rm -f "$dir/t.png" "$dir/t.hits"
    "${@:2}" "${arguments[@]}" --out "$dir/t.png" >"$dir/log" 2>&1 ||
        { cat "$dir/log"; fail "${*:2} ${arguments[*]}"; }
    for kind in png hits; do
        [ -e "$dir/t.$kind" ] || continue
        [ -e "$dir/$1.$kind" ] || cp "$dir/t.$kind" "$dir/$1.$kind"
        cmp "$dir/t.$kind" "$dir/$1.$kind" || fail "${*:2} ${arguments[*]}"
    done
    count+=1
}

# matrix SAMPLE "TRAVERSALS" "FORMATS" COMMAND...
matrix() {
    local traversal format
    for traversal in $2; do
        for format in $3; do
            arguments "$1" "$format" "$traversal"
            produce "$1" "${@:4}"
            [ "$1" != mandelbrot ] || return 0
        done
    done
}

# text SAMPLE COMMAND...: its output on 8 harts is the native one
text() {
    "${@:2}" >"$dir/stdout" 2>"$dir/log" || { cat "$dir/log"; fail "${*:2}"; }
    [ -e "$dir/$1.txt" ] || cp "$dir/stdout" "$dir/$1.txt"
    cmp "$dir/stdout" "$dir/$1.txt" || fail "${*:2}"
    count+=1
}

# on "OPTIONS" "TRAVERSALS" "FORMATS" "TARGETS": one row of the table
on() {
    local target sample run start=$SECONDS
    for target in $4; do
        run=("$B/bin/sim-run" --quiet --fs .)
        # shellcheck disable=SC2206
        run+=($1)
        for sample in mandelbrot primary ao path; do
            matrix $sample "$2" "$3" "${run[@]}" "$B/samples/$target/$sample"
        done
        [[ $1 == *"-a tiny" ]] || continue
        for sample in hello hello-cpp; do
            text $sample "${run[@]}" "$B/samples/$target/$sample"
        done
    done
    echo "$1, $4: $((SECONDS - start)) s"
}

for format in cwbvh6 bvh6 bvh2; do
    "$B/bin/corbel-scene" generate arcade "$dir/$format.scene" --triangles 10000 \
        --nodes $format >"$dir/log" 2>&1 || fail generate
done

for sample in mandelbrot primary ao path; do
    IFS='|' read -r traversals formats <<<"$all"
    CORBEL_THREADS=3 matrix $sample "$traversals" "$formats" "$B/samples/native/$sample"
done
for sample in hello hello-cpp; do
    CORBEL_THREADS=8 text $sample "$B/samples/native/$sample"
done
while IFS='|' read -r options traversals formats targets; do
    [ -z "$options" ] || on "${options%"${options##*[! ]}"}" "$traversals" "$formats" "$targets"
done <<<"$machines"

status=0
"$B/bin/sim-run" --functional --quiet -a tiny "$B/samples/rv64/primary" \
    no-such.scene >"$dir/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'no-such.scene: No such file' "$dir/log" ||
    fail "missing scene: status $status"

echo "$count runs wrote the same"
