"""Cases in files: a program with what it has to come to.

A file NAME.jsonl (or .jsonl.gz) has one case in each line, an object with what
is run and what comes out, words as hexadecimal strings. There are two kinds: a
case of a chip (key "n_rt"), whose events are in NAME_events.csv beside it, and
a case of one core that runs one thread without `trace`. README.md has tables
of the keys.
"""
import csv
import gzip
import json
from pathlib import Path

from chip import Chip
from core import ZERO, Core
from host import load_cycles
from memory import LOCAL, MAIN, HardwareProgram

EVENTS = ("patch_out load rt_assign rt_run rt_trace rt_fin ic_assign ic_done "
          "patch_done wr_go wr_line all_done").split()
COLUMNS = ["program", "event", "cycle", "core", "thread", "patch", "pc"]
CHIP_OUTPUTS = ("load_cycles", "last_patch_done", "cycles", "results",
                "fin_state", "mem", "events")
WHOLE = 6  # items of a list that is shown as a whole
CORE_OUTPUTS = ("cycles", "s", "v", "mem", "stores")


def is_chip(case):
    return "n_rt" in case


def number(word):
    return int(word, 16)


def word(value):
    return f"{value:08x}"


def words(values):
    return list(map(word, values))


# ---- files ----

def open_text(path, mode):
    opener = gzip.open if str(path).endswith(".gz") else open
    return opener(path, mode + "t", encoding="ascii", newline="")


def read(path):
    """The cases of a file, chips with their events."""
    path = Path(path)
    with open_text(path, "r") as file:
        cases = [json.loads(line) for line in file]
    if cases and is_chip(cases[0]):
        events = read_events(events_path(path))
        for case in cases:
            case["events"] = events.get(case["name"], [])
    return cases


def events_path(path):
    stem, jsonl, gz = path.name.partition(".jsonl")
    return path.with_name(stem + "_events.csv" + gz)


def read_events(path):
    events = {}
    with open_text(path, "r") as file:
        for row in csv.DictReader(file):
            events.setdefault(row["program"], []).append(
                [row[column] for column in COLUMNS[1:]])
    return events


def write(path, cases):
    with open_text(path, "w") as file:
        for case in cases:
            kept = {key: case[key] for key in case if key != "events"}
            file.write(json.dumps(kept) + "\n")
    if cases and is_chip(cases[0]):
        with open_text(events_path(Path(path)), "w") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for case in cases:
                writer.writerows([case["name"], *event]
                                 for event in case["events"])


# ---- what the model makes of a case ----

def outcome(case):
    """The model's values of a case's outputs."""
    return chip_outcome(case) if is_chip(case) else core_outcome(case)


def program_of(case):
    return HardwareProgram(list(map(number, case["words"])),
                           list(map(number, case["const"])))


def memory_words(memory):
    return {f"{address:04x}": word(value)
            for address, value in sorted(memory.items()) if value}


def core_outcome(case):
    core = Core(program_of(case))
    for register, value in case["init_s"].items():
        core.s[int(register)] = number(value)
    for register, value in case["init_v"].items():
        core.v[int(register)] = tuple(map(number, value))
    core.s[1] = case["pixel"]
    core.s[29] = MAIN | case["thread"] << 16
    core.v[14] = core.v[15] = ZERO
    memory = {number(a): number(x) for a, x in case["init_mem"].items()}
    stores = []

    def note(cycle, address, values):
        address = MAIN | case["thread"] << 16 | address % LOCAL
        kind = "s" if len(values) == 1 else "v"
        stores.append([cycle, kind, word(address), *words(values)])

    _, _, wb = core.run(0, 0, memory, note)
    return {"cycles": wb + 1, "s": words(core.s), "v": list(map(words, core.v)),
            "mem": memory_words(memory), "stores": stores}


def chip_outcome(case):
    triangles = [[list(map(number, vertex)) for vertex in triangle[:3]] +
                 [number(triangle[3])] for triangle in case["triangles"]]
    chip = Chip(program_of(case), triangles, case["n_rt"], case["n_ic"])
    end, done = chip.run(case["npix"])
    return {
        "load_cycles": load_cycles(len(case["words"]), len(case["const"]),
                                   len(triangles)),
        "last_patch_done": end, "cycles": done,
        "results": [words(slot) for patch in chip.outputs for slot in patch],
        "fin_state": [end_of_thread(*end) for end in
                      sorted(chip.ends, key=lambda end: (end[3], end[2]))],
        "mem": {str(thread.number): memory_words(thread.memory)
                for thread in chip.threads if any(thread.memory.values())},
        "events": event_rows(chip.events),
    }


def end_of_thread(patch, thread, core, cycle, s, v):
    return {"patch": patch, "thread": thread, "core": core, "cycle": cycle,
            "s": words(s), "v": list(map(words, v))}


def event_rows(events):
    """Sorted by cycle, units in the order of EVENTS, and as text."""
    def order(event):
        name, cycle, core, *_ = event
        return cycle, name[:2] != "rt", core or 0, EVENTS.index(name)

    def text(value):
        return "" if value is None else str(value)

    return [[name, str(cycle), text(core), text(thread), text(patch),
             "" if pc is None else f"{pc:x}"]
            for name, cycle, core, thread, patch, pc in sorted(events, key=order)]


# ---- comparison ----

def first_difference(case, outcome):
    """One line that says where an outcome is not the case's, or None."""
    outputs = CHIP_OUTPUTS if is_chip(case) else CORE_OUTPUTS
    for key in outputs:
        expected, got = prepared(key, case[key]), prepared(key, outcome[key])
        place = difference(expected, got)
        if place:
            return f"{key}{place}"
    return None


def prepared(key, value):
    """Without what has no defined order or value: register 31 at the end."""
    if key == "s":
        return value[:31]
    if key == "mem":
        return dict(value)
    if key == "fin_state":
        ends = sorted(value, key=lambda end: (end["cycle"], end["core"]))
        return [dict(end, s=end["s"][:31]) for end in ends]
    if key == "events":
        return sorted(value, key=lambda row: (int(row[1]), row))
    return value


def difference(expected, got):
    """Where two nested values first differ, with both; a short list, such as
    an event or a vector, is shown as a whole."""
    if expected == got:
        return None
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = sorted({*expected, *got})
        pairs = [(key, expected.get(key), got.get(key)) for key in keys]
    elif isinstance(expected, list) and isinstance(got, list) and \
            max(len(expected), len(got)) > WHOLE:
        longest = max(len(expected), len(got))
        pairs = [(k, *(one[k] if k < len(one) else None
                       for one in (expected, got))) for k in range(longest)]
    else:
        return f": {got}, expected {expected}"
    for key, left, right in pairs:
        if left != right:
            return f"[{key}]" + difference(left, right)
    return None
