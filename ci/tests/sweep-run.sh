#!/bin/bash
# corbel-sweep run: a point is run once; a signal saves it and ends with 75, and it goes on to
# the result of one that was not disturbed; failures keep their log until they are asked for
# again; a second process leaves a running point alone; a dead one is taken over; a full disk
# and a sim-run of another version are told; runs on a scratch disk give the same.
# ci: area sweep
# ci: needs sweep samples/rv64/mandelbrot samples/rv64/hello
. ci/tests/head

sweep=$bin/corbel-sweep
cd "$dir"
for name in mandelbrot hello; do cp "$root/$B/samples/rv64/$name" $name.elf; done
# spec SIZES LINE...: mandelbrots of these sizes
spec() {
    printf '%s\n' "${@:2}" '[programs.m]' 'file = "mandelbrot.elf"' \
        'arguments = ["--size", "{program.size}"]' '[chips.t]' 'arch = "tiny"' '[settings]' \
        "program.size = [$1]" >s.toml
}
plan() { "$sweep" plan s.toml "$1" >said || fail "status $?: plan $1"; }
# ends STATUS COMMAND...
ends() {
    local status=0
    "${@:2}" >log 2>err || status=$?
    [ $status = "$1" ] || fail "status $status, expected $1: ${*:2}"
}
# under STATUS SIGNAL DIR: a run of DIR that gets a signal when sim-run is in its kernel
under() {
    local status=0 pid
    "$sweep" run "$3" >log 2>err &
    pid=$!
    for _ in $(seq 200); do
        [ ! -e "$3/points/000/000000/claim.1" ] || break
        sleep 0.05
    done
    sleep 0.2
    kill -"$2" $pid
    wait $pid || status=$?
    [ $status = "$1" ] || fail "status $status, expected $1: SIG$2"
}
point() { echo "$1/points/000/00000${2:-0}"; }
hash() { sed -n 's/.*"results_hash":"\([0-9a-f]*\)".*/\1/p' "$(point "$1" "${2:-0}")/result/figures.json"; }

# ---- once ----
spec '8, 16, 24'
plan whole
ends 0 "$sweep" run whole 1
[ -d "$(point whole 1)/result" ] && [ ! -e "$(point whole 0)/result" ] || fail 'run 1 did not run point 1'
ends 0 "$sweep" run whole
stat -c %Y.%i "$(point whole 1)"/result/* >before
ends 0 "$sweep" run whole 0-2
stat -c %Y.%i "$(point whole 1)"/result/* >after
cmp before after || fail 'a finished point was run again'
[ "$(find whole -name begun -o -name 'claim.*' -o -name '*.part' | wc -l)" = 0 ] || fail 'something is left over'
head -n 1 "$(point whole 1)/result/log.txt" | grep -q '^# point 1, key .*, program.size 16$' || fail 'first line of the log'
for words in 3 0-3 2-1 x -1 1-; do ends 2 "$sweep" run whole -- $words; done
for task in 0 1; do
    cp -r whole task
    rm -r task/points/*/*/result
    ends 0 "$sweep" run task --task $task --per-task 2
    [ "$(find task -name result | wc -l)" = $((2 - task)) ] || fail "task $task"
    rm -r task
done

# ---- signals ----
spec 160
plan quiet
ends 0 "$sweep" run quiet
plan stopped
under 75 USR1 stopped
[ -s "$(point stopped)/begun/run.ck" ] || fail 'nothing was saved'
under 75 TERM stopped
ends 0 "$sweep" run stopped
[ "$(hash stopped)" = "$(hash quiet)" ] || fail 'another result after signals'
cmp "$(point stopped)/result/run/stats.json" "$(point quiet)/result/run/stats.json" || fail 'stats.json'
[ "$(grep -c 'goes on$' "$(point stopped)/result/log.txt")" = 2 ] || fail 'it did not go on'
# Killed: what there is of it ends with it, and the next one takes over.
plan killed
under 137 KILL killed
for _ in $(seq 50); do pgrep -f "$PWD/killed" >log || break; sleep 0.1; done
! pgrep -f "$PWD/killed" >log || fail 'sim-run outlives corbel-sweep'
ends 0 "$sweep" run killed
[ "$(hash killed)" = "$(hash quiet)" ] || fail 'another result after a kill'
# Two at a time, and on a disk of the machine's own.
plan shared
"$sweep" run shared --scratch scratch &
other=$!
for _ in $(seq 200); do [ ! -e "$(point shared)/claim.1" ] || break; sleep 0.05; done
sleep 0.1
ends 4 "$sweep" run shared
kill -USR1 $other
status=0
wait $other || status=$?
[ $status = 75 ] && [ -s "$(point shared)/begun/run.ck" ] || fail "status $status: from a scratch disk"
ends 0 "$sweep" run shared --scratch scratch
[ "$(hash shared)" = "$(hash quiet)" ] || fail 'another result from a scratch disk'
[ -z "$(find scratch -mindepth 2)" ] || fail 'something stays on the scratch disk'
# A claim of another machine counts as long as it is fresh.
plan far
echo '{"machine": ["far", "", ""], "process": 1, "began": "1"}' >"$(point far)/claim.3"
ends 4 "$sweep" run far
touch -d '10 minutes ago' "$(point far)/claim.3"
ends 0 "$sweep" run far

# ---- failures ----
cat >s.toml <<'END'
method = "list"
[programs.m]
file = "mandelbrot.elf"
arguments = ["--size", "{program.size}"]
[chips.t]
arch = "tiny"
[[list]]
program.size = "none"
[[list]]
program.size = 8
END
plan failing
ends 1 "$sweep" run failing
grep -q '^corbel-sweep: point 0: status ' log || fail 'the failure is not told'
[ -s "$(point failing)/failed/log.txt" ] && [ -d "$(point failing 1)/result" ] || fail 'failed, result'
ends 1 "$sweep" run failing
[ ! -s log ] || fail 'it ran again'
ends 1 "$sweep" run failing 0 --again
[ -s log ] || fail '--again did not run it again'

# ---- the host ----
mkdir other
cat >other/sim-run <<'END'
#!/bin/sh
[ "$1" != --version ] || echo 'sim-run (Corbel) 0.0.1'
END
chmod +x other/sim-run
ends 2 "$sweep" run whole --sim other/sim-run
grep -q 'but the points were planned for .*: plan again$' err && [ "$(wc -l <err)" = 1 ] || fail 'another version'
spec '8, 16'
plan full
status=0
(ulimit -f 40 && trap '' XFSZ && "$sweep" run full >log 2>err) || status=$?
[ $status = 3 ] && [ "$(wc -l <err)" = 1 ] || fail "status $status, expected 3: a full disk"
[ -z "$(find full -name result -o -name failed)" ] || fail 'a result on a full disk'
ends 0 "$sweep" run full
[ "$(hash full)" = "$(hash whole)" ] || fail 'another result after a full disk'

echo 'sweep-run: ok'
