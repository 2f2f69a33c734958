"""
The experiments: which runs there are, and the table that each makes of them. A
run is the settings of a chip, a program with its arguments, and what its region
of interest counted.
"""
import csv
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pages
from chip import Wrong

BUILD = os.environ.get("B", "build")
SIM = os.environ.get("SIM", f"{BUILD}/bin/sim-run")
SHARED = os.environ.get("CORBEL_SHARED", "../shared")
MESH = f"{SHARED}/scenes/crytek-sponza.ply.xz"
CAMERA = ("--eye=-900.6,150.8,120.74", "--look=79.7,14.0,-17.4", "--fov=90")
FAULT = 66645  # cycles of a far fault

PREFETCHERS = ("none", "random", "sl", "tbn")
# Prefetcher and eviction that belong together.
PAIRS = (("none", "lru4k"), ("random", "random"), ("sl", "sl"), ("tbn", "tbn"),
         ("tbn", "lru2m"))
# Managed memory in per cent of the device's, and the device's of it.
OVERSUBSCRIBED = {110: 91, 125: 80, 150: 67}
SHARES = (25, 50, 75, 100, 125)
KERNELS = {"bfs": "60000,6", "hotspot": "512,2,2", "pathfinder": "20000,40,10",
           "backprop": "16384", "srad": "512,256,127,1"}
# Less than the 2 MB that a device has at least: memory is never full.
QUICK = {"bfs": "3000,6", "hotspot": "96,2,2", "pathfinder": "2000,20,5",
         "backprop": "2048", "srad": "64,80,9,1"}


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Run:
    """What a region of interest counted."""

    def __init__(self, folder, options, program, transfers):
        os.makedirs(folder)
        said = call(SIM, "--quiet", "-j", "1", "-o", folder,
                    *(["--transfers"] if transfers else []), *options, *program)
        self.said = said.strip()
        with open(f"{folder}/stats.json", encoding="utf-8") as file:
            stats = json.load(file)
        region = stats["region_of_interest"]
        self.counters = {name: value for group in ("pcie", "gmmu") for name, value in
                         region["groups"][group]["counters"].items()}
        self.tlb = region["groups"]["tlb"]["counters"]
        self.begin, end = (region["regions"][0][key] for key in ("begin", "end"))
        self.cycles = end - self.begin
        self.mhz = stats["clock_mhz"]
        with open(f"{folder}/log.txt", encoding="utf-8") as file:
            self.managed = [int(n) for n in
                            re.findall(r"managed: (\d+) bytes", file.read())]
        self.transfers = None
        if transfers:
            with open(f"{folder}/transfers.csv", encoding="utf-8") as file:
                self.transfers = [row for row in csv.DictReader(file)
                                  if self.begin <= int(row["begin"]) < end]

    def __getitem__(self, counter):
        return self.counters[counter]

    def with_faults(self):
        """Cycles as UVMSmart reports them: faults take no time, but are added."""
        return self.cycles + self["report_cycles"]

    def touched(self, size):
        """Parts of that size in all that is managed."""
        return sum((n + size - 1) // size for n in self.managed)

    def line_hits(self):
        return self.tlb["line_hits"] / self.tlb["line_accesses"]


def settings(**given):
    """-s options of parameters of the GMMU, and of others by GROUP__NAME."""
    return [word for name, value in given.items()
            for word in ("-s", (name.replace("__", ".") if "__" in name
                                else f"gmmu.{name}") + f"={value}")]


class Study:
    def __init__(self, folder, quick, jobs):
        self.folder, self.quick = folder, quick
        self.pool = ThreadPoolExecutor(jobs)
        self.made = {}
        self.shared = os.path.exists(MESH)
        self.kernels = QUICK if quick else KERNELS
        self.side = 24 if quick else 128
        self.digests = {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.pool.shutdown(cancel_futures=True)

    def start(self, options, program, transfers=False):
        """The run, which may have been started before."""
        key = (*options, *program, transfers)
        if key not in self.made:
            self.made[key] = self.pool.submit(
                Run, f"{self.folder}/{len(self.made)}", options, program, transfers)
        return self.made[key]

    def same(self, what, run):
        """The run, whose output has to be that of all others of its kind."""
        run = run.result()
        if self.digests.setdefault(what, run.said) != run.said:
            raise Wrong(f"{what}: {run.said!r}, {self.digests[what]!r} in another run")
        return run

    # ---- kernels

    def kernel(self, name, transfers=False, **given):
        options = ["-a", "tiny", "-s", "chip.clock=1481", "-s", "chip.uvm=on"]
        return self.start([*options, *settings(**given)],
                          [f"{BUILD}/samples/rv64/uvm", name, "--size",
                           self.kernels[name]], transfers)

    def kernels_of(self, names, variants):
        """Runs by kernel and variant, all of them started before the first one
        is waited for. variants: settings by name."""
        started = {(k, v): self.kernel(k, **given)
                   for k in names for v, given in variants.items()}
        return {at: self.same(at[0], run) for at, run in started.items()}

    # ---- rays

    def scene(self, *tree):
        """A scene of that tree, and the camera's options."""
        key = "-".join(("scene", *tree)).replace("--", "")
        path = f"{self.folder}/{key}.scene"
        if not os.path.exists(path):
            mesh, self.camera = MESH, CAMERA
            if self.quick or not self.shared:
                mesh, self.camera = f"{self.folder}/arcade.ply", ()
                call(f"{BUILD}/bin/corbel-scene", "generate", "arcade", "--triangles",
                     20000 if self.quick else 260000, "--ply", mesh)
            call(f"{BUILD}/bin/corbel-scene", "convert", mesh, path, *tree)
        return path

    def rays(self, kind):
        path = f"{self.folder}/{kind}.rays"
        if not os.path.exists(path):
            scene = self.scene()
            call(f"{BUILD}/bin/corbel-rays", scene, path, "--kind", kind, "--size",
                 self.side, *self.camera)
        return path

    def trace(self, kind, tree=(), transfers=False, **given):
        options = ["-a", "rtx2080", "-s", "chip.tms=8", "-s", "chip.uvm=on",
                   "--managed", "scene", *settings(**{"fault_mode": "channel", **given})]
        return self.start(options, [f"{BUILD}/samples/rv64/replay", self.scene(*tree),
                                    self.rays(kind)], transfers)

    def traces(self, kinds, variants):
        """As kernels_of; a variant may have a tree."""
        started = {(k, v): self.trace(k, **given)
                   for k in kinds for v, given in variants.items()}
        return {at: self.same(at[0], run) for at, run in started.items()}


def pair(prefetch, evict, **given):
    return {"hardware_prefetch": prefetch, "hwprefetch_oversub": prefetch,
            "eviction_policy": evict, **given}


def mega(cycles):
    return pages.number(cycles / 1e6, 2)


# ---- tables ------------------------------------------------------------------

def prefetchers(study):
    """E1. On demand each page is a fault, with sl each block."""
    modes = ("report", "channel")
    runs = study.kernels_of(study.kernels, {
        (p, m): {"hardware_prefetch": p, "fault_mode": m}
        for m in modes for p in PREFETCHERS})
    rows = []
    for name in study.kernels:
        by = {p: runs[name, (p, "report")] for p in PREFETCHERS}
        found = {p: run["far_faults"] for p, run in by.items()}
        if found["none"] != by["none"].touched(4096):
            raise Wrong(f"{name}: {found['none']} faults on demand, expected "
                        f"{by['none'].touched(4096)} pages")
        if found["sl"] != by["sl"].touched(65536):
            raise Wrong(f"{name}: {found['sl']} faults with sl, expected "
                        f"{by['sl'].touched(65536)} blocks")
        if sorted(found.values(), reverse=True) != list(found.values()):
            raise Wrong(f"{name}: faults of {PREFETCHERS} do not fall: {found}")
        rows.append([name, by["none"].touched(4096), by["none"].touched(65536),
                     *found.values(), *(mega(r.with_faults()) for r in by.values()),
                     *(mega(runs[name, (p, "channel")].cycles) for p in PREFETCHERS)])
    return pages.table(["kernel", "pages", "blocks",
                        *(f"{w} {p}" for w in ("faults,", "M cycles and faults,",
                                               "M cycles, channel,")
                          for p in PREFETCHERS)], rows)


def shootdown(study):
    """E2, figures 5 and 6 of the report."""
    kinds, sizes = ("entry", "full"), (4096, 32)
    runs = study.kernels_of(study.kernels, {
        (k, n): {"hardware_prefetch": "none", "shootdown_on": "map",
                 "tlb_shootdown": k, "tlb__tlb_size": n} for k in kinds for n in sizes})
    rows = []
    for name in study.kernels:
        row = [name]
        for n in sizes:
            entry, full = (runs[name, (k, n)] for k in kinds)
            more = 100 * (full.with_faults() / entry.with_faults() - 1)
            row += [pages.number(100 * entry.line_hits(), 2),
                    pages.number(100 * full.line_hits(), 2), f"{more:+.3f}"]
        rows.append(row)
    return pages.table(["kernel", *(f"{w}, {n} entries" for n in sizes for w in (
        "hits % entry", "full", "cycles % more"))], rows)


def oversubscription(study):
    names = ("hotspot", "bfs")
    runs = study.kernels_of(names, {
        (p, of): pair(*p, gddr_percent=OVERSUBSCRIBED[of])
        for p in PAIRS for of in OVERSUBSCRIBED})
    return pages.table(
        ["kernel", "prefetch, eviction",
         *(f"{w} {of} %" for of in OVERSUBSCRIBED
           for w in ("faults,", "thrash,", "M cycles and faults,"))],
        [[name, ", ".join(p), *(v for of in OVERSUBSCRIBED for r in [runs[name, (p, of)]]
                                for v in (r["far_faults"], r["page_thrash"],
                                          mega(r.with_faults())))]
         for name in names for p in PAIRS])


def zero_copy(study):
    names = ("bfs", "hotspot")
    modes = [("off", 8), ("always", 8), ("always", 32),
             *(("oversub", n) for n in (8, 16, 32))]
    runs = study.kernels_of(names, {
        at: pair("tbn", "tbn", gddr_percent=OVERSUBSCRIBED[150], enable_dma=at[0],
                 migrate_threshold=at[1]) for at in modes})
    return pages.table(
        ["mode", "threshold", *(f"{w} {n}" for n in names for w in (
            "faults,", "reads over PCIe,", "M cycles and faults,"))],
        [[at[0], "" if at[0] == "off" else at[1],
          *(v for n in names for r in [runs[n, at]]
            for v in (r["far_faults"], r["dma_reads"], mega(r.with_faults())))]
         for at in modes])


def ray_figures(study, run):
    """Faults and bytes over PCIe a ray, million rays a second."""
    rays = study.side * study.side
    return [pages.number(run["far_faults"] / rays, 3),
            pages.number((run["read_bytes"] + run["write_bytes"]) / rays, 0),
            pages.number(rays * run.mhz / run.cycles, 3)]


RAY_FIGURES = ("faults/ray", "PCIe B/ray", "MRays/s")
KINDS = ("primary", "secondary")


def out_of_core(study):
    pairs = PAIRS[:4]
    runs = study.traces(KINDS, {(p, share): pair(*p, gddr_percent=share)
                                for p in pairs for share in SHARES})
    return pages.table(
        ["rays", "memory %", *(f"{p[0]}: {f}" for p in pairs for f in RAY_FIGURES)],
        [[kind, share, *(v for p in pairs
                         for v in ray_figures(study, runs[kind, (p, share)]))]
         for kind in KINDS for share in SHARES])


TREES = {"depth-first": (), "treelets of 64 KB": ("--nodes", "cwbvh6t",
                                                  "--treelets", "65536")}


def layouts(study):
    """The same bytes of memory for both: half of the scene without treelets."""
    half = max(os.path.getsize(study.scene()) // 2, 2 << 20) >> 12 << 12
    pairs = PAIRS[2:4]
    runs = study.traces(KINDS, {(p, tree): pair(*p, gddr_size=half, tree=TREES[tree])
                                for p in pairs for tree in TREES})
    return pages.table(
        ["rays", "nodes", *(f"{p[0]}: {f}" for p in pairs for f in RAY_FIGURES)],
        [[kind, tree, *(v for p in pairs
                        for v in ray_figures(study, runs[kind, (p, tree)]))]
         for kind in KINDS for tree in TREES])


REMEDIES = {
    "tbn, tbn": pair("tbn", "tbn"),
    "nothing written back": pair("tbn", "tbn", invalidate_clean="on"),
    "on demand when full": pair("tbn", "lru4k", invalidate_clean="on",
                                hwprefetch_oversub="none"),
    "blocks when full": pair("tbn", "sl", invalidate_clean="on",
                             hwprefetch_oversub="sl"),
    "reads over PCIe when full": pair("tbn", "tbn", invalidate_clean="on",
                                      enable_dma="oversub", migrate_threshold=32),
    "faults overlap": pair("tbn", "sl", invalidate_clean="on", hwprefetch_oversub="sl",
                           fault_mode="overlap", fault_contexts=4),
}


def remedies(study):
    runs = study.traces(KINDS, {name: {**given, "gddr_percent": 50}
                                for name, given in REMEDIES.items()})
    return pages.table(
        ["what", *(f"{k}: {f}" for k in KINDS for f in RAY_FIGURES)],
        [[name, *(v for k in KINDS for v in ray_figures(study, runs[k, name]))]
         for name in REMEDIES])


TABLES = {"prefetchers": prefetchers, "shootdown": shootdown,
          "oversubscription": oversubscription, "zero-copy": zero_copy,
          "out-of-core": out_of_core, "layouts": layouts, "remedies": remedies}
