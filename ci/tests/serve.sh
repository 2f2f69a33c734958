#!/bin/bash
# sim-run --serve: a page and JSON of a run while it goes on; pause, step and stop; results
# are the same; pages of elsewhere can neither read nor stop it; in Chromium, if it is there,
# the page is drawn without an error and shows the cycle at which the run stands.
# ci: area report host
# ci: needs bin/sim-run bin/corbel-scene sample-path
. ci/tests/head

S=$B/samples/rv64
mkdir -p "$B/tests/serve"
watch=ci/tests/serve/watch.py

"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null
chip=(-a rtx2080 -s chip.tms=2)
small=("$S/path" "$dir/c.scene" --size 40 --spp 4 --out "$dir/i.ppm")
large=("$S/path" "$dir/c.scene" --size 256 --spp 64 --out "$dir/i.ppm")

# ---- up to the end
"$sim" -o "$dir/plain" --interval 2000 "${chip[@]}" "${small[@]}" 2>/dev/null >&2
for threads in 1 2; do
    timeout 100 $watch whole "$dir/served" "$sim" --serve 0 --quiet -j $threads -o "$dir/served" \
        --interval 2000 "${chip[@]}" "${small[@]}" || fail "-j $threads"
    for file in stats.json stats.txt intervals.csv log.txt; do
        cmp "$dir/plain/$file" "$dir/served/$file" || fail "-j $threads: other results"
    done
done

# ---- what is refused, and a stop
timeout 100 $watch refused "$dir/stopped" "$sim" --serve 127.0.0.1:0 -o "$dir/stopped" "${chip[@]}" \
    "${large[@]}" || fail "orders"

# ---- a page, and its address taken
mkfifo "$dir/hold"
timeout 200 $watch held "$dir/held" "$sim" --serve 0 -o "$dir/held" --interval 2000 "${chip[@]}" \
    "${large[@]}" <"$dir/hold" >"$dir/where" &
held=$!
exec 8>"$dir/hold"
for _ in {1..600}; do
    [ ! -s "$dir/where" ] || break
    sleep 0.1
done
where=$(<"$dir/where")
whole=$where where=${where%/#*}
[ "$where" ] || fail "it does not stand"
refused() { # STATUS TEXT OPTION...
    local status=0
    "$sim" "${@:3}" "${chip[@]}" "${small[@]}" >/dev/null 2>"$dir/log" || status=$?
    [ $status = "$1" ] && [ "$(wc -l <"$dir/log")" = 1 ] && grep -qF -- "$2" "$dir/log" ||
        fail "${*:3}: status $status, $(cat "$dir/log")"
}
refused 205 "cannot serve at ${where##*:}: Address already in use" --serve "${where##*:}"
for wrong in x 70000 : 127.0.0.1: here.example:80 1.2.3:x '[::1:80'; do
    refused 200 "--serve $wrong: expected PORT or ADDRESS:PORT" --serve "$wrong"
done
refused 200 '--serve: not with --functional' --serve 0 --functional
browser=$(command -v chromium || true)
if [ "$browser" ]; then
    for width in 1280 400; do
        timeout 100 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
            --user-data-dir="$dir/chromium" --virtual-time-budget=6000 --enable-logging=stderr \
            --window-size=$width,2600 --dump-dom \
            --screenshot="$PWD/$B/tests/serve/$width.png" "$whole" >"$dir/dom" 2>"$dir/err" ||
            fail "chromium: $(cat "$dir/err")"
        ! grep CONSOLE "$dir/err" || fail "the lines above are on the console"
        cycle=$(curl -s "$where/progress.json" 2>/dev/null ||
            python3 -c 'import sys, urllib.request as u
print(u.urlopen(sys.argv[1]).read().decode())' "$where/progress.json")
        cycle=$(sed -n 's/.*"cycle":[^0-9]*\([0-9]*\).*/\1/p' <<<"$cycle")
        grep -q "data-live=\"true false $cycle\"" "$dir/dom" || fail "not of cycle $cycle: $(grep -o "<html[^>]*>" "$dir/dom")"
        grep -q 'id="refused"[^>]* hidden' "$dir/dom" || fail "the page has no token"
        grep -q 'data-drawn="[1-9]' "$dir/dom" && ! grep -q 'data-errors' "$dir/dom" ||
            fail "the page is not drawn"
        grep -qE 'aria-label="[a-z_]+ of ([2-9]|[1-9][0-9]+) units of ' "$dir/dom" ||
            fail "no map of units while it runs"
    done
fi
exec 8>&-
wait $held || fail "the run that stood"
echo "serve: watched, stepped, stopped; ${browser:+drawn, pictures are in $B/tests/serve}"
