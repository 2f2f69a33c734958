#!/bin/bash
# Each parameter of the units of a chip with ray streams, at its smallest and its largest value
# and at each of its choices: a frame ends with the hits of plain traversal, or the chip is
# refused in one line that names the parameter. Nothing hangs, and nothing breaks.
# KINDS="rtcore cache ..." chooses the kinds of units (those of streams; all: every one),
# CHIPS the chips.
# ci: area streams
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/streams
. ci/tests/head

cd "$dir"
"$bin/corbel-scene" generate arcade a.scene --triangles 10000 --nodes bvh5 \
    --treelets 4096 >log
"$bin/corbel-rays" a.scene a.rays --kind primary --size 8x4 >log
"$bin/corbel-scene" trace a.scene a.rays --hits plain.hits >log
python3 - "$(dirname "$bin")" <<'END'
import concurrent.futures, os, re, subprocess, sys

build = sys.argv[1]
sim, program = build + "/bin/sim-run", build + "/samples/rv64/streams"
streams = "rtcore scheduler workcounter stager scenebuffer hitupdater streamscheduler raystore raygate"
kinds = os.environ.get("KINDS", streams).split()
moving = ["--machine", "strata", "--buffer", "65536", "--mode"]
chips = {"dual-streaming": [], "dual-streaming-rt": ["--mode", "rt"],
         "strata": moving + ["software"], "strata-rt": moving + ["rt"]}
only = os.environ.get("CHIPS", " ".join(chips)).split()
small = ["-s", "chip.tms=2", "-s", "chip.tps=2"]
# dual-streaming has a scene buffer where that is tried.
buffered = ["-s", "chip.scene_buffer=1048576"]
plain = open("plain.hits", "rb").read()


def said(*words):
    return subprocess.run([sim, *words], capture_output=True, text=True, check=True).stdout


def all_values():
    """{kind: {parameter: values}}, of --list-units; text has none."""
    values, kind, inside = {}, None, False
    for line in said("--list-units").splitlines():
        if re.match(r"\w+: ", line):
            kind, inside = line.split(":")[0], False
            values[kind] = {}
        elif re.match(r"  \w", line):
            inside = line.startswith("  parameters")
        elif inside:
            name, rest = line.split(None, 1)
            bounds = re.match(r"\S+, (-?\d+)\.\.(-?\d+) ", rest)
            choices = re.match(r"\S+ of ([^ :]+)", rest)
            values[kind][name] = (bounds.groups() if bounds else
                                  choices[1].split("|") if choices else ())
    return values


def groups_of(chip):
    more = buffered if chip == "dual-streaming" else []
    told = said("-a", chip, *small, *more, "--describe")
    found = dict(re.findall(r"^(\w[\w.]*): \d+ x (\w+) ", told, re.M))
    return [(g, k) for g, k in found.items() if k in kinds or kinds == ["all"]]


def frame(chip, name, value):
    """What is wrong; None: nothing."""
    parameter = name.split(".")[-1]
    words = list(chips[chip])
    store = value if name == "raystore.bytes" else "65536"
    if chip.startswith("strata"):
        words[words.index("--buffer") + 1] = store
    hits = f"{chip}.{name}.{value}.hits"
    run = subprocess.run(
        [sim, "--quiet", "-j", "1", "--max-time", "100", "-a", chip, *small,
         *(["-s", "chip.buffer=" + store] if chip.startswith("strata") else []),
         *(buffered if name.startswith("scenebuffer.") else []),
         "-s", f"{name}={value}", program, "a.scene", "a.rays", *words, "--hits", hits],
        capture_output=True, text=True)
    lines = [l for l in run.stderr.splitlines() if not l.startswith("results hash")]
    if run.returncode == 0:
        got = open(hits, "rb").read()
        os.remove(hits)
        return None if got == plain else "other hits"
    refused = run.returncode in (200, 201) and len(lines) == 1 and parameter in lines[0]
    large = run.returncode == 205 and len(lines) == 1 and "out of memory" in lines[0]
    return None if refused or large else f"status {run.returncode}, {lines[:2]}"


# What one copy of two performs is not atomic for the chip: docs/reference/caches.md.
left_out = {("l1.atomics", "here")}
values = all_values()
todo = [(chip, f"{group}.{name}", value) for chip in only for group, kind in groups_of(chip)
        for name, some in values[kind].items() for value in some
        if (f"{group}.{name}", value) not in left_out and name != "fault"]
assert len(todo) > 50 * len(only), todo
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [f"{chip} -s {name}={value}: {what}" for (chip, name, value), what in
             zip(todo, pool.map(lambda row: frame(*row), todo)) if what]
print(*wrong, sep="\n")
sys.exit(f"{len(wrong)} of {len(todo)} settings: wrong" if wrong else 0)
END
echo "streams-parameters: ok"
