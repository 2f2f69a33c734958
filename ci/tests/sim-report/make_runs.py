#!/usr/bin/env python3
"""make_runs.py hostile FROM TO: a run whose names and texts try to break out of a page.
make_runs.py long N TO: a run of N intervals."""
import array
import json
import os
import sys

BREAK_OUT = "</script x <!--<script y </script><script>document.documentElement.dataset.brokenOut=1</script>"
IMAGE = "<img src=x onerror='document.documentElement.dataset.brokenOut=1'>"


def put(directory, name, text):
    os.makedirs(directory, exist_ok=True)
    with open(f"{directory}/{name}", "w", encoding="utf-8") as file:
        file.write(text)


def hostile_trip(trip):
    """Of --stalls: names of legs, levels, counters."""
    trip["meaning"] += BREAK_OUT
    for stack in [trip, *trip["served"].values()]:
        stack["legs"] = {leg + IMAGE: value for leg, value in stack["legs"].items()}
    trip["served"] = {level + BREAK_OUT: of for level, of in trip["served"].items()}
    trip["called"] = {leg + IMAGE: name + IMAGE for leg, name in trip["called"].items()}
    if "waits" in trip:
        trip["waits"]["counter"] += IMAGE
    return trip


def hostile(source, to):
    with open(f"{source}/stats.json", encoding="utf-8") as file:
        stats = json.load(file)
    kinds = stats["schema"]
    for kind in kinds.values():
        kind["meaning"] += BREAK_OUT
        for row in list(kind["counters"].values()) + list(kind["buckets"].values()):
            row["meaning"] += IMAGE + "\u2028\u2029"
            row["unit"] += "\"'&<!--"
    for group in stats["groups"].values():
        group["trips"] = {kind + IMAGE: hostile_trip(trip)
                          for kind, trip in group.get("trips", {}).items()}
    stats["groups"]["__proto__"] = stats["groups"]["l1"]
    stats["groups"][BREAK_OUT] = stats["groups"].pop("tp")
    for unit in stats["units"]:
        unit["name"] += IMAGE
        unit["tile"] += BREAK_OUT
        if unit["group"] == "tp":
            unit["group"] = BREAK_OUT
    stats.pop("region_of_interest", None)
    stats["kernels"] = [{"name": IMAGE, "begin": 1, "end": 2}]
    put(to, "stats.json", json.dumps(stats, ensure_ascii=False))
    put(to, "log.txt", f"           1  launch of kernel 0x1 <{IMAGE}> on {BREAK_OUT}\n")
    put(to, "manifest.json", json.dumps(
        {"program": {"path": IMAGE}, "chip": BREAK_OUT, "command_line": [1, IMAGE, {}],
         "host": [], "settings": "\u2028"}, ensure_ascii=False))


def pixels(to, width, height):
    """Of --cost-images: more pixels than a page shows, and a cost that is 0."""
    values = [(x * 7 + y * 31) % 1009 for y in range(height) for x in range(width)]
    with open(f"{to}/cost-cycles.pfm", "wb") as file:
        file.write(b"Pf\n%d %d\n-1.0\n" % (width, height))
        for y in reversed(range(height)):
            array.array("f", values[y * width:(y + 1) * width]).tofile(file)
    costs = [{"name": name, "unit": "units", "meaning": "of a test", "sum": sum(of), "rest": 5,
              "most": max(of), "scale": max(of), "hottest": []}
             for name, of in (("cycles", values), ("rays", [0]))]
    put(to, "pixels.json", json.dumps({"format": 1, "width": width, "height": height,
                                       "costs": costs, "colours": ["#000000", "#ffff00"]}))


def long(count, to):
    rows, each = ["cycle,group,stat,value"], 100
    totals = {"reads": 0, "hits": 0, "busy": 0, "idle": 0}
    for i in range(count):
        reads = (i * 7919) % 101
        row = {"reads": reads, "hits": reads // 2, "busy": i % 97, "idle": each - i % 97}
        for name, value in row.items():
            totals[name] += value
            if value:
                rows.append(f"{(i + 1) * each},l1,{name},{value}")
    put(to, "intervals.csv", "\n".join(rows) + "\n")
    row = {"unit": "requests", "meaning": "of a test"}
    busy, idle = {**row, "role": "busy"}, {**row, "role": "idle"}
    values = {"counters": {n: totals[n] for n in ("reads", "hits")},
              "buckets": {n: totals[n] for n in ("busy", "idle")}}
    figures = {"hit_rate": {"over": ["hits"], "under": ["reads"]}}
    put(to, "stats.json", json.dumps({
        "format": 2, "cycles": count * each, "instructions": 0, "harts": 1, "harts_used": 1,
        "clock_mhz": 1000, "simulated_ms": count * each / 1e6,
        "schema": {"cache": {"meaning": "a cache", "counters": {"reads": row, "hits": row},
                             "buckets": {"busy": busy, "idle": idle},
                             "histograms": {}, "figures": figures}},
        "groups": {"l1": {"kind": "cache", "units": 1, "accounts": 1, **values}},
        "units": [{"name": "l1", "kind": "cache", "group": "l1", "tile": "tm0", "units": 1,
                   "accounts": 1, **values}]}))
    pixels(to, 601, 300)


if sys.argv[1] == "hostile":
    hostile(sys.argv[2], sys.argv[3])
else:
    long(int(sys.argv[2]), sys.argv[3])
