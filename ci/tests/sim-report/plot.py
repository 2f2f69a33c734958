#!/usr/bin/env python3
"""plot.py stacks GROUP PLOT.svg DIR...: a column for each run; parts are the group's buckets,
or legs of GROUP.KIND, each as high as it is large, and nothing is left out.
plot.py series PLOT.svg DIR GROUP.NAME...: lines are the intervals of the series."""
import csv
import json
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def stats_of(directory):
    with open(f"{directory}/stats.json", encoding="utf-8") as file:
        stats = json.load(file)
    region = stats.get("region_of_interest")
    if not region:
        return stats, stats["groups"], stats["cycles"], (0, stats["cycles"])
    ranges = region["regions"]
    return (stats, region["groups"], sum(r["end"] - r["begin"] for r in ranges),
            (ranges[0]["begin"], ranges[-1]["end"]))


def near(a, b, by=1e-3):
    return abs(a - b) <= by * max(abs(b), 1)


def axis(root):
    """Height of a unit, from the numbers at the left."""
    numbers = [(float(t.get("y")) - 3, float(t.text.split()[0]))
               for t in root.iter(SVG + "text") if t.get("text-anchor") == "end"
               and t.text.split()[0].replace(".", "").isdigit() and float(t.get("x")) < 46]
    (y0, low), (y1, high) = numbers[0], numbers[-1]
    return y0, (y0 - y1) / (high - low)


def stacks(what, path, directories):
    root = tree.parse(path).getroot()
    base, unit = axis(root)
    first = stats_of(directories[0])[2]
    for directory in directories:
        _, groups, _, _ = stats_of(directory)
        if what in groups:
            parts = groups[what]["buckets"]
            scale = 100 / (groups[what]["accounts"] * first)
        else:
            group, _, kind = what.rpartition(".")
            trip = groups[group]["trips"][kind]
            parts = {trip["called"][leg]: n for leg, n in trip["legs"].items()}
            scale = 1 / trip["requests"]
        bars = [b for b in root.iter(SVG + "rect") if b.get("data-run") == directory]
        assert bars, directory
        top, other = base, 0
        for bar in bars:
            height, value = float(bar.get("height")), float(bar.get("data-value"))
            assert near(height, value * unit, 0.02), (directory, bar.attrib)
            top -= height
            assert abs(float(bar.get("y")) - top) < 0.02
            if bar.get("data-name") == "other":
                other = value
            else:
                assert near(value, parts[bar.get("data-name")] * scale), bar.attrib
        shown = {bar.get("data-name") for bar in bars}
        small = sum(v for n, v in parts.items() if n not in shown or n == "other")
        assert near(other, small * scale), (directory, other, small * scale)
        assert abs(base - top - unit * sum(parts.values()) * scale) < 0.1


def series(path, directory, names):
    stats, _, _, (begin, end) = stats_of(directory)
    root = tree.parse(path).getroot()
    base, unit = axis(root)
    lines = {p.get("data-name"): p.get("points").split() for p in root.iter(SVG + "polyline")}
    assert list(lines) == names, list(lines)
    grown, ends = {}, []
    with open(f"{directory}/intervals.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            grown[int(row["cycle"]), f"{row['group']}.{row['stat']}"] = int(row["value"])
            if not ends or ends[-1] != int(row["cycle"]):
                ends.append(int(row["cycle"]))
    spans = [(a, b) for a, b in zip([0] + ends, ends) if a < end and b > begin]
    for name, points in lines.items():
        group, stat = name.split(".")
        kind = stats["schema"][stats["groups"][group]["kind"]]
        row = {**kind["counters"], **kind["buckets"]}[stat]
        factor = 1
        if stat in kind["buckets"]:
            factor = 100 / stats["groups"][group]["accounts"]
        elif row["unit"] == "bytes":
            factor = stats["clock_mhz"] / 1000
        assert len(points) == len(spans), name
        for point, (a, b) in zip(points, spans):
            x, y = map(float, point.split(","))
            share = ((a + b) / 2 - spans[0][0]) / (spans[-1][1] - spans[0][0])
            assert abs(x - 46 - 380 * share) < 0.01
            assert abs(base - y - unit * factor * grown.get((b, name), 0) / (b - a)) < 0.05, name


if sys.argv[1] == "stacks":
    stacks(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    series(sys.argv[2], sys.argv[3], sys.argv[4:])
