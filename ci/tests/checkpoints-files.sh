#!/bin/bash
# What of a run lives in the host goes on with it: random programs read their standard input,
# append to, rename and remove files and folders while they are open or closed, and print; they
# are killed by SIGKILL at any moment, go on from the latest checkpoint, and leave the output,
# files and hash of a run without a kill, or saving was refused in words.
# RUNS says how many programs (60), SEED from
# which on, WHERE in what folder: one in memory is faster. Then one by one: what is refused at
# --resume, what is kept, what is locked.
# ci: area checkpoints host
# ci: needs bin/sim-run runtime
. ci/tests/head

runs=${RUNS:-60} first=${SEED:-1}
"$B/bin/corbel-gcc" -O2 ci/tests/checkpoints/files-random.c -o "$dir/random.elf"
cd "$dir"

# ---- random programs, killed
cat >campaign.py <<'END'
import os, random, shutil, signal, subprocess, sys, time
sim, first, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
killed = resumed = refused = 0

def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    open(folder + "/f0", "w").write("there before\n" * 3)

def start(words, give):
    """give: how the standard input comes, a file or a pipe; output is appended to a file."""
    out = open("out", "ab")
    if give == "file":
        stdin = open("in.txt", "rb")
    else:
        stdin = subprocess.Popen(["cat", "in.txt"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL).stdout
    return subprocess.Popen([sim, "--quiet"] + words, stdin=stdin, stdout=out,
                            stderr=open("err", "ab"))

def text(name):
    return open(name, "rb").read() if os.path.exists(name) else b""

def tree(folder):
    return {os.path.relpath(os.path.join(at, n), folder):
            None if n in folders else text(os.path.join(at, n))
            for at, folders, files in os.walk(folder) for n in folders + files}

def last(name):
    return text(name).decode().split("results hash: ")[-1].strip()

def remove(*names):
    for name in names:
        if os.path.exists(name):
            os.remove(name)

for seed in range(first, first + runs):
    rng = random.Random(seed)
    give = rng.choice(["file", "pipe"])
    steps, work = rng.randrange(30, 160), rng.choice([20, 100, 300])
    program = ["random.elf", str(seed), str(steps), str(work)]
    with open("in.txt", "wb") as f:
        f.write(bytes(rng.randrange(32, 127) for _ in range(rng.randrange(4000))))
    fresh("fs")
    remove("out", "err", "x.ck", "x.ck.undo")
    begin = time.time()
    assert start(["-a", "tiny", "--fs", "fs"] + program, give).wait(100) == 0, "seed %d" % seed
    lasts = time.time() - begin
    want = text("out"), tree("fs"), last("err")
    fresh("fs")
    remove("out", "err")
    saving = ["--checkpoint", "x.ck", "--checkpoint-every", str(rng.randrange(3000, 30000))]
    for life in range(6):
        saved = os.path.exists("x.ck")
        if life and not saved: # nothing to go on from: it begins anew
            fresh("fs")
            remove("out")
        words = ["-j", str(rng.randrange(1, 3))]
        words += (["--resume", "x.ck"] if saved else ["-a", "tiny"]) + ["--fs", "fs"]
        words += saving + ([] if saved else program)
        resumed += saved
        run = start(words, give)
        if life < 5:
            try:
                run.wait(rng.random() * lasts)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
        status = run.wait(100)
        if status != -signal.SIGKILL:
            break
        killed += 1
    if status == 205 and b"not saved" in text("err"):
        refused += 1
        status = 0
    got = text("out"), tree("fs"), last("err")
    if status or got != want:
        what = [n for n, a, b in zip(["output", "files", "hash"], got, want) if a != b]
        print("FAIL: seed %d, by a %s, %d lives: status %d, other %s: %s" % (
            seed, give, life + 1, status, what, text("err").decode()[-300:]))
        sys.exit(1)
    if seed % 100 == 0:
        print("seed", seed, "ok", flush=True)
assert resumed > runs / 10, resumed
print("%d programs were killed %d times, %d processes went on from a checkpoint, saving was "
      "refused in %d: output, files and hash as undisturbed" % (runs, killed, resumed, refused))
END
python3 campaign.py "$sim" "$first" "$runs"

# ---- one by one
# ends STATUS PATTERN ARGUMENT...: with the standard input of the call; what it says has a line so
ends() {
    local expected=$1 pattern=$2
    status=0
    "$sim" "${@:3}" >>out 2>err || status=$?
    [ $status = "$expected" ] || fail "${*:3}: status $status, expected $expected"
    [ -z "$pattern" ] || grep -qE "$pattern" err || fail "${*:3}: it does not say '$pattern'"
}
# goes_on ARGUMENT...: with the standard input of the call, to the whole output
goes_on() {
    cp half out
    ends 0 '' --resume x.ck "$@"
    cmp out whole || fail "${*}: another output"
}
"$OLDPWD/$B/bin/corbel-gcc" -O2 "$OLDPWD/ci/tests/checkpoints/lines.c" -o lines.elf
seq 10000 10040 >in.txt
tr 1 2 <in.txt >others.txt
sed '$s/.*/other/' in.txt >rest.txt
cat in.txt <(echo more) >longer.txt
rm -f out
ends 0 '' -a tiny lines.elf <in.txt
mv out whole
cycles=$(sed -n 's/^cycles *\([0-9]*\).*/\1/p' err)
# saved PLACE: at PLACE percent of it, with the standard input of the call
saved() {
    rm -f out x.ck
    ends 204 '' -a tiny --checkpoint x.ck --max-cycles $((cycles * $1 / 100 + 200)) lines.elf
    mv out half
    [ -s x.ck ] && [ ! -e x.ck.undo ] || fail "saved at $1 %: $(ls)"
}
for how in file pipe; do
    [ $how = file ] && saved 50 <in.txt || saved 50 < <(cat in.txt)
    goes_on <in.txt
    goes_on < <(cat in.txt)
    cp in.txt copy.txt
    goes_on <copy.txt
    ends 201 'standard input: nothing, expected a (file|pipe) of which .* read [0-9]+' \
        --resume x.ck </dev/null
    ends 201 'standard input: its first [0-9]+ bytes are others' --resume x.ck < <(cat others.txt)
    ends 201 'standard input: it ends after 20 bytes' --resume x.ck < <(head -c 20 in.txt)
done
saved 50 <in.txt
for other in others rest longer; do # a file is known as a whole
    ends 201 'standard input: another file, or it has changed' --resume x.ck <$other.txt
done
saved 95 <in.txt # all is read: no input is needed
goes_on </dev/null
saved 95 < <(cat in.txt)
goes_on < <(echo other)
saved 0 <in.txt # nothing is
goes_on < <(cat in.txt)
ends 0 'was a file of [0-9]+ bytes .*, of which nothing was read; now it is nothing' \
    --resume x.ck </dev/null
saved 50 </dev/zero
ends 204 '' --resume x.ck --max-cycles $cycles </dev/zero
rm x.ck
ends 205 'bytes of its standard input, a device that does not give them again' -a tiny \
    --checkpoint x.ck --max-cycles $((cycles / 2)) lines.elf </dev/urandom
[ ! -e x.ck ] || fail "what cannot go on is saved"
rm out
ends 0 '' -a tiny --functional --checkpoint x.ck lines.elf <in.txt
mv out half
goes_on <in.txt
ends 201 'standard input: nothing' --resume x.ck </dev/null
echo "standard input: ok"

# ---- results of earlier runs
mkdir run
echo keep >run/stats.json
echo keep >run/intervals.csv
for words in '-a nosuch' '-a tiny -s l1.siez=5' '-a tiny --harts 99' '-a tiny --fs nosuch' \
    '-a tiny --warm-caches nosuch' '-a tiny --checkpoint nosuch/x' '--resume x.ck --max-cycles 5' \
    '--resume x.ck' '-a tiny --host-profile nosuch/x'; do
    # shellcheck disable=SC2086
    "$sim" --quiet -o run --interval 100 $words lines.elf >out 2>err </dev/null &&
        fail "$words: status 0"
    [ "$(cat run/*)" = $'keep\nkeep' ] || fail "$words: refused, but what was there is gone"
done
echo keep >log
ends 205 '' -a tiny --log-commits --log log --host-profile nosuch/x lines.elf <in.txt
[ "$(<log)" = keep ] || fail "--log: refused, but what was there is gone"
ends 0 '' --quiet -a tiny --log-commits --log log lines.elf <in.txt
[ "$(head -c 4 log)" = core ] || fail "--log: what was there stays"
ends 0 '' --quiet -a tiny -o run lines.elf <in.txt
[ ! -e run/intervals.csv ] && grep -q cycles run/stats.json || fail "what was there stays"

# ---- a checkpoint belongs to one run, and an earlier one is kept
printf 'int main(void)\n{\n    for (;;)\n        ;\n}\n' >spin.c
"$OLDPWD/$B/bin/corbel-gcc" -O2 spin.c -o spin.elf
rm -f x.ck*
echo earlier >x.ck
"$sim" -a tiny --checkpoint x.ck --checkpoint-every 20000 spin.elf >spun 2>spun-err </dev/null &
pid=$!
for ((i = 0; i < 100; i++)); do
    [ -e x.ck.old ] && break
    sleep 0.1
done
[ "$(<x.ck.old)" = earlier ] || fail "what an earlier run left is not kept"
grep -q 'x.ck: what an earlier run had left there is kept as x.ck.old' spun-err || fail "kept, unsaid"
ends 205 'x.ck: another run saves its state there' -a tiny --checkpoint x.ck spin.elf </dev/null
ends 205 'x.ck: another run saves its state there' -a tiny --checkpoint ./x.ck spin.elf </dev/null
kill -KILL $pid
wait $pid 2>/dev/null || true
ends 204 '^sim-run: without --checkpoint FILE nothing more is saved' --resume x.ck --max-time 1
ends 204 '' --resume x.ck --checkpoint x.ck --max-time 1
! grep -q 'nothing more is saved\|is kept as' err || fail "said in vain"
[ "$(<x.ck.old)" = earlier ] && [ ! -e x.ck.undo ] || fail "a run that goes on: $(ls x.ck*)"
echo "results and checkpoints of earlier runs: ok"
