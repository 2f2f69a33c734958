#!/bin/bash
# The verdict of a run is what its counters say, with --stalls and without, on chips with
# RT cores and without; it changes no result, and what it says would help does.
# ci: area observe
# ci: needs bin/sim-run-stalls report bin/corbel-scene bin/corbel-rays samples/rv64/primary samples/rv64/path samples/rv64/streams
. ci/tests/head

S=$B/samples/rv64

# run NAME ARGUMENT...: files to NAME, what it prints to NAME.log
run() {
    local name=$1
    shift
    "$sim" -o "$dir/$name" "$@" --out "$dir/image.ppm" >/dev/null 2>"$dir/$name.log" ||
        fail "$name: $(cat "$dir/$name.log")"
}
# cycles NAME: of the regions of interest
cycles() { sed -n 's/^region  *\([0-9]*\) cycles.*/\1/p' "$dir/$1.log"; }

"$B/bin/corbel-scene" generate arcade "$dir/a.scene" --triangles 20000 >/dev/null
chip=(-a rtx2080 -s chip.tms=1 -s chip.harts=4)
frame=("$S/primary" "$dir/a.scene" --size 64)
run plain "${chip[@]}" "${frame[@]}"
run stalls --stalls "${chip[@]}" "${frame[@]}"
run software --stalls -a trax -s chip.tms=1 "${frame[@]}" --traversal software
run tiny --stalls -a tiny "${frame[@]}"
ci/tests/verdict/check.py "$dir/plain" "$dir/stalls" "$dir/software" "$dir/tiny" ||
    fail "a verdict is not what the counters say"
told=
cmp <(tail -1 "$dir/plain.log") <(tail -1 "$dir/stalls.log") || fail "results change"

# ---- in words
grep -q '^verdict .*--stalls follows it' "$dir/plain.log" || fail "plain: no word of --stalls"
for words in 'harts run or wait in' 'rtcore: .* rays in flight, .* cycles a ray' \
    'first limit: .* gains' 'places used most: .*rtcore slots' 'l2 pipeline' \
    'predicted gains: +' 'roofline:'; do
    grep -q "^verdict .*$words" "$dir/stalls.log" ||
        fail "no '$words' in: $(grep ^verdict "$dir/stalls.log")"
done

# ---- harts that hand their rays to streams wait for no slots: nothing is said of these
"$B/bin/corbel-scene" generate arcade "$dir/t.scene" --triangles 10000 --nodes cwbvh6t \
    --treelets 16384 >/dev/null
"$B/bin/corbel-rays" "$dir/t.scene" "$dir/t.rays" --kind secondary --size 16 >/dev/null
"$sim" -o "$dir/streams" --stalls -a dual-streaming-rt -s chip.tms=1 "$S/streams" "$dir/t.scene" \
    "$dir/t.rays" --mode rt >/dev/null 2>"$dir/streams.log" || fail "$(cat "$dir/streams.log")"
! grep -E '^verdict .*(, 0 cycles a ray|of these $)' "$dir/streams.log" ||
    fail "the lines above are of rays that there are not"

# ---- where rays move the ray store can be the first limit, and slots wait for it
moving=(-a strata-rt -s chip.tms=1 -s chip.tps=16)
rays=("$S/streams" "$dir/t.scene" "$dir/t.rays" --mode rt --machine strata)
"$sim" -o "$dir/moves" --stalls "${moving[@]}" -s raystore.latency=1000 "${rays[@]}" >/dev/null \
    2>"$dir/moves.log" || fail "$(cat "$dir/moves.log")"
for words in 'first limit: raystore latency, .* raystore.latency=500 gains ' \
    'rtcore: empty slots wait for rays: .* raystore latency'; do
    grep -q "^verdict .*$words" "$dir/moves.log" ||
        fail "no '$words' in: $(grep ^verdict "$dir/moves.log")"
done

# ---- what is proposed can be set, with what is named along
# settable RUN ARGUMENT...: of the run's chip
settable() {
    local name=$1 change
    shift
    while read -ra change; do
        "$sim" "$@" "${change[@]}" --describe >/dev/null || fail "$name: ${change[*]} is refused"
        settable=$((settable + 1))
    done < <(python3 -c '
import json, sys
verdict = json.load(open(sys.argv[1]))["region_of_interest"]["verdict"]
changes = (one["change"] for one in verdict["predictions"])
print("\n".join("-s " + one.replace(" with ", " -s ") for one in changes if "=" in one))' \
        "$dir/$name/stats.json")
}
settable=0
settable stalls "${chip[@]}"
settable software -a trax -s chip.tms=1
settable tiny -a tiny
settable streams -a dual-streaming-rt -s chip.tms=1
[ "$settable" -ge 40 ] || fail "$settable changes are proposed"

# ---- without a region of interest it is about main, and says so
cat >"$dir/whole.c" <<'END'
int main(void) { return 0; }
END
"$B/bin/corbel-gcc" -o "$dir/whole.elf" "$dir/whole.c"
run whole -a tiny "$dir/whole.elf"
grep -q '^verdict .*whole run.*corbel_roi_begin()' "$dir/whole.log" || fail "whole: $(cat "$dir/whole.log")"
! grep -q '^verdict .*whole run' "$dir/stalls.log" || fail "a region is the whole run"

# ---- what is said to help does
# predicted RUN CHANGE
predicted() {
    python3 -c '
import json, sys
verdict = json.load(open(sys.argv[1]))["region_of_interest"]["verdict"]
gains = {one["change"]: one["speedup"] for one in verdict["predictions"]}
print(round(1000 * gains[sys.argv[2]] - 1000))' "$dir/$1/stats.json" "$2"
}
# gains RUN CHANGE CHANGED: times as fast within 6 % of what is predicted, which is a gain
gains() {
    local gain obtained
    gain=$(predicted "$1" "$2")
    obtained=$((1000 * $(cycles "$1") / $(cycles "$3") - 1000))
    [ $((100 * (obtained - gain))) -le $((6 * (1000 + gain))) ] &&
        [ $((100 * (gain - obtained))) -le $((6 * (1000 + gain))) ] && [ "$gain" -gt 5 ] ||
        fail "$2 gains $obtained per mille, predicted were $gain"
    told+=", $2 gains $obtained per mille, predicted were $gain"
}
# helps CHANGE SETTING
helps() {
    run changed "${chip[@]}" -s "$2" "${frame[@]}"
    gains stalls "$1" changed
}
helps l1.latency=15 l1.latency=15
helps l2.latency=86 l2.latency=86
helps "twice the ports to the L1 of rtcore" chip.rt_ports=4
helps "twice the TMs" chip.tms=2

# What is proposed can be set: each chip of TMs with an RT core has the option.
for chip_file in sim/arch/*.lua; do
    name=$(basename "$chip_file" .lua)
    about=$("$B/bin/sim-run" -a "$name" --describe 2>/dev/null) || continue # no chip of its own
    [[ $name == core ]] || ! grep -q ' x rtcore ' <<<"$about" || grep -q ' rt_ports ' <<<"$about" ||
        fail "$name has no option rt_ports"
done

# ---- a crossbar: of a slow one its latency is told, of a narrow one its ports come first
# other NAME EXPRESSION: rtx2080 with turing.lua changed by sed's expression
other() {
    mkdir "$dir/$1.arch"
    cp sim/arch/*.lua "$dir/$1.arch"
    sed -i "$2" "$dir/$1.arch/turing.lua"
    ! cmp -s sim/arch/turing.lua "$dir/$1.arch/turing.lua" || fail "$2 changes nothing"
}
other slow 's/hop = 16,/hop = 40,/'
other faster 's/hop = 16,/hop = 20,/'
run slow --stalls -a "$dir/slow.arch/rtx2080.lua" "${chip[@]:2}" "${frame[@]}"
run faster -a "$dir/faster.arch/rtx2080.lua" "${chip[@]:2}" "${frame[@]}"
gains slow "half the latency of links to l2" faster
other narrow 's/partitions = 16,/partitions = 1,/'
narrow=(-a "$dir/narrow.arch/rtx2080.lua" -s chip.tms=2 -s chip.harts=4)
run narrow --stalls --link-stats "${narrow[@]}" -s l2.reply_width=2 "${frame[@]}"
run wider "${narrow[@]}" -s l2.reply_width=4 "${frame[@]}"
gains narrow l2.reply_width=4 wider
for words in 'first limit: l2 replies (l2.reply to l1.fill) .*; l2.reply_width=4 gains ' \
    'room of links (.*) all taken in .* of the cycles'
do
    grep -q "^verdict .*$words" "$dir/narrow.log" ||
        fail "no '$words' in: $(grep ^verdict "$dir/narrow.log")"
done
! grep -q 'room of links' "$dir/stalls.log" || fail "links are told that are not watched"
ci/tests/verdict/check.py "$dir/narrow" || fail "the verdict of links is not what they counted"

# ---- sim-report says the same of what a run has saved, and what an older one has not
for log in "$dir"/*.log; do
    [ ! -d "${log%.log}" ] || "$bin/sim-report" --verdict "${log%.log}" >"$dir/said" || fail "$log"
    cmp "$dir/said" <(grep ^verdict "$log") || fail "${log##*/}: sim-report says something else"
    compared=$((${compared-0} + 1))
done
[ "${compared-0}" -ge 12 ] || fail "only $compared runs have a verdict"
mkdir "$dir/older"
python3 -c '
import json, sys
stats = json.load(open(sys.argv[1]))
del stats["schema"]["l1" if "l1" in stats["schema"] else "cache"]["limits"]
print(json.dumps(stats))' "$dir/plain/stats.json" >"$dir/older/stats.json"
! "$bin/sim-report" --verdict "$dir/older" >"$dir/said" 2>&1 || fail "an older run has a verdict"
grep -q "no 'limits' of 'cache'.* run it again" "$dir/said" || fail "older: $(cat "$dir/said")"

# ---- a chip of more groups and limits than there are bits in a word is looked at as a whole
sed 's/group = "l1"/group = name .. "_l1"/; s/group = size .. "/group = name .. "/' \
    samples/chips/hetero-l3.lua >"$dir/wide.lua"
# wide TMS ARGUMENT...: of each size, with groups of their own; all of them are parts, or limits
wide() {
    run "wide$1" "${@:2}" -a "$dir/wide.lua" -s chip.large="$1" -s chip.small="$1" "$S/primary" \
        "$dir/a.scene" --size 16
    python3 - "$dir/wide$1/stats.json" "$1" <<'END' || fail "wide $1: the lines above"
import json, sys
verdict = json.load(open(sys.argv[1]))["region_of_interest"]["verdict"]
tms = [f"{size}{i}" for size in ("large", "small") for i in range(int(sys.argv[2]))]
parts = {part["group"] for part in verdict["parts"]}
limits = {limit["group"] for limit in verdict["limits"]}
assert all(f"{tm}_tp" in parts for tm in tms) and "harts" not in parts, parts
told = [line for line in verdict["text"] if "left out" in line]
if "predictions" in verdict:
    assert len(verdict["limits"]) > 64 and not told, (len(verdict["limits"]), told)
    assert all({f"{tm}_rt", f"{tm}_l1"} <= limits for tm in tms), limits
    assert "small1_l1.mshrs=128" in (one["change"] for one in verdict["predictions"])
else:
    assert told and told[0].endswith("of the last groups are left out: room is for 256")
END
}
wide 2 --stalls
wide 12

# ---- the study has predictions for all its changes
ci/verdict/study --quick --out "$dir/study" >"$dir/tables" 2>&1 || fail "$(cat "$dir/tables")"
grep -q '^| `l2.latency=86` | +[0-9]* / +[0-9]* |$' "$dir/tables" || fail "$(cat "$dir/tables")"
for table in predictions errors; do
    grep -qx "## $table" "$dir/tables" && grep -qx "<!-- $table -->" docs/studies/verdict.md ||
        fail "no table $table"
done
echo "verdict: of 4 runs are what their counters say$told"
