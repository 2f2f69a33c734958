"""A chip as `sim-run --describe` tells it, and the way of a load through it."""
import re
import subprocess
from dataclasses import dataclass

import dram

GROUP = re.compile(r"(\S+): (\d+) x (\w+) \(")
PARAMETER = re.compile(r"    (\w+) +(\S+) ")
LINK = re.compile(r" +(\d+) x (\S+)\.(\w+) -> (\S+)\.(\w+), latency (\d+)")


class Wrong(Exception):
    """The chip, or what was measured on it, is not as it has to be."""


@dataclass
class Group:
    """Units of one role: parameters by name, numbers as int."""
    name: str
    kind: str
    count: int
    parameters: dict

    def __getitem__(self, parameter):
        try:
            return self.parameters[parameter]
        except KeyError:
            raise Wrong(f"{self.name} ({self.kind}) has no parameter "
                        f"{parameter}") from None


@dataclass
class Station:
    """A unit on the way of a load, and the links between it and the one
    before."""
    group: Group
    request: int
    answer: int


def number(text):
    """A parameter's value: a number, the name of a choice, or 'text'."""
    if text.startswith("'"):
        return text.strip("'")
    return int(text) if re.fullmatch(r"-?\d+", text) else text


class Chip:
    def __init__(self, text):
        self.groups, self.options, self.links = {}, {}, {}
        about = None
        for line in text.splitlines():
            if line.startswith("options of the chip"):
                about = self.options
            elif match := GROUP.match(line):
                name, count, kind = match.groups()
                about = {}
                self.groups[name] = Group(name, kind, int(count), about)
            elif match := LINK.match(line):
                _, source, out, to, inp, latency = match.groups()
                self.links.setdefault((source, out), []).append(
                    (to, inp, int(latency)))
            elif about is not None and (match := PARAMETER.match(line)):
                about[match[1]] = number(match[2])

    def link(self, source, out, to=None):
        """Where the port leads (to) and its latency; the same for all."""
        found = {(t, latency) for t, _, latency in self.links.get(
            (source, out), []) if to in (None, t)}
        if len(found) != 1:
            raise Wrong(f"{source}.{out}: expected links of one kind and "
                        f"latency, found {sorted(found)}")
        return found.pop()

    def way(self):
        """The stations of a load from a thread processor to main memory."""
        stations, at = [], "tp"
        while not stations or self.groups[at].kind == "cache":
            to, request = self.link(at, "mem")
            if self.groups[to].kind == "tlb":  # answers do not pass it
                to, more = self.link(to, "mem")
                request += more
            _, answer = self.link(to, "reply", at)
            stations.append(Station(self.groups[to], request, answer))
            at = to
        return stations


@dataclass
class Level:
    """Where a load is served. latency: from issue to use, in cycles."""
    name: str
    latency: int
    capacity: int
    line: int


def cache_levels(chip):
    """
    A load that finds its data in the n-th cache has passed the links to it,
    one by one, and the pipelines of the caches up to it; its answer has only
    links to pass: caches hand it on in the cycle in which it comes.
    """
    levels, way = [], 0
    for station in chip.way()[:-1]:
        cache = station.group
        way += station.request + station.answer + cache["latency"]
        levels.append(Level(cache.name.upper(), way,
                            cache["size"] * shared(chip, cache),
                            cache["line"]))
    return levels


def shared(chip, cache):
    """How many units of the group one program on one hart can fill."""
    return 1 if chip.way()[0].group == cache else cache.count


def to_memory(chip):
    """Latency of a load but what main memory adds, from the cycle in which
    it takes the request to that in which it answers."""
    station = chip.way()[-1]
    last = cache_levels(chip)[-1]
    return last.latency + station.request + station.answer


def before_memory(chip):
    """The part of it before main memory takes the request."""
    way = chip.way()
    return sum(s.request for s in way) + sum(s.group["latency"]
                                             for s in way[:-1])


def describe(sim, arguments):
    done = subprocess.run([sim, *arguments, "--describe"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(done.stderr.strip() or f"{sim}: status {done.returncode}")
    return Chip(done.stdout)


def pin_bandwidth(chip):
    """Bytes that all data pins of the memory carry in a cycle of the core."""
    memory = chip.way()[-1].group
    if memory.kind == "memory":
        return memory.count * memory["bandwidth"] / 1000
    device = dram.device(memory["device"])
    return (memory.count * memory["channels"] * device.units["Pc"] *
            device.transaction / device.burst *
            memory["clock"] / memory["core_clock"])
