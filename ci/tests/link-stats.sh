#!/bin/bash
# --link-stats: what links carry agrees with what units count, is the same
# however the run is computed, and changes no result.
# ci: area observe
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/mandelbrot samples/rv64/primary
. ci/tests/head

# run NAME OPTION...: the results hash to NAME, files to NAME.out
run() {
    local name=$1
    shift
    "$sim" --quiet -a tiny -s chip.tms=2 -o "$dir/$name.out" "$@" \
        "$B/samples/rv64/mandelbrot" --size 8 --out "$dir/image.ppm" \
        >/dev/null 2>"$dir/$name" || fail "$name: $(cat "$dir/$name")"
}
run plain
run watched --link-stats
run otherwise --link-stats -j 2 --epoch 1 --no-skip --reverse-units
cmp "$dir/plain" "$dir/watched" || fail "results change"

# How far a thread processor works ahead depends on how long tiles run at a time.
"$B/bin/corbel-scene" generate cornell "$dir/scene" >/dev/null
reference=
for how in "-j 1" "-j 2" "-j 1 --epoch 1" "-j 1 --no-skip"; do
    # shellcheck disable=SC2086
    "$sim" --quiet -a tiny -s chip.tms=2 -o "$dir/ahead" --link-stats $how \
        "$B/samples/rv64/primary" "$dir/scene" --size 16 --out "$dir/image.ppm" 2>/dev/null
    links=$(sha256sum <"$dir/ahead/stats.json")
    [ "$links" = "${reference:=$links}" ] || fail "$how: other statistics"
done

python3 - "$dir" <<'PY' || fail "of the links"
import json
import sys

plain, watched, otherwise = (json.load(open(f"{sys.argv[1]}/{name}.out/stats.json"))
                             for name in ("plain", "watched", "otherwise"))
links, cycles = watched["links"], watched["cycles"]
operations = watched["groups"]["sfu_int"]["counters"]["operations"]

def messages(end):
    return sum(link["messages"] for link in links if ".sfu_int" in link[end])

claims = {
    "none are listed unasked": "links" not in plain,
    "the same however they are computed": links == otherwise["links"],
    "what comes to sfu_int": operations > 0 and messages("to") == operations,
    "what leaves sfu_int": messages("from") == operations,
    "cycles of a link": all(
        link["full"] <= cycles and link["occupied"] <= link["room"] * cycles
        and link["occupied"] >= (link["messages"] - link["room"] if link["room"] else 0)
        for link in links),
    "one is full, one has no room": any(link["full"] for link in links)
    and any(not link["room"] for link in links),
}
wrong = [claim for claim, holds in claims.items() if not holds]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
PY

status=0
"$sim" --quiet --link-stats -a tiny "$B/samples/rv64/mandelbrot" \
    >/dev/null 2>"$dir/err" || status=$?
[ $status = 200 ] && grep -q '^sim-run: --link-stats: needs' "$dir/err" ||
    fail "without --outdir: status $status"
