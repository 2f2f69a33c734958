#!/bin/bash
# A run that writes checkpoints and is killed by SIGKILL, at any moment and as often as one
# likes, goes on from the latest one and ends as a run without a kill does: results hash,
# image, statistics, intervals, log; and nothing half-written stays. KILLS says how many runs
# (100: the whole test), SEED which moments.
# ci: area checkpoints host
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary
. ci/tests/head

kills=${KILLS:-5}
primary=$(realpath -m "$B/samples/rv64/primary")
"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null 2>&1
cd "$dir"
RANDOM=${SEED:-1}
saving=(-o run --interval 7000 --checkpoint x.ck --checkpoint-every 20000)

# go ARGUMENT...: in the background, as $pid
go() {
    "$sim" --quiet "$@" >out 2>err </dev/null &
    pid=$!
}

mkdir want
go -a rtx2080 -s chip.tms=2 -o run --interval 7000 "$primary" c.scene --size 32 --out i.ppm
wait $pid || fail "the undisturbed run: status $?"
go -a rtx2080 -s chip.tms=2 "${saving[@]}" "$primary" c.scene --size 32 --out i.ppm
begin=${EPOCHREALTIME/./}
wait $pid || fail "a run with checkpoints: status $?"
lasts=$((${EPOCHREALTIME/./} - begin)) # microseconds
want=$(<err)
rm x.ck
mv run i.ppm want

# killed at a random moment of the first $lasts microseconds, it may have ended
killed=0 resumed=0 missed=0
for ((n = 0; n < kills; n++)); do
    rm -rf run i.ppm x.ck
    for ((lives = 0; ; lives++)); do
        how=(-a rtx2080 -s chip.tms=2 "${saving[@]}" "$primary" c.scene --size 32 --out i.ppm)
        if [ -e x.ck ]; then
            how=(-j $((1 + RANDOM % 2)) --resume x.ck "${saving[@]}")
            resumed=$((resumed + 1))
        fi
        go "${how[@]}"
        [ $lives -lt 4 ] || break # it is left alone
        wanted=$(((RANDOM * 32768 + RANDOM) % lasts))
        sleep "$((wanted / 1000000)).$(printf %06d $((wanted % 1000000)))"
        kill -KILL $pid 2>/dev/null || true
        status=0
        wait $pid 2>/dev/null || status=$?
        [ $status = 137 ] || break
        killed=$((killed + 1))
        [ -e x.ck ] || missed=$((missed + 1))
    done
    if [ $lives = 4 ]; then
        status=0
        wait $pid || status=$?
    fi
    [ "$status" = 0 ] && [ "$(<err)" = "$want" ] || fail "run $n, killed $lives times: status $status"
    cmp i.ppm want/i.ppm || fail "run $n: another image"
    for file in want/run/*; do # manifest.json has the command line
        [ $file = want/run/manifest.json ] || cmp $file run/${file##*/} ||
            fail "run $n, killed $lives times: ${file##*/}"
    done
    [ "$(ls run)" = "$(ls want/run)" ] || fail "run $n: files $(ls run)"
    left=$(compgen -G '*.[0-9]*' || true)
    [ -z "$left" ] || fail "run $n: half a file is left: $left"
done
[ $resumed -gt 0 ] || fail "no run was resumed"
echo "$kills runs were killed $killed times, $missed of them before a checkpoint; $resumed" \
    "processes went on from one: all as undisturbed"
