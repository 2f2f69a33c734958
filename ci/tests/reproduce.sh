#!/bin/bash
# ci/reproduce on a generated scene and small chips: what is there is not done
# again, what is half there is; parts can be chosen; the results are those of
# the runs, and the pages have all of them.
set -euo pipefail

B=${B:-build}
make --no-print-directory reproduce-programs B="$B" >/dev/null
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/reproduce.XXXXXX")
sleepers() { # end simulators that were told to hang
    [ ! -e "$work/hung" ] || xargs kill <"$work/hung" 2>/dev/null || true
}
trap 'sleepers; rm -rf "$work"' EXIT

fail() {
    cat "$work/log"
    echo "FAIL: $*"
    exit 1
}

# A plan without meshes, but for one that is missing; formats as they are.
python3 - "$work/plan" <<'PY'
import os, re, shutil, sys
out = sys.argv[1]
os.mkdir(out)
shutil.copy("ci/reproduction/published.toml", out)
plan = open("ci/reproduction/plan.toml").read()
small = 'generate = ["arcade", "--triangles", "10000"]\ncamera = []\n'
for name in ("crytek-sponza", "arcade"):
    plan, count = re.subn(rf"(\[scenes\.{name}\]\n)(?:.*\n)*?camera = .*\n",
                          rf"\g<1>{small}", plan)
    assert count == 1
plan, count = re.subn(r'scenes = \["crytek-sponza", .*\]',
                      'scenes = ["crytek-sponza"]', plan)
assert count == 1
plan, count = re.subn(r'scenes = \[.*"arcade"\]',
                      'scenes = ["bunny", "arcade"]', plan)
assert count == 1
plan += '''
[parts.missing]
chips = ["rtx2080"]
scenes = ["bunny"]
divide = 1
'''
open(f"{out}/plan.toml", "w").write(plan)
open(f"{out}/calibration.toml", "w").write('''
[[constant]]
parameter = "rtcore.box_latency"
unit = "clk"
source = "a source of boxes"
[[constant]]
parameter = "l1.latency"
unit = "clk"
high = "none"
source = "a source of latency"
[[alternative]]
name = "the other hash"
set = ["chip.hash=stride"]
''')
PY

# sim-run, but for runs while $work/hang, lie or break are there.
cat >"$work/sim" <<SH
#!/bin/bash
case "\$*" in *--describe) exec "$B/bin/sim-run" "\$@" ;; esac
if [ -e "$work/hang" ]; then
    while [ "\$1" != -o ]; do shift; done
    mkdir -p "\$2"
    echo '{"half":' >"\$2/stats.json"
    echo \$\$ >>"$work/hung"
    exec sleep 300
elif [ -e "$work/lie" ]; then # all the same lie
    "$B/bin/sim-run" "\$@" | sed 's/hash ./hash x/'
elif [ -e "$work/break" ]; then
    echo "broken on purpose" >&2
    exit 3
else
    exec "$B/bin/sim-run" "\$@"
fi
SH
chmod +x "$work/sim"

out=$work/out
shared=$(realpath -m "${CORBEL_SHARED:-../shared}")
export B SIM=$work/sim CORBEL_SHARED=$work/none
study() { # STATUS ARGUMENTS...
    local expected=$1 status=0
    shift
    timeout 300 ci/reproduce --plan "$work/plan" --set chip.tms=2 --jobs 2 \
        --size 32 --out "$out" "$@" >"$work/log" 2>&1 || status=$?
    [ $status = "$expected" ] || fail "$*: status $status, not $expected"
}
said() { grep -q -- "$1" "$work/log" || fail "did not say '$1'"; }
half() { find "$out" -name '*.new*' | grep -q . ; }

echo "== a part, and the same again"
study 0 sponza
said '9 runs: 9 done now, 0 there'
! grep -q $'\r' "$work/log" || fail "progress without a terminal"
cp "$out/docs/reproduction.json" "$work/first.json"
study 0 sponza
said '9 runs: 0 done now, 9 there'
cmp "$out/docs/reproduction.json" "$work/first.json" || fail "other results"

echo "== what was deleted or damaged"
runs=("$out"/runs/*)
[ ${#runs[@]} = 9 ] || fail "${#runs[@]} runs"
rm -r "${runs[0]}" "${runs[1]}/manifest.json"
truncate -s 1000 "${runs[2]}/stats.json"
study 0 sponza
said '9 runs: 3 done now, 6 there'
cmp "$out/docs/reproduction.json" "$work/first.json" || fail "other results"

echo "== interrupted, killed"
for signal in TERM KILL; do
    rm -f "$work/hung"
    touch "$work/hang"
    ci/reproduce --plan "$work/plan" --set chip.tms=2 --jobs 1 --size 32 \
        --out "$out" scenes >"$work/log" 2>&1 &
    reproduce=$!
    for _ in {1..300}; do [ -s "$work/hung" ] && break; sleep 0.1; done
    [ -s "$work/hung" ] || fail "$signal: no run began"
    kill -$signal $reproduce
    status=0
    wait $reproduce 2>/dev/null || status=$?
    if [ $signal = TERM ]; then
        [ $status = 130 ] || fail "interrupted: status $status"
        ! kill -0 "$(head -n 1 "$work/hung")" 2>/dev/null || fail "left a run"
        ! half || fail "interrupted: left half a run"
    else
        half || fail "killed: where is the half-made run?"
        sleepers
    fi
    rm "$work/hang"
done

echo "== all parts"
python3 - "$work" "$out" >"$work/log" <<'PY' || fail "on a terminal: status"
import os, pty, sys
work, out = sys.argv[1:]
sys.exit(os.waitstatus_to_exitcode(pty.spawn([
    "ci/reproduce", "--plan", f"{work}/plan", "--set", "chip.tms=2", "--jobs",
    "2", "--size", "32", "--out", out, "sponza", "trax", "scenes",
    "calibration"])))
PY
said 'none/scenes lacks bunny.ply.xz: their runs are left out'
said 'reproduce: 36 of 36 runs, '
said '39 runs: 27 done now, 9 there before or alike, 3 without a result'
! half || fail "left half a run"

python3 - "$out" <<'PY' || fail "results"
import glob, json, sys
out = sys.argv[1]
parts = json.load(open(f"{out}/docs/reproduction.json"))["parts"]
count = {name: len(part["cells"]) for name, part in parts.items()}
assert count == {"sponza": 9, "trax": 9, "scenes": 3, "calibration": 15}, count
runs = {}
for folder in glob.glob(f"{out}/runs/*"):
    run = [json.load(open(f"{folder}/{name}.json")) for name in
           ("stats", "manifest")]
    runs[run[1]["results_hash"]] = run[0]
pages = {name: open(f"{out}/docs/{name}.md").read() for name in
         ("reproduction", "calibration")}

def block(page, name):
    text = pages[page].split(f"<!-- {name} -->\n")[1].split("<!-- end")[0]
    return [[c.strip() for c in line.split("|")[1:-1]]
            for line in text.splitlines() if line.startswith("|")][2:]

def near(a, b):
    return abs(a - b) < 1e-5 * max(1, abs(b))

for part in parts.values():
    for cell in part["cells"]:
        stats, found = runs[cell["results_hash"]], cell["figures"]
        roi = stats["region_of_interest"]
        (region,), groups = roi["regions"], roi["groups"]
        cycles = region["end"] - region["begin"]
        rays = cell["size"] ** 2
        us = cycles / stats["clock_mhz"]
        assert near(found["mrays"], rays / us), cell
        l2, dram = (groups[g]["counters"] for g in ("l2", "dram"))
        assert near(found["l2_bytes"], 32 * l2["reads"] / rays + 16), cell
        assert near(found["dram_bytes"], (dram["bytes_read"] +
                                          dram["bytes_written"]) / rays), cell
        for name, value in found.items():
            if name.endswith(("hit", "bandwidth")) or name == "occupancy":
                assert value is None or 0 <= value <= 100, (name, cell)
        assert (found["nodes"] is None) == (cell["mode"] != "rt"), cell
        assert cell["hits"].startswith(f"{rays} rays, "), cell

# The page has every cell, beside what was published.
kinds = ["primary", "secondary", "tertiary"]
shown = {row[0]: row[1:] for row in block("reproduction", "sponza-mrays")}
assert shown["RTX 2080"] == ["2080", "1272", "939"], shown
assert shown["Arches"][2] == "1045 (1.11)", shown
real = dict(zip(kinds, (2080, 1272, 939)))
for cell in parts["sponza"]["cells"]:
    value = cell["figures"]["mrays"]
    text = f"{value:.0f} ({value / real[cell['kind']]:.2f})"
    assert shown[f"Corbel {cell['chip']}"][kinds.index(cell["kind"])] == text
names = ("mrays", "verdict", "l2-hit", "l2-bandwidth", "dram-bandwidth",
         "l2-bytes", "l2-missing", "dram-bytes", "clocks")
for name in names:
    rows = {row[0] for row in block("reproduction", f"sponza-{name}")}
    assert {c["chip"] for c in parts["sponza"]["cells"]} <= {
        row.removeprefix("Corbel ") for row in rows}, (name, rows)
assert [row[:2] for row in block("reproduction", "scenes")] == [
    ["arcade", kind] for kind in kinds]
assert [row[1] for row in block("reproduction", "trax")][:3] == [
    "Arches, software", "Arches, rt", "Arches, compressed"]
assert len(block("reproduction", "trax")) == 6
boxes, latency = block("calibration", "calibration")
assert boxes[2] == "a source of boxes" and boxes[3][0].isdigit(), boxes
assert latency[3].count("/") == 2 and latency[4] == "-", latency
other, = block("calibration", "calibration-alternatives")
assert other[0] == "the other hash" and "chip.hash=stride" in other[1], other
PY

if command -v gnuplot >/dev/null; then
    for name in mrays traffic scenes trax calibration; do
        grep -q '</svg>' "$out/docs/reproduction-$name.svg" || fail "$name.svg"
        cat "$out"/docs/*.md | grep -F "(reproduction-$name.svg)" >/dev/null ||
            fail "no link to $name"
    done
fi

echo "== a part of which no mesh is there; meshes"
study 1 missing
said 'missing: no result, as all its scenes are missing'
said 'bunny is from GitHub google/draco, testdata/bun_zipper.ply'
ci/reproduction/meshes >"$work/log"
said 'cornell-box: GitHub wallisc/Real-time-Path-Tracer'
"$B/bin/corbel-scene" generate cornell --ply "$work/box.ply" >/dev/null
refused() { # STATUS ARGUMENTS...
    local expected=$1 status=0
    ci/reproduction/meshes "${@:2}" >"$work/log" 2>&1 || status=$?
    [ $status = "$expected" ] || fail "meshes ${*:2}: status $status, not $expected"
    [ ! -e "$work/meshes/bunny.ply.xz" ] || fail "meshes ${*:2}: wrote it"
}
refused 1 bunny "$work/box.ply" "$work/meshes"
said 'box.ply: 36 triangles .* expected .*: GitHub google/draco'
refused 1 bunny "$work/none.ply" "$work/meshes"
refused 2 nothing "$work/box.ply" "$work/meshes"
refused 2 bunny
if [ -d "$shared/scenes" ]; then
    for mesh in bunny cornell-box; do
        ci/reproduction/meshes $mesh "$shared/scenes/$mesh.ply.xz" "$work/meshes" >"$work/log" 2>&1 ||
            fail "meshes $mesh"
        ci/reproduction/meshes $mesh "$work/meshes/$mesh.ply.xz" "$work/meshes" >"$work/log" 2>&1 ||
            fail "what meshes wrote of $mesh"
    done
fi

echo "== what goes wrong"
study 2 nonsense
said "no part 'nonsense': expected sponza, trax, scenes, calibration, missing"
cp "$out/docs/reproduction.json" "$work/first.json"
touch "$work/break"
study 1 sponza --size 8 --docs "$out/docs"
said 'status 3: broken on purpose'
cmp "$out/docs/reproduction.json" "$work/first.json" || fail "lost results"
mv "$work/break" "$work/lie"
study 1 sponza --size 8 --docs "$out/docs"
said 'primary-8: simulated: 64 rays, .*, hash x.*; expected as natively: 64 rays'
said '9 runs: 9 done now, 0 there before or alike, 9 without a result'
cmp "$out/docs/reproduction.json" "$work/first.json" || fail "lost results"
rm "$work/lie"
echo '{"parts":' >"$out/docs/reproduction.json"
study 1 sponza
said 'reproduction.json is damaged'

echo pass
