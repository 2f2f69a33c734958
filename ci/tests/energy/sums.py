#!/usr/bin/env python3
"""Checks the energy that sim-report computes with table.csv of this folder.

    sums.py RUN ENERGY.json SPREAD.json

The whole is computed again from the run's stats.json, row by row; then all views have to
sum to it.
"""
import json
import sys

run, path, spread_path = sys.argv[1:]
stats, profile = (json.load(open(f"{run}/{name}.json")) for name in ("stats", "profile"))
energy, spread = (json.load(open(name))["energy"] for name in (path, spread_path))


def counter(group, name, of=None):
    return (of or stats)["groups"][group]["counters"][name]


def seconds(cycles):
    return cycles / (stats["clock_mhz"] * 1e6)


def joules(of=None, cycles=None):
    """By the rows of table.csv; the L1 of 64 KiB lies in the middle of 32 and 128 in a
    logarithm, and the clock of 1.75 GHz gets the same 200 mW as those of 1 and 4 GHz."""
    pj = (15 * counter("tp", "instructions", of) + 7.9 * counter("tp", "registers_read", of)
          + 20 * counter("rtcore", "nodes", of) + 2 * counter("rtcore", "boxes", of)
          + 40 * counter("l1", "reads", of) + 100 * counter("l2", "reads", of)
          + 60 * counter("dram", "bytes_read", of)
          + 200 / 1.75 * counter("dram", "rank_closed", of))
    banks = stats["chip"]["l1"]["parameters"]["banks"]["value"]
    leakage = 7.2e-3 * stats["groups"]["l1"]["units"] * banks
    return pj * 1e-12 + leakage * seconds(stats["cycles"] if cycles is None else cycles)


def expect(what, found, expected=energy["joules"]):
    if abs(found - expected) > 1e-9 * expected:
        sys.exit(f"{what}: {found}, expected {expected}")


expect("the whole", energy["joules"], joules())
expect("units", sum(unit["joules"] for unit in energy["units"].values()))
expect("events", sum(event["joules"] for event in energy["events"]))
expect("trust", sum(energy["trust"].values()))
expect("power", energy["watts"] * energy["seconds"])
expect("the product", energy["joule_seconds"], energy["joules"] * seconds(stats["cycles"]))
expect("standing", energy["standing"],
       7.2e-3 * 8 * seconds(stats["cycles"]))
parts = {part["part"]: part for part in energy["parts"]}
for part in parts.values():
    expect(part["part"], sum(part["units"].values()), part["joules"])
expect("the run", parts["run"]["joules"])
region = stats["region_of_interest"]
expect("the region", parts["regions of interest"]["joules"], joules(region, region["cycles"]))
expect("region and rest",
       parts["regions of interest"]["joules"] + parts["outside of them"]["joules"])
window = stats["windows"][0]
expect("a window", parts[f"cycles {window['begin']} to {window['end']}"]["joules"],
       joules(window, window["end"] - window["begin"]))
expect("intervals", sum(map(sum, energy["intervals"]["units"].values())))
expect("launches",
       sum(one["joules"] for one in energy["launches"]) + energy["between_launches"])
if not energy["launches"][0]["joules"] > 0 or len(energy["intervals"]["ends"]) < 100:
    sys.exit("a launch without energy, or few intervals")

# Pixels have what nodes, boxes and DRAM's bytes cost them; lines have what issued there.
pixels = energy["pixels"]
expect("pixels", sum(pixels["joules"]) + pixels["rest"])
costs = {cost["name"]: cost for cost in json.load(open(f"{run}/pixels.json"))["costs"]}
told = ((20 * counter("rtcore", "nodes") + 2 * counter("rtcore", "boxes")) * 1e-12
        * costs["nodes"]["sum"] / (costs["nodes"]["sum"] + costs["nodes"]["rest"])
        + 60e-12 * counter("dram", "bytes_read") * costs["dram_bytes"]["sum"]
        / (costs["dram_bytes"]["sum"] + costs["dram_bytes"]["rest"]))
if abs(sum(pixels["joules"]) - told) > 1e-6 * told:
    sys.exit(f"pixels: {sum(pixels['joules'])}, expected {told}")
expect("lines", sum(line["joules"] for line in energy["lines"]) + energy["lines_rest"])
at = [event["name"] for event in profile["events"]].index("issued")
issued = sum(line["counts"][at] for line in profile["lines"]) / profile["totals"][at]
expect("issued", sum(line["joules"] for line in energy["lines"]), issued * 1e-12 * (
    15 * counter("tp", "instructions") + 7.9 * counter("tp", "registers_read")))
expect("spread over pixels", sum(spread["pixels"]["joules"]))
expect("spread over lines", sum(line["joules"] for line in spread["lines"]))

first = energy["tornado"][0]
most = {}
for event in energy["events"]:
    key = (event["line"], event.get("above"))
    most[key] = most.get(key, 0) + event["joules"]
expect("the tornado", first["more"] - first["less"], max(most.values()) * 2 / 3)
if energy["trust"]["L"] <= 0 or "scheduler" not in energy["without"]:
    sys.exit("trust L, or what is without rows")
if "rtcore" not in energy["without_area"] or "tp" in energy["without_area"]:
    sys.exit("area")
expect("area", energy["mm2"], 0.01 * stats["groups"]["tp"]["units"])
unused = sorted(row["line"] for row in energy["unused_rows"])
if unused != [7, 12, 16]:
    sys.exit(f"rows that say nothing: {unused}")
