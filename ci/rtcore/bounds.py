"""What limits the rays a cycle of an RT core, computed from the description of
its chip and from what each ray fetches; nothing here is fitted.

Every bound holds by itself: no arrangement of the same rays is faster than the
least of them. docs/studies/rtcore-bench.md derives each one.
"""
from collections import Counter
from dataclasses import dataclass

from chip import Wrong

SECTOR = 32


@dataclass(frozen=True)
class Fetch:
    """A node or a leaf: what is tested when it has come, and where it is."""
    kind: str
    tests: int
    offset: int
    bytes: int

    def sectors(self):
        """Numbers of the sectors, from the scene's begin on."""
        return range(self.offset // SECTOR,
                     (self.offset + self.bytes - 1) // SECTOR + 1)


def read_work(lines):
    """The fetches of each hart's ray, from `rtbench --work`."""
    rays = {}
    for line in lines[1:]:
        hart, kind, tests, size, offsets = line.split(",")
        if kind == "vertices":
            raise Wrong("leaves with vertices elsewhere are not computed here")
        rays.setdefault(hart, []).append(
            Fetch(kind, int(tests), int(offsets), int(size)))
    return list(rays.values())


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Core:
    """The RT core and its L1 as described, and the rays it is given."""

    def __init__(self, chip, rays, scene):
        self.rtcore, self.l1 = chip.groups["rtcore"], chip.groups["l1"]
        self.queues = chip.options["rt_queues"]
        self.way = (chip.link("rtcore", "mem")[1] + self.l1["latency"]
                    + chip.link("l1", "reply", "rtcore")[1])
        self.rays, self.scene = rays, scene

    def per_ray(self, count):
        """Mean over the rays of the sum over their fetches."""
        return mean(sum(map(count, ray)) for ray in self.rays)

    def initiations(self, fetch):
        """Of a pipeline: each takes up to `width` tests, 0 is all."""
        width = self.pipe(fetch, "width") or fetch.tests
        return -(-fetch.tests // width)

    def pipe(self, fetch, parameter):
        return self.rtcore[
            ("box_" if fetch.kind == "node" else "tri_") + parameter]

    def piped(self, fetch):
        """Cycles until all is tested: the initiations go to the pipelines in
        turn, the last one ends `latency` after it began."""
        turns = (self.initiations(fetch) - 1) // self.pipe(fetch, "pipes")
        return (turns * self.pipe(fetch, "interval")
                + self.pipe(fetch, "latency"))

    def step(self, fetch):
        """Cycles from one turn at the scheduler to the next when no other ray
        is in the way: sectors are asked for one a cycle, the last one comes
        back, all is tested."""
        return len(fetch.sectors()) - 1 + self.way + self.piped(fetch)

    def latency(self):
        """Of a ray in its slot, which is taken again a cycle later."""
        return 1 + self.per_ray(self.step)

    def pipes(self, kind):
        busy = self.per_ray(lambda f: self.initiations(f)
                            * self.pipe(f, "interval") if f.kind == kind
                            else 0)
        pipes = self.rtcore["box_pipes" if kind == "node" else "tri_pipes"]
        return pipes / busy if busy else float("inf")

    def fullest_bank(self):
        """Requests of a ray to that bank which has most, one a cycle."""
        requests = Counter()
        for ray in self.rays:
            for fetch in ray:
                for sector in fetch.sectors():
                    address = self.scene + sector * SECTOR
                    requests[address // self.l1["line"]
                             % self.l1["banks"]] += 1
        return max(requests.values()) / len(self.rays)

    def bounds(self):
        """Rays a cycle at most, by what limits them."""
        sectors = self.per_ray(lambda f: len(f.sectors()))
        queues = min(self.queues, self.rtcore["max_rays"])
        return {
            "latency": self.rtcore["max_rays"] / self.latency(),
            "boxes": self.pipes("node"),
            "triangles": self.pipes("leaf"),
            "scheduler": self.rtcore["ops"] / (self.per_ray(lambda f: 1) + 1),
            "ports": queues / sectors,
            "banks": 1 / self.fullest_bank(),
            "ray port": 1.0,
        }

    def waits(self, stats):
        """Cycles a ray waited for others, by where, from the RT core's
        statistics: what it stood there less what it needs."""
        def beyond(needed, *states):
            return (sum(stats["ray_" + s] for s in states) / stats["rays"]
                    - self.per_ray(needed))

        def tested(kind):
            return lambda f: self.piped(f) if f.kind == kind else 0

        return {
            "scheduler": beyond(lambda f: 0, "ready"),
            "ports": beyond(lambda f: len(f.sectors()) - 1, "request"),
            "banks": beyond(lambda f: self.way, "memory"),
            "boxes": beyond(tested("node"), "box_queue", "box"),
            "triangles": beyond(tested("leaf"), "tri_queue", "tri"),
            "hit port": beyond(lambda f: 0, "finished"),
        }
