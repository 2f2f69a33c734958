#!/usr/bin/env python3
"""Do the legs of a run with --stalls sum to what they have to?

    sums.py DIR [KIND.LEVEL | KIND/LEG...]

Of each group, and of the regions of interest: the legs of each kind of request, by
level, are its requests' cycles; all requests that units count are there; no cycle is in
a unit that books none. What is in use is no more than there is. Units sum to their groups, intervals to the run. Requests of the
KINDs named were served by their LEVELs, and have LEGs of more than 0 cycles.
"""
import collections
import csv
import json
import sys

LEVELS = ("first", "second", "third", "buffer", "memory")
# Counters of requests: of thread processors all loads and atomics, of RT cores
# what they have asked for. Stores are the rest of `memory`.
COUNTED = {
    "load": lambda c: sum(c[f"loads_{of}"] for of in ("first", "second", "memory", "joined"))
    + c["issue_amo"],
    "fetch": lambda c: c["fetches"],
    "read": lambda c: c["requests"],
    "ahead": lambda c: c["prefetches"],
    "sector": lambda c: c["bytes_in"] // 32,
    "record": lambda c: c["misses"],
}


def fail(text):
    sys.exit(f"FAIL: {text}")


def check_trip(of, trip):
    if sum(trip["legs"].values()) != trip["cycles"]:
        fail(f"{of}: legs {sum(trip['legs'].values())}, cycles {trip['cycles']}")
    if trip["called"].keys() != trip["legs"].keys():
        fail(f"{of}: called {trip['called']}")
    for key in ("requests", "cycles"):
        if sum(by[key] for by in trip["served"].values()) != trip[key]:
            fail(f"{of}: {key} by level")
    for level, by in trip["served"].items():
        if sum(by["legs"].values()) != by["cycles"]:
            fail(f"{of}, served by {level}: {by}")
    if "other" in trip["legs"]:
        fail(f"{of}: {trip['legs']['other']} cycles in unknown places")


def check_counts(of, group, whole):
    """Every request of the run is answered in it, but for code behind the call that
    ends it; of a region some are not."""
    counters, trips = group["counters"], group.get("trips", {})
    for name, expected in COUNTED.items():
        if name not in trips or not whole:
            continue
        under_way = expected(counters) - trips[name]["requests"]
        if under_way and (name, under_way) != ("fetch", 1):
            fail(f"{of}: {trips[name]['requests']} {name}, {expected(counters)} counted")
    if group["kind"] == "tp" and whole:
        stores = trips.get("store", {}).get("requests", 0)
        loads = trips.get("load", {}).get("requests", 0)
        if stores + loads != counters["memory"]:
            fail(f"{of}: {stores} stores, {loads} loads, {counters['memory']} in all")


def check_waits(of, group, trip):
    """The waiting cycles are shared out whole."""
    waits = trip.get("waits")
    if not waits:
        return
    counter = waits["counter"]
    if waits["cycles"] != {**group["counters"], **group["buckets"]}[counter]:
        fail(f"{of}: {counter}")
    if abs(sum(waits["legs"].values()) - waits["cycles"]) > 1e-6 * waits["cycles"] + 1e-3:
        fail(f"{of}: {counter} is not shared out")


def check_groups(groups, whole):
    for name, group in groups.items():
        check_counts(name, group, whole)
        for kind, trip in group.get("trips", {}).items():
            check_trip(f"{name} {kind}", trip)
            check_waits(f"{name} {kind}", group, trip)


def check_levels(stats):
    """Gauges: NAME_used, _room, _full, _most."""
    for name, group in stats["groups"].items():
        counters, cycles = group["counters"], stats["cycles"] * group["units"]
        for gauge in [key[:-5] for key in counters if key.endswith("_room")]:
            used, room, full, most = (counters.get(f"{gauge}_{part}", 0)
                                      for part in ("used", "room", "full", "most"))
            if room % cycles or not full <= cycles or not used <= min(room, most * cycles):
                fail(f"{name}.{gauge}: {used} of {room}, {full} full, {most} at most")
        if "slots_used" in counters and counters["slots_used"] != counters["ray_cycles"]:
            fail(f"{name}: slots {counters['slots_used']}, rays {counters['ray_cycles']}")


def check_units(stats):
    sums = collections.defaultdict(collections.Counter)
    for unit in stats["units"]:
        sums[unit["group"]].update(unit["counters"])
    for name, group in stats["groups"].items():
        if any(sums[name][k] != v for k, v in group["counters"].items()):
            fail(f"units of {name} do not sum to it")


def check_intervals(stats, path):
    sums = collections.defaultdict(collections.Counter)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            sums[row["group"]][row["stat"]] += int(row["value"])
    for name, group in stats["groups"].items():
        for key, value in {**group["counters"], **group["buckets"]}.items():
            if sums[name][key] != value:
                fail(f"intervals of {name}.{key} sum to {sums[name][key]}, not {value}")


def check_links(stats, path):
    """Of --link-stats: links sum to their groups, and so do intervals; what RT cores have
    asked for has come by their links, and waited there as their legs say."""
    names = ("messages", "full", "occupied", "waited")
    groups = {(g["from"], g["to"]): g for g in stats["link_groups"]}
    group_of = {u["name"]: u["group"] for u in stats["units"]}  # but cores'
    sums, over_time = collections.Counter(), collections.Counter()
    for link in stats["links"]:
        ends = []
        for end in ("from", "to"):
            unit, port, _ = link[end].rsplit(".", 2)
            ends.append(f"{group_of.get(unit, 'tp')}.{port}")
        sums.update({(*ends, name): link[name] for name in names})
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            over_time[row["from"], row["to"], row["stat"]] += int(row["value"])
    for (of, to), group in groups.items():
        for name in names:
            key = of, to, name
            if over_time[key] != group[name] or sums[key] != group[name]:
                fail(f"{key}: {group[name]}, links {sums[key]}, intervals {over_time[key]}")
    reads, asked = stats["groups"]["rtcore"]["trips"]["read"], groups["rtcore.mem", "l1.cpu"]
    if (asked["messages"], asked["waited"]) != (reads["requests"], reads["legs"]["first_port"]):
        fail(f"links of RT cores: {asked}, their reads {reads}")


def main():
    with open(f"{sys.argv[1]}/stats.json") as file:
        stats = json.load(file)
    check_groups(stats["groups"], True)
    if "region_of_interest" in stats:
        check_groups(stats["region_of_interest"]["groups"], False)
    check_levels(stats)
    check_units(stats)
    if "links" in stats:
        check_links(stats, f"{sys.argv[1]}/links.csv")
    check_intervals(stats, f"{sys.argv[1]}/intervals.csv")
    served = {f"{kind}.{level}" for group in stats["groups"].values()
              for kind, trip in group.get("trips", {}).items() for level in trip["served"]}
    served |= {f"{kind}/{leg}" for group in stats["groups"].values()
               for kind, trip in group.get("trips", {}).items() for leg in trip["legs"]}
    for name in sys.argv[2:]:
        if name not in served:
            fail(f"no {name}, but {', '.join(sorted(served))}")


main()
