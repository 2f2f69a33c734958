"""
corbel-sweep plan: from the file of a sweep to a folder of points. A point's key
is a hash of all that its result depends on: program, scene, files, chip,
settings, options, and sim-run's version. A point keeps its number as long as
its key does; one that the file no longer asks for, or whose key is another now,
stays with its results and is marked.
"""
import os
import re

from . import files, points, sim, spec as specs, values
from .spec import OWN
from .store import FORMAT, Store
from .wrong import Wrong

PLACE = re.compile(r"\{([^{}]*)\}")
PROGRAM = "program."  # settings of the program, not of the chip


class Inputs:
    """Files that runs read, each kept once by what it holds."""

    def __init__(self, store):
        self.store, self.kept = store, {}

    def keep(self, path):
        """(Its name for the run, where it is kept, its hash.)"""
        if path not in self.kept:
            hashed = files.digest(path)
            name = os.path.basename(path)
            kept = f"{hashed[:16]}-{name}"
            to = self.store.path("inputs", kept)
            if not os.path.exists(to):
                files.copy(path, to)
            self.kept[path] = name, kept, hashed
        return self.kept[path]


class Maker:
    """Makes points of coordinates."""

    def __init__(self, spec, store, program):
        self.spec, self.inputs, self.program = spec, Inputs(store), program
        self.version = sim.version(program)
        self.chips, self.settled = {}, set()

    def chip(self, name):
        """Hash of what sim-run says of the chip without the settings."""
        if name not in self.chips:
            about = self.spec.chips[name]
            self.chips[name] = files.digest_of(sim.description(
                self.program, about["arch"], about["settings"]))
        return self.chips[name]

    def check(self, chip, settings):
        """The chip takes settings of these names."""
        names = chip, tuple(s.partition("=")[0] for s in settings)
        if names in self.settled:
            return
        self.settled.add(names)
        about = self.spec.chips[chip]
        sim.description(self.program, about["arch"],
                        [*about["settings"], *settings])

    def word(self, text, coordinates, named, kept):
        """A word with what its {..} stand for; files that it names."""
        def one(match):
            what = match[1]
            if what == "scene":
                if not coordinates["scene"]:
                    raise Wrong(f"{self.spec.path}: programs.{named}: "
                                "{scene}, but there are no [scenes.NAME]")
                return self.file(self.spec.scenes[coordinates["scene"]]
                                 ["file"], kept)
            if what.startswith("file:"):
                path = os.path.join(os.path.dirname(self.spec.path), what[5:])
                if not os.path.isfile(path):
                    raise Wrong(f"{self.spec.path}: programs.{named}: there "
                                f"is no file {path}")
                return self.file(path, kept)
            if what.startswith(PROGRAM) and what in coordinates:
                return values.text(coordinates[what])
            raise Wrong(f"{self.spec.path}: programs.{named}: '{text}': "
                        "expected {scene}, {file:NAME} or {program.NAME}, "
                        "which is one of the settings")
        return PLACE.sub(one, text)

    def file(self, path, kept):
        name, where, hashed = self.inputs.keep(path)
        if kept.setdefault(name, (where, hashed)) != (where, hashed):
            raise Wrong(f"{self.spec.path}: two files of a point are called "
                        f"{name}: expected names that differ")
        return name

    def make(self, coordinates, seed):
        spec, kept = self.spec, {}
        program, scene, chip = (coordinates[name] for name in OWN)
        about = spec.programs[program]
        settings = [f"{name}={values.text(value)}"
                    for name, value in coordinates.items()
                    if name not in OWN and not name.startswith(PROGRAM)]
        self.check(chip, settings)
        _, elf, elf_hash = self.inputs.keep(about["file"])
        words = [self.word(text, coordinates, program, kept) for text in [
            *about["arguments"],
            *(spec.scenes[scene]["arguments"] if scene else ())]]
        options = [self.word(text, coordinates, program, kept)
                   for text in [*spec.options, *about["options"]]]
        arch = spec.chips[chip]
        key = files.digest_of([
            FORMAT, self.version, elf_hash, self.chip(chip), settings,
            options, words, sorted((n, h) for n, (_, h) in kept.items()),
            seed])
        return {"key": key, "planned": True, "coordinates": coordinates,
                "permute": seed, "version": self.version,
                "elf": elf, "files": {n: w for n, (w, _) in kept.items()},
                "arch": arch["arch"], "chip_hash": self.chip(chip),
                "settings": [*arch["settings"], *settings],
                "varied": len(settings),
                "options": options, "arguments": words}


# ---- numbers ----------------------------------------------------------------

class Numbers:
    """Old points keep theirs."""

    def __init__(self, store):
        self.store, self.old, self.by = store, {}, {}
        self.count = store.load()["count"] if os.path.exists(
            store.path("sweep.json")) else 0
        for number in range(self.count):
            point = store.point(number)
            if point:
                self.old[number] = point
                self.by.setdefault(point["key"], []).append(number)

    def same(self, point):
        """The number of the same point, None: there was none."""
        for number in self.by.get(point["key"], []):
            if self.old[number]["coordinates"] == point["coordinates"]:
                self.by[point["key"]].remove(number)
                return number
        return None

    def other(self, point):
        """That of one that was called differently, or a new one."""
        if self.by.get(point["key"]):
            return self.by[point["key"]].pop(0)
        self.count += 1
        return self.count - 1

    def left(self):
        """Old points that are not planned any longer."""
        return [n for numbers in self.by.values() for n in numbers]


def write_point(store, number, point, old):
    if old == point:
        return
    if old is None:
        files.make_folder(store.point_path(number))
    files.write_json(store.point_path(number, "point.json"), point, False)


def number_all(spec, maker, numbers):
    """Points by number, each with that of its baseline."""
    made = [[None, maker.make(coordinates, seed), base]
            for coordinates, seed, base in points.all_points(spec)]
    for look in (numbers.same, numbers.other):
        for one in made:
            if one[0] is None:
                one[0] = look(one[1])
    place = {(points.identity(point["coordinates"]), point["permute"]): number
             for number, point, _ in made}
    for number, point, base in made:
        point["point"] = number
        point["baseline"] = base and place[points.identity(base),
                                           point["permute"]]
    return {number: point for number, point, _ in made}


def plan(path, folder, named_sim=None):
    """Says in a line what there is now."""
    spec = specs.load(path)
    store = Store(folder)
    for name in ("points", "inputs"):
        files.make_folder(store.path(name))
    program = sim.find(named_sim or spec.sim)
    maker, numbers = Maker(spec, store, program), Numbers(store)
    made = number_all(spec, maker, numbers)
    new = [n for n in made if n not in numbers.old]
    for number, point in made.items():
        write_point(store, number, point, numbers.old.get(number))
    left = numbers.left()
    for number in left:
        old = numbers.old[number]
        write_point(store, number, {**old, "planned": False}, old)
    files.write_json(store.path("sweep.json"), {
        "format": FORMAT, "name": spec.name, "count": numbers.count,
        "planned": len(made),
        "plan": files.digest_of(sorted((n, p["key"])
                                       for n, p in made.items())),
        "version": maker.version,
        "sim": program if named_sim or spec.sim else "",
        "figures": spec.figures, "figure": spec.figure,
        "cost": spec.cost, "checkpoint": spec.checkpoint,
        "settings": sorted({n for p in made.values()
                            for n in p["coordinates"]} - set(OWN)),
        "repetitions": spec.repetitions, "seed": spec.seed})
    return (f"{len(made)} points, {len(new)} of them new" +
            (f"; {len(left)} of earlier plans stay, marked" if left else ""))
