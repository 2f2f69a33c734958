#!/usr/bin/env python3
"""drawn.py DOM SCOPE[@PART] DIR...: stacks and lines hold what stats.json says; SCOPE is
region, run or BEGIN:END of a window, PART a tile or a unit. Prints what drive.js has noted."""
import collections
import html.parser
import json
import os
import sys


class Dom(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.root, self.stacks, self.series, self.units, self.run = {}, {}, {}, {}, None
        self.place, self.places = None, {}
        self.waits = None
        self.legs, self.gains, self.works, self.parts = {}, {}, {}, {}
        self.looks, self.sections = {}, []
        self.frames, self.cycles = {}, []
        self.loads, self.joins = {}, {}

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "html":
            self.root = a
        if "data-run" in a:
            self.run = a["data-run"]
        if tag == "svg" and "x" in a:
            self.place = float(a["x"].rstrip("%")), float(a["width"].rstrip("%"))
        if "data-bucket" in a:
            name = self.run, a["data-group"], a["data-bucket"]
            self.stacks[name] = int(a["data-value"])
            self.places[name] = self.place
            self.looks.setdefault(name[:2], {})[name[2]] = a["fill"]
        if tag == "section":
            self.sections.append(a["id"])
        if "data-leg" in a:
            self.looks.setdefault("legs", {})[a["data-leg"]] = a["fill"]
            self.legs[a["data-trip"], a["data-served"], a["data-leg"]] = int(a["data-value"])
        if "data-waits" in a:
            self.waits = int(a["data-waits"])
        if "data-box" in a:
            self.loads[a["data-box"]] = float(a["data-load"]) if "data-load" in a else None
        if "data-join" in a:
            self.joins[frozenset(a["data-join"].split(" "))] = int(a["data-links"])
        if "data-change" in a:
            self.gains[a["data-change"]] = float(a["data-value"])
        if "data-work" in a:
            self.works[a["data-work"]] = float(a["data-value"])
        if "data-part" in a:
            assert a["data-part"] not in self.parts, f"{a['data-part']} is shown twice"
            self.parts[a["data-part"]] = float(a["data-value"]), self.place[1]
        if "data-series" in a:
            self.series[a["data-series"]] = int(a["data-value"])
        if "data-unit" in a:
            self.units[a["data-unit"]] = int(a.get("data-value", 0))
        if "data-stack" in a:
            self.frames[int(a["data-stack"])] = int(a["data-cost"]), self.place[1]
        if "data-cycles" in a:
            self.cycles.append(int(a["data-cycles"]))


def check_source(directory):
    """Widths of frames are costs; the functions come first, the most costly first."""
    with open(f"{directory}/profile.json", encoding="utf-8") as file:
        p = json.load(file)
    costs = [0] + [cost for _, _, cost in p["stacks"]]
    for i in range(len(costs) - 1, 0, -1):
        costs[p["stacks"][i - 1][0]] += costs[i]
    assert costs[0] == p["cost"] and dom.frames
    for i, (cost, width) in dom.frames.items():
        assert cost == costs[i] and abs(width - 100 * cost / costs[0]) < 1e-6, i
    large = [i for i, cost in enumerate(costs) if cost > costs[0] / 1000]
    assert dom.frames.keys() >= set(large), large
    idle = [event["name"] for event in p["events"]].index(p["idle"])
    own = sorted((sum(f["counts"][:p["buckets"]]) - f["counts"][idle]
                  for f in p["functions"] if f["within"]), reverse=True)
    assert dom.cycles[:40] == own[:40], dom.cycles[:40]


def check_chip(stats, groups):
    """Boxes have the groups' loads, lines the pairs of groups that links join."""
    if "wiring" not in stats:
        assert not dom.loads
        return
    for name in stats["groups"]:
        buckets = groups.get(name, {"buckets": {}})["buckets"]
        rows = stats["schema"][stats["groups"][name]["kind"]]["buckets"]
        idle = sum(n for b, n in buckets.items() if rows[b]["role"] == "idle")
        whole, load = sum(buckets.values()), dom.loads[name]
        assert load is None if not whole else abs(load - 1 + idle / whole) < 1e-9, name
    pairs = {}
    for wire in stats["wiring"]:
        pair = frozenset(wire[end].rpartition(".")[0] for end in ("from", "to"))
        if pair <= stats["groups"].keys():
            pairs[pair] = max(pairs.get(pair, 0), wire["links"])
    if " " not in "".join(stats["groups"]):
        assert dom.joins == pairs, set(dom.joins) ^ set(pairs)


def section_of(stats, scope):
    if scope == "region":
        return stats.get("region_of_interest", stats)
    return next((w for w in stats.get("windows", [])
                 if f"{w['begin']}:{w['end']}" == scope), stats)


def part_trips(trips, of_part):
    """Legs of each kind of request, by level, from the counters of a part's units."""
    counters = of_part["counters"]
    found = {}
    for kind, trip in trips.items():
        served = {}
        for level in trip["served"]:
            start = f"{kind}_{level}_"
            of = {n.removeprefix(start): v for n, v in counters.items()
                  if n.startswith(start) and v}
            if of:
                served[level] = {"cycles": of.pop("cycles"), "requests": of.pop("requests"),
                                 "legs": of}
        legs = collections.Counter()
        for of in served.values():
            legs.update(of["legs"])
        if served:
            found[kind] = {"cycles": legs.total(), "legs": dict(legs), "served": served}
            if "waits" in trip:
                name = trip["waits"]["counter"]
                found[kind]["waits"] = {"cycles": {**counters, **of_part["buckets"]}[name]}
    return found


def groups_of(section, part):
    """All groups, or the sums over the units of a part."""
    if not part:
        return section["groups"]
    groups = {}
    for unit in section["units"]:
        if part in (unit["tile"], unit["name"]):
            of = groups.setdefault(unit["group"], {
                "counters": collections.Counter(), "buckets": collections.Counter()})
            of["counters"].update(unit["counters"])
            of["buckets"].update(unit["buckets"])
    for name, of in groups.items():
        of["trips"] = part_trips(section["groups"][name].get("trips", {}), of)
    assert groups, part
    return groups


def check_parts(parts):
    """Each name has the shares of all parts that are called so, and all are shown."""
    shares = collections.Counter()
    for part in parts:
        shares[" ".join(part[of] for of in ("group", "request", "name") if of in part)] += (
            part["share"])
    for name, (share, width) in dom.parts.items():
        assert abs(100 * share - width) < 1e-6, name
        assert name == "others" or abs(share - shares[name]) < 1e-9, name
    assert abs(sum(width for _, width in dom.parts.values()) - 100) < 1e-6, dom.parts


def check_units(shown, units):
    """Cells are the units of one group, with one of its statistics."""
    group = next(u["group"] for u in units if u["name"] in shown)
    units = [{**u["counters"], **u["buckets"], "": u["name"]} for u in units if u["group"] == group]
    assert shown.keys() == {u[""] for u in units}
    assert any(all(u.get(stat, 0) == shown[u[""]] for u in units)
               for stat in {stat for u in units for stat in u if stat}), shown


dom = Dom()
with open(sys.argv[1], encoding="utf-8") as file:
    dom.feed(file.read())
assert "data-errors" not in dom.root, dom.root["data-errors"]
assert "data-broken-out" not in dom.root
assert int(dom.root["data-drawn"]) >= 1
expected, totals = {}, {}
scope, _, part = sys.argv[2].partition("@")
for i, directory in enumerate(sys.argv[3:]):
    with open(f"{directory}/stats.json", encoding="utf-8") as file:
        stats = json.load(file)
    section = section_of(stats, scope)
    groups = groups_of(section, part)
    expected.update({(chr(65 + i), g, b): n for g, group in groups.items()
                     for b, n in group["buckets"].items() if n})
    if i == 0:
        first = stats, groups
        verdict = section.get("verdict")
        units = section["units"]
        trips = {f"{g}.{kind}": trip for g, group in groups.items()
                 for kind, trip in group.get("trips", {}).items()}
        totals = {f"{g}.{n}": v for g, group in stats["groups"].items()
                  for n, v in {**group["counters"], **group["buckets"]}.items()}
assert dom.stacks == expected, set(dom.stacks.items()) ^ set(expected.items())
begins = {}
for name, (x, width) in dom.places.items():
    whole = sum(n for other, n in expected.items() if other[:2] == name[:2])
    assert abs(width - 100 * expected[name] / whole) < 1e-6, name
    assert abs(x - begins.get(name[:2], 0)) < 1e-6, name
    begins[name[:2]] = x + width
# Legs of all requests of a kind; by level of one kind, that which takes longest.
legs = {(name, "all", leg): n for name, trip in trips.items() for leg, n in trip["legs"].items()}
if trips:
    name = max(trips, key=lambda one: trips[one]["cycles"])
    legs.update({(name, level, leg): n for level, by in trips[name]["served"].items()
                 for leg, n in by["legs"].items()})
    assert dom.waits == trips[name].get("waits", {}).get("cycles"), dom.waits
for looks in dom.looks.values():
    assert len(set(looks.values())) == len(looks), f"two parts look the same: {looks}"
if verdict:
    assert dom.sections.index("verdict") < dom.sections.index("figures"), dom.sections
assert dom.legs == legs, set(dom.legs.items()) ^ set(legs.items())
if verdict:
    gains = {one["change"]: one["speedup"] for one in verdict.get("predictions", [])}
    works = {one["work"]: one["done"] for one in verdict["roofline"]["works"]}
    assert dom.gains == gains and dom.works == works, (dom.gains, dom.works)
    check_parts(verdict["parts"])
assert scope == "region" or all(totals[n] == v for n, v in dom.series.items())
check_units(dom.units, units)
check_chip(*first)
if os.path.exists(f"{sys.argv[3]}/profile.json"):
    check_source(sys.argv[3])
print({k: v for k, v in dom.root.items() if k.startswith("data-did-")}, len(dom.series))
