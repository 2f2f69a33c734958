#!/usr/bin/env python3
"""Is what sim-diff has printed of a part of two runs what changed most there?

    diff.py A B PRINTED [--region] [--window N] [--tile NAME]

The first line under "Where cycles went", the cycles of both runs and by how much they
differ are compared with the stats.json of directories A and B. Exit status: 0 they agree, 1 they do not.
"""
import argparse
import json
import re
import sys


def part_of(path, given):
    """Cycles, {GROUP.BUCKET: cycles of a mean unit or hart}, and those in which there was
    nothing to do."""
    with open(f"{path}/stats.json", encoding="utf-8") as file:
        stats = json.load(file)
    part = (stats["region_of_interest"] if given.region
            else stats["windows"][given.window - 1] if given.window else stats)
    cycles = (sum(one["end"] - one["begin"] for one in part["regions"]) if given.region
              else part["end"] - part["begin"] if given.window else stats["cycles"])
    sums, accounts = {}, {}
    lists = ([(unit["group"], unit) for unit in part["units"] if unit["tile"] == given.tile]
             if given.tile else part["groups"].items())
    for group, one in lists:
        accounts[group] = accounts.get(group, 0) + one["accounts"]
        for name, value in one["buckets"].items():
            sums[group, name] = sums.get((group, name), 0) + value
    rows = {group: stats["schema"][one["kind"]]["buckets"]
            for group, one in stats["groups"].items()}
    return (cycles, {f"{group}.{name}": value / accounts[group]
                     for (group, name), value in sums.items()},
            {f"{group}.{name}" for group, name in sums if rows[group][name]["role"] == "idle"})


def main():
    parser = argparse.ArgumentParser()
    for name in ("a", "b", "printed"):
        parser.add_argument(name)
    parser.add_argument("--region", action="store_true")
    parser.add_argument("--window", type=int)
    parser.add_argument("--tile")
    given = parser.parse_args()
    (cycles_a, a, idle), (cycles_b, b, _) = (part_of(path, given) for path in (given.a, given.b))
    with open(given.printed, encoding="utf-8") as file:
        text = file.read()
    told = [int(n) for n in re.findall(r"^[AB] .* (\d+) cycles", text, re.M)]
    first = re.search(r"^Where .*\n.*\n +(\S+) +(\S+) +(\S+)", text, re.M)
    most = max((name for name in a if name not in idle),
               key=lambda name: abs(b[name] - a[name]))
    expected = (most, f"{a[most]:.0f}", f"{b[most]:.0f}")
    first = first and first.groups()
    if told != [cycles_a, cycles_b] or first != expected:
        sys.exit(f"{told}, {first}: expected {[cycles_a, cycles_b]}, {expected}")
    more = f"  cycles: {100 * (cycles_b / cycles_a - 1):+.2f} %,"
    if more not in text:
        sys.exit(f"expected the line '{more}'")


if __name__ == "__main__":
    main()
