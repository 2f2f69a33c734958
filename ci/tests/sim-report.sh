#!/bin/bash
# sim-report and sim-diff on real runs: the page holds what stats.json, manifest.json,
# log.txt and intervals.csv say, tables sum to the totals, names cannot break out, bad
# input is one line, memory does not grow with intervals; in Chromium, if it is there,
# pages are drawn without an error, hold the right values, and can be used by keys.
# ci: area report
# ci: needs bin/sim-run-stalls bin/corbel-scene bin/corbel-rays report sample-mandelbrot
# ci: needs sample-primary sample-streams
. ci/tests/head

samples=$root/$B/samples/rv64 checks=$PWD/ci/tests/sim-report
pictures=$root/$B/tests/sim-report
mkdir -p "$pictures"
cd "$dir"

sim() { "${SIM:-$bin/sim-run}" --quiet "$@" >log 2>&1 || fail "$*: $(cat log)"; }

"$bin/corbel-scene" generate arcade a.scene --triangles 10000 >log
"$bin/corbel-scene" generate arcade t.scene --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >log
"$bin/corbel-rays" t.scene t.rays --kind secondary --size 16x12 >log
sim -a tiny --cost-images 8x8,8x4,up -o tiny "$samples/mandelbrot" --size 8 --out m.ppm
ranges=(--stats-range :96000 --stats-range 96000:)
sim -a rtx2080 -s chip.tms=2 --interval 500 --profile "${ranges[@]}" -o rtx "$samples/primary" a.scene --size 32 \
    --out a.png
sim -a rtx2080 -s chip.tms=2 -s rtcore.max_rays=8 --interval 500 "${ranges[@]}" -o few \
    "$samples/primary" a.scene --size 32 --out b.png
sim -a rtx2080 -s chip.tms=2 --stalls --interval 500 --interval-level unit --stats-range :96000 \
    --stats-range 96000:110400 -o windows "$samples/primary" a.scene --size 16 --out w.png
sim -a dual-streaming-rt -s chip.tms=2 -s chip.tps=4 --interval 200 -o streams \
    "$samples/streams" t.scene t.rays --mode rt --hits t.hits
sim --functional -o functional "$samples/mandelbrot" --size 8 --out m.ppm

# ---- pages hold what the files say
report() { "$bin/sim-report" "$@" || fail "sim-report $*"; }
report tiny/ -o tiny.html
report rtx few -o two.html --image a.png --image b.png
report streams -o streams.html
report windows -o windows.html
"$checks/page.py" windows.html windows
"$checks/page.py" tiny.html tiny/
"$checks/page.py" two.html rtx few
"$checks/page.py" streams.html streams
cmp two.html <(report rtx few --image a.png --image b.png) || fail "stdout differs"
has() { grep -qF "\"data:image/png;base64,$(base64 -w 0 <"$1")\"" "$2"; } # IMAGE PAGE
has b.png two.html || fail "the image"
# A run's own image is found, as long as it is as the run has left it.
cmp two.html <(report rtx few) || fail "not the images that the runs have written"
report rtx --image w.png -o other.html
has w.png other.html || fail "--image"
cp a.png kept.png
cp w.png a.png
report rtx -o changed.html
! has w.png changed.html || fail "the image of another run"
cp kept.png a.png

# ---- tables
report rtx --csv '*' -o rtx.csv
"$checks/table.py" rtx.csv rtx
report streams -o streams.csv --csv 'dram.rays_read,l[12].hits' --csv 'l1.hit_rate,l1.reads'
"$checks/table.py" streams.csv streams
[ "$(head -1 streams.csv)" = cycle,dram.rays_read,l1.hits,l2.hits,l1.hit_rate,l1.reads ] ||
    fail "columns: $(head -1 streams.csv)"

# ---- plots for papers
report --stacks tp rtx few -o stacks.svg
"$checks/plot.py" stacks tp stacks.svg rtx few
report tiny --stacks tp.load >legs.svg
"$checks/plot.py" stacks tp.load legs.svg tiny
report rtx --series 'dram.bytes_*' -o bytes.svg
"$checks/plot.py" series bytes.svg rtx dram.bytes_read dram.bytes_written
report rtx --series rtcore.testing,rtcore.idle -o buckets.svg
"$checks/plot.py" series buckets.svg rtx rtcore.testing rtcore.idle
report rtx --series l1.reads,l1.hits -o counts.svg
"$checks/plot.py" series counts.svg rtx l1.reads l1.hits
report rtx --series 'l?.hit_rate' -o figures.svg
[ "$(grep -c '<polyline' figures.svg)" = 2 ] || fail "--series of figures"
if command -v rsvg-convert >/dev/null; then
    report --stacks tp rtx few -o stacks.pdf
    report --stacks tp rtx few -o "$pictures/stacks.png"
    report --series 'dram.bytes_*' rtx -o "$pictures/series.png"
    [ "$(head -c 4 stacks.pdf)" = %PDF ] || fail "--stacks: no PDF"
    # 300 dots an inch, 72 points an inch
    python3 - stacks.svg "$pictures/stacks.png" <<'END' || fail "--stacks: size of the PNG file"
import re, struct, sys
points = float(re.search(r'width="([0-9.]*)pt"', open(sys.argv[1]).read())[1])
head = open(sys.argv[2], "rb").read(24)
sys.exit(head[1:4] != b"PNG" or abs(struct.unpack(">I", head[16:20])[0] - points * 300 / 72) > 1)
END
else
    echo "sim-report: no PDF and PNG files of plots: there is no rsvg-convert"
fi
status=0
PATH=/nowhere "$bin/sim-report" --stacks tp rtx -o x.pdf 2>err || status=$?
[ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'rsvg-convert: No such file' err ||
    fail "without rsvg-convert: $status, $(cat err)"

# more parts than colours: the later ones are hatched, so that none looks as another
cp -r tiny even
python3 - even/stats.json <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
for part in (stats, stats.get("region_of_interest", stats)):
    buckets = part["groups"]["tp"]["buckets"]
    buckets.update(dict.fromkeys(buckets, 100))
json.dump(stats, open(sys.argv[1], "w"))
END
report even --stacks tp -o even.svg
"$checks/plot.py" stacks tp even.svg even
python3 - even.svg <<'END' || fail "parts of a plot look the same"
import re, sys
looks, fill = {}, None
for line in open(sys.argv[1]):
    bar = re.search(r'fill="(#\w+)" data-run="even" data-name="(\w+)"', line)
    if bar:
        fill, name = bar.groups()
        looks[name] = fill, False
    elif 'stroke="#ffffff"' in line and fill:
        looks[name] = fill, True
    else:
        fill = None
idle = {looks.pop(name) for name in ("idle", "parked") if name in looks}
assert len(looks) > 14 and len(set(looks.values())) == len(looks), looks
END

# ---- many intervals: thinned, in memory that does not grow
"$checks/make_runs.py" long 1000 short
"$checks/make_runs.py" long 100000 long
report long -o long.html
"$checks/page.py" long.html long
report long --csv '*' -o long.csv
"$checks/table.py" long.csv long
memory() { # DIR: KiB that sim-report takes
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
        "$bin/sim-report" "$1" -o memory.html
}
short=$(memory short) long=$(memory long)
[ "$long" -le $((short + 1024)) ] || fail "memory grows: $short KiB, then $long KiB"

# ---- names that try to break out
"$checks/make_runs.py" hostile tiny 'hostile&<b>"x'
report 'hostile&<b>"x' -o hostile.html
report 'hostile&<b>"x' --stacks l1 -o hostile.svg
"$checks/plot.py" stacks l1 hostile.svg 'hostile&<b>"x'
"$checks/page.py" hostile.html 'hostile&<b>"x'

# ---- what changed
"$bin/sim-diff" rtx rtx >same
grep -q 'No statistic differs' same || fail "a run differs from itself"
for part in '' '--region' '--window 2' '--tile part3' '--window 2 --tile tm1' \
    '--region --tile part0'; do
    # shellcheck disable=SC2086
    "$bin/sim-diff" rtx few --top 3 $part >changes || fail "sim-diff $part"
    # shellcheck disable=SC2086
    "$checks/diff.py" rtx few changes $part || fail "sim-diff $part: $(cat changes)"
    grep -q 'more (--top)' changes || fail "--top"
done

"$bin/sim-diff" rtx few >changes
sed -n '4,6p' changes | tr -s ' ' >differences
printf '%s\n' 'What differs:' ' settings B: rtcore.max_rays=8' \
    ' command line A: --profile a.png B: b.png' >expected
cmp differences expected || fail "what differs: $(cat changes)"
grep -q '^Program, chip, settings, files and options are the same.' same || fail "$(cat same)"
# Noise is last: counters that one run lacks, and figures of next to nothing; what is left out
# as it is 0 is no lack. A run that a limit ended is marked.
cp -r rtx noise
python3 - noise <<'END'
import json, sys
stats = json.load(open(f"{sys.argv[1]}/stats.json"))
for name in ("first_lonely", "second_lonely"):
    stats["schema"]["cache"]["counters"][name] = {"unit": "x", "meaning": "only one run has it"}
    stats["groups"]["l1"]["counters"][name] = 10**9
stats["groups"]["l1"]["counters"]["reads"] += 10
figures = json.dumps(stats["schema"]["cache"]["figures"])
counters = stats["groups"]["l2"]["counters"]
gone = next(name for name in counters if counters[name] and f'"{name}"' not in figures)
del counters[gone]
open(f"{sys.argv[1]}/gone", "w").write(f"l2.{gone}")
stats["groups"]["dram"]["derived"]["row_hit_rate"] *= 1.01
stats["groups"]["l2"]["derived"]["hit_rate"] = 1e-7
json.dump(stats, open(f"{sys.argv[1]}/stats.json", "w"))
manifest = json.load(open(f"{sys.argv[1]}/manifest.json"))
manifest.update(ending="limit", message="the limit was reached")
json.dump(manifest, open(f"{sys.argv[1]}/manifest.json", "w"))
END
cp -r rtx quiet
python3 - quiet/stats.json <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
stats["groups"]["l2"]["derived"]["hit_rate"] = 1e-9
json.dump(stats, open(sys.argv[1], "w"))
END
"$bin/sim-diff" quiet noise >changes
! grep -q 'l1.first_lonely' changes || fail "a counter that one run lacks is ranked: $(cat changes)"
grep -q '^Only B has 2 counters and figures: 2 of l1$' changes || fail "$(cat changes)"
grep -q 'B is not complete: limit: the limit was reached' changes || fail "$(cat changes)"
python3 - changes "$(cat noise/gone)" <<'END' || fail "the ranks: $(cat changes)"
import sys
text = open(sys.argv[1]).read()
counts = text[text.index("What was counted"):text.index("Figures")]
assert "l1.reads" in counts and f"{sys.argv[2]} " in counts
assert text.index("dram.row_hit_rate") < text.index("l2.hit_rate") # of 1e-9, +9900 %
END

# ---- nothing but a table goes to a terminal
python3 - "$bin/sim-report" <<'END' || fail "on a terminal"
import os, pty, subprocess, sys

def printed(*arguments):
    to, at = pty.openpty()
    child = subprocess.run([sys.argv[1], *arguments], stdout=at, stderr=subprocess.PIPE)
    os.set_blocking(to, False)
    os.close(at)
    try:
        return child.returncode, os.read(to, 100), child.stderr.decode()
    except OSError: # nothing
        return child.returncode, b"", child.stderr.decode()

assert printed("tiny") == (2, b"", "sim-report: a page is not for a terminal: expected -o FILE, "
                           "or a pipe\n"), printed("tiny")
assert printed("--stacks", "tp", "rtx")[0] == 2
status, text, error = printed("--csv", "l1.reads", "streams")
assert (status, text[:5], error) == (0, b"cycle", ""), (status, text, error)
END

# ---- one run of several that has not ended
"$bin/sim-report" rtx nowhere few -o left.html 2>err || fail "one run fails all: $(cat err)"
grep -qx 'sim-report: note: left out: nowhere/stats.json: No such file or directory' err ||
    fail "the run that is left out: $(cat err)"
grep -qF '"left_out":["nowhere/stats.json: No such file or directory"]' left.html ||
    fail "the page does not tell of it"
"$checks/page.py" left.html rtx few
"$bin/sim-report" nowhere rtx --image a.png --image w.png -o left.html 2>err
has w.png left.html && ! has a.png left.html || fail "the images of others"

# ---- bad input: status 2 and one line
refused() { # TEXT COMMAND...
    local status=0
    "$bin/$2" "${@:3}" >out 2>err || status=$?
    [ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$1" err && [ ! -s out ] ||
        fail "${*:2}: status $status, $(cat err), expected: $1"
}
# broken NAME FILE EXPRESSION: a copy of rtx whose file sed has changed
broken() {
    rm -rf "$1"
    cp -r rtx "$1"
    sed -i "$3" "$1/$2"
}
stats=$(format_of STATS) profile=$(format_of PROFILE)
broken profiled profile.json "s/\"format\":$profile/\"format\":9/"
broken counts profile.json 's/"totals":\[[0-9]*,/"totals":[/'
broken lines profile.json 's/"lines":\[{"function":[0-9]*/"lines":[{"function":99999/'
broken stacks profile.json 's/"stacks":\[\[0,/"stacks":[[1,/'
broken event profile.json 's/"idle":"parked"/"idle":"nothing"/'
mkdir empty
broken version stats.json "s/\"format\":\t$stats/\"format\":\t$((stats + 1))/"
broken older stats.json "s/\"format\":\t$stats/\"format\":\t$((stats - 1))/"
broken roleless stats.json '0,/"role":/s//"rule":/'
broken lazy stats.json '0,/"role":\t"busy"/s//"role":\t"lazy"/'
broken edgeless stats.json '/"groups":/,$s/"edges":\t\[[0-9]*, /"edges":\t[/'
broken sinking stats.json '/"groups":/,$s/"edges":\t\[/&999999, /;/"groups":/,$s/"counts":\t\[/&1, /'
broken none stats.json '/"format"/d'
broken typed stats.json 's/"clock_mhz":\t1515/"clock_mhz":\t"fast"/'
broken negative stats.json '0,/"instructions":\t/s//&-/'
broken kindless stats.json '0,/"kind":\t"tp"/s//"kind":\t"pt"/'
broken stray stats.json '/"units":\t\[/,$s/"group":\t"tp"/"group":\t"pt"/'
cp -r windows window
python3 - window/stats.json <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
del stats["windows"][1]["units"]
json.dump(stats, open(sys.argv[1], "w"))
END
broken nameless stats.json '0,/"name":\t"issue slots"/s//"name":\t7/'
cp -r tiny legs
sed -i '0,/"legs":\t{/s//&"x": -1, /' legs/stats.json
for name in wide named tinted; do
    cp -r tiny $name
done
sed -i 's/"width":\t8/"width":\t9999/' wide/pixels.json
sed -i 's|"name":\t"cycles"|"name":\t"/etc/passwd"|' named/pixels.json
sed -i '0,/"#[0-9a-f]*"/s//"url(x)"/' tinted/pixels.json
cp -r tiny short-picture
truncate -s -1 short-picture/cost-cycles.pfm
cp -r tiny no-picture
rm no-picture/cost-cycles.pfm
broken manifest manifest.json '$d'
broken half intervals.csv '$s/.*/1,tp/'
broken short-rows intervals.csv '$d'
broken unknown intervals.csv '2s/,[a-z_]*,\([0-9]*\)$/,nothing,\1/'
broken back intervals.csv '$s/^[0-9]*/1/'
broken cut stats.json ''
head -c 5000 rtx/stats.json >cut/stats.json
printf 'not a picture' >no.png
for tool in "sim-report" "sim-diff rtx"; do
    # shellcheck disable=SC2086 # words of their own
    {
        refused empty/stats.json: $tool empty
        refused nowhere/stats.json: $tool nowhere
        refused 'cut/stats.json: line' $tool cut
        refused "version/stats.json: format $((stats + 1)), expected $stats" $tool version
        refused "older/stats.json: format $((stats - 1)), expected $stats: this older one" $tool older
        refused 'no role, expected a text' $tool roleless
        refused 'role has to be one of busy|idle|waits|full' $tool lazy
        refused 'one more edge than counts' $tool edgeless
        refused 'edges have to rise' $tool sinking
        refused "none/stats.json: no format, expected $stats" $tool none
        refused 'clock_mhz has to be a whole number' $tool typed
        refused 'instructions has to be a whole number' $tool negative
        refused "no kind 'pt'" $tool kindless
        refused 'legs has to be an object of whole numbers' $tool legs
        refused "units: groups have no 'pt'" $tool stray
        refused 'no units, expected a list' $tool window
        refused 'name has to be a text' $tool nameless
        refused 'expected a run with timing' $tool functional
        refused 'manifest/manifest.json: line' $tool manifest
        refused 'pixels.json: width and height have to be' $tool wide
        refused 'pixels.json: costs: expected a name' $tool named
        refused 'pixels.json: colours: expected #rrggbb' $tool tinted
    }
done
refused "profiled/profile.json: format 9, expected $profile" sim-report profiled -o x.html
refused 'totals: expected' sim-report counts -o x.html
refused 'lines: there is no such function' sim-report lines -o x.html
refused 'stacks: entry 1: expected' sim-report stacks -o x.html
refused "idle: there is no event 'nothing'" sim-report event -o x.html
for name in half short-rows unknown back; do
    cp -r rtx/stats.json $name/
done
refused 'expected cycle,group,stat,value' sim-report half -o x.html
refused 'of stats.json' sim-report short-rows -o x.html
refused 'no such statistic: nothing' sim-report unknown -o x.html
cp -r windows short-units
sed -i '$d' short-units/unit-intervals.csv
refused 'short-units/unit-intervals.csv: ' sim-report short-units -o x.html
cp -r windows no-unit
sed -i '2s/,[^,]*/,nothing/' no-unit/unit-intervals.csv
refused 'unit-intervals.csv: line 2: stats.json has no such' sim-report no-unit -o x.html
refused 'cycles have to rise' sim-report back -o x.html
refused 'cost-cycles.pfm: expected a PFM file of 8 x 8' sim-report short-picture -o x.html
refused 'cost-cycles.pfm: No such file' sim-report no-picture -o x.html
refused 'expected a PNG file' sim-report rtx --image no.png -o x.html
refused 'gone.png' sim-report rtx --image gone.png -o x.html
refused "'l9.*' matches no" sim-report rtx --csv 'l9.*' -o x.csv
refused 'with --interval' sim-report tiny --csv 'l1.*' -o x.csv
refused 'expected one directory' sim-report rtx few --csv 'l1.*'
refused '--series: expected one directory' sim-report rtx few --series 'l1.*' -o x.svg
refused 'expected one of --csv, --stacks' sim-report rtx --csv 'l1.*' --stacks tp -o x.svg
refused "--stacks: few/stats.json has no 'tp.load'" sim-report --stacks tp.load tiny few -o x.svg
refused "few/stats.json has no 'nothing'" sim-report --stacks nothing few -o x.svg
refused "--series: 'l9.*' matches no" sim-report rtx --series 'l9.*' -o x.svg
refused 'l1.reads is in a cycle, l1.busy in % of cycles' sim-report rtx --series l1.reads,l1.busy
refused 'expected at most 12' sim-report rtx --series 'tp.*' -o x.svg
refused '--series: expected GROUP.NAME' sim-report rtx --series , -o x.svg
refused 'with --interval' sim-report tiny --series 'l1.reads' -o x.svg
refused 'DIR is missing' sim-report
refused 'unknown option' sim-report --x
refused 'did you mean --schema?' sim-report --shcema
refused 'no directory and no -o' sim-report --schema stats -o x.json
refused 'expected FILE.png' sim-report rtx --heat-map cycles -o x.svg
refused 'did you mean --window?' sim-diff --widnow 2
refused 'needs a value' sim-report rtx -o
refused 'two directories' sim-diff rtx
refused '--top has to be' sim-diff rtx few --top 0
refused '--window has to be' sim-diff rtx few --window
refused 'no window 3: expected one of the 2' sim-diff rtx few --window 3
mkdir unmarked
sed 's/"region_of_interest"/"none"/' tiny/stats.json >unmarked/stats.json
refused 'marked no region' sim-diff unmarked rtx --region
refused 'no unit is in a tile' sim-diff rtx few --tile tm2
refused '--tile has to name' sim-diff rtx few --tile
refused 'one of --region and --window' sim-diff rtx few --region --window 1
for leftover in x.*; do
    [ ! -e "$leftover" ] || fail "a half-written file is left: $leftover"
done
status=0
"$bin/sim-report" rtx >/dev/full 2>err || status=$?
[ $status = 4 ] && [ "$(wc -l <err)" = 1 ] || fail "a full disk: status $status, $(cat err)"

# ---- drawn
browser=$(command -v chromium || true)
if [ -z "$browser" ]; then
    echo "sim-report: pages were not drawn: there is no chromium"
    exit 0
fi
chromium() { # FILE OPTION...: and its console stays empty
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$PWD/chromium" --virtual-time-budget=10000 \
        --enable-logging=stderr "${@:2}" "file://$PWD/$1" 2>err || fail "chromium: $(cat err)"
    ! grep CONSOLE err || fail "$1: the lines above are on the console"
}
# drive NAME CHOICES: driven.html with a reader who makes these choices, texts in a list
drive() {
    { cat "$1.html"; echo "<script>const chosen = [$2];"; cat "$checks/drive.js"; echo "</script>"
    } >driven.html
}
# drawn NAME OPTIONS DIR...: in both scopes, at both widths; prints the reader's steps
drawn() {
    chromium "$1.html" --dump-dom >dom
    "$checks/drawn.py" dom region "${@:2}" >log
    drive "$1" '"run"'
    for width in 1280 400; do
        chromium driven.html --dump-dom --window-size=$width,900 >dom
        "$checks/drawn.py" dom run "${@:2}" >steps
        ! grep -q false steps && grep -q "'data-did-sort': 'true'" steps ||
            fail "$1 at $width pixels: $(cat steps)"
    done
}
drawn tiny tiny
for step in point colour; do
    grep -q "'data-did-$step': 'true'" steps || fail "$step: $(cat steps)"
done
drawn two rtx few
for step in zoom return keep plot descend ascend; do
    grep -q "'data-did-$step': 'true'" steps || fail "$step: $(cat steps)"
done
# windows, tiles and units: chosen above, what scripts call them, what stats.json does
while IFS='|' read -r choices scope; do
    drive windows "$choices"
    chromium driven.html --dump-dom >dom
    "$checks/drawn.py" dom "$scope" windows >steps || fail "$scope is not drawn"
    ! grep -q false steps && grep -q "'data-did-map': 'true'" steps &&
        grep -q "'data-did-tell': 'true'" steps || fail "$scope: $(cat steps)"
done <<'END'
"run","tile tm1"|run@tm1
"region","tile tm0"|region@tm0
"96,000 to 110,400"|96000:110400
"96,000 to 110,400","unit tm1.rtcore"|96000:110400@tm1.rtcore
"0 to 96,000","tile part3"|0:96000@part3
END
drawn streams streams
drawn long long
drawn hostile 'hostile&<b>"x'
for width in 1280 400; do
    for scheme in 0-dark 1-light; do
        chromium two.html --window-size=$width,4500 \
            --blink-settings=preferredColorScheme="${scheme%-*}" \
            --screenshot="$pictures/$width-${scheme#*-}.png"
        [ "$(wc -c <"$pictures/$width-${scheme#*-}.png")" -gt 50000 ] || fail "nothing is drawn"
    done
done
echo "sim-report: pages were drawn; pictures are in build/tests/sim-report"
