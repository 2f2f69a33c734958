#!/bin/bash
# A signal ends a run as a limit at the same cycle does: with the same statistics, where
# the harts are, all files and a status of its own; a second one at once, without half a
# file. A run directory belongs to one run, and a killed run leaves nothing that seems to
# be of the next. The terminal's status line is cleared. A program that waits for a
# terminal or a pipe is ended as any other.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc
cd "$dir"
ulimit -t 60 # seconds: what no signal ends

# spin: a run that ends by a signal only
printf '.globl _start\n_start:\n1: addi t0, t0, 1\nj 1b\n' >spin.S
riscv64-unknown-elf-gcc -march=rv64ima_zicsr -mabi=lp64 -nostdlib -static \
    -Wl,-Ttext=0x10000 spin.S -o spin

# begin OPTION...: in the background, as $run, until it has begun
begin() {
    rm -rf out
    # a shell lets what is in the background ignore both
    env --default-signal=INT,QUIT "$sim" -o out "$@" spin >summary 2>err &
    run=$!
    until began; do
        kill -0 $run 2>/dev/null || fail "$*: it has not begun"
        sleep 0.1
    done
    sleep 0.3
}
began() { # the file of intervals is there; --functional has none
    [ -e out/intervals.csv ] || [ -n "$functional" -a -d out ]
}
others=("QUIT 131" "USR2 140" "XCPU 152")
for how in "-a tiny -j 1 --interval 5000" "-a tiny -j 2 --interval 5000" \
    "-a rtx2080 -j 1 --interval 5000" "-a tiny --no-skip --interval 5000" --functional; do
    functional=
    [ "$how" != --functional ] || functional=1
    for signal in "INT 130" "TERM 143" "HUP 129" ${others[@]+"${others[@]}"}; do
        read -r name expected <<<"$signal"
        # shellcheck disable=SC2086
        begin $how
        kill -$name $run
        wait $run && got=0 || got=$?
        [ $got = $expected ] || fail "$how: SIG$name: status $got, expected $expected"
        where=$(sed -n "s/^sim-run: stopped by SIG$name at \(cycle\|instruction\) //p" err)
        [ -n "$where" ] || fail "$how: SIG$name: it is not said where the run stopped"
        grep -q "running, at 0x" err || fail "$how: SIG$name: where the harts are is missing"
        [ "$(wc -l <err)" -le 12 ] || fail "$how: SIG$name: $(wc -l <err) lines: $(cat err)"
        grep -q '"ending":[[:space:]]*"signal"' out/manifest.json || fail "$how: the manifest"
        [ -z "$(compgen -G 'out/*.[0-9]*')" ] || fail "$how: half a file is left"
        [ -z "$functional" ] || continue
        mv out signalled
        # shellcheck disable=SC2086
        "$sim" -o out $how --max-cycles "$where" spin >summary 2>err && got=0 || got=$?
        [ $got = 204 ] || fail "$how: --max-cycles $where: status $got"
        cmp -s out/stats.json signalled/stats.json || fail "$how: other statistics at $where"
        cmp -s out/intervals.csv signalled/intervals.csv || fail "$how: other intervals"
        rm -rf signalled
    done
    others=()
done
functional=

# with --quiet: why, and the hash; all else is in the log
begin -a rtx2080 --interval 5000 --quiet
kill -INT $run
wait $run || true
[ "$(cut -d' ' -f1-2 err | tr '\n' '|')" = 'sim-run: stopped|results hash:|' ] ||
    fail "--quiet: $(cat err)"
grep -q 'tm0.tp0: hart 0' out/log.txt || fail "the log does not say what units wait for"

# both come before the run goes on
begin -a tiny --interval 5000
kill -STOP $run
kill -INT $run
kill -TERM $run
kill -CONT $run
wait $run && got=0 || got=$?
[ $got = 130 ] || [ $got = 143 ] || fail "two signals: status $got"
[ -z "$(ls out)" ] || fail "two signals: files are left: $(ls out)"

# another run into the directory, then a kill, then a run that is short
begin -a tiny --interval 5000
"$sim" -o out -a tiny --max-cycles 9 spin >other 2>err && got=0 || got=$?
[ $got = 205 ] || fail "a directory in use: status $got, expected 205"
grep -qx "sim-run: --outdir out: another run writes its files there" err ||
    fail "a directory in use: another line"
kill -0 $run || fail "the run whose directory it was has ended"
kill -KILL $run
wait $run 2>/dev/null || true
[ -e out/intervals.csv ] || fail "a killed run has removed its file"
touch out/stats.json.1 out/notes.csv out/stats.json.1x
"$sim" -o out -a tiny --max-cycles 9 spin >summary 2>err && got=0 || got=$?
[ "$(ls out | tr '\n' ' ')" = "log.txt manifest.json notes.csv stats.json stats.json.1x stats.txt " ] ||
    fail "after a killed run: $(ls out)"

# a terminal
cat >terminal.py <<'PY'
import os, pty, signal, sys, time

pid, terminal = pty.fork()
if not pid:
    os.execv(sys.argv[1], [sys.argv[1], "-a", "tiny", "spin"])
text = b""
while b"cycle " not in text:
    text += os.read(terminal, 4096)
os.kill(pid, signal.SIGINT)
try:
    while more := os.read(terminal, 4096):
        text += more
except OSError:
    pass
before, stop, after = text.partition(b"sim-run: stopped by SIGINT")
sys.exit(not (stop and before.endswith(b"\r\033[K") and b"\033" not in after))
PY
NO_COLOR=1 timeout 60 python3 terminal.py "$sim" || fail "the status line stays on the terminal"

# a program that waits for its input, or for a reader
system_call() { # NUMBER DESCRIPTOR BYTES
    printf 'li a7, %s\nli a0, %s\nla a1, here\nli a2, %s\necall\n' "$@"
}
printf '.globl _start\n_start:\nbnez a0, park\n%s\n%s\n1: %s\nbnez a0, 1b\nli a7, 93
ecall\npark: li a7, 0x1001\necall\n.data\nhere: .space 100000\n' "$(system_call 64 1 5)" \
    "$(system_call 64 1 5)" "$(system_call 63 0 1)" >reads.S
printf '.globl _start\n_start:\nbnez a0, park\n1: %s\nj 1b\npark: li a7, 0x1001\necall
.data\nhere: .space 100000\n' "$(system_call 64 1 100000)" >writes.S
for program in reads writes; do
    riscv64-unknown-elf-gcc -march=rv64ima_zicsr -mabi=lp64 -nostdlib -static \
        -Wl,-Ttext=0x10000 -Wl,--no-warn-rwx-segments $program.S -o $program
done
cat >awaits.py <<'PY'
"""Each: what it waits for, its program, how it is run, what ends it, the status."""
import os, signal, subprocess, sys, time

def descriptors(waits_for):
    """The run's input and output, and the ends that stay here."""
    if waits_for == "terminal":
        here, there = os.openpty()
        return there, there, here
    ours, theirs = os.pipe()
    if waits_for == "input":
        there = os.open("output", os.O_CREAT | os.O_TRUNC | os.O_RDWR)
        return ours, there, theirs
    return os.open("/dev/null", os.O_RDONLY), theirs, ours

def ended(waits_for, program, options, number, expected):
    subprocess.run(["rm", "-rf", "out"])
    stdin, stdout, here = descriptors(waits_for)
    limit = [] if number else ["--max-time", "1"]
    run = subprocess.Popen([sys.argv[1], "--quiet", "-o", "out", *options, *limit, program],
                           stdin=stdin, stdout=stdout, stderr=open("err", "w"))
    while not os.path.exists("out"):
        time.sleep(0.1)
    time.sleep(0.5)
    if number:
        run.send_signal(number)
    try:
        status = run.wait(10)
    except subprocess.TimeoutExpired:
        run.kill()
        status = "none"
    os.close(here)
    manifest = open("out/manifest.json").read() if os.path.exists("out/manifest.json") else ""
    what = '"limit"' if expected == 204 else '"signal"'
    good = (status == expected and what in manifest and os.path.exists("out/stats.json")
            and "results hash: " in open("err").read())
    if not good:
        print(waits_for, *options, number, "status", status, "expected", expected)
    return good

signals = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (None, 204)]
good = True
for waits_for, program in [("terminal", "reads"), ("input", "reads"), ("reader", "writes")]:
    for options in [["--functional"], ["-a", "tiny", "-j", "1"], ["-a", "tiny", "-j", "2"],
                    ["--timing", "roi", "-a", "tiny"]]:
        for number, expected in signals if options[-1] == "1" else signals[:1]:
            good = ended(waits_for, program, options, number, expected) and good
good = ended("reader", "spin", ["--log-commits", "--log", "/dev/stdout", "-a", "tiny"],
             signal.SIGINT, 130) and good
saved = ["-a", "tiny", "--checkpoint", "out/x.ck"]
good = ended("input", "reads", saved, signal.SIGINT, 205) and good
good = good and "x.ck: not saved at cycle " in open("err").read()
sys.exit(not good)
PY
timeout 300 python3 awaits.py "$sim" || fail "a program that waits is not ended"
echo "signals: ended as by a limit; directories locked"
