"""
The file of a sweep: TOML, of which every key is known and checked. What it
asks for is a Spec; which points it has, points.py says.
"""
import os
import tomllib
from dataclasses import dataclass, field

from .constraint import Constraint
from .values import number
from .wrong import Wrong, host_failure

METHODS = ("grid", "list", "random", "latin")
OWN = ("program", "scene", "chip")  # coordinates that are no settings
RANGE = {"from", "to", "steps", "step", "scale"}


@dataclass
class Range:
    """Values from low to high."""
    low: float
    high: float
    whole: bool
    steps: int  # of a grid; 0: none are said
    log: bool

    def at(self, share):
        """The value at 0 .. 1 of the way; values of whole numbers."""
        if self.log:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + (self.high - self.low) * share
        return round(value) if self.whole else float(f"{value:.6g}")

    def drawn(self, share):
        """Of whole numbers each is as likely as the others; 0 <= share < 1."""
        if self.whole and not self.log:
            return int(self.low + (self.high - self.low + 1) * share)
        return self.at(share)

    def values(self):
        last = self.steps - 1
        return list(dict.fromkeys(self.at(i / last) for i in range(last + 1)))


@dataclass
class Spec:
    """What the file says. Files are named as they are from here."""
    path: str
    name: str
    sim: str
    programs: dict
    scenes: dict
    chips: dict
    settings: dict  # name: list of values, or Range
    method: str = "grid"
    points: int = 0
    seed: int = 1
    repetitions: int = 0
    options: list = field(default_factory=list)
    constraints: list = field(default_factory=list)
    baseline: dict = field(default_factory=dict)
    chosen: list = field(default_factory=list)  # of method list
    figures: list = field(default_factory=lambda: ["*"])
    figure: str = "cycles"  # what pages show
    cost: str = ""          # of which there should be little, too
    checkpoint: int = 300   # seconds between two, 0: none


class Reader:
    """A table of the file, whose keys are taken one by one."""

    def __init__(self, path, table, where=""):
        self.path, self.table, self.where = path, dict(table), where

    def wrong(self, key, text):
        return Wrong(f"{self.path}: {self.where}{key}: {text}")

    def take(self, key, kind, default=None, needed=False):
        if key not in self.table:
            if needed:
                raise self.wrong(key, "is missing")
            return default
        value = self.table.pop(key)
        names = {str: "a text", int: "a whole number", list: "a list",
                 dict: "a table"}
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.wrong(key, f"expected {names[kind]}")
        return value

    def number(self, key, default, least):
        value = self.take(key, int, None)
        if value is None:
            return default
        if value < least:
            raise self.wrong(key, f"{value}: expected {least} or more")
        return value

    def words(self, key, default=()):
        value = self.take(key, list, list(default))
        if not all(isinstance(word, str) for word in value):
            raise self.wrong(key, "expected a list of texts")
        return value

    def file(self, key):
        """A file that is there, named from the folder of the sweep's."""
        name = self.take(key, str, needed=True)
        path = os.path.join(os.path.dirname(self.path), name)
        if not os.path.isfile(path):
            raise self.wrong(key, f"there is no file {path}")
        return path

    def end(self, known):
        for key in self.table:
            raise self.wrong(key, f"unknown key, expected one of {known}")


def tables(reader, key, known, read):
    """Tables by name, as [programs.NAME]."""
    found = {}
    for name, table in reader.take(key, dict, {}).items():
        if not isinstance(table, dict):
            raise reader.wrong(f"{key}.{name}", "expected a table")
        one = Reader(reader.path, table, f"{key}.{name}.")
        found[name] = read(one)
        one.end(known)
    return found


def program(reader):
    return {"file": reader.file("file"),
            "arguments": reader.words("arguments"),
            "options": reader.words("options")}


def scene(reader):
    return {"file": reader.file("file"),
            "arguments": reader.words("arguments")}


def chip(reader):
    if "file" in reader.table:
        arch = os.path.abspath(reader.file("file"))
    else:
        arch = reader.take("arch", str, needed=True)
    settings = reader.words("settings")
    for setting in settings:
        if "=" not in setting or setting.startswith("@"):
            raise reader.wrong("settings", f"'{setting}': expected "
                                           "PATH.PARAM=VALUE")
    return {"arch": arch, "settings": settings}


# ---- settings ---------------------------------------------------------------

def scalar(value):
    return isinstance(value, (int, float, str, bool))


def values(reader, name, given):
    """A list of values, or a Range."""
    if isinstance(given, list):
        if not given:
            raise reader.wrong(name, "an empty list: expected values")
        if not all(scalar(value) for value in given):
            raise reader.wrong(name, "expected a list of numbers or texts")
        if len(set(map(str, given))) < len(given):
            raise reader.wrong(name, "a value stands in it twice")
        return given
    one = Reader(reader.path, given, f"{reader.where}{name}.")
    ends = [number(one.table.pop(key)) if key in one.table and
            scalar(one.table[key]) else None for key in ("from", "to")]
    if None in ends or ends[0] >= ends[1]:
        raise reader.wrong(name, "expected numbers `from` and `to`, the "
                                 "second one greater")
    steps = one.number("steps", 0, 2)
    scale = one.take("scale", str, "linear")
    if scale not in ("linear", "log") or (scale == "log" and ends[0] <= 0):
        raise one.wrong("scale", "expected linear, or log of numbers above 0")
    one.end("from, to, steps, scale")
    return Range(*ends, all(isinstance(end, int) for end in ends), steps,
                 scale == "log")


def flat(table, before=""):
    """l1.size = [..] is a table in a table: names with dots between them."""
    for name, value in table.items():
        if isinstance(value, dict) and not RANGE & set(value):
            yield from flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def all_settings(reader, method):
    table = reader.take("settings", dict, {})
    one = Reader(reader.path, {}, "settings.")
    found = {}
    for name, given in flat(table):
        if "." not in name:
            raise one.wrong(name, "expected PATH.PARAM, as in \"l2.latency\"")
        if not isinstance(given, (list, dict)):
            raise one.wrong(name, "expected a list of values, or from and to")
        found[name] = values(one, name, given)
        if method == "grid" and isinstance(found[name], Range) and \
                not found[name].steps:
            raise one.wrong(name, "expected `steps` too, in a grid")
    if method == "list" and found:
        raise reader.wrong("settings", "not with method list, which has them "
                                       "in [[list]]")
    return found


def chosen_points(reader, method):
    given = reader.take("list", list, [])
    if (method == "list") != bool(given):
        raise reader.wrong("list", "expected tables [[list]] with method list "
                                   "and with no other")
    points = []
    for entry in given:
        if not isinstance(entry, dict):
            raise reader.wrong("list", "expected tables [[list]]")
        points.append(dict(flat(entry)))
        for name, value in points[-1].items():
            if not scalar(value) or not (name in OWN or "." in name):
                raise reader.wrong("list", f"{name}: expected program, scene, "
                                           "chip or PATH.PARAM, each a value")
    return points


def coordinate(spec, reader, where, name, value):
    """Is it a value that a point can have there?"""
    known = {"program": spec.programs, "scene": spec.scenes,
             "chip": spec.chips}.get(name)
    if known is not None and value not in known:
        raise reader.wrong(where, f"{name} = '{value}': expected one of "
                                  f"{', '.join(known)}")


def baseline(spec, reader):
    given = dict(flat(reader.take("baseline", dict, {})))
    names = {*OWN, *spec.settings, *(n for p in spec.chosen for n in p)}
    for name, value in given.items():
        if name not in names:
            raise reader.wrong("baseline", f"unknown {name}, expected one of "
                                           f"{', '.join(sorted(names))}")
        coordinate(spec, reader, "baseline", name, value)
    return given


TOP = ("name, sim, method, points, seed, repetitions, options, constraints, "
       "baseline, figure, figures, cost, checkpoint, programs, scenes, chips, settings, list")


def load(path):
    """The Spec of a file."""
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise host_failure(error, path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {error}") from None
    return understand(path, Reader(path, table))


def understand(path, reader):
    method = reader.take("method", str, "grid")
    if method not in METHODS:
        raise reader.wrong("method", f"'{method}': expected one of "
                                     f"{', '.join(METHODS)}")
    spec = Spec(
        path=path, method=method,
        name=reader.take("name", str, os.path.splitext(
            os.path.basename(path))[0]),
        sim=reader.take("sim", str, ""),
        programs=tables(reader, "programs", "file, arguments, options",
                        program),
        scenes=tables(reader, "scenes", "file, arguments", scene),
        chips=tables(reader, "chips", "arch, file, settings", chip),
        settings=all_settings(reader, method),
        chosen=chosen_points(reader, method),
        seed=reader.number("seed", 1, 0),
        repetitions=reader.number("repetitions", 0, 0),
        options=reader.words("options"),
        figures=reader.words("figures", ["*"]),
        figure=reader.take("figure", str, "cycles"),
        cost=reader.take("cost", str, ""),
        checkpoint=reader.number("checkpoint", 300, 0))
    if not spec.programs:
        raise reader.wrong("programs", "expected a table [programs.NAME]")
    if not spec.chips:
        raise reader.wrong("chips", "expected a table [chips.NAME]")
    if spec.method in ("random", "latin"):
        spec.points = reader.number("points", 0, 1)
        if not spec.points:
            raise reader.wrong("points", f"expected how many, with method "
                                         f"{spec.method}")
        if not spec.settings:
            raise reader.wrong("settings", "expected some to be drawn")
    for point in spec.chosen:
        for name, value in point.items():
            coordinate(spec, reader, "list", name, value)
    spec.baseline = baseline(spec, reader)
    names = {*OWN, *spec.settings, *(n for p in spec.chosen for n in p)}
    spec.constraints = [Constraint(text, names)
                        for text in reader.words("constraints")]
    reader.end(TOP)
    return spec
