"""
Runs of samples/streams, natively and on chips, for the tests of ray streams. What is
not as it should be raises Failed, with a command that does it again.
"""
import json
import os
import shlex
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("B", "build")
KINDS = ("dual-streaming", "dual-streaming-rt", "strata", "strata-rt")
CYCLES = 400_000_000   # no run needs a quarter


class Failed(Exception):
    pass


def run(*words):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{shlex.join(words)}: status {done.returncode}: "
                     f"{done.stderr.strip()[-1500:]}")
    return done


def trace_plainly(folder):
    """The hits to compare with: those of the folder's rays in its scene."""
    run(f"{BUILD}/bin/corbel-scene", "trace", f"{folder}/a.scene",
        f"{folder}/a.rays", "--hits", f"{folder}/plain.hits")


def same_hits(folder, what):
    """found.hits, which goes, are plain.hits, bit for bit."""
    with open(f"{folder}/plain.hits", "rb") as a, \
            open(f"{folder}/found.hits", "rb") as b:
        plain, found = a.read(), b.read()
    os.remove(f"{folder}/found.hits")
    if len(plain) != len(found):
        raise Failed(f"{what}: {len(found)} bytes of hits, expected "
                     f"{len(plain)}")
    for at in range(0, len(plain), 16):
        if plain[at:at + 16] != found[at:at + 16]:
            raise Failed(f"{what}: ray {at // 16}: hit "
                         f"{struct.unpack_from('<3fI', found, at)}, expected "
                         f"{struct.unpack_from('<3fI', plain, at)}")


def natively(folder, threads, words):
    os.environ["CORBEL_THREADS"] = str(threads)
    command = [f"{BUILD}/samples/native/streams", f"{folder}/a.scene",
               f"{folder}/a.rays", *words, "--hits", f"{folder}/found.hits"]
    run("timeout", 60, *command)
    same_hits(folder, f"CORBEL_THREADS={threads} "
              + shlex.join(map(str, command)))


def simulate(folder, chip, settings, how, *program):
    """Returns the command, and the hash of its results."""
    command = [os.environ.get("SIM", f"{BUILD}/bin/sim-run"), "--quiet", *how,
               "-a", chip, "--max-cycles", CYCLES, "-o", f"{folder}/out"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    command += program
    done = run("timeout", 600, *command)
    return shlex.join(map(str, command)), done.stderr.splitlines()[-1]


def cycles(folder):
    """Of the last run on a chip."""
    with open(f"{folder}/out/stats.json", encoding="utf-8") as file:
        return json.load(file)["cycles"]


def stream(folder, chip, settings, how, words):
    """samples/streams on a chip: its hits are the plain ones."""
    answer = simulate(folder, chip, settings, how,
                      f"{BUILD}/samples/rv64/streams", f"{folder}/a.scene",
                      f"{folder}/a.rays", *words, "--hits",
                      f"{folder}/found.hits")
    same_hits(folder, answer[0])
    return answer


def words_for(kind, early="off", live=None):
    """Options of the program for a kind of chip. live: rays that its ray store
    has room for."""
    words = ["--mode", "rt" if kind.endswith("-rt") else "software"]
    if kind.startswith("strata"):
        words += ["--machine", "strata", "--buffer", 64 * live]
    elif not kind.endswith("-rt"):
        words += ["--early", early]
    return words
