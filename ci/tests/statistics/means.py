#!/usr/bin/env python3
"""Derived figures of a run that cannot be.

    means.py DIRECTORY

A mean is of as many things as its percentiles are, and lies neither beyond their 99th
nor beyond the end of the highest range that has any, nor beyond a counter NAME_max; a
share or rate is 1 at most. The whole run, its region of interest, each unit. The last
line says how many means had something to be held against.
"""
import json
import sys

ROUND = 1 + 1e-9


def wrong(what, *why):
    sys.exit(f"means: {what}: " + " ".join(str(w) for w in why))


def hold(what, schema, group, derived):
    counters = group["counters"]
    held = 0
    for name, value in derived.items():
        if (name.endswith("_rate") or name.startswith("share_")) and value > ROUND:
            wrong(what, name, "is", value)
        if not name.endswith("_mean"):
            continue
        base, figure = name[: -len("_mean")], schema["figures"][name]
        percentiles = [p for p in (f"{base}_p{n}" for n in range(1, 100)) if p in schema["figures"]]
        if percentiles:
            histogram = group["histograms"][schema["figures"][percentiles[0]]["of"]]
            counts, ends = histogram["counts"], histogram["edges"][1:]
            things = sum(counters[c] for c in figure["under"])
            if things != sum(counts):
                wrong(what, name, "is of", things, "things, its percentiles of", sum(counts))
            most = max(end for end, count in zip(ends, counts) if count)
            if value > most or value > derived.get(f"{base}_p99", value):
                wrong(what, name, "is", value, "of", most, "at most, p99", derived.get(f"{base}_p99"))
            held += 1
        elif f"{base}_max" in counters:
            if value > counters[f"{base}_max"] * ROUND:
                wrong(what, name, "is", value, "of", counters[f"{base}_max"], "at most")
            held += 1
    return held


def main():
    stats = json.load(open(f"{sys.argv[1]}/stats.json"))
    held = 0
    groups = [("run", stats["groups"])]
    if stats.get("region_of_interest"):
        groups.append(("region", stats["region_of_interest"]["groups"]))
    for where, found in groups:
        for name, group in found.items():
            held += hold(f"{where}, {name}", stats["schema"][group["kind"]], group,
                         group.get("derived", {}))
    print(f"means: {held}")


main()
