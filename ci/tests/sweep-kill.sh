#!/bin/bash
# A sweep of 200 points that is killed twenty times at random, all of its processes at once, with
# collectors among them: the merged table is that of a sweep that was not disturbed, byte for
# byte; no finished point runs twice and none is lost. On a file system as slow as a network, too.
# Two collectors at once leave one whole file.
# ci: area sweep
# ci: long
# ci: needs sweep samples/rv64/mandelbrot
. ci/tests/head

sweep=$bin/corbel-sweep
cd "$dir"
cp "$root/$B/samples/rv64/mandelbrot" m.elf
gcc -shared -fPIC -O1 -D_GNU_SOURCE -o slow.so "$root/ci/tests/sweep/slow.c" -ldl
cat >s.toml <<'END'
repetitions = 8
[programs.m]
file = "m.elf"
arguments = ["--size", "{program.size}"]
[chips.t]
arch = "tiny"
[settings]
"l1.latency" = {from = 1, to = 5, steps = 5}
program.size = [2, 4, 6, 8, 40]
END
# It notes when a run has gone to its end.
cat >noting <<END
#!/bin/bash
"$sim" "\$@" || exit
[ "\$1" = --version ] || [[ \$* == *--describe* ]] || pwd >>"$dir/ended"
END
chmod +x noting
"$sweep" plan s.toml killed --sim ./noting >said
cp -r killed quiet
grep -qx 'corbel-sweep: 200 points, 200 of them new' said || fail "$(cat said)"

tables() { # DIR
    "$sweep" collect "$1" --sql "$1.db" --csv "$1.csv" >said || fail "status $?: collect $1"
    "$root/ci/tests/sweep/dump.py" "$1.db" >"$1.dump"
}
done_now() { find "$1" -name result | wc -l; }
# launch DIR COUNT SECONDS: two tasks at a time and collectors; when about COUNT points more are
# done, and so long after, all that was started is killed
launch() {
    local leader wanted=$(($(done_now "$1") + $2))
    setsid bash -c '"$0" make "$1" --per-task 7 >"$1.mk"
        for _ in 1 2; do
            (while sleep 0.3; do "$0" collect "$1" --sql "$1.db" --csv "$1.csv"; done) &
        done
        make -s -k -j 2 -f "$1.mk"
        wait' "$sweep" "$1" >log 2>&1 &
    leader=$!
    for _ in $(seq 200); do
        [ "$(done_now "$1")" -lt $wanted ] || break
        sleep 0.1
    done
    sleep "$3"
    # All at once; runs of sim-run, which have sessions of their own, end with these.
    kill -KILL -- -$leader
    wait $leader 2>/dev/null || true
}

for i in $(seq 20); do
    [ $((i % 4)) != 0 ] || export LD_PRELOAD=$PWD/slow.so
    # shellcheck disable=SC2046
    launch killed $(awk "BEGIN { srand($i); print int(rand() * 14), rand() * 0.5 }")
    unset LD_PRELOAD
    find killed -name result | sort >"results.$i"
    [ "$i" = 1 ] || [ -z "$(comm -23 "results.$((i - 1))" "results.$i")" ] || fail 'a finished point is lost'
    [ ! -e killed.db ] || "$root/ci/tests/sweep/dump.py" killed.db >/dev/null || fail "kill $i: half a database"
done
echo "points that were done after each kill: $(wc -l results.* | awk '!/total/ { print $1 }' | sort -n | tr '\n' ' ')"
"$sweep" run killed >log 2>&1 || fail "status $?: run"
"$sweep" status killed | grep -qx '200 of 200 points are done' || fail "$("$sweep" status killed)"
tables killed
rm ended
"$sweep" run quiet --sim ./noting >log 2>&1 || fail "status $?: quiet"
[ "$(wc -l <ended)" = 200 ] || fail "$(wc -l <ended) runs for 200 points"
tables quiet
cmp killed.dump quiet.dump && cmp killed.csv quiet.csv || fail 'another table after kills'
rm ended
"$sweep" run killed >log 2>&1
[ ! -e ended ] || fail 'a finished point runs again'
# What a killed process was writing is left under a name of its own, or taken up again.
[ -z "$(find killed -name begun -o -name 'claim.*')" ] || fail 'claims or folders are left'

echo 'sweep-kill: ok'
