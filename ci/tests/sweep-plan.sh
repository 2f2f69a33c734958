#!/bin/bash
# corbel-sweep plan: which points a file asks for, by each method; constraints, baselines,
# repetitions; numbers and results stay when the file changes; 10,000 points are quick and
# no folder has more than 1,000; what is wrong with a file is told in one line.
# ci: area sweep
# ci: needs sweep samples/rv64/mandelbrot bin/corbel-scene
. ci/tests/head

sweep=$bin/corbel-sweep
cd "$dir"
cp "$root/$B/samples/rv64/mandelbrot" m.elf
"$bin/corbel-scene" generate cornell c.scene >log
"$bin/corbel-scene" generate arcade d.scene --triangles 10000 >log

# spec LINE...: the file s.toml, of these lines before a program, a scene and two chips
spec() {
    printf '%s\n' "$@" '[programs.m]' 'file = "m.elf"' 'arguments = ["--size", "{program.size}"]' \
        '[scenes.c]' 'file = "c.scene"' '[chips.small]' 'arch = "tiny"' \
        '[chips.big]' 'arch = "tiny"' 'settings = ["l2.size=512k"]' >s.toml
}
# plan SAID DIR: what it says
plan() { says_only "corbel-sweep: $1" "$sweep" plan s.toml "$2"; }
# points PYTHON-EXPRESSION DIR: of `ps`, the points in order
points() {
    python3 -c 'import glob, json, sys
ps = [json.load(open(p)) for p in sorted(glob.glob(sys.argv[2] + "/points/*/*/point.json"))]
at = lambda name: [p["coordinates"][name] for p in ps]
print(eval("(" + sys.argv[1] + ")"))' "$1" "$2"
}
# is WANTED EXPRESSION DIR
is() { [ "$(points "$2" "$3")" = "$1" ] || fail "$3: $2 is $(points "$2" "$3"), expected $1"; }

# ---- methods ----
size='program.size = [8, 16]'
spec 'repetitions = 2' 'constraints = ["chip == \"big\" or l1.size <= 32k and program.size < 16"]' \
    '[baseline]' 'chip = "small"' "\"l1.size\" = \"16k\"" 'program.size = 8' \
    '[settings]' '"l1.size" = ["16k", "64k"]' "$size"
# 4 on big, 1 on small; the baseline is one of them
status=0
"$sweep" plan s.toml d >out 2>err || status=$?
[ $status = 2 ] && grep -q 'expected an expression as l1.size <= "64k"' err || fail "a constraint with 32k: status $status"
sed -i 's/32k and/32768 and/' s.toml
plan '10 points, 10 of them new' grid
is "['big', 'big', 'big', 'big', 'big', 'big', 'big', 'big', 'small', 'small']" "sorted(at('chip'))" grid
is '[1, 2]' "sorted({p['permute'] for p in ps})" grid
is 'True' "all(ps[p['baseline']]['coordinates'] == {**p['coordinates'], 'chip': 'small', 'l1.size': '16k', 'program.size': 8} and
    ps[p['baseline']]['permute'] == p['permute'] for p in ps)" grid

spec '[settings]' '"l1.latency" = {from = 1, to = 10, steps = 4}' \
    '"l2.size" = {from = 65536, to = 262144, steps = 3, scale = "log"}' 'program.size = [8]'
plan '24 points, 24 of them new' ranges
is '[1, 4, 7, 10]' "sorted(set(at('l1.latency')))" ranges
is '[65536, 131072, 262144]' "sorted(set(at('l2.size')))" ranges

for method in random latin; do
    spec "method = \"$method\"" 'points = 8' 'seed = 3' '[settings]' \
        '"l1.latency" = {from = 1, to = 8}' '"dram.clock" = {from = 1000, to = 1800}' 'program.size = [8]'
    plan '16 points, 16 of them new' $method
    plan '16 points, 0 of them new' $method
    cp -r $method again && rm -r again/points again/sweep.json
    plan '16 points, 16 of them new' again
    is "$(points 'ps' $method)" ps again
    is 'True' "[p['coordinates']['l1.latency'] for p in ps if p['coordinates']['chip'] == 'big'] ==
        [p['coordinates']['l1.latency'] for p in ps if p['coordinates']['chip'] == 'small']" $method
    rm -r again
done
# Each of eight parts has one point.
is '[1, 2, 3, 4, 5, 6, 7, 8]' "sorted(p['coordinates']['l1.latency'] for p in ps if p['coordinates']['chip'] == 'big')" latin

spec 'method = "list"' '[[list]]' 'chip = "big"' 'program.size = 8' '[[list]]' 'program.size = 16'
plan '3 points, 3 of them new' list
is "[('big', 8), ('big', 16), ('small', 16)]" "sorted(zip(at('chip'), at('program.size')))" list

# ---- another file for the same folder ----
spec '[settings]' 'program.size = [8, 16, 32]'
plan '6 points, 6 of them new' d
mkdir -p d/points/000/000001/result
spec '[settings]' 'program.size = [64, 16, 8]'
plan '6 points, 2 of them new; 2 of earlier plans stay, marked' d
is '[[2, 32], [5, 32]]' "[[p['point'], p['coordinates']['program.size']] for p in ps if not p['planned']]" d
[ -d d/points/000/000001/result ] || fail 'a result is gone'
# Of the same key by another name: it is the same point.
sed -i 's/chips.big/chips.large/' s.toml
plan '6 points, 0 of them new; 2 of earlier plans stay, marked' d
# Another program, scene, sim-run: other keys.
cp "$root/$B/samples/rv64/mandelbrot" m.elf && printf x >>m.elf
plan '6 points, 6 of them new; 8 of earlier plans stay, marked' d
cp d.scene c.scene
plan '6 points, 0 of them new; 8 of earlier plans stay, marked' d
sed -i 's/"{program.size}"/"{program.size}", "--out", "{scene}"/' s.toml
plan '6 points, 6 of them new; 14 of earlier plans stay, marked' d

# ---- many ----
# In memory, as the program is measured and not a disk; of the processor, as others use it, too.
spec 'repetitions = 50' '[settings]' '"l1.latency" = {from = 1, to = 50, steps = 50}' 'program.size = [8, 16]'
[ ! -w /dev/shm ] || many=$(mktemp -d /dev/shm/corbel-sweep.XXXXXX)
trap 'status=$?; rm -rf "${many:-$dir/many}"; clear_up $status' EXIT
TIMEFORMAT='%U %S'
{ time plan '10000 points, 10000 of them new' "${many:=$dir/many}"; } 2>spent
awk '{ s = $1 + $2; print "10,000 points:", s, "CPU s"; exit s >= 5 }' spent || fail 'plan takes 5 CPU s or more'
most=$(find "$many" -mindepth 1 -printf '%h\n' | sort | uniq -c | sort -n | awk 'END { print $1 }')
[ "$most" -le 1000 ] || fail "a folder has $most entries"

# ---- what is wrong is told ----
# wrong MESSAGE SED: of a file that sed has changed
wrong() {
    spec '[settings]' 'program.size = [8]'
    sed -i "$2" s.toml
    misused "corbel-sweep: $1" "$sweep" plan s.toml bad
}
wrong "s.toml: chip: unknown key, expected one of name, sim, method, points, seed, repetitions, options, constraints, baseline, figure, figures, cost, checkpoint, programs, scenes, chips, settings, list" '1i chip = 1'
wrong "s.toml: programs.m.argument: unknown key, expected one of file, arguments, options" 's/^arguments/argument/'
wrong 's.toml: programs.m.file: there is no file n.elf' 's/m.elf/n.elf/'
wrong 's.toml: programs.m.file: is missing' '/m.elf/d'
wrong 's.toml: settings.program.size: an empty list: expected values' 's/\[8\]/[]/'
wrong 's.toml: settings.program.size: a value stands in it twice' 's/\[8\]/[8, 8]/'
wrong "s.toml: method: 'gird': expected one of grid, list, random, latin" '1i method = "gird"'
wrong 's.toml: points: expected how many, with method latin' '1i method = "latin"'
wrong 's.toml: no point is left: every combination is refused by a constraint' '1i constraints = ["program.size > 8"]'
wrong "s.toml: baseline: chip = 'best': expected one of small, big" '1i baseline = {chip = "best"}'
wrong "constraints: 'chap == 1': unknown chap, expected one of chip, program, program.size, scene" '1i constraints = ["chap == 1"]'
wrong "constraints: 'f(chip)': expected names, numbers, and, or, not, comparisons and + - * / // %" '1i constraints = ["f(chip)"]'
wrong "s.toml: programs.m: '{size}': expected {scene}, {file:NAME} or {program.NAME}, which is one of the settings" 's/{program.size}/{size}/'
wrong "sim-run: --arch tony: no such chip, did you mean 'tiny'? (see --list-archs; a file's name ends in .lua)" 's/"tiny"/"tony"/'
for text in 'x = ' 'programs = 3' '[settings]' '"a.b" = 3' 'settings = {x = [1]}' 'points = -1' 'seed = "a"' '"\\x00'; do
    status=0
    printf '%b\n' "$text" >bad.toml
    "$sweep" plan bad.toml bad >out 2>err || status=$?
    [ $status = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "status $status: $text: $(cat err)"
done
status=0
"$sweep" plan none.toml bad >out 2>err || status=$?
[ $status = 3 ] && [ "$(cat err)" = 'corbel-sweep: none.toml: No such file or directory' ] || fail "status $status: no file"
misused "corbel-sweep: $PWD/bad2: no sweep is planned there: corbel-sweep plan SPEC DIR makes one" "$sweep" run bad2
misused "corbel-sweep: expected a verb; corbel-sweep --help shows them" "$sweep"

echo 'sweep-plan: ok'
