#!/bin/bash
# ci/reproduce on a generated scene and small chips: what is there is not done
# again, what is half there is; parts can be chosen; the results are those of
# the runs, and the pages have all of them.
# ci: area studies
# ci: needs reproduce-programs
. ci/tests/head

sleepers() { # end simulators that were told to hang
    [ ! -e "$dir/hung" ] || xargs kill <"$dir/hung" 2>/dev/null || true
}
trap 'status=$?; sleepers; clear_up $status' EXIT

# A plan without meshes, but for one that is missing; formats as they are.
python3 - "$dir/plan" <<'PY'
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
# An experiment of each kind, of all that the study of ray streams has.
same = 'scenes = ["crytek-sponza"]\nkinds = ["secondary"]\ndivide = [2]\n'
bvh6 = '{name = "bvh6", convert = ["--nodes", "bvh6"]}'
open(f"{out}/streams.toml", "w").write(f'''
[[experiment]]
name = "clients"
scenes = ["crytek-sponza", "san-miguel-part"]
kinds = ["primary"]
chips = ["dual-streaming-rt"]
divide = [1]
interval = 256
[[experiment]]
name = "trax"
scenes = ["crytek-sponza"]
kinds = ["secondary"]
chips = ["trax-2ghz", "dual-streaming-rt-16m"]
divide = [2, 1]
[[experiment]]
name = "log"
scenes = ["crytek-sponza"]
kinds = ["primary"]
chips = ["trax-log", "dual-streaming-log"]
shape = [1280, 720]
divide = [1]
axes = [[{{name = "as it is", set = []}}]]
[[experiment]]
name = "log-why"
scenes = ["crytek-sponza"]
kinds = ["primary"]
chips = ["dual-streaming-log"]
shape = [1280, 720]
divide = [1]
axes = [[{{name = "items by TM", set = ["chip.bank_by=tm"]}}]]
[[experiment]]
name = "order"
{same}
chips = ["dual-streaming-rt"]
axes = [[{{name = "bfs", set = ["chip.order=bfs"]}},
         {{name = "dfs, none", set = ["chip.order=dfs", "chip.weight=none"]}}],
        [{{name = "off", set = []}}, {{name = "on", set = ["chip.early=1"]}}]]
[[experiment]]
name = "order-software"
{same}
chips = ["dual-streaming"]
axes = [[{{name = "bfs", set = []}}],
        [{{name = "delayed", arguments = ["--early", "delayed"]}}]]
[[experiment]]
name = "treelets"
{same}
chips = ["dual-streaming-rt"]
sweep = "--treelets"
values = [4096, 65536]
[[experiment]]
name = "bucket"
{same}
chips = ["dual-streaming-rt"]
sweep = "chip.bucket"
values = [512]
[[experiment]]
name = "objections"
{same}
chips = ["trax-2ghz"]
axes = [[{{name = "as it is", set = []}}, {{name = "xor", set = ["chip.hash=xor"]}}]]
[[experiment]]
name = "strata-sizes"
{same}
chips = ["strata-rt"]
axes = [[{{name = "64 KiB", convert = ["--treelets", "65536"]}}]]
[[experiment]]
name = "strata"
{same}
chips = ["trax-2ghz", "strata-rt-parents"]
axes = [[{bvh6}]]
[[experiment]]
name = "formats"
{same}
chips = ["dual-streaming-rt", "strata-rt-parents"]
axes = [[{bvh6}, {{name = "cwbvh6t", set = [], chips = ["dual-streaming-rt"]}}]]
''')
PY

# sim-run, but for runs while $dir/hang, lie or break are there.
cat >"$dir/sim" <<SH
#!/bin/bash
case "\$*" in *--describe) exec "$B/bin/sim-run" "\$@" ;; esac
if [ -e "$dir/hang" ]; then
    while [ "\$1" != -o ]; do shift; done
    mkdir -p "\$2"
    echo '{"half":' >"\$2/stats.json"
    echo \$\$ >>"$dir/hung"
    exec sleep 300
elif [ -e "$dir/lie" ]; then # all the same lie
    "$B/bin/sim-run" "\$@" | sed 's/hash ./hash x/'
elif [ -e "$dir/break" ]; then
    echo "broken on purpose" >&2
    exit 3
else
    exec "$B/bin/sim-run" "\$@"
fi
SH
chmod +x "$dir/sim"

out=$dir/out
shared=$(realpath -m "$shared")
export B SIM=$dir/sim CORBEL_SHARED=$dir/none
study() { # STATUS ARGUMENTS...
    local expected=$1 status=0
    shift
    timeout 300 ci/reproduce --plan "$dir/plan" --set chip.tms=2 --jobs 2 \
        --size 32 --out "$out" "$@" >"$dir/log" 2>&1 || status=$?
    [ $status = "$expected" ] || fail "$*: status $status, not $expected"
}
said() { grep -q -- "$1" "$dir/log" || fail "did not say '$1'"; }
half() { find "$out" -name '*.new*' | grep -q . ; }

echo "== a part, and the same again"
study 0 sponza
said '9 runs: 9 done now, 0 there'
! grep -q $'\r' "$dir/log" || fail "progress without a terminal"
cp "$out/docs/reproduction.json" "$dir/first.json"
study 0 sponza
said '9 runs: 0 done now, 9 there'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "other results"

echo "== what was deleted or damaged"
runs=("$out"/runs/*)
[ ${#runs[@]} = 9 ] || fail "${#runs[@]} runs"
rm -r "${runs[0]}" "${runs[1]}/manifest.json"
truncate -s 1000 "${runs[2]}/stats.json"
study 0 sponza
said '9 runs: 3 done now, 6 there'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "other results"

echo "== interrupted, killed"
for signal in TERM KILL; do
    rm -f "$dir/hung"
    touch "$dir/hang"
    ci/reproduce --plan "$dir/plan" --set chip.tms=2 --jobs 1 --size 32 \
        --out "$out" scenes >"$dir/log" 2>&1 &
    reproduce=$!
    for _ in {1..300}; do [ -s "$dir/hung" ] && break; sleep 0.1; done
    [ -s "$dir/hung" ] || fail "$signal: no run began"
    kill -$signal $reproduce
    status=0
    wait $reproduce 2>/dev/null || status=$?
    if [ $signal = TERM ]; then
        [ $status = 130 ] || fail "interrupted: status $status"
        ! kill -0 "$(head -n 1 "$dir/hung")" 2>/dev/null || fail "left a run"
        ! half || fail "interrupted: left half a run"
    else
        half || fail "killed: where is the half-made run?"
        sleepers
    fi
    rm "$dir/hang"
done

echo "== all parts"
python3 - "$dir" "$out" >"$dir/log" <<'PY' || fail "on a terminal: status"
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
import glob, json, math, sys
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
        rays = math.prod(cell["size"])
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

echo "== chips with ray streams"
study 0 streams
said 'none/scenes lacks san-miguel-part.ply.xz: their runs are left out'
said '25 runs: 20 done now, 4 there before or alike, 1 without a result'
python3 - "$out" <<'PY' || fail "results of streams"
import csv, glob, json, math, sys
out = sys.argv[1]
part = json.load(open(f"{out}/docs/reproduction.json"))["parts"]["streams"]
runs = {}
for folder in glob.glob(f"{out}/runs/*"):
    manifest = json.load(open(f"{folder}/manifest.json"))
    runs[manifest["results_hash"]] = folder, manifest

def of(cell):
    folder, manifest = runs[cell["results_hash"]]
    region = json.load(open(f"{folder}/stats.json"))["region_of_interest"]
    return folder, manifest["settings"], region

# The series covers the frame: what main memory carried of rays, all of it.
first, = (c for c in part["cells"] if c["about"][0] == "clients")
folder, _, region = of(first)
(frame,), groups = region["regions"], region["groups"]
series, checks = first["series"], first["checks"]
count = len(series["rays_read"])
assert 50 < count <= 100, count
assert count * series["cycles"] >= frame["end"] - frame["begin"]
scheduler, dram = (groups[g]["counters"] for g in ("streamscheduler", "dram"))
rows = list(csv.DictReader(open(f"{folder}/intervals.csv")))
for way in ("read", "written"):
    moved = sum(int(r["value"]) for r in rows
                if (r["group"], r["stat"]) == ("dram", f"rays_{way}"))
    assert sum(series[f"rays_{way}"]) == moved == dram[f"rays_{way}"]
    assert moved == scheduler[f"bytes_{way}"] > 0
root, *others = checks
least = 2048 * math.ceil(scheduler["live_roots"] / 56)
assert root["value"] == 2048 * scheduler["written_roots"], root
assert (root["least"], root["most"]) == (least, least + 32 * 2048), root
assert all(c["value"] == c["least"] == c["most"] for c in others), others

# Variants are what they say, and figures those of their runs.
wanted = {("order", "dfs, none, on"): {"chip.order=dfs", "chip.weight=none",
                                       "chip.early=1", "chip.tms=2"},
          ("bucket", "chip.bucket 512"): {"chip.bucket=512"}}
for cell in part["cells"]:
    _, settings, region = of(cell)
    found, rays = cell["figures"], math.prod(cell["size"])
    counts = {g: v["counters"] for g, v in region["groups"].items()}
    assert wanted.get(tuple(cell["about"]), set()) <= set(settings), cell
    assert cell["hits"].startswith(f"{rays} rays, "), cell
    for figure, group, counter in (("revisits", "rtcore", "revisits"),
                                   ("items", "streamscheduler", "items"),
                                   ("moved", "raystore", "crossings")):
        if group in counts:
            assert abs(found[figure] * rays - counts[group][counter]) < 0.01
    assert (cell["mode"] == "rt") == (found["nodes"] is not None), cell
    if cell["chip"].startswith("trax"):
        read = counts["dram"]["bytes_read"] / rays
        assert abs(found["scene_bytes"] - (read - 32)) < 1e-5, cell
    else:
        assert 0 < found["tracing"] <= 100 or cell["mode"] != "rt", cell
sizes = {c["about"][1]: c["convert"] for c in part["cells"]
         if c["about"][0] == "treelets"}
assert all(text.endswith(name) for name, text in sizes.items()), sizes
assert len(sizes) == 2
moving = [c for c in part["cells"] if c["chip"] == "strata-rt-parents"]
assert [c["about"][0] for c in moving] == ["strata", "formats"], moving
assert all(c["figures"]["revisits"] > 1 for c in moving)

page = open(f"{out}/docs/streams-study.md").read()
for cell in part["cells"]:
    block = {"treelets": "sweeps", "bucket": "sweeps", "log-why": "log"}.get(
        cell["about"][0], cell["about"][0])
    text = page.split(f"<!-- streams-{block} -->")[1].split("<!-- end")[0]
    if cell["about"][0] == "clients":
        assert text.count("| yes |") == 3 and str(root["value"]) in text
    else:
        assert f" {cell['figures']['mrays']:.0f} " in text, cell
text = page.split("<!-- streams-quarters -->")[1].split("<!-- end")[0]
quarters = [float(row.split("|")[4]) for row in text.splitlines()
            if row.startswith("| crytek-sponza ")]
steps = [count * i // 4 for i in range(5)]
mean = sum(q * (b - a) for q, a, b in zip(quarters, steps, steps[1:])) / count
assert abs(mean * count * series["cycles"] - scheduler["bytes_written"]) < (
    0.05 * count * series["cycles"]), quarters
log = [c for c in part["cells"] if c["about"][0] == "log"]
assert [c["size"] for c in log] == [[40, 22]] * 2, log
text = page.split("<!-- streams-log -->")[1].split("<!-- end")[0]
assert "| Arches, Dual Streaming | 598 (1.42) | 168 (0.65) | 167.9 (1.15) |" in text
trax, ours = (c["figures"]["mrays"] for c in log)
by_tm, = (c["figures"]["mrays"] for c in part["cells"]
          if c["about"][0] == "log-why")
for varied, found in ("as it is", ours), ("items by TM", by_tm):
    row = f"{varied} | dual-streaming-log | {found:.0f} ({found / trax:.2f}) |"
    assert row in text, text
text = page.split("<!-- streams-trax -->")[1].split("<!-- end")[0]
assert text.count(" 16 x 16 ") == text.count(" 32 x 32 ") == 2, text
assert text.count(" | trax-2ghz | ") == 2, text
PY
study 0 streams
said '25 runs: 0 done now, 24 there before or alike, 1 without a result'
series=("$out"/runs/dual-streaming-rt-*/intervals.csv)
[ ${#series[@]} = 1 ] || fail "${#series[@]} series"
cp "$out/docs/reproduction.json" "$dir/first.json"
sed -i '0,/,dram,rays_read,/{/,dram,rays_read,/d}' "${series[0]}"
study 1 streams
said 'all items read, bytes: [0-9]*, expected [0-9]* to'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "lost results"
rm "${series[0]}"
study 0 streams
said '25 runs: 1 done now, 23 there before or alike, 1 without a result'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "other results"
if command -v gnuplot >/dev/null; then
    for name in clients trax strata-sizes order sweeps strata formats; do
        grep -q '</svg>' "$out/docs/reproduction-streams-$name.svg" || fail "$name.svg"
    done
fi

echo "== a part of which no mesh is there; meshes"
study 1 missing
said 'missing: no result, as all its scenes are missing'
said 'bunny is from GitHub google/draco, testdata/bun_zipper.ply'
ci/reproduction/meshes >"$dir/log"
said 'cornell-box: GitHub wallisc/Real-time-Path-Tracer'
"$B/bin/corbel-scene" generate cornell --ply "$dir/box.ply" >/dev/null
refused() { # STATUS ARGUMENTS...
    local expected=$1 status=0
    ci/reproduction/meshes "${@:2}" >"$dir/log" 2>&1 || status=$?
    [ $status = "$expected" ] || fail "meshes ${*:2}: status $status, not $expected"
    [ ! -e "$dir/meshes/bunny.ply.xz" ] || fail "meshes ${*:2}: wrote it"
}
refused 1 bunny "$dir/box.ply" "$dir/meshes"
said 'box.ply: 36 triangles .* expected .*: GitHub google/draco'
refused 1 bunny "$dir/none.ply" "$dir/meshes"
refused 2 nothing "$dir/box.ply" "$dir/meshes"
refused 2 bunny
if [ -d "$shared/scenes" ]; then
    for mesh in bunny cornell-box; do
        ci/reproduction/meshes $mesh "$shared/scenes/$mesh.ply.xz" "$dir/meshes" >"$dir/log" 2>&1 ||
            fail "meshes $mesh"
        ci/reproduction/meshes $mesh "$dir/meshes/$mesh.ply.xz" "$dir/meshes" >"$dir/log" 2>&1 ||
            fail "what meshes wrote of $mesh"
    done
fi

echo "== what goes wrong"
study 2 nonsense
said "no part 'nonsense': expected sponza, trax, scenes, calibration, streams, missing"
cp "$out/docs/reproduction.json" "$dir/first.json"
touch "$dir/break"
study 1 sponza --size 8 --docs "$out/docs"
said 'status 3: broken on purpose'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "lost results"
mv "$dir/break" "$dir/lie"
study 1 sponza --size 8 --docs "$out/docs"
said 'primary-8x8: simulated: 64 rays, .*, hash x.*; expected as natively: 64 rays'
said '9 runs: 9 done now, 0 there before or alike, 9 without a result'
cmp "$out/docs/reproduction.json" "$dir/first.json" || fail "lost results"
rm "$dir/lie"
echo '{"parts":' >"$out/docs/reproduction.json"
study 1 sponza
said 'reproduction.json is damaged'

echo pass
