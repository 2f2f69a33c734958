"""
Runs, sweeps and scenes as data frames of pandas, for notebooks:

    import corbel
    sweep = corbel.sweep("study")           # a row for each point
    sweep.groupby("l2.latency").cycles.agg(["mean", "std"])

PYTHONPATH has to name this file's folder, lib/corbel/python of an installed
Corbel (docs/guides/sweeps.md).
"""
import json
import os
import shutil
import subprocess

import pandas

from corbel_sweep import collect, figures
from corbel_sweep.spec import OWN

HEAD = ["part", "group", "name", "value", "unit", "meaning"]


def _json(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def run(folder):
    """
    What `sim-run -o FOLDER` has counted: part (run, region, windows), group,
    name, value, unit, meaning. Counters and buckets that are 0 are left out.
    """
    stats = _json(folder, "stats.json")
    units = figures.units(stats)
    rows = [(part, group, name, value,
             *units.get(group, {}).get(name, ["", ""]))
            for part, of, cycles in figures.parts(stats)
            for group, names in figures.values(
                of, cycles, lambda group, name: True).items()
            for name, value in names.items()]
    return pandas.DataFrame(rows, columns=HEAD)


def manifest(folder):
    """What was run: sim-run's manifest.json."""
    return _json(folder, "manifest.json")


def intervals(folder):
    """
    intervals.csv of a run with --interval: a row for each cycle in which an
    interval ends, a column GROUP.NAME for each statistic.
    """
    table = pandas.read_csv(os.path.join(folder, "intervals.csv"),
                            skipinitialspace=True)
    table["series"] = table.group + "." + table.stat
    return table.pivot(index="cycle", columns="series", values="value") \
        .fillna(0)


def values(folder, mixed=False):
    """A row for each value of each point of a sweep that is done."""
    collected = collect.Collected(folder, mixed)
    rows = [(*_own(collected, result), part, group, name, value,
             collected.unit(group, name)[0])
            for result in collected.done()
            for part, groups in result.kept()["parts"].items()
            for group, names in groups.items()
            for name, value in names.items()]
    return pandas.DataFrame(rows, columns=[*_own_names(collected), "part",
                                           "group", "name", "value", "unit"])


def sweep(folder, part=None, mixed=False):
    """
    A row for each point of a sweep that is done, a column for each figure:
    cycles, and GROUP.NAME. part: of the runs; the regions of interest, or the
    whole run where there are none, if it is not given.
    """
    collected = collect.Collected(folder, mixed)
    rows = []
    for result in collected.done():
        parts = result.kept()["parts"]
        groups = parts.get(part or ("region" if "region" in parts else "run"),
                           {})
        rows.append(dict(zip(_own_names(collected), _own(collected, result)))
                    | {f"{group}.{name}" if group else name: value
                       for group, names in groups.items()
                       for name, value in names.items()})
    table = pandas.DataFrame(rows)
    own = _own_names(collected)
    counted = [name for name in table.columns if name not in own]
    table[counted] = table[counted].fillna(0)
    return table.set_index("point") if rows else table


def scene(path):
    """What `corbel-scene info` says of a scene: a row."""
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                        "..", "..", "bin", "corbel-scene")
    tool = tool if os.access(tool, os.X_OK) else shutil.which("corbel-scene")
    if not tool:
        raise FileNotFoundError("corbel-scene: no such program")
    said = subprocess.run([tool, "info", path, "--json"], text=True,
                          capture_output=True, check=False)
    if said.returncode:
        raise ValueError(said.stderr.strip())
    return pandas.DataFrame([json.loads(said.stdout)], index=[path])


def _own_names(collected):
    return ["point", *OWN, "permute", "baseline", *collected.settings]


def _own(collected, result):
    point, coordinates = result.point, result.coordinates
    return [result.number, *(coordinates[name] for name in OWN),
            point["permute"], point["baseline"],
            *(coordinates.get(name) for name in collected.settings)]
