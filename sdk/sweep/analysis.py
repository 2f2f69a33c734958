"""
What figures show of a sweep: means over the seeds of --permute with their
intervals of 95 %, one setting at a time, pairs of settings, the front of
Pareto, and what each setting changes.
"""
import math
from dataclasses import dataclass, field

from .spec import OWN
from .values import number, text
from .wrong import Wrong

# Student's t of 95 % for 1, 2, 3 .. further samples; then that of many.
STUDENT = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
           2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
           2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052,
           2.048, 2.045, 2.042)
BINS = 6  # of what was drawn, along an axis


@dataclass
class Mean:
    """Of some values, and half the width of its interval of 95 %."""
    value: float
    half: float
    count: int


def mean(values):
    count = len(values)
    middle = math.fsum(values) / count
    if count < 2:
        return Mean(middle, 0.0, count)
    spread = math.fsum((v - middle) ** 2 for v in values) / (count - 1)
    factor = STUDENT[count - 2] if count - 2 < len(STUDENT) else 1.96
    return Mean(middle, factor * math.sqrt(spread / count), count)


@dataclass
class Sample:
    """Points that differ by their seeds alone."""
    coordinates: dict
    numbers: list = field(default_factory=list)
    values: list = field(default_factory=list)  # of the figure
    costs: list = field(default_factory=list)
    ratios: list = field(default_factory=list)  # to those of the baseline

    @property
    def mean(self):
        return mean(self.values)

    @property
    def ratio(self):
        return mean(self.ratios) if self.ratios else None

    def series(self):
        """How lines of it are called."""
        return " ".join(filter(None, (self.coordinates[n] for n in OWN)))


def found(kept, part, name):
    """A figure by GROUP.NAME, or of the chip by NAME."""
    group, _, last = name.rpartition(".")
    groups = kept["parts"].get(part, {})
    return groups.get(group, {}).get(last, 0 if group in groups else None)


class Study:
    """The samples of a sweep, for one figure in one part of the runs."""

    def __init__(self, collected, figure="cycles", part=None, cost=None):
        self.collected, self.figure, self.cost = collected, figure, cost
        self.settings = collected.settings
        kept = {r.number: r.kept() for r in collected.done()}
        if not kept:
            raise Wrong(f"{collected.store.folder}: no point is done yet")
        every = all("region" in k["parts"] for k in kept.values())
        self.part = part or ("region" if every else "run")
        self.values = {n: found(k, self.part, figure)
                       for n, k in kept.items()}
        if all(v is None for v in self.values.values()):
            raise Wrong(f"--figure {figure}: no run has it in its part "
                        f"{self.part}; collect --csv lists all")
        self.samples = self.group(collected.done(), kept)
        self.base = self.at_base()

    def cost_of(self, result, kept):
        if self.cost in result.coordinates:
            return number(result.coordinates[self.cost])
        return found(kept, self.part, self.cost) if self.cost else None

    def group(self, results, kept):
        by = {}
        for result in results:
            value = self.values[result.number]
            if value is None:
                continue
            identity = tuple(sorted(result.coordinates.items()))
            sample = by.setdefault(identity, Sample(result.coordinates))
            sample.numbers.append(result.number)
            sample.values.append(value)
            sample.costs.append(self.cost_of(result, kept[result.number]))
            base = self.values.get(result.point["baseline"])
            if base:
                sample.ratios.append(value / base)
        return list(by.values())

    def at_base(self):
        """
        The settings from which one is changed at a time: those of the
        baseline, else the first of each that any point has.
        """
        point = next((r for r in self.collected.results
                      if r.number == r.point["baseline"]),
                     self.collected.results[0])
        return {n: point.coordinates.get(n) for n in self.settings}

    def varied(self):
        """Settings with several values, those with numbers first."""
        values = {n: {s.coordinates.get(n) for s in self.samples}
                  for n in self.settings}
        return [n for n in self.settings if len(values[n] - {None}) > 1]

    def drawn(self):
        """Are points drawn, so that no two differ in one setting alone?"""
        varied = self.varied()
        return len(varied) > 1 and not any(self.alone(n) for n in varied)

    def alone(self, name):
        """
        Samples that differ from the base in that setting alone, by series:
        one sample for each value, at least two.
        """
        lines = {}
        for sample in self.samples:
            c = sample.coordinates
            if all(c.get(n) == self.base[n] for n in self.settings
                   if n != name) and c.get(name) is not None:
                lines.setdefault(sample.series(), []).append(sample)
        return {s: sorted(some, key=lambda one: place(one.coordinates[name]))
                for s, some in lines.items() if len(some) > 1}

    def curve(self, name):
        """Lines of (value, Mean), by series."""
        if not self.drawn():
            return {s: [(one.coordinates[name], one.mean) for one in some]
                    for s, some in self.alone(name).items()}
        lines = {}
        for sample in self.samples:
            if number(sample.coordinates.get(name, "")) is not None:
                lines.setdefault(sample.series(), []).append(sample)
        return {s: binned(some, name) for s, some in lines.items()
                if len(some) > 1}

    def pair(self, first, second):
        """Mean by values of both, over all else."""
        cells = {}
        for sample in self.samples:
            c = sample.coordinates
            if c.get(first) is not None and c.get(second) is not None:
                cells.setdefault((c[first], c[second]), []).append(
                    sample.mean.value)
        return {at: mean(some).value for at, some in cells.items()}

    def tornado(self):
        """
        (Setting, its ends, figure at these over that at the base), greatest
        change first: means over series, of logarithms.
        """
        rows = []
        for name in self.varied():
            lines = [some for some in self.curve(name).values() if some]
            if not lines:
                continue
            middle = [self.level(s) for s in self.curve(name)]
            low, high = (math.exp(mean([
                math.log(max(line[end][1].value, 1e-300) / base)
                for line, base in zip(lines, middle)]).value)
                for end in (0, -1))
            rows.append((name, lines[0][0][0], lines[0][-1][0], low, high))
        return sorted(rows, key=lambda row: -abs(math.log(row[4] / row[3])))

    def level(self, series):
        """The figure at the base; of what was drawn the mean of all."""
        some = [s for s in self.samples if s.series() == series]
        at = [s for s in some if all(
            s.coordinates.get(n) == self.base[n] for n in self.settings)]
        return mean([s.mean.value for s in (at or some)]).value or 1e-300

    def front(self):
        """(Cost, figure, sample, is on the front), less of both is better."""
        points = sorted(((mean(s.costs).value, s.mean.value, s)
                         for s in self.samples if None not in s.costs),
                        key=lambda p: p[:2])
        best, out = math.inf, []
        for cost, value, sample in points:
            out.append((cost, value, sample, value < best))
            best = min(best, value)
        return out


def place(value):
    """Order of an axis: numbers by size, then names."""
    n = number(value)
    return (1, 0, str(value)) if n is None else (0, n, "")


def binned(samples, name):
    samples = sorted(samples, key=lambda s: number(s.coordinates[name]))
    bins = min(BINS, len(samples) // 2) or 1
    out = []
    for i in range(bins):
        some = samples[i * len(samples) // bins:
                       (i + 1) * len(samples) // bins]
        middle = mean([number(s.coordinates[name]) for s in some]).value
        out.append((round(middle, 6), mean([s.mean.value for s in some])))
    return out


def short(value):
    """For axes and tables."""
    if isinstance(value, str):
        return value
    size = abs(value)
    for letter, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if size >= 10 * factor:
            return f"{value / factor:.4g} {letter}"
    return f"{value:.4g}" if isinstance(value, float) else text(value)
