"""
corbel-sweep collect: what points have left, as one table. At any time: points
that are not done are listed as such. The same results give the same files,
byte for byte, whatever ran them and in which order; what depends on the host
stands in a table of its own.
"""
import csv
import gc
import io
import json
import os
import sqlite3

from . import figures, files
from .spec import OWN
from .store import DONE, FAILED, TO_DO, Store
from .wrong import HOST, Wrong

TABLES = """
create table sweep (name text, value text);
create table points (point integer primary key, state text, key text,
    version text, baseline integer, permute integer, results_hash text,
    program text, scene text, chip text{settings});
create table figures (figure integer primary key, part text, "group" text,
    name text, unit text, meaning text);
create table "values" (point integer, figure integer, value,
    primary key (point, figure)) without rowid;
create table host (point integer primary key, node text, threads integer,
    seconds real, cpu_seconds real, memory_bytes integer);
create view long as select p.*, f.part, f."group", f.name, v.value, f.unit
    from "values" v join points p using (point) join figures f using (figure);
create view compared as select a.point, a.baseline, f.part, f."group", f.name,
    a.value, b.value as base, 1.0 * a.value / b.value as ratio from
    (select v.*, p.baseline from "values" v join points p using (point)) a
    join "values" b on b.point = a.baseline and b.figure = a.figure
    join figures f on f.figure = a.figure where b.value <> 0;
"""
SMALLEST, GREATEST = -(1 << 63), (1 << 63) - 1


class Result:
    """A point, and what it left, if it is done."""

    def __init__(self, store, point):
        self.store, self.point = store, point
        self.number, self.coordinates = point["point"], point["coordinates"]
        self.state = store.state(self.number)

    def kept(self):
        """As figures.py wrote it; read anew each time, as all are many."""
        path = self.store.point_path(self.number, "result", figures.NAME)
        try:
            with open(path, encoding="utf-8") as file:
                return json.loads(file.read())
        except (OSError, ValueError) as error:
            raise Wrong(f"{path}: {error}: remove its folder, and run the "
                        "point again", HOST) from None


class Collected:
    """
    All points in order. mixed: those of earlier plans and other versions of
    sim-run, too.
    """

    def __init__(self, folder, mixed=False):
        gc.disable()  # nothing here refers to itself
        self.store = Store(folder)
        self.sweep = self.store.load()
        self.results = [Result(self.store, point)
                        for point in self.store.points(planned=not mixed)]
        self.settings = sorted({name for r in self.results
                                for name in r.coordinates} - set(OWN))
        self.versions = sorted({r.point["version"] for r in self.results})
        self.units = self.all_units()

    def done(self):
        return [r for r in self.results if r.state == DONE]

    def all_units(self):
        """Of each chip, one run tells what its groups count."""
        found, seen = {}, set()
        for result in self.done():
            chip = result.coordinates["chip"], result.point["version"]
            if chip not in seen:
                seen.add(chip)
                stats = files.read_json(self.store.point_path(
                    result.number, "result", "run", "stats.json"))
                for group, names in figures.units(stats).items():
                    for name, about in names.items():
                        found.setdefault((group, name), about)
        return found

    def unit(self, group, name):
        return self.units.get((group, name), ["", ""])


def stored(value):
    """SQLite's whole numbers have 64 bits with a sign."""
    if isinstance(value, int) and not SMALLEST <= value <= GREATEST:
        return float(value)
    return value


def point_row(result, hashed, settings):
    point, coordinates = result.point, result.coordinates
    state = result.state if result.state in (DONE, FAILED) else TO_DO
    return [result.number, state, point["key"], point["version"],
            point["baseline"], point["permute"], hashed,
            *(coordinates[name] for name in OWN),
            *(coordinates.get(name) for name in settings)]


def host_row(number, host):
    return [number, *(host[name] for name in (
        "node", "threads", "seconds", "cpu_seconds", "memory_bytes"))]


class Filled:
    """A database, filled point by point."""

    def __init__(self, collected, path):
        self.collected, self.hosts, self.known = collected, [], {}
        self.database = sqlite3.connect(path)
        columns = "".join(f", {quoted(n)}" for n in collected.settings)
        self.database.executescript(
            "pragma journal_mode=off; pragma synchronous=off;" +
            TABLES.format(settings=columns))

    def put(self, table, rows, count):
        self.database.executemany(
            f'insert into "{table}" values ({",".join("?" * count)})', rows)

    def values(self, number, kept):
        """Figures are numbered as they come first, in the order of points."""
        known = self.known
        for part, groups in kept["parts"].items():
            for group, names in groups.items():
                for name, value in names.items():
                    key = part, group, name
                    if key not in known:
                        known[key] = len(known)
                    yield number, known[key], stored(value)

    def all_values(self, hashes):
        for result in self.collected.done():
            kept = result.kept()
            hashes[result.number] = kept["results_hash"]
            self.hosts.append(host_row(result.number, kept["host"]))
            yield from self.values(result.number, kept)

    def fill(self):
        collected, hashes = self.collected, {}
        self.put("sweep", [("name", collected.sweep["name"]),
                           ("versions", ", ".join(collected.versions))], 2)
        self.put("values", self.all_values(hashes), 3)
        self.put("points", (point_row(r, hashes.get(r.number),
                                      collected.settings)
                            for r in collected.results),
                 10 + len(collected.settings))
        self.put("figures", ((number, *key, *collected.unit(*key[1:]))
                             for key, number in self.known.items()), 6)
        self.put("host", self.hosts, 6)
        self.database.commit()
        self.database.close()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def write_sql(collected, path):
    new = files.own_name(path)
    files.remove(new)
    try:
        Filled(collected, new).fill()
        os.replace(new, path)
    except (sqlite3.Error, OSError) as error:
        raise Wrong(f"{path}: {error}", HOST) from None
    finally:
        files.remove(new)


HEAD = ["point", "program", "scene", "chip", "permute", "baseline"]
TAIL = ["part", "group", "name", "value", "unit"]


def row(words):
    """A line of CSV without its end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(words)
    return out.getvalue()


def lines(collected):
    """A row for each value; what a point is stands in each of its rows."""
    ends = {}  # what stands around a value, by part, group and name
    yield row([*HEAD, *collected.settings, *TAIL])
    for result in collected.done():
        c, p = result.coordinates, result.point
        own = row([result.number, *(c[name] for name in OWN),
                   p["permute"] or "", p["baseline"],
                   *(c.get(name, "") for name in collected.settings)])
        for part, groups in result.kept()["parts"].items():
            for group, names in groups.items():
                for name, value in names.items():
                    key = part, group, name
                    if key not in ends:
                        ends[key] = (row(key), row([collected.unit(
                            group, name)[0]]))
                    before, behind = ends[key]
                    yield f"{own},{before},{value!r},{behind}"


def write_csv(collected, path):
    new = files.own_name(path)
    try:
        with open(new, "w", encoding="utf-8", newline="") as file:
            file.writelines(f"{line}\n" for line in lines(collected))
        os.replace(new, path)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}", HOST) from None
    finally:
        files.remove(new)


def collect(folder, options):
    """Says in a line what there is."""
    collected = Collected(folder, options.mixed)
    if options.sql:
        write_sql(collected, options.sql)
    if options.csv:
        write_csv(collected, options.csv)
    if options.page or options.figures:
        from .page import write_page
        write_page(collected, options)
    done, count = len(collected.done()), len(collected.results)
    return f"{done} of {count} points are done"
