"""
The points of a sweep: every program with every scene on every chip, with each
combination of settings that the method gives. What is drawn comes from the
sweep's seed alone, by a generator that is the same in all versions of Python,
and so that programs, scenes and chips all have the same combinations.
"""
import itertools
import random

from .spec import OWN, Range
from .wrong import Wrong


def pick(values, share):
    if isinstance(values, Range):
        return values.drawn(share)
    return values[int(share * len(values))]


def grid(spec):
    axes = [v.values() if isinstance(v, Range) else v
            for v in spec.settings.values()]
    return [dict(zip(spec.settings, combination))
            for combination in itertools.product(*axes)]


def drawn(spec, draw):
    return {name: pick(values, draw.random())
            for name, values in spec.settings.items()}


def at_random(spec):
    draw = random.Random(spec.seed)
    return [drawn(spec, draw) for _ in range(spec.points)]


def latin(spec):
    """
    Each setting's range is cut into as many parts as there are points, and
    has one point in each of them.
    """
    draw = random.Random(spec.seed)
    columns = []
    for values in spec.settings.values():
        parts = list(range(spec.points))
        for i in range(spec.points - 1, 0, -1):
            j = int(draw.random() * (i + 1))
            parts[i], parts[j] = parts[j], parts[i]
        columns.append([pick(values, (part + draw.random()) / spec.points)
                        for part in parts])
    return [dict(zip(spec.settings, row)) for row in zip(*columns)]


def combinations(spec):
    """(Coordinates that are given, whatever else is crossed with them)."""
    if spec.method == "list":
        return spec.chosen
    make = {"grid": grid, "random": at_random, "latin": latin}[spec.method]
    return make(spec)


def crossed(spec):
    """Coordinates of all points, those that constraints refuse left out."""
    own = [list(spec.programs), list(spec.scenes) or [""], list(spec.chips)]
    settings = combinations(spec)
    for names in itertools.product(*own):
        where = dict(zip(OWN, names))
        for given in settings:
            point = {**where, **given}
            if any(point[name] != where[name] for name in OWN):
                continue
            if all(wanted(point) for wanted in spec.constraints):
                yield point


def of_baseline(spec, point):
    """The point that this one is compared with, which may be itself."""
    return {**point, **spec.baseline}


def identity(point):
    return tuple(sorted(point.items()))


def all_points(spec):
    """
    Coordinates with that of their baseline, None without one; baselines are
    points, too.
    """
    found = {}
    for point in crossed(spec):
        found.setdefault(identity(point), point)
    if not found:
        raise Wrong(f"{spec.path}: no point is left: every combination is "
                    "refused by a constraint")
    if spec.baseline:
        for point in list(found.values()):
            base = of_baseline(spec, point)
            found.setdefault(identity(base), base)
    seeds = range(1, spec.repetitions + 1) if spec.repetitions else (0,)
    for point in found.values():
        base = of_baseline(spec, point) if spec.baseline else None
        for seed in seeds:
            yield point, seed, base
