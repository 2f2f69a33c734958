#!/bin/bash
# An error of any tool is one line of bounded length, whatever bytes its
# arguments have: no line breaks, no control characters, no end in sight.
# ci: area tools
# ci: needs sim runtime samples/rv64/mandelbrot
. ci/tests/head

count=0

# one_line COMMAND...: it fails, and says so in one line of at most 600 bytes
one_line() {
    local got=0
    count=$((count + 1))
    "$@" >"$dir/out" 2>"$dir/err" </dev/null || got=$?
    if [ $got != 0 ] && [ $got -lt 126 -o $got -ge 200 ] &&
        [ "$(wc -l <"$dir/err")" = 1 ] && [ "$(wc -c <"$dir/err")" -le 600 ] &&
        ! tr -d '\n' <"$dir/err" | LC_ALL=C grep -q '[[:cntrl:]]' &&
        iconv -f utf-8 -t utf-8 "$dir/err" >/dev/null 2>&1; then
        return
    fi
    local what="$*"
    printf 'FAIL: %q: status %s, expected one short line:\n' "${what:0:100}" "$got"
    head -c 1000 "$dir/err" | cat -v
    failures=$((failures + 1))
}

long=$(head -c 30000 /dev/zero | tr '\0' y)
hostile=($'two\nlines\rand \e[2Jred' $'\xff\xfe\x7f' "$long"$'\n'"$long")

for text in "${hostile[@]}"; do
    one_line "$sim" "$text"
    one_line "$sim" "--$text"
    one_line "$sim" "--quiet=$text" x
    one_line "$sim" -a "$text" --describe
    one_line "$sim" -a "$text.lua" --describe
    one_line "$sim" -s "$text" --describe
    one_line "$sim" -s "$text.$text=1" --describe
    one_line "$sim" -s "chip.$text=1" --describe
    one_line "$sim" -s "l1.$text=1" --describe
    one_line "$sim" -s "l1.size=$text" --describe
    one_line "$sim" -s "@$text" --describe
    for option in -j -o --isa --memory --harts --max-cycles --interval --epoch \
        --schedule --log; do
        one_line "$sim" "$option" "$text" "$text"
    done
    one_line "$sim" --fs "$dir/$text" "$text"
done
printf 'error("two\\nlines\\27[2J" .. string.rep("y", 100000))\n' >"$dir/error.lua"
one_line "$sim" -a "$dir/error.lua" --describe
printf 'include("two\\nlines")\n' >"$dir/include.lua"
one_line "$sim" -a "$dir/include.lua" --describe
printf 'tile{"two\\nlines"}\nx = = "\\27\n' >"$dir/syntax.lua"
one_line "$sim" -a "$dir/syntax.lua" --describe

for text in "${hostile[@]}"; do
    for tool in corbel-scene corbel-rays; do
        [ -x build/bin/$tool ] || continue
        one_line build/bin/$tool "$text"
        one_line build/bin/$tool "--$text"
        one_line build/bin/$tool "--size=$text" x y
        one_line build/bin/$tool info "$text"
    done
    one_line build/bin/corbel-scene convert "$text" "$dir/x.scene"
    one_line build/bin/corbel-scene convert "$text.obj" "$dir/x.scene"
    one_line build/bin/corbel-scene generate "$text" "$dir/x.scene"
    one_line build/bin/corbel-scene generate cornell "$dir/none/$text"
    one_line build/bin/corbel-rays "$text" "$dir/x.rays" --kind primary
    one_line build/bin/corbel-rays x y --kind "$text"
    one_line build/bin/dram-run "$text"
    one_line build/bin/dram-run "--$text"
    one_line build/bin/dram-run "$text" "$text"
    one_line build/bin/dram-run gddr6-14000 "$text"
    one_line build/bin/dram-run --read-queue "$text" gddr6-14000 "$text"
    one_line build/bin/page-run "$text"
    one_line build/bin/page-run "--$text"
    one_line build/bin/page-run --seed "$text" x
    one_line build/bin/sim-report "$text"
    one_line build/bin/sim-report "--$text" x
    one_line build/bin/sim-report x --image "$text"
    one_line build/bin/sim-report x --csv "$text"
    one_line build/bin/sim-report x -o "$text/x"
    one_line build/bin/sim-diff "$text" x
    one_line build/bin/sim-diff x y --top "$text"
    one_line build/bin/sim-diff x y "$text"
    printf 'transfer_bytes,f_core_MHz,a,cycles\n%s,%s,1,1\n' "$text" "$text" >"$dir/x.csv"
    one_line build/bin/page-run "$dir/x.csv"
    [ ! -x build/bin/corbel-gcc ] || one_line build/bin/corbel-gcc "-march=$text"
done

# Native programs: unknown options, values, files, and what the shim says.
for program in build/samples/native/*; do
    name=$(basename "$program")
    [ -x "$program" ] || continue
    for text in "${hostile[@]}"; do
        case $name in
        primary | path)
            one_line "$program" "--$text"
            one_line "$program" "$text"
            one_line "$program" x --size "$text"
            one_line "$program" x --traversal "$text"
            ;;
        mandelbrot) one_line "$program" --size "$text" ;;
        floats) one_line "$program" 10 "$text" ;;
        microbench) one_line "$program" "$text" ;;
        replay | streams) one_line "$program" x y --mode "$text" ;;
        rtbench) one_line "$program" x y --rays "$text" ;;
        esac
    done
done
if [ -x build/samples/native/mandelbrot ]; then
    one_line env CORBEL_THREADS=$'4\nx' build/samples/native/mandelbrot --size 4 \
        --out "$dir/x.png"
fi
[ $failures = 0 ] && echo "$count errors of one line each"
