#!/usr/bin/env python3
"""table.py TABLE.csv DIR: columns of statistics sum to the totals of stats.json, and
those of figures are what the schema says of the statistics in their row."""
import csv
import json
import sys

with open(f"{sys.argv[2]}/stats.json", encoding="utf-8") as file:
    stats = json.load(file)
with open(sys.argv[1], encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
cycles = [int(row["cycle"]) for row in rows]
assert cycles == sorted(set(cycles)) and cycles[-1] == stats["cycles"]
figures = 0
for column in rows[0]:
    if column == "cycle":
        continue
    group, name = column.split(".", 1)
    g = stats["groups"][group]
    ranges = {f"{histogram}_{edge}": count for histogram, one in g.get("histograms", {}).items()
              for edge, count in zip(one["edges"], one["counts"])}
    total = {**g["counters"], **g["buckets"], **ranges}.get(name)
    if total is not None:
        assert sum(int(row[column]) for row in rows) == total, column
        continue
    figure = stats["schema"][g["kind"]]["figures"][name]
    figures += 1
    before = 0
    for row, cycle in zip(rows, cycles):
        def terms(part):
            return sum(int(row[f"{group}.{term}"]) for term in figure[part])
        under = terms("under") if "under" in figure else (cycle - before) * 1e3 / stats["clock_mhz"]
        before = cycle
        if not under > 0:
            assert row[column] == "", column
        else:
            expected = terms("over") / under
            assert abs(float(row[column]) - expected) <= 1e-8 * expected, (column, row[column])
assert figures > 0
