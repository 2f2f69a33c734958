#!/usr/bin/env python3
"""page.py PAGE DIR...: the data within the page is that of the runs' files, digit by
digit; the page has no other elements than its own and asks for nothing elsewhere."""
import array
import collections
import csv
import html.parser
import json
import os
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.texts, self.open = collections.Counter(), [], [], None

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.open = (tag, dict(attributes))
        self.links += [v for k, v in attributes if k in ("src", "href")]

    def handle_data(self, text):
        if self.open and self.open[1].get("id") == "data":
            self.texts.append(text)

    def handle_endtag(self, tag):
        self.open = None


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def statistics(stats):
    for group, g in stats["groups"].items():
        for name, value in list(g["counters"].items()) + list(g["buckets"].items()):
            yield (group, name), value


def ranges(stats):
    """Of histograms, by the names that tables of intervals have."""
    for group, g in stats["groups"].items():
        for name, one in g.get("histograms", {}).items():
            for edge, count in zip(one["edges"], one["counts"]):
                yield (group, f"{name}_{edge}"), count


def intervals_of(path, of="group"):
    """[begin, end, growth by (group or unit, statistic)] of each interval."""
    rows = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            value = int(row["value"])
            rows[int(row["cycle"])][row[of], row["stat"]] = (
                value - (1 << 64) if value >> 63 else value)
    ends = sorted(rows)
    return [(begin, end, rows[end]) for begin, end in zip([0] + ends, ends)]


def near(a, b):
    return abs(a - b) <= 1e-5 * abs(b)


def check_bins(shown, intervals, names):
    """Bins hold each of the intervals once."""
    each, ends = shown["each"], [end for _, end, _ in intervals]
    assert shown["intervals"] == len(ends) and shown["begin"] == intervals[0][0]
    assert shown["ends"] == ends[each - 1::each] + ([ends[-1]] if len(ends) % each else [])
    assert len(shown["ends"]) <= 2048 and (each == 1 or len(shown["ends"]) > 1000)
    assert {(s["group"], s["name"]) for s in shown["series"]} == names
    for s in shown["series"]:
        values = [v.get((s["group"], s["name"]), 0) for _, _, v in intervals]
        rates = [v / (end - begin) for v, (begin, end, _) in zip(values, intervals)]
        for i in range(len(shown["ends"])):
            part = slice(i * each, (i + 1) * each)
            assert s["bins"]["sum"][i] == sum(values[part]), (s["name"], i)
            if each > 1:
                assert near(s["bins"]["low"][i], min(rates[part]))
                assert near(s["bins"]["high"][i], max(rates[part]))


def check_figures(shown, stats):
    """Ratios over time are those of the sums of bins, by the schema."""
    sums = {(s["group"], s["name"]): s["bins"]["sum"] for s in shown["series"]}
    nothing = [0] * len(shown["ends"])
    found = set()
    for one in shown["figures"]:
        group, begin = one["group"], shown["begin"]
        row = stats["schema"][stats["groups"][group]["kind"]]["figures"][one["name"]]
        found.add((group, one["name"]))
        for i, (value, end) in enumerate(zip(one["values"], shown["ends"], strict=True)):
            def terms(part):
                return sum(sums.get((group, name), nothing)[i] for name in row[part])
            under = terms("under") if "under" in row else (end - begin) * 1e3 / stats["clock_mhz"]
            begin = end
            assert value is None if under <= 0 else near(value, terms("over") / under), one["name"]
    assert found == {(group, name) for group, g in stats["groups"].items()
                     for name, row in stats["schema"][g["kind"]]["figures"].items()
                     if any((group, term) in sums for term in row.get("over", []))}


def check_intervals(run, directory, stats):
    path = f"{directory}/intervals.csv"
    if not os.path.exists(path):
        assert run["intervals"] is None and run["region_intervals"] is None
        return
    intervals = intervals_of(path)
    names = {name for name, value in statistics(stats) if value}
    check_bins(run["intervals"], intervals, names)
    check_figures(run["intervals"], stats)
    sums = {(s["group"], s["name"]): sum(s["bins"]["sum"]) for s in run["intervals"]["series"]}
    assert all(sums.get(name, 0) == value for name, value in statistics(stats))
    regions = stats.get("region_of_interest", {}).get("regions")
    if regions:
        begin, end = regions[0]["begin"], regions[-1]["end"]
        check_bins(run["region_intervals"],
                   [i for i in intervals if i[0] < end and i[1] > begin], names)


def check_map(shown, intervals, stats):
    """Cells are means of units and intervals, to one level; what is not 0 has one."""
    each, ends, levels = shown["each"], [end for _, end, _ in intervals], shown["levels"]
    assert shown["ends"] == ends[each - 1::each] + ([ends[-1]] if len(ends) % each else [])
    assert shown["begin"] == intervals[0][0] and len(shown["ends"]) <= 256
    begins = [shown["begin"], *shown["ends"]]
    sums = collections.Counter()
    for i, (_, _, values) in enumerate(intervals):
        for (unit, stat), value in values.items():
            sums[unit, stat, i // each] += value
    have = {(u["group"], stat) for u in stats["units"]
            for stat in [*u["counters"], *u["buckets"]]
            if any(sums[u["name"], stat, i] > 0 for i in range(len(shown["ends"])))}
    assert {(s["group"], s["name"]) for s in shown["series"]} == have
    for s in shown["series"]:
        units = [u for u in stats["units"] if u["group"] == s["group"]]
        assert len(s["rows"]) <= 200 and len(s["rows"]) == -(-len(units) // s["each"])
        cells = {}
        for r, row in enumerate(s["rows"]):
            some = units[r * s["each"]:(r + 1) * s["each"]]
            weight = sum(u["accounts"] if s["name"] in u["buckets"] else 1 for u in some)
            for i, (begin, end) in enumerate(zip(begins, begins[1:])):
                cells[r, i] = sum(sums[u["name"], s["name"], i] for u in some) / (
                    weight * (end - begin))
        assert near(s["peak"], max(cells.values())), (s["group"], s["name"])
        for (r, i), value in cells.items():
            level = levels.index(s["rows"][r][i]) if s["rows"][r] else 0
            share = level / (len(levels) - 1)
            assert (level > 0) == (value > 0) and abs(
                share - max(value, 0) / s["peak"]) < 1 / (len(levels) - 1), (s["name"], r, i)


def check_units(run, directory, stats):
    path = f"{directory}/unit-intervals.csv"
    if not os.path.exists(path):
        assert run["unit_intervals"] is None and run["region_unit_intervals"] is None
        return
    intervals = intervals_of(path, "unit")
    check_map(run["unit_intervals"], intervals, stats)
    regions = stats.get("region_of_interest", {}).get("regions")
    if regions:
        begin, end = regions[0]["begin"], regions[-1]["end"]
        check_map(run["region_unit_intervals"],
                  [i for i in intervals if i[0] < end and i[1] > begin], stats)


def check_pixels(shown, directory):
    """A pixel of the page is the mean of those that it stands for."""
    about = read(f"{directory}/pixels.json")
    if about is None:
        assert shown is None
        return
    about = json.loads(about)
    assert shown["about"] == about
    width, height, each = about["width"], about["height"], shown["each"]
    assert max(shown["across"], shown["down"]) <= 256 and (
        each == 1 or max(width, height) > 256)
    assert shown["across"] == -(-width // each) and shown["down"] == -(-height // each)
    for cost, values in zip(about["costs"], shown["values"], strict=True):
        if not cost["most"]:
            assert values is None
            continue
        with open(f"{directory}/cost-{cost['name']}.pfm", "rb") as file:
            numbers = array.array("f", file.read()[-4 * width * height:])
        for y in range(shown["down"]):
            for x in range(shown["across"]):
                part = [numbers[(height - 1 - v) * width + u]
                        for v in range(y * each, min(height, (y + 1) * each))
                        for u in range(x * each, min(width, (x + 1) * each))]
                value = values[y * shown["across"] + x]
                assert near(value, sum(part) / len(part)), (cost["name"], x, y)


def main():
    page = Page()
    text = read(sys.argv[1])
    page.feed(text)
    assert page.tags["script"] == 3, page.tags
    assert not page.tags.keys() & {"img", "iframe", "object", "embed"}, page.tags
    assert all(link[0] == "#" or link == "data:," for link in page.links), page.links
    assert "\u2028" not in text.split("</script>")[0]
    data = json.loads("".join(page.texts))
    assert len(data["runs"]) == len(sys.argv) - 2
    for run, directory in zip(data["runs"], sys.argv[2:]):
        stats = json.loads(read(f"{directory}/stats.json"))
        manifest, log = read(f"{directory}/manifest.json"), read(f"{directory}/log.txt")
        assert run["path"] == directory.rstrip("/"), run["path"]
        assert run["stats"] == stats
        assert run["manifest"] == (manifest and json.loads(manifest))
        profile = read(f"{directory}/profile.json")
        assert run["profile"] == (profile and json.loads(profile))
        assert run["log"] == (log or "") and run["log_left_out"] == 0
        check_pixels(run["pixels"], directory)
        check_intervals(run, directory, stats)
        check_units(run, directory, stats)
    a = data["runs"][0]["stats"]
    for run, changes in zip(data["runs"][1:], data["changes"]):
        check_changes(a, run["stats"], changes)


def check_changes(a, b, changes):
    """All that differs is there, ranked, with what the runs have."""
    def amounts(stats):
        return {(g, n): (v / stats["groups"][g]["accounts"]
                         if n in stats["groups"][g]["buckets"] else v)
                for (g, n), v in [*statistics(stats), *ranges(stats)]}
    left, right = amounts(a), amounts(b)
    listed = {(c["group"], c["name"]): c for c in changes if c["part"] != "figures"}
    differ = {n for n in left.keys() | right.keys() if left.get(n, 0) != right.get(n, 0)}
    assert listed.keys() == differ
    for name, c in listed.items():
        x, y = left.get(name, 0), right.get(name, 0)
        assert max(c["a"], 0) == x and max(c["b"], 0) == y
        groups = a["groups"] if name[0] in a["groups"] else b["groups"]
        once = a["cycles"] * groups[name[0]]["accounts"]
        under = a["cycles"] if c["part"] == "cycles" else max(x, y, once)
        assert abs(c["weight"] - (y - x) / under) < 1e-12, c
    order = [(["cycles", "counts", "figures"].index(c["part"]), c["minor"], -abs(c["weight"]))
             for c in changes]
    assert order == sorted(order)


main()
