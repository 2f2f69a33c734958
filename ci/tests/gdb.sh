#!/bin/bash
# sim-run --gdb: gdb steps, stops and looks; runs that are stopped at random have the results of
# those that are not, on chips of all kinds, with any number of threads, and without timing.
# ci: area host
# ci: needs samples/rv32/hello
. ci/tests/sessions

walks=$root/ci/tests/gdb/walks.py
"$bin/corbel-scene" generate cornell c.scene >/dev/null
hash_of() { "$sim" --quiet "$@" 2>&1 >/dev/null | sed -n 's/^results hash: //p'; }
same() { # OPTION...: the session's run has the results of one without gdb
    [ "$(sed -n 's/^results hash: //p' err)" = "$(hash_of "$@")" ] ||
        fail "$*: results with gdb are others"
}

# ---- a session, on each kind of chip and width
for run in "-a tiny $S/hello" "-a tiny-simt $S/hello" "--functional -a tiny $S/hello" \
    "-a tiny $root/$B/samples/rv32/hello"; do
    read -ra options <<<"$run"
    session "${options[-1]}" "${options[@]}" -- -ex 'break main' -ex c -ex next -ex 'print sum' \
        -ex 'tbreak add_numbers' -ex 'delete 1' -ex c -ex bt -ex 'info threads' -ex stepi -ex 'p $hart_id' \
        -ex 'monitor where' -ex c
    expect 'Breakpoint 1, main \(\) at samples/hello/hello.c'
    expect '^\$1 = 0$'
    expect 'Temporary breakpoint 2, add_numbers \(arg='
    expect '^\* .*Thread [0-9]+ "[a-z0-9.]+" \(hart [0-9]+, running\)'
    expect '^\$2 = [0-9]+$'
    expect '^[0-9]+ harts? \(.*\): running, at 0x[0-9a-f]+ <add_numbers'
    expect '^\[Inferior 1 \(Remote target\) exited normally\]'
    same "${options[@]}"
done

# ---- watchpoints name the hart, the old value and the new
session "$S/hello" -a tiny "$S/hello" -- -ex 'tbreak main' -ex c -ex next -ex 'watch -l sum' -ex c \
    -ex 'p $hart_id' -ex c -ex 'monitor focus all' -ex 'info threads' -ex detach
expect '^Hardware watchpoint 2: -location sum'
expect '^Old value = 0$'
[ "$(grep -c '^New value = [1-9]' log)" = 2 ] || fail 'not two writes of sum'
[ "$(grep -c ' Thread [0-9]* "tm0' log)" -ge 8 ] || fail 'not all harts are threads'
same -a tiny "$S/hello"

# ---- stops at a cycle and at a launch
session "$S/hello" -a tiny "$S/hello" -- -ex 'monitor stop cycle 3333' -ex c -ex 'monitor cycle' \
    -ex 'monitor stop launch' -ex c -ex 'monitor where' -ex 'monitor stop cycle 3' -ex c
expect '^cycle 3333$'
expect '^kernel 1 begins$'
expect '^[0-9]+ harts? .*running, at 0x[0-9a-f]+ <(park|add_numbers)'
expect '^expected stop cycle N, with N after [0-9]+, stop launch, or stop off$'
same -a tiny "$S/hello"

# ---- conditions are evaluated for each hart that comes, and the run stops for none but theirs
for options in "-a tiny" "-a tiny-simt" "-a tiny -j2"; do
    read -ra options <<<"$options"
    session "$S/hello" "${options[@]}" "$S/hello" -- -ex 'break hello.c:16 if i == 500' -ex c -ex 'p i' -ex delete \
        -ex 'tbreak hello.c:16 if *sum > 250000 && $hart_id == 5' -ex c -ex 'p *sum > 250000' -ex 'p $hart_id' -ex c
    expect '^\$1 = 500$'
    expect '^\$2 = 1$'
    expect '^\$3 = 5$'
    same "${options[@]}" "$S/hello"
done

# ---- runs that are saved, go on, or are timed in part
stops=(-ex 'break add_numbers if $hart_id == 3' -ex c -ex stepi -ex c)
session "$S/hello" -a tiny --checkpoint run.ck --max-cycles 6000 "$S/hello" -- "${stops[@]}"
[ "$("$sim" --quiet --resume run.ck 2>&1 | tail -n 1)" = "results hash: $(hash_of -a tiny "$S/hello")" ] ||
    fail 'a run that was saved under gdb goes on otherwise'
session "$S/hello" --resume run.ck -- -ex stepi -ex stepi -ex c
same -a tiny "$S/hello"
session "$S/hello" --timing roi -a tiny "$S/hello" -- -ex 'break main' -ex c -ex next "${stops[@]}"
expect 'hit Breakpoint 2, add_numbers'
same --timing roi -a tiny "$S/hello"

# ---- what is written changes the run, and is said to
session "$S/hello" -o out -a tiny "$S/hello" -- -ex 'tbreak add_numbers' -ex c \
    -ex 'set var *(unsigned *)arg = 7' -ex 'p *(unsigned *)arg' -ex c
expect '^\$1 = 7$'
grep -q '"altered":	*true' out/manifest.json || fail 'manifest.json: not altered'
grep -q '499507' err || fail 'the program does not see what was written'

# ---- refused
refused() { # MESSAGE OPTION...
    local status=0
    "$sim" "${@:2}" "$S/hello" >log 2>&1 || status=$?
    [ $status = 200 ] && [ "$(cat log)" = "$1" ] || fail "${*:2}: status $status"
}
refused 'sim-run: --gdb: not with --serve, which would be a second way to stop the run' \
    --gdb 0 --serve 0
refused 'sim-run: --gdb: not with --check-memory, which would take what gdb writes for an error' \
    --gdb 0 --check-memory
refused 'sim-run: --gdb x: expected PORT or ADDRESS:PORT, as in 127.0.0.1:8000' --gdb x

# ---- clients that gdb is not
"$bin/corbel-gcc" -O2 -g -o waits "$root/ci/tests/gdb/waits.c"
timeout 200 "$root/ci/tests/gdb/clients.py" "$sim" "$bin/corbel-nm" "$S/hello" "$dir/waits" >log 2>&1 ||
    fail 'clients'

# ---- random stops
for run in "13 -a tiny" "13 -a tiny -j2" "3 -a tiny --epoch 1" "4 -a tiny-simt" "5 -a tiny --functional"; do
    read -ra options <<<"$run"
    timeout 200 "$walks" "$sim" "$bin/corbel-nm" "$S/hello" 60 "${options[@]}" "$S/hello" >log ||
        fail "random stops: $run"
done
timeout 200 "$walks" "$sim" "$bin/corbel-nm" "$S/primary" 40 23 -a rtx2080 -s chip.tms=2 -j2 \
    "$S/primary" c.scene --size 16 --out i.png >log || fail 'random stops: primary'
cat log
