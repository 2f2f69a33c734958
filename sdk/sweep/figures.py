"""
What is kept of a run for tables: of the whole run, its regions of interest and
its windows, the cycles, all figures, and counters and buckets that are not 0;
of these what the sweep's file chooses. It is written once, when a point ends,
so that collecting reads no stats.json.
"""
import fnmatch
import os

from . import files
from .wrong import HOST, Wrong

NAME = "figures.json"


def parts(stats):
    """(Name, the part of stats.json that has groups, cycles.)"""
    yield "run", stats, stats["cycles"]
    region = stats.get("region_of_interest")
    if region:
        yield "region", region, region["cycles"]
    for number, window in enumerate(stats.get("windows", []), 1):
        of = window.get("of")
        yield (of or f"window:{number}"), window, \
            window["end"] - window["begin"]


def values(part, cycles, wanted):
    """Value by group and name; those of the chip have no group."""
    found = {"": {"cycles": cycles}}
    if "instructions" in part:
        found[""]["instructions"] = part["instructions"]
    for group, of in sorted(part["groups"].items()):
        some = {name: value for kind in ("derived", "counters", "buckets")
                for name, value in of.get(kind, {}).items()
                if (value or kind == "derived") and wanted(group, name)}
        if some:
            found[group] = dict(sorted(some.items()))
    return found


def chooser(patterns):
    """Is GROUP.NAME one of those?"""
    if "*" in patterns:
        return lambda group, name: True
    known = {}

    def wanted(group, name):
        both = f"{group}.{name}"
        if both not in known:
            known[both] = any(fnmatch.fnmatchcase(both, p) for p in patterns)
        return known[both]
    return wanted


def units(stats):
    """Unit and meaning by group and name."""
    found = {"": {"cycles": ["cycles", "of the part"],
                  "instructions": ["instructions", "of all harts"]}}
    for group, of in stats["groups"].items():
        schema = stats["schema"][of["kind"]]
        found[group] = {
            name: [about["unit"], about.get("meaning", "")]
            for kind in ("counters", "buckets", "figures")
            for name, about in schema[kind].items()}
    return found


def keep(work, out, patterns, about):
    """Writes the file into the folder of a run that has gone to its end."""
    stats = files.read_json(os.path.join(work, out, "stats.json"))
    manifest = files.read_json(os.path.join(work, out, "manifest.json"))
    wanted = chooser(patterns)
    try:
        about["host"] |= {name: manifest["host"][name] for name in
                          ("threads", "cpu_seconds", "memory_bytes")}
        about |= {
            "results_hash": manifest["results_hash"],
            "clock_mhz": stats["clock_mhz"],
            "parts": {name: values(part, cycles, wanted)
                      for name, part, cycles in sorted(
                          parts(stats), key=lambda part: part[0])}}
    except (KeyError, TypeError) as error:
        raise Wrong(f"{work}: {out}/stats.json lacks {error}", HOST) from None
    files.write(os.path.join(work, NAME), files.compact(about))
