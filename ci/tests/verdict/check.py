#!/usr/bin/env python3
"""check.py DIR...: are verdicts of stats.json what its counters say?

Parts sum to the busy hart-cycles, uses of places are recomputed from the groups, the
largest prediction comes first, and the roof is that of the roofline.
"""
import json
import pathlib
import sys

IDLE = ("parked", "joining", "idle")


def close(a, b, what):
    if abs(a - b) > 1e-9 * max(abs(a), abs(b), 1):
        sys.exit(f"{what}: {a}, expected {b}")


def limit(verdict, group, name):
    found = [one for one in verdict["limits"] if (one["group"], one["name"]) == (group, name)]
    return found[0] if found else None


def check_uses(verdict, groups, cycles):
    dram = groups["dram"]["counters"]
    close(limit(verdict, "dram", "channels")["used"],
          dram["data_busy"] / dram["bus_clocks"], "dram channels")
    tp = groups["tp"]
    close(limit(verdict, "tp", "issue slots")["used"],
          tp["buckets"]["issued"] / (tp["units"] * cycles), "issue slots")
    core = groups.get("rtcore")
    if core and core["counters"]["rays"]:
        slots = limit(verdict, "rtcore", "slots")
        close(slots["used"], core["derived"]["in_flight"] / slots["value"], "slots")
        told = next(line for line in verdict["text"] if line.startswith("rtcore: "))
        for figure, words in (("in_flight", "%.1f rays in flight"),
                              ("latency_mean", "%.0f cycles a ray")):
            if words % core["derived"][figure] not in told:
                sys.exit(f"{told}: expected {words % core['derived'][figure]}")


# Ports of caches: a width, and what is counted of it: bytes, cycles of these in which more wait.
WIDTHS = {"port to below": ("mem_bytes", "below_crowded"),
          "port from below": ("fill_bytes", "fill_crowded"),
          "replies": ("reply_bytes", "reply_crowded")}


def check_widths(verdict, groups, cycles, stalls):
    for one in verdict["limits"]:
        if one["name"] in WIDTHS and one["value"]:
            group = groups[one["group"]]
            if not stalls:
                if "used" in one:
                    sys.exit(f"{one}: there is nothing that tells it")
                continue
            bytes_moved, crowded = (group["counters"][name] for name in WIDTHS[one["name"]])
            close(one["used"], bytes_moved / (group["units"] * cycles * one["value"]),
                  f"{one['group']} {one['name']}")
            if crowded > bytes_moved / one["value"] + group["units"]:
                sys.exit(f"{one}: {crowded} cycles crowded, for {bytes_moved} bytes")


WAITS = [f"{what}_{lack}" for what in ("word", "sector")
         for lack in ("conflicts", "mshr", "target", "way", "below", "reply")]


def check_waits(groups):
    """What is first at a cache's ports waits for something, but in a few cycles in which the
    bank is full of requests on their way."""
    for name, group in groups.items():
        counters = group["counters"]
        if WAITS[0] in counters:
            waits = sum(counters[wait] for wait in WAITS)
            if not 0.98 * counters["conflicts"] <= waits <= counters["conflicts"]:
                sys.exit(f"{name}: {waits} cycles of waits, of {counters['conflicts']}")


def check_channels(groups):
    """Data moved while more wait is data moved; of what is ahead at most all is apart."""
    for name, group in groups.items():
        counters = group["counters"]
        if "apart" in counters and not (counters["apart"] <= counters["ahead"] and
                                        counters["crowded"] <= counters["data_busy"]):
            sys.exit(f"{name}: {counters['apart']} of {counters['ahead']} requests apart, "
                     f"{counters['crowded']} of {counters['data_busy']} clocks crowded")


def check_links(verdict, stats):
    """Of the whole run: rooms are as full as link_groups say."""
    told = {(one["links"]["from"], one["links"]["to"]): one for one in verdict["limits"]
            if one["name"] == "room of links"}
    for group in stats.get("link_groups", []):
        one = told.pop((group["from"], group["to"]), None)
        if bool(group["room"] and group["messages"]) != bool(one):
            sys.exit(f"{group}: {one}")
        if one:
            close(one["used"], group["occupied"] / group["room"] / stats["cycles"], "room")
            close(one["full"], group["full"] / group["links"] / stats["cycles"], "full")
    if told:
        sys.exit(f"no links have these rooms: {told}")


def check_parts(verdict, groups):
    close(sum(part["share"] for part in verdict["parts"]), 1, "parts")
    buckets = groups["tp"]["buckets"]
    busy = sum(n for name, n in buckets.items() if name not in IDLE)
    close(verdict["busy"], busy / sum(buckets.values()), "busy")
    mine = [part for part in verdict["parts"] if part["group"] == "tp"]
    for name in ("issued", "wait_result"):
        share = sum(part["share"] for part in mine if part["name"] == name)
        close(share, buckets[name] / busy, name)
    rays = buckets["wait_rtcore"] + buckets["full_rtcore"]
    if "rtcore" in groups and groups["rtcore"]["counters"]["rays"]:
        share = sum(part["share"] for part in verdict["parts"] if part["group"] == "rtcore")
        close(share, rays / busy, "rtcore")


def check_roofline(verdict, groups, cycles):
    dram = groups["dram"]["counters"]
    moved = dram["bytes_read"] + dram["bytes_written"]
    for work in verdict["roofline"]["works"]:
        close(work["roof"], min(work["peak"], work["per_byte"] * verdict["roofline"]["memory"]),
              "the roof")
        close(work["per_byte"] * moved, work["done"] * cycles, "work a byte")
        if work["work"] == "instructions":
            close(work["peak"], groups["tp"]["units"], "instructions a cycle")


def check(verdict, groups, cycles, stalls):
    check_parts(verdict, groups)
    check_uses(verdict, groups, cycles)
    check_roofline(verdict, groups, cycles)
    check_widths(verdict, groups, cycles, stalls)
    check_waits(groups)
    check_channels(groups)
    larger = ("twice the TMs", "twice the harts")
    changes = [one["change"] for one in verdict.get("predictions", [])]
    if stalls and set(changes[-2:]) != set(larger):
        sys.exit(f"a larger chip is not last: {changes}")
    gains = [one["speedup"] for one in verdict.get("predictions", [])][:-2]
    if gains != sorted(gains, reverse=True) or bool(gains) != stalls:
        sys.exit(f"predictions: {gains}")
    known = any(part["name"] == "l2 pipeline" for part in verdict["parts"])
    if known != stalls or not verdict["text"]:
        sys.exit(f"legs: {known}")


for directory in sys.argv[1:]:
    stats = json.loads(pathlib.Path(directory, "stats.json").read_text())
    stalls = any("trips" in group for group in stats["groups"].values())
    check(stats["verdict"], stats["groups"], stats["cycles"], stalls)
    check_links(stats["verdict"], stats)
    region = stats["region_of_interest"]
    cycles = sum(one["end"] - one["begin"] for one in region["regions"])
    check(region["verdict"], region["groups"], cycles, stalls)
