#!/bin/bash
# make release builds, without a warning, a sim-run whose results are those of the
# ordinary one, and leaves nothing behind in the tree; ci/bench measures, compares
# with results of before, does without reference data, and refuses bad input.
# ci: area speed
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays sample-replay samples/rv64/streams
# ci: needs samples/rv64/path samples/rv64/gpu samples/rv64/kernels tests/epoch-cost
. ci/tests/head

# ---- make release ----
tree() { [ ! -d .git ] || git status --short; }
before=$(tree)
make --no-print-directory release >"$dir/log" 2>&1 || fail "make release"
! grep -i warning "$dir/log" || fail "make release warns"
touch "$dir/once"
make --no-print-directory -j2 release >"$dir/log" 2>&1 || fail "make -j2 release"
[ ! "$B/release/bin/sim-run" -nt "$dir/once" ] || fail "make release does it all again"
ci/variant release-gcc >"$dir/log" 2>&1 || fail "make release without clang"
grep -q 'by gcc, without a profile' "$B/release-gcc/said" || fail "not by gcc"
[ "$(tree)" = "$before" ] || fail "make release leaves something: $(tree)"

"$B/bin/corbel-scene" generate arcade "$dir/a.scene" --triangles 10000 \
    --nodes cwbvh7 --leaves block128 --leaf 3 >/dev/null
"$B/bin/corbel-rays" "$dir/a.scene" "$dir/a.rays" --kind secondary --size 24 >/dev/null
hash_of() { # SIM-RUN OPTION...
    "$1" "${@:2}" -a rtx2080-arches -s chip.tms=3 "$B/samples/rv64/replay" \
        "$dir/a.scene" "$dir/a.rays" --mode "$mode" 2>&1 | grep '^results hash'
}
for mode in rt software; do
    for options in "-j 1" "-j 2" --functional; do
        # shellcheck disable=SC2086
        ordinary=$(hash_of "$B/bin/sim-run" $options)
        # shellcheck disable=SC2086
        for build in release release-gcc; do
            [ "$(hash_of "$B/$build/bin/sim-run" $options)" = "$ordinary" ] ||
                fail "$build changes results: $mode $options"
        done
    done
done

# ---- ci/bench ----
# bench NAME OPTION...: tables in NAME, results in NAME.json
bench() {
    CORBEL_SHARED=$dir/none ci/bench --quick --out "$dir/$1.json" "${@:2}" \
        >"$dir/$1" 2>"$dir/log" || { cat "$dir/log"; fail "ci/bench ${*:2}"; }
}
bench first secondary threads software-trax start memory streams warps
grep -q 'has no crytek-sponza.ply.xz: the generated scene arcade takes its place' \
    "$dir/log" || fail "nothing is said of the scene"
bench second --before "$dir/first.json" start
grep -qE '^\| start, .* [0-9.]+x \|$' "$dir/second" ||
    { cat "$dir/second"; fail "no comparison with what was before"; }
grep -q "^before: $dir/first.json, of " "$dir/second" || fail "no name of the host"
sed -i 's/"cpu": "/"cpu": "no /' "$dir/first.json"
bench other --before "$dir/first.json" start
grep -q ', of no ' "$dir/other" || fail "another host is not named"
bench third --before "$dir/none.json" --runs 2 start
python3 - "$dir" <<'END'
import json, sys
def read(name):
    with open(f"{sys.argv[1]}/{name}.json") as file:
        return json.load(file)
first, third = read("first"), read("third")
assert first["quick"] and first["scene"] == "arcade" and first["machine"]["cpu"]
for name, of in first["figures"].items():
    assert 0 < of["min"] <= of["median"] <= of["max"], name
    assert len(of["values"]) == 1, name
assert first["addition_ns"] > 0 and first["line_ns"] > 0
for name in ("secondary, CPU s a frame", "two threads, times one",
             "software on trax, instructions per CPU s",
             "path in warps, these times rtx2080's",
             "start, s to the first cycle", "memory, times scene and frame",
             "memory, times these and modelled state",
             "dual-streaming-rt, clk of a busy TM per CPU s, times rtx2080's"):
    assert name in first["figures"], name
assert first["work"]["secondary"]["rays"] == 1024, first["work"]
assert list(third["figures"]) == ["start, s to the first cycle"]
assert len(third["figures"]["start, s to the first cycle"]["values"]) == 2
END

# What more host threads gain, on small cases.
ci/speed/scaling --quick --out "$dir/scaling.json" >"$dir/log" 2>&1 || fail "ci/speed/scaling --quick"
[ -s "$dir/scaling.json" ] && grep -q '^| rtx2080' "$dir/log" || fail "scaling has no rows"

# Samples count as alone where neither additions nor reads were slow.
PYTHONPATH=ci/speed:ci/memory:ci/reproduction python3 - <<'END'
import rows
samples = [(5, (0.1, 20)), (7, (0.104, 25)), (90, (0.12, 20)), (80, (0.1, 30))]
of = rows.summary(samples, (0.1, 20))
assert of["alone"] == {"median": 6, "min": 5, "max": 7, "count": 2}, of
assert of["values"] == [5, 7, 90, 80] and of["median"] == 43.5, of
assert "alone" not in rows.summary(samples[2:], (0.1, 20))
END

# refused STATUS MESSAGE OPTION...
refused() {
    local status=0
    CORBEL_SHARED=$dir/none ci/bench --quick --out "$dir/bad.json" "${@:3}" \
        >"$dir/out" 2>"$dir/log" || status=$?
    [ $status = "$1" ] && grep -q -- "$2" <(tail -n 1 "$dir/log") && [ ! -s "$dir/out" ] ||
        { cat "$dir/log"; fail "status $status, expected $1 and '$2': ${*:3}"; }
    [ ! -e "$dir/bad.json" ] || fail "results in spite of: ${*:3}"
}
refused 2 'there is no row nonsense; expected primary' nonsense
refused 2 'runs: expected 1 or more' --runs 0
refused 1 'lacks the large scene' --large large
SIM=$dir/no-such refused 1 'no-such: No such file' start
echo broken >"$dir/broken.json"
status=0
ci/bench --quick --out "$dir/x.json" --before "$dir/broken.json" start >"$dir/out" 2>"$dir/log" ||
    status=$?
[ $status = 1 ] && tail -n 1 "$dir/log" | grep -q 'broken.json: Expecting value' ||
    fail "status $status for a broken file of before"
