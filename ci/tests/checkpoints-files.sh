#!/bin/bash
# What of a run lives in the host goes on with it: random programs read their standard input,
# append to, rename and remove files and folders while they are open or closed, and print; they
# are killed by SIGKILL at any moment, go on from the latest checkpoint, and leave the output,
# files and hash of the run that nobody disturbed, or saving was refused in words.
# RUNS says how many programs (60; docs/checkpoints.md has the result of 2000), SEED from which
# on, WHERE in what folder: one in memory is faster. Then one by one: what is refused at --resume, what is kept, what is locked.
set -euo pipefail

B=${B:-build}
sim=$(realpath -m "${SIM:-$B/bin/sim-run}")
runs=${RUNS:-60} first=${SEED:-1}
make -s "$B/bin/sim-run" runtime >/dev/null
mkdir -p "$B/tests"
dir=$(mktemp -d "${WHERE:-$PWD/$B/tests}/checkpoints-files.XXXXXX")
[ -n "${KEEP:-}" ] || trap 'rm -rf "$dir"' EXIT
"$B/bin/corbel-gcc" -O2 ci/tests/checkpoints/files-random.c -o "$dir/random.elf"
cd "$dir"

# ---- random programs, killed
cat >campaign.py <<'END'
import os, random, shutil, signal, subprocess, sys
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
    steps, work = rng.randrange(50, 400), rng.choice([20, 100, 400])
    program = ["random.elf", str(seed), str(steps), str(work)]
    with open("in.txt", "wb") as f:
        f.write(bytes(rng.randrange(32, 127) for _ in range(rng.randrange(4000))))
    fresh("fs")
    remove("out", "err", "x.ck", "x.ck.undo")
    assert start(["-a", "tiny", "--fs", "fs"] + program, give).wait(100) == 0, "seed %d" % seed
    want = text("out"), tree("fs"), last("err")
    fresh("fs")
    remove("out", "err")
    saving = ["--checkpoint", "x.ck", "--checkpoint-every", str(rng.randrange(5000, 60000))]
    for life in range(6):
        saved = os.path.exists("x.ck")
        if life and not saved: # nothing to go on from: it begins anew
            fresh("fs")
            remove("out")
        words = ["-j", str(rng.randrange(1, 3))]
        words += ["--resume", "x.ck"] if saved else ["-a", "tiny", "--fs", "fs"]
        words += saving + ([] if saved else program)
        resumed += saved
        run = start(words, give)
        if life < 5:
            try:
                run.wait(rng.random() * 0.25)
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
