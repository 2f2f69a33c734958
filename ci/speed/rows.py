"""
The rows of ci/bench. A row is sampled once in each round and yields figures by
name; what it needs only once (scenes, the busy phase) it makes in prepare().
"""
import contextlib
import csv
import json
import os
import re
from dataclasses import dataclass

import machine
from chip import Wrong

CHIP = "rtx2080-arches"
KINDS = ("primary", "secondary", "tertiary")
LIMIT = 204   # status of sim-run at --max-cycles
ALONE = 1.05, 1.3   # times the fastest additions and reads of alone.c
REGION = re.compile(r"^region +(\d+) cycles \(.*\), (\d+) clk per CPU s", re.M)


@dataclass
class Run:
    """A run of sim-run: as a process, and what it left."""
    done: machine.Done
    manifest: dict
    stats: dict

    def cpu(self):
        """Seconds from the first instruction to the last."""
        return self.manifest["host"]["cpu_seconds"]

    def wall(self):
        return self.manifest["host"]["seconds"]

    def region_cpu(self):
        """Seconds from the launch to its end."""
        found = REGION.search(self.done.err)
        if not found or not int(found[2]):
            raise Wrong("sim-run: the summary has no region of interest")
        return int(found[1]) / int(found[2])

    def groups(self):
        return self.stats["region_of_interest"]["groups"]

    def region_cycles(self):
        return sum(r["end"] - r["begin"]
                   for r in self.stats["region_of_interest"]["regions"])


@contextlib.contextmanager
def on_one_processor(one):
    """What is started meanwhile stays there, if so: what is known of it holds."""
    allowed = os.sched_getaffinity(0)
    if one:
        os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@dataclass
class Bench:
    """Where rows get scenes, rays and runs from."""
    shop: object   # runs.Workshop
    scene: str     # of the plan
    folder: str    # for the files of runs
    divide: int    # sizes are divided by this: 1, more with --quick
    # The program of alone.c, None: the host is not watched; the most that it said
    # before and after this sample's runs.
    alone: str | None = None
    slowest: tuple = (0, 0)

    def size(self, full):
        return max(8, full // self.divide)

    def watch(self, threads):
        """Notes how fast the host is now, as it is used by a run."""
        if self.alone:
            said = machine.measure([self.alone, threads]).out.split()
            self.slowest = tuple(map(max, self.slowest, map(float, said)))

    def run(self, chip, kind, size, *options, mode="rt", threads=1,
            scene=None, statuses=(0,), result=("--colours",),
            program="replay", convert=None):
        """Writes a word a ray, as the kernel that Arches was measured with.
        program: which sample; convert: not the scene that the chip has in the plan."""
        scene = scene or self.scene
        convert = convert or self.shop.plan.converted(
            {"trax": "trax-software"}.get(chip, chip))
        return self.run_program(chip, options, self.shop.program(program),
                                self.shop.scene(scene, convert),
                                self.shop.ray_file(scene, kind, str(size)),
                                "--mode", mode, *result, threads=threads,
                                statuses=statuses)

    def run_program(self, chip, options, *words, threads=1, statuses=(0,)):
        """words: the program and its arguments."""
        out = f"{self.folder}/run"
        command = [self.shop.sim, "-j", threads, "-a", chip, "-o", out,
                   *options, *words]
        with on_one_processor(self.alone and threads == 1):
            self.watch(threads)
            done = machine.measure(command, statuses)
            self.watch(threads)
        return Run(done, *(self.left(out, name)
                           for name in ("manifest", "stats")))

    @staticmethod
    def left(out, name):
        with open(f"{out}/{name}.json", encoding="utf-8") as file:
            return json.load(file)

    def intervals(self):
        """Of the last run: (cycle, value) of the RT cores' ray_cycles."""
        with open(f"{self.folder}/run/intervals.csv", newline="",
                  encoding="utf-8") as file:
            return [(int(row["cycle"]), int(row["value"]))
                    for row in csv.DictReader(file)
                    if row["group"] == "rtcore" and row["stat"] == "ray_cycles"]


def summary(samples, fastest):
    """Of a figure's values, and of those of processors that were alone."""
    values = [value for value, _ in samples]
    alone = [value for value, slowest in samples
             if all(ns <= most * least for ns, most, least
                    in zip(slowest, ALONE, fastest))]
    about = {**machine.spread(values), "values": values}
    if alone:
        about["alone"] = {**machine.spread(alone), "count": len(alone)}
    return about


# ---- rays on RT cores ---------------------------------------------------------

class Frame:
    """
    A frame of one kind of rays on one thread. Its busy phase, from the first to
    the last interval in which half of the slots for rays are taken, is timed as
    the difference of two runs that end at its borders.
    """
    SIZE, STEP = 256, 256   # cycles between two statistics

    def __init__(self, kind):
        self.name = self.kind = kind
        self.borders = self.work = None

    def prepare(self, bench):
        run = bench.run(CHIP, self.kind, bench.size(self.SIZE), "--interval",
                        self.STEP)
        chip = bench.shop.describe(CHIP, ())
        core = chip.groups["rtcore"]
        half = core.count * core["max_rays"] * self.STEP / 2
        busy = [cycle for cycle, taken in bench.intervals() if taken >= half]
        if busy:
            self.borders = busy[0] - self.STEP, busy[-1]
        self.work = work(run)

    def until(self, bench, cycle):
        return bench.run(CHIP, self.kind, bench.size(self.SIZE),
                         "--max-cycles", cycle, statuses=(LIMIT,))

    def sample(self, bench):
        run = bench.run(CHIP, self.kind, bench.size(self.SIZE))
        figures = {f"{self.name}, CPU s a frame": run.region_cpu(),
                   f"{self.name}, wall s a frame": run.wall()}
        if self.borders:
            before, after = (self.until(bench, cycle)
                             for cycle in self.borders)
            cycles = after.stats["cycles"] - before.stats["cycles"]
            seconds = after.cpu() - before.cpu()
            if seconds > 0:
                figures[f"{self.name}, busy clk per CPU s"] = cycles / seconds
        return figures


class Records:
    """The frames with all of each hit written, 16 bytes."""
    name = "records"

    def prepare(self, bench):
        pass

    def sample(self, bench):
        return {f"{kind} with hit records, CPU s a frame":
                bench.run(CHIP, kind, bench.size(Frame.SIZE),
                          result=()).region_cpu() for kind in KINDS}


def work(run):
    """What was simulated: without it a figure could be that of less work."""
    groups = run.groups()

    def count(group, *names):
        return sum(groups[group]["counters"][name] for name in names)

    rays = count("rtcore", "rays")
    return {
        "rays": rays, "cycles": run.region_cycles(),
        "nodes": count("rtcore", "nodes") / rays,
        "leaves": count("rtcore", "leaves") / rays,
        "triangles": count("rtcore", "triangles") / rays,
        "l1_requests": count("l1", "reads", "writes") / rays,
        "l2_requests": count("l2", "reads", "writes") / rays,
        "l2_bytes": 32 * count("l2", "reads") / rays,
        "results_hash": run.manifest["results_hash"],
    }


class Threads:
    """Two threads against one, wall time: needs both processors."""
    name = "threads"

    def prepare(self, bench):
        pass

    def sample(self, bench):
        one, two = (bench.run(CHIP, "secondary", bench.size(256), threads=n)
                    for n in (1, 2))
        return {"two threads, times one": one.wall() / two.wall()}


class Part:
    """
    Peak memory, and what of it had to be: scene and frame, the state of the
    chip, what else the program holds in its memory.
    """

    def __init__(self, name, what, scene=None, size=256):
        self.name, self.what = name, what
        self.scene, self.size = scene, size

    def prepare(self, bench):
        pass

    def sample(self, bench):
        size = bench.size(self.size)
        run = bench.run(CHIP, "secondary", size, scene=self.scene)
        # A ray is 32 bytes, its colour 4.
        frame = run.manifest["scenes"][0]["bytes"] + 36 * size**2
        host = run.manifest["host"]
        state = host["chip_bytes"] + host["memory_bytes"]
        return {f"{self.what}, bytes": run.done.peak,
                f"{self.what}, bytes of scene and frame": frame,
                f"{self.what}, bytes of these and modelled state": state,
                f"{self.what}, times scene and frame": run.done.peak / frame,
                f"{self.what}, times these and modelled state":
                run.done.peak / state}


class Streams:
    """
    Chips with ray streams beside one without: rays, and nodes that they test, a
    CPU second of one thread. Then beside rtx2080: cycles of TMs in which their
    RT core has a ray in flight, a CPU second. Idle TMs cost nothing, and how many
    there are is not the same.
    """
    name = "streams"
    CHIPS = "dual-streaming-rt", "strata-rt", "trax-2ghz"

    def prepare(self, bench):
        pass

    @staticmethod
    def busy(run):
        cycles = run.groups()["rtcore"]["buckets"]
        return (sum(cycles.values()) - cycles["idle"]) / run.region_cpu()

    def sample(self, bench):
        rays = "secondary", bench.size(256)
        runs, found = {}, {}
        for chip in self.CHIPS:
            about = bench.shop.plan.chip(chip)
            runs[chip] = run = bench.run(chip, *rays, program=about["program"],
                                         result=about["arguments"])
            count = run.groups()["rtcore"]["counters"]
            for name in ("rays", "nodes"):
                found[f"{chip}, {name} per CPU s"] = (
                    count[name] / run.region_cpu())
        what = self.CHIPS[0]
        streams, plain = runs[what], bench.run("rtx2080", *rays)
        return found | {f"{what}, clk per CPU s":
                streams.region_cycles() / streams.region_cpu(),
                f"{what}, clk of a busy TM per CPU s": self.busy(streams),
                f"{what}, clk of a busy TM per CPU s, times rtx2080's":
                self.busy(streams) / self.busy(plain)}


# ---- instructions ---------------------------------------------------------------

class Warps:
    """
    Programs on two SMs, and on as many harts of thread processors: instructions
    of warps a CPU second, and how many times as many of harts.
    """
    name = "warps"
    PROGRAMS = {"kernels": lambda size: [str(size(256))],
                "gpu gemm": lambda size: ["gemm", "--size", f"256,{size(128)},128"],
                "gpu hotspot": lambda size: ["hotspot", "--size", f"{size(256)},2,2"]}

    def prepare(self, bench):
        pass

    @staticmethod
    def done(run):
        """Instructions of harts and of warps, a CPU second."""
        count = run.groups()["tp"]["counters"]
        return [count.get(name, 0) / run.region_cpu()
                for name in ("instructions", "warp_instructions")]

    def commands(self, bench):
        for name, arguments in self.PROGRAMS.items():
            yield name, [bench.shop.program(name.split()[0]), *arguments(bench.size)]
        convert = bench.shop.plan.converted("rtx2080")
        yield "path", [bench.shop.program("path"), bench.shop.scene(bench.scene, convert),
                       "--size", str(bench.size(96)), "--out", f"{bench.folder}/image.ppm"]

    def sample(self, bench):
        found = {}
        for name, words in self.commands(bench):
            plain, warps = (self.done(bench.run_program(chip, ["-s", "chip.tms=2"], *words))
                            for chip in ("rtx2080", "rtx2080-simt"))
            found[f"{name} in warps, instructions of warps per CPU s"] = warps[1]
            found[f"{name} in warps, instructions of harts per CPU s"] = warps[0]
            found[f"{name} in warps, these times rtx2080's"] = warps[0] / plain[0]
        return found


class Software:
    """The cores walk the tree: simulated instructions a CPU second."""

    def __init__(self, name, what, chip, size, *options):
        self.name, self.what, self.chip = name, what, chip
        self.size, self.options = size, options

    def prepare(self, bench):
        pass

    def sample(self, bench):
        run = bench.run(self.chip, "primary", bench.size(self.size),
                        *self.options, mode="software")
        return {f"{self.what}, instructions per CPU s":
                run.stats["instructions"] / run.cpu()}


class Start:
    """All but the run itself: ELF file, scene, chip, and the way out."""
    name = "start"

    def prepare(self, bench):
        pass

    def sample(self, bench):
        run = bench.run(CHIP, "primary", bench.size(256), "--max-cycles", 1,
                        statuses=(LIMIT,))
        return {"start, s to the first cycle": run.done.wall - run.wall()}


# ---- cost follows work ------------------------------------------------------------

class Cost:
    """
    CPU seconds of the region against a parameter. same: all values trace the
    same rays; else each of the RT cores gets as many.
    """

    def __init__(self, name, what, parameter, values, same=True):
        self.name, self.what, self.parameter = name, what, parameter
        self.values, self.same = values, same

    def prepare(self, bench):
        pass

    def measure(self, bench, value):
        size = bench.size(128)
        if not self.same:
            size = max(8, round(size * (value / 46) ** 0.5))
        return bench.run(CHIP, "secondary", size, "-s",
                         f"{self.parameter}={value}")

    def sample(self, bench):
        figures = {}
        for value in self.values:
            run = self.measure(bench, value)
            seconds, about = run.region_cpu(), self.what.format(value)
            figures[f"{about}, CPU s"] = seconds
            figures[f"{about}, clk per CPU s"] = run.region_cycles() / seconds
        return figures


class Active(Cost):
    """The same rays on the first TMs of a chip of 184; the others are idle."""

    def __init__(self):
        super().__init__("active", "{} active TMs of 184, same rays",
                         "chip.tms", (1, 8, 46, 184))

    def measure(self, bench, value):
        return run_on_first(bench, 184, value)


def run_on_first(bench, tms, active):
    """Secondary rays on the first `active` of a chip of `tms` TMs."""
    chip = bench.shop.describe(CHIP, ())
    core = chip.groups["tp"]
    harts = core.count // chip.groups["rtcore"].count * core["harts"]
    return bench.run(CHIP, "secondary", bench.size(128), "-s",
                     f"chip.tms={tms}", "--harts", harts * active)


class Larger:
    """
    A chip with four times the TMs against the usual one, same rays. On the
    harts of 46 TMs, while the others are idle: the same work. Spread over all
    TMs, more rays are in flight at a time and each L1 serves fewer of them;
    with harts like the usual chip's most find no ray, and run the program's
    start and end; with as many in all they execute the same instructions.
    """
    name = "larger"

    def prepare(self, bench):
        pass

    def spread(self, bench, tms, *options):
        return bench.run(CHIP, "secondary", bench.size(128), "-s",
                         f"chip.tms={tms}", *options).region_cpu()

    def sample(self, bench):
        usual = self.spread(bench, 46)
        what = "4 times the TMs, same rays"
        return {
            f"{what}, on a quarter of them, times CPU s":
                run_on_first(bench, 184, 46).region_cpu() / usual,
            f"{what}, times CPU s": self.spread(bench, 184) / usual,
            f"{what} and harts, times CPU s":
                self.spread(bench, 184, "-s", "tp.harts=2") / usual}


def rows(large):
    all_rows = [
        *(Frame(kind) for kind in KINDS),
        Records(),
        Threads(),
        Software("software-trax", "software on trax", "trax", 64),
        Software("software-arches", f"software on {CHIP}", CHIP, 64),
        Software("functional", "functional", CHIP, 128, "--functional"),
        Start(),
        Part("memory", "memory"),
        Streams(),
        Warps(),
        Cost("tms-same", "{} TMs, same rays", "chip.tms",
             (1, 8, 46, 184)),
        Cost("tms-each", "{} TMs, as many rays each", "chip.tms",
             (1, 8, 46, 184), same=False),
        Active(),
        Cost("slots", "{} rays in flight in a TM", "rtcore.max_rays",
             (1, 8, 64)),
        Larger(),
    ]
    if large:
        all_rows.append(Part("large", "memory of a large frame",
                             "san-miguel-part", 1024))
    return all_rows


def exists(shop, scene):
    mesh = shop.plan.mesh(scene)
    return mesh is None or os.path.exists(f"{shop.scenes}/{mesh}")
