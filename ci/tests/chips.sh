#!/bin/bash
# The chips: all GPUs are listed and described (the others, core, tiny*, rtp-*, strata* and
# dual-streaming*, have tests of their own), are what the facts below say, of which the table
# of docs/reference/chips.md is made, and each, with 2 of its TMs, draws the picture of the
# native program.
# ci: area arch docs
# ci: needs bin/sim-run bin/corbel-scene tests/dram-device samples/native/primary
# ci: needs samples/rv64/primary samples/native/hello samples/rv64/hello
. ci/tests/head

tools=$PWD/$B means=$PWD/ci/tests/statistics/means.py

# Chip; TMs, TPs (or lanes) of each, harts of each, MHz; L1 of a TM and L2 in KiB, DRAM's
# pins in GB/s; load-to-use latency of L1 and L2 in cycles; RT cores, rays.
facts='
rtx2080            46  64 16 1515   64  4096  448.0 32 236  46  46
rtx2080-simt       46  64 16 1515   64  4096  448.0 32 236  46  46
rtx2080-paper      46  64  8 1515   64  4096  448.0 22 182  46  64
rtx2080-arches     46  64  8 1515   64  4096  448.0 22 184  46  64
rtx2060            30  64  1 1365   64  3072  336.0 22 184  30  64
rtx2060-simt       30  64 16 1365   64  3072  336.0 32 236  30  46
rtx3070            46 128 12 1500  128  4096  448.0 41 230  46 128
rtx3070-simt       46 128 12 1500  128  4096  448.0 39 229  46  46
rtx3080ti          80 128 12 1365  128  6144  912.0 39 243  80  46
rtx4090           128 128 12 2235  128 73728 1008.0 41 230 128  64
v100               80  64 32 1132  128  6144  870.4 28 193   0   0
gtx1080ti          28 128 16 1481   48  2816  484.0 82 216   0   0
uvm-v100           84  64 32 1312  128  6144  819.2 28 193   0   0
uvm-v100-simt      84  64 32 1312  128  6144  819.2 28 193   0   0
trax               32  32  1 1000   32  1024  128.0  3  13   0   0
trax-software      46  64  8 1515   64  4096  448.0 22 182   0   0
trax-rt            46  64  8 1515   64  4096  448.0 22 182  46  64
trax-rt-compressed 46  64  8 1515   64  4096  448.0 22 182  46  64
trax-2ghz         128 128  4 2000  128 73728 1024.0 32 202 128 256
trax-log           64  64  4 2000  128 32768 1024.0  3  13  64 256
'

# described CHIP: the same figures from --describe
cat >"$dir/described.py" <<'E2'
import sys
sys.path.insert(0, "ci/memory")
import chip as chips
name = sys.argv[2]
c = chips.describe(sys.argv[1], ["-a", name])
levels, tp, l2 = chips.cache_levels(c), c.groups["tp"], c.groups["l2"]
tms, clock, rt = c.options["tms"], c.options["clock"], c.groups.get("rtcore")
peak = chips.pin_bandwidth(c) * clock / 1000
if "warps" in tp.parameters:  # an SM, of lanes that take turns at warps
    assert tp.count == tms, "tms"
    lanes = tp["subcores"] * tp["fp_lanes"]
    tps, harts = lanes, tp["subcores"] * tp["warps"] * tp["warp"] // lanes
else:
    tps, harts = c.options["tps"], tp["harts"]
    assert tp.count == tms * tps, "tps"
assert c.groups["dram"]["core_clock"] == clock * 1000, "core_clock"
assert len(levels) == 2, "levels"
print(name, tms, tps, harts, clock,
      c.groups["l1"]["size"] // 1024, l2.count * l2["size"] // 1024,
      f"{peak:.1f}", levels[0].latency, levels[1].latency,
      rt.count if rt else 0, rt["max_rays"] if rt else 0)
E2

"$sim" --list-archs >"$dir/list"

# The row of the table that facts make.
row() { # NAME TMS TPS HARTS MHZ L1 L2 GB/S L1 L2 RTCORES RAYS
    awk '{ printf "| %s | %s x %s x %s | %s | %s | %s | %g | %s, %s | %s |\n", $1, $2, $3, $4, $5, $6,
        $7, $8, $9, $10, $12 ? $12 : "none" }' <<<"$*"
}

read_format() { # CHIP PARAMETER: what its RT core reads, or "any"
    "$sim" -a "$1" --describe | awk -v p="$2" '$1 == p { gsub(/\047/, "", $2)
        format = $2 } END { print format ? format : "any" }'
}

# What corbel-scene calls the format of triangles.
leaves=$("$tools/bin/corbel-scene" --help 2>&1 | sed -n 's/^ *\(--[a-z]*\) FORMAT .*triangle format.*/\1/p')
"$tools/bin/corbel-scene" generate arcade --triangles 10000 \
    --ply "$dir/arcade.ply" >/dev/null 2>&1

# scene NODES TRIANGLES: its name; the tree of the chip's formats
scene() {
    local options=() name=$dir/$1-$2.scene
    [ "$1" = any ] || options+=(--nodes "$1")
    [ "$2" = any ] || options+=("$leaves" "$2")
    [ -e "$name" ] || "$tools/bin/corbel-scene" convert "$dir/arcade.ply" \
        "$name" "${options[@]}" >"$dir/log" 2>&1 ||
        { cat "$dir/log" >&2; return 1; }
    echo "$name"
}

# picture CHIP: primary on 2 TMs
picture() {
    local file mode=rtcore
    file=$(scene "$(read_format "$1" nodes)" "$(read_format "$1" triangles)")
    grep -qE "^$1 .* 0$" <<<"$facts" && mode=isect # no RT core
    [ -e "$dir/native.png" ] || "$tools/samples/native/primary" "$file" \
        --size 16x12 --out "$dir/native.png" >/dev/null
    "$sim" --quiet --fs . -o "$dir/run" -a "$1" -s chip.tms=2 \
        "$tools/samples/rv64/primary" "$file" --size 16x12 \
        --traversal $mode --out "$dir/out.png" >"$dir/log" 2>&1 ||
        fail "$1: primary"
    cmp "$dir/out.png" "$dir/native.png" || fail "$1: another picture"
    "$means" "$dir/run" >"$dir/log" || fail "$1: derived figures"
}

# shellcheck disable=SC2086
while read -r name rest; do
    [ -n "$name" ] || continue
    grep -qE "^$name +[a-z]" "$dir/list" || fail "$name is not listed"
    python3 "$dir/described.py" "$sim" "$name" >"$dir/facts" ||
        fail "$name is not described"
    [ "$(cat "$dir/facts")" = "$name $(tr -s ' ' <<<"$rest")" ] ||
        { cat "$dir/facts"; fail "$name is not $rest"; }
    grep -qxF "$(row "$name" $rest)" docs/reference/chips.md ||
        fail "docs/reference/chips.md has no row $(row "$name" $rest)"
    picture "$name"
    echo "$(cat "$dir/facts"): ok"
done <<<"$facts"

# The table of generations, against parameters of its chips.
python3 - "$sim" <<'E2' || fail "docs/reference/chips.md: generations"
import re, sys
sys.path.insert(0, "ci/memory")
import chip as chips
text = open("docs/reference/chips.md", encoding="utf-8").read()
table = re.search(r"<!-- generations -->\n(.*?)<!-- end -->", text, re.S)[1]
rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()[2:]]
for generation, warps, lanes, fma, names in rows:
    for name in names.split(", "):
        sm = chips.describe(sys.argv[1], ["-a", name]).groups["tp"]
        own = sm["alu_unit"] == "int"
        is_ = [str(sm["subcores"] * sm["warps"]),
               ", ".join([str(sm["int_lanes"]) if own else "those of FP"] +
                         [str(sm[f"{unit}_lanes"]) for unit in ("fp", "sfu", "mem")]),
               str(sm["fma_latency"])]
        if is_ != [warps, lanes, fma]:
            sys.exit(f"{name} ({generation}): {is_}, the table has {[warps, lanes, fma]}")
assert len(rows) == 4, rows
E2

# All that is listed is in the table, but for what is not a GPU.
while read -r name _; do
    grep -q "^$name " <<<"$facts" || [[ $name =~ ^(core|tiny.*|rtp-.*|dual-streaming.*|strata.*)$ ]] ||
        fail "$name is listed, but has no facts here"
done <"$dir/list"

# The whole of the largest chip, 196,608 harts: below 4 GiB.
python3 - "$sim" "$tools/samples/rv64/hello" <<'E2' || fail "rtx4090: hello"
import resource, subprocess, sys
done = subprocess.run([sys.argv[1], "--quiet", "-a", "rtx4090", sys.argv[2]],
                      capture_output=True, text=True, timeout=300)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1048576
assert done.returncode == 0 and done.stdout, done.stderr
print(f"rtx4090: hello on all harts, {used:.2f} GiB")
assert used < 4, used
E2
echo pass
