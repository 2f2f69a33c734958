"""
The experiments with rays: scenes in managed memory, rays through them, and the
tables of docs/studies/paging-rays.md. All runs with the same rays have to find the same
hits, and with the same frame buffer.
"""
import glob
import os
import re

import pages
from chip import Wrong
from experiments import BUILD, PAIRS, comes_again, pair, settings
from machine import measure

SHARED = os.environ.get("CORBEL_SHARED", "../shared")
EVICTIONS = ("lru4k", "lru2m", "random", "lfu2m", "sl", "tbn")
KINDS = ("primary", "secondary")
TREELETS = ("--nodes", "cwbvh6t", "--treelets")
LAYOUTS = {"depth first": (), "breadth first": ("--order", "breadth"),
           "parts of 64 KB": ("--order", "parts"),
           "treelets of 64 KB": (*TREELETS, "65536"),
           "treelets of 8 KB": (*TREELETS, "8192")}


class Scene:
    """What is studied of a scene. Memory is in per cent of it."""

    def __init__(self, name, camera, memory, tight, layouts):
        self.name, self.camera, self.layouts = name, camera, layouts
        self.mesh = f"{SHARED}/scenes/{name}.ply.xz"
        self.memory, self.tight = memory, tight  # tight: where it does not fit
        self.scarce = [m for m in memory if m in (tight, 50, 75)]

    def is_there(self):
        return os.path.exists(self.mesh)


SPONZA = Scene("crytek-sponza", ("--eye=-900.6,150.8,120.74",
                                 "--look=79.7,14.0,-17.4", "--fov=90"),
               (25, 50, 75, 100, 125), 50, LAYOUTS)
SAN_MIGUEL = Scene("san-miguel-part", ("--eye=7.448,1.014,12.357",
                                       "--look=8.056,1.04,11.563", "--fov=90"),
                   (5, 10, 25, 50, 75, 100, 125), 10,
                   {n: LAYOUTS[n] for n in list(LAYOUTS)[:4]})
GENERATED = Scene("arcade", (), (20, 100), 20,
                  {n: LAYOUTS[n] for n in list(LAYOUTS)[:4]})


class Rays:
    """Runs of rays, by way of the study, which does each only once."""

    def __init__(self, study):
        self.study = study
        self.quick = study.quick
        self.side = 24 if self.quick else 128
        given = [] if self.quick else [SPONZA, SAN_MIGUEL]
        self.absent = [s.mesh for s in given if not s.is_there()]
        self.scenes = [s for s in given if s.is_there()] or [GENERATED]
        # A device has at least 2 MB, which few rays do not fill.
        self.common = {"fault_mode": "channel",
                       **({"percentage_of_free_page_buffer": 90} if self.quick else {})}

    def count(self):
        return self.side * self.side

    def file(self, scene, tree=()):
        """The scene, its tree written so."""
        key = "-".join((scene.name, *tree)).replace("--", "")
        path = f"{self.study.folder}/{key}.scene"
        if not os.path.exists(path):
            mesh = scene.mesh
            if scene is GENERATED:
                mesh = f"{self.study.folder}/arcade.ply"
                measure([f"{BUILD}/bin/corbel-scene", "generate", "arcade", "--triangles",
                         20000 if self.quick else 260000, "--ply", mesh])
            measure([f"{BUILD}/bin/corbel-scene", "convert", mesh, path, *tree])
        return path

    def told(self, scene, pattern, tree=()):
        """What corbel-scene says of it, where the pattern has a group; or None."""
        said = measure([f"{BUILD}/bin/corbel-scene", "info", self.file(scene, tree)]).out
        match = re.search(pattern, said, re.MULTILINE)
        return match and match[1]

    def size(self, scene, tree=()):
        return os.path.getsize(self.file(scene, tree))

    def buffer(self, scene, kind):
        path = f"{self.study.folder}/{scene.name}-{kind}.rays"
        if not os.path.exists(path):
            measure([f"{BUILD}/bin/corbel-rays", self.file(scene), path, "--kind", kind,
                     "--size", self.side, *scene.camera])
        return path

    def framed(self):
        """The program whose results are managed memory too."""
        path = f"{self.study.folder}/replay.elf"
        if not os.path.exists(path):
            measure([f"{BUILD}/bin/corbel-gcc", "-O2", "ci/uvm/replay.c",
                     *sorted(glob.glob("samples/common/*.c")), "-lm", "-o", path])
        return path

    def start(self, scene, kind, tree=(), frame=False, managed="scene",
              transfers=False, **given):
        options = ["-a", "rtx2080", "-s", "chip.tms=8", "-s", "chip.uvm=on",
                   "-s", f"chip.managed={managed}",
                   *settings(**{**self.common, **given})]
        program = self.framed() if frame else f"{BUILD}/samples/rv64/replay"
        return self.study.start(options, [program, self.file(scene, tree),
                                          self.buffer(scene, kind)], transfers)

    def finish(self, scene, kind, run):
        return self.study.same(f"{scene.name}, {kind} rays", run)

    def run(self, scene, kind, **given):
        return self.finish(scene, kind, self.start(scene, kind, **given))

    def all(self, variants):
        """Runs by scene, kind and variant, all started before the first one is
        waited for. variants: of a scene, settings by name."""
        started = {(s, k, v): self.start(s, k, **given)
                   for s in self.scenes for k in KINDS
                   for v, given in variants(s).items()}
        return {at: self.finish(*at[:2], run) for at, run in started.items()}

    def over_memory(self, scene, kind, shares, **given):
        """Runs by share of memory, ascending. Where nothing leaves, eviction and
        more memory change nothing, and no other run is needed."""
        found, run = {}, None
        for share in shares:
            if not run or run["victims"]:
                run = self.run(scene, kind, gddr_percent=share, **given)
            found[share] = run
        return found

    # ---- what a run says

    def faults(self, run):
        return pages.number(run["far_faults"] / self.count(), 3)

    def bytes(self, run):
        return pages.number((run["read_bytes"] + run["write_bytes"]) / self.count(), 0)

    def speed(self, run):
        return pages.number(self.count() * run.mhz / run.cycles, 3)

    def figures(self, run):
        return [self.faults(run), self.bytes(run), self.speed(run)]


def thrashes(rays, runs, variant):
    """Where eviction is judged pages come again, of each scene and kind of rays."""
    for s in rays.scenes:
        for kind in KINDS:
            comes_again(f"{s.name}, {kind} rays, {variant}", runs[s, kind, variant])


FIGURES = ("faults/ray", "PCIe B/ray", "MRays/s")


def mega(count):
    return pages.number(count / 1e6, 1)


def percent(part, whole):
    return pages.number(100 * part / whole if whole else None, 1)


# ---- tables ------------------------------------------------------------------

def memory_runs(rays):
    return {(s, kind, (p, m)): run
            for s in rays.scenes for kind in KINDS for p in PAIRS
            for m, run in rays.over_memory(s, kind, s.memory, **pair(*p)).items()}


def scenes(rays):
    """What is touched is what came on demand, but for what came again."""
    runs = memory_runs(rays)
    return pages.table(
        ["scene", "triangles", "MB", "pages", *(f"touched, {k}" for k in KINDS)],
        [[s.name, rays.told(s, r"^triangles +(\d+)"), mega(rays.size(s)),
          -(-rays.size(s) // 4096),
          *(run["page_validates"] - run["page_thrash"] for k in KINDS
            for run in [runs[s, k, (PAIRS[0], s.memory[-1])]])] for s in rays.scenes])


def memory(rays):
    runs = memory_runs(rays)
    return pages.table(
        ["scene", "rays", "memory %", *(f"{p[0]}: {f}" for p in PAIRS for f in FIGURES)],
        [[s.name, kind, m, *(v for p in PAIRS
                             for v in rays.figures(runs[s, kind, (p, m)]))]
         for s in rays.scenes for kind in KINDS for m in s.memory])


def causes(rays):
    """What came for nothing or twice, and what the time went to."""
    runs = memory_runs(rays)
    rows = []
    for s in rays.scenes:
        for kind in KINDS:
            for m in (s.tight, s.memory[-1]):
                for p in PAIRS:
                    run = runs[s, kind, (p, m)]
                    rows.append([
                        s.name, kind, m, p[0], run["page_validates"],
                        percent(run["prefetch_used"], run["prefetched"]),
                        percent(run["page_thrash"], run["page_validates"]),
                        percent(run.rtcore["waiting"], sum(run.rtcore.values())),
                        percent(run["fault_cycles"], run.cycles),
                        percent(run["read_cycles"], run.cycles)])
    return pages.table(["scene", "rays", "memory %", "prefetch", "pages came",
                        "prefetched pages touched %", "came again %", "RT cores wait %",
                        "channel: faults %", "channel: pages %"], rows)


def pairs(rays):
    """Each prefetcher with each eviction, where pages come again with any."""
    runs = memory_runs(rays)
    rows = []
    for s in rays.scenes:
        for kind in KINDS:
            for m, p in ((m, p) for m in s.scarce for p in PAIRS):
                if runs[s, kind, (p, m)]["victims"]:
                    started = [rays.start(s, kind, gddr_percent=m, **pair(p[0], e))
                               for e in EVICTIONS]
                    found = [rays.finish(s, kind, run) for run in started]
                    if any(run["page_thrash"] for run in found):
                        rows.append([s.name, kind, m, p[0], *map(rays.speed, found),
                                     *map(rays.faults, found)])
    if not rows:
        raise Wrong("each prefetcher with each eviction: no page comes again")
    return pages.table(["scene", "rays", "memory %", "prefetch",
                        *(f"MRays/s, {e}" for e in EVICTIONS),
                        *(f"faults/ray, {e}" for e in EVICTIONS)], rows)


def layouts(rays):
    """The same bytes of memory for all trees of a scene."""
    def variants(s):
        size = max(rays.size(s) * s.tight // 100, 2 << 20)
        return {(p, name): pair(*p, gddr_size=size >> 12 << 12, tree=tree)
                for p in PAIRS[2:] for name, tree in s.layouts.items()}
    runs = rays.all(variants)
    thrashes(rays, runs, (PAIRS[3], "depth first"))
    return pages.table(
        ["scene", "rays", "nodes", "MB", "treelets full %",
         *(f"{p[0]}: {f}" for p in PAIRS[2:] for f in FIGURES)],
        [[s.name, kind, name, mega(rays.size(s, tree)),
          rays.told(s, r"^treelets.* ([0-9.]+) % full", tree) or pages.NOTHING,
          *(v for p in PAIRS[2:] for v in rays.figures(runs[s, kind, (p, name)]))]
         for s in rays.scenes for kind in KINDS for name, tree in s.layouts.items()])


ZERO_COPY = (("off", 8), ("always", 8), ("oversub", 8), ("oversub", 32))


def zero_copy(rays):
    natural = PAIRS[3:] if rays.quick else (PAIRS[0], *PAIRS[2:])
    runs = rays.all(lambda s: {(p, at): pair(*p, gddr_percent=s.tight, enable_dma=at[0],
                                             migrate_threshold=at[1])
                               for p in natural for at in ZERO_COPY})
    for p in natural[-2:]:
        thrashes(rays, runs, (p, ZERO_COPY[0]))
    rows = []
    for s in rays.scenes:
        for kind in KINDS:
            for at in ZERO_COPY:
                row = [s.name, kind, at[0], "" if at[0] == "off" else at[1]]
                for p in natural:
                    run = runs[s, kind, (p, at)]
                    row += [rays.faults(run),
                            pages.number(run["dma_reads"] / rays.count(), 3),
                            rays.speed(run)]
                rows.append(row)
    return pages.table(["scene", "rays", "mode", "threshold",
                        *(f"{p[0]}: {f}" for p in natural
                          for f in ("faults/ray", "reads over PCIe/ray", "MRays/s"))], rows)


def frame(rays):
    """The frame buffer alone is managed, or the scene as well."""
    scene = rays.scenes[0]
    started = {(m, p, on): rays.start(scene, KINDS[0], frame=True, managed=m,
                                      **pair(*p, first_write_no_copy=on))
               for m in ("none", "scene") for p in PAIRS for on in ("off", "on")}
    runs = {at: rays.finish(scene, KINDS[0], run) for at, run in started.items()}
    return pages.table(
        ["managed", "prefetch", "faults, copied", "faults, mapped", "PCIe KB, copied",
         "PCIe KB, mapped", "MRays/s, copied", "MRays/s, mapped"],
        [["frame buffer" + ("" if m == "none" else " and scene"), p[0],
          *(of(runs[m, p, on]) for of in (
              lambda r: r["far_faults"], lambda r: r["read_bytes"] // 1024, rays.speed)
            for on in ("off", "on"))]
         for m in ("none", "scene") for p in PAIRS])


REMEDIES = {
    "tbn, tbn": pair("tbn", "tbn"),
    "DRAM charged": pair("tbn", "tbn", chip__charge_dram="on"),
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


def remedies(rays):
    runs = rays.all(lambda s: {name: {**given, "gddr_percent": s.tight}
                               for name, given in REMEDIES.items()})
    thrashes(rays, runs, "tbn, tbn")
    return pages.table(
        ["scene", "what", *(f"{k}: {f}" for k in KINDS for f in FIGURES)],
        [[s.name, name, *(v for k in KINDS for v in rays.figures(runs[s, k, name]))]
         for s in rays.scenes for name in REMEDIES])


TABLES = {"scenes": scenes, "memory": memory, "causes": causes, "pairs": pairs,
          "layouts": layouts, "remote-reads": zero_copy, "frame-buffer": frame,
          "remedies": remedies}
