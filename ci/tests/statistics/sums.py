#!/usr/bin/env python3
"""Do all statistics of a run sum up, at every level and in every window?

    sums.py DIR

DIR: of sim-run with --interval, --interval-level unit, and --stats-range that cut the
run into parts without a gap. Units sum to groups, intervals and windows to the run, those
of units as those of groups; in each of them the buckets of each group and each unit sum
to its cycles. stats.txt says what stats.json does.
"""
import collections
import csv
import json
import sys


def fail(text):
    sys.exit(f"FAIL: {text}")


def values(entry):
    """Ranges of histograms by the names that tables have, without those of 0."""
    ranges = {f"{name}_{edge}": count for name, one in entry.get("histograms", {}).items()
              for edge, count in zip(one["edges"], one["counts"]) if count}
    return {**entry["counters"], **entry["buckets"], **ranges}


def legs_off(entry, stats):
    """Requests of a kind that a level has served (--stalls) whose legs do not sum to their
    cycles. entry: names of counters; stats: {name: value}."""
    for served in (n.removesuffix("cycles") for n in entry if n.endswith("_cycles")):
        legs = [n for n in entry if n.startswith(served) and
                n not in (f"{served}cycles", f"{served}requests")]
        booked = sum(stats.get(leg, 0) for leg in legs)
        if f"{served}requests" in entry and (booked - stats[f"{served}cycles"]) % 2 ** 64:
            yield f"legs of {served[:-1]} sum to {booked}, not {stats[f'{served}cycles']}"


def check_section(of, section, cycles):
    """Of the run, of its regions of interest, or of a window: its groups and units."""
    sums = collections.defaultdict(collections.Counter)
    for name, entry in [*section["groups"].items(), *((u["name"], u) for u in section["units"])]:
        booked = sum(entry["buckets"].values())
        if entry["buckets"] and booked != cycles * entry["accounts"]:
            fail(f"{of}: the buckets of {name} sum to {booked}")
        for wrong in legs_off(entry["counters"], entry["counters"]):
            fail(f"{of}: {name}: {wrong}")
    for unit in section["units"]:
        sums[unit["group"]].update(values(unit))
    for name, group in section["groups"].items():
        for stat, value in values(group).items():
            if sums[name][stat] != value:
                fail(f"{of}: units sum to {sums[name][stat]} of {name}.{stat}, not {value}")


def check_windows(stats):
    groups, units, at = collections.Counter(), collections.Counter(), 0
    for window in stats["windows"]:
        if window["begin"] != at:
            fail(f"a window begins in {window['begin']}, expected {at}")
        at = window["end"]
        check_section(f"{window['begin']}:{at}", window, at - window["begin"])
        for name, group in window["groups"].items():
            groups.update({(name, stat): value for stat, value in values(group).items()})
        for unit in window["units"]:
            units.update({(unit["name"], stat): v for stat, v in values(unit).items()})
    if at != stats["cycles"] or len(stats["windows"]) < 3:
        fail(f"windows end in {at}")
    for name, group in stats["groups"].items():
        for stat, value in values(group).items():
            if groups[name, stat] != value:
                fail(f"windows sum to {groups[name, stat]} of {name}.{stat}, not {value}")
    for unit in stats["units"]:
        for stat, value in values(unit).items():
            if units[unit["name"], stat] != value:
                fail(f"windows sum to {units[unit['name'], stat]} of {unit['name']}.{stat}")


def intervals(path, of):
    """{cycle: {(name, stat): growth}}, in rising order."""
    rows = collections.defaultdict(dict)
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != ["cycle", of, "stat", "value"]:
            fail(f"{path}: columns {reader.fieldnames}")
        for row in reader:
            rows[int(row["cycle"])][row[of], row["stat"]] = int(row["value"])
    if list(rows) != sorted(rows):
        fail(f"{path}: cycles do not rise")
    return rows


def check_intervals(by_cycle, entries, cycles, what):
    totals, before = collections.Counter(), 0
    for cycle, row in by_cycle.items():
        totals.update(row)
        for name, entry in entries.items():
            booked = sum(row.get((name, b), 0) for b in entry["buckets"]) % 2 ** 64
            if entry["buckets"] and booked != (cycle - before) * entry["accounts"]:
                fail(f"{what} up to {cycle}: the buckets of {name} sum to {booked}")
            row_of = {stat: row.get((name, stat), 0) for stat in entry["counters"]}
            for wrong in legs_off(entry["counters"], row_of):
                fail(f"{what} up to {cycle}: {name}: {wrong}")
        before = cycle
    if before != cycles:
        fail(f"{what}: the last ends in {before}, not {cycles}")
    for name, entry in entries.items():
        for stat, value in values(entry).items():
            if totals[name, stat] % 2 ** 64 != value:
                fail(f"{what} sum to {totals[name, stat]} of {name}.{stat}, not {value}")


def check_levels(groups, units, stats):
    """In each interval units sum to groups."""
    group_of = {u["name"]: u["group"] for u in stats["units"]}
    if list(groups) != list(units):
        fail("intervals of groups and units end in other cycles")
    for cycle, row in groups.items():
        sums = collections.Counter()
        for (unit, stat), value in units[cycle].items():
            sums[group_of[unit], stat] += value
        for key in {*sums, *row}:
            if (sums[key] - row.get(key, 0)) % 2 ** 64:
                fail(f"up to {cycle}: units sum to {sums[key]} of {key}, not {row.get(key)}")


def blocks(path):
    found = []
    with open(path) as file:
        for line in file:
            if line == "---------- Begin Simulation Statistics ----------\n":
                found.append({})
            elif line == "---------- End Simulation Statistics   ----------\n":
                found[-1]["ended"] = True
            elif line.strip():
                words, meaning = line.split(" # ", 1)
                name, value = words.split()
                if "ended" in found[-1] or name in found[-1] or not meaning.strip():
                    fail(f"{path}: {line}")
                found[-1][name] = value
    return found


def check_text(stats, path):
    roi = [stats["region_of_interest"]] if "region_of_interest" in stats else []
    sections = [stats, *roi, *stats["windows"]]
    found = blocks(path)
    if len(found) != len(sections):
        fail(f"{path}: {len(found)} blocks, expected {len(sections)}")
    for block, section in zip(found, sections):
        entries = {f"chip.{name}": group for name, group in section["groups"].items()}
        entries.update({unit["name"]: unit for unit in section.get("units", [])})
        expected = 8  # times, and "ended"
        for name, entry in entries.items():
            for stat, value in {**values(entry), **entry.get("derived", {})}.items():
                expected += 1
                if float(block[f"{name}.{stat}"]) != value:
                    fail(f"{path}: {name}.{stat} is {block[f'{name}.{stat}']}, not {value}")
        if len(block) != expected:
            fail(f"{path}: {len(block)} rows, expected {expected}")
        seconds = int(block["simCycles"]) / stats["clock_mhz"] / 1e6
        if abs(float(block["simSeconds"]) - seconds) > 1e-12 or \
                abs(int(block["simTicks"]) - seconds * 1e12) > 1:
            fail(f"{path}: times of {block['beginCycle']}:{block['endCycle']}")
    if [int(b["endCycle"]) for b in found[1 + len(roi):]] != \
            [w["end"] for w in stats["windows"]]:
        fail(f"{path}: other windows")


def main():
    run = sys.argv[1]
    with open(f"{run}/stats.json") as file:
        stats = json.load(file)
    if stats["format"] != 2:
        fail(f"format {stats['format']}")
    check_section("the run", stats, stats["cycles"])
    if "region_of_interest" in stats:
        roi = stats["region_of_interest"]
        check_section("regions", roi, sum(r["end"] - r["begin"] for r in roi["regions"]))
    check_windows(stats)
    groups = intervals(f"{run}/intervals.csv", "group")
    units = intervals(f"{run}/unit-intervals.csv", "unit")
    check_intervals(groups, stats["groups"], stats["cycles"], "intervals")
    check_intervals(units, {u["name"]: u for u in stats["units"]}, stats["cycles"],
                    "intervals of units")
    check_levels(groups, units, stats)
    check_text(stats, f"{run}/stats.txt")


main()
