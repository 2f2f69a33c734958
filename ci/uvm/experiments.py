"""
The experiments with kernels: which runs there are, and the table that each makes
of them. A run is the settings of a chip, a program with its arguments, and what
its region of interest counted.
"""
import csv
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import pages
from chip import Wrong
from machine import measure

BUILD = os.environ.get("B", "build")
SIM = os.environ.get("SIM", f"{BUILD}/bin/sim-run")

PREFETCHERS = ("none", "random", "sl", "tbn")
# Prefetcher and eviction that move as much at a time.
PAIRS = (("none", "lru4k"), ("random", "random"), ("sl", "sl"), ("tbn", "tbn"))
# What is touched in per cent of device memory.
OVERSUBSCRIBED = (110, 125, 150)
KERNELS = {"bfs": "60000,6", "hotspot": "512,2,2", "pathfinder": "20000,40,10",
           "backprop": "16384", "srad": "512,256,127,1"}
# Where memory is too small: for many runs as much as leaves the device 2 MB, and
# launches of hotspot that come to the same pages again.
LARGER = {"bfs": "80000,6", "hotspot": "512,2,8"}
# What UVMSmart's logs of memory that is large enough print ("HWPrefetchers").
PUBLISHED = {
    # kernel: by prefetcher faults, million cycles with faults, million cycles
    # without, hit rate of TLBs, use of PCIe's bandwidth by reads
    "bfs": {"none": (2491, 173.2, 7.179, 96.9, 13.2),
            "random": (1725, 122.2, 7.228, 97.0, 13.2),
            "sl": (162, 13.2, 2.413, 97.0, 54.5), "tbn": (53, 5.69, 2.163, 97.2, 66.0)},
    "backprop": {"none": (6785, 470.0, 17.806, 61.2, 14.2),
                 "random": (4718, 332.3, 17.826, 64.3, 14.2),
                 "sl": (460, 35.3, 4.691, 65.8, 53.2),
                 "tbn": (100, 10.84, 4.178, 73.7, 69.5)},
    "hotspot": {"none": (3072, 213.6, 8.866, 82.0, 13.2),
                "random": (2137, 151.3, 8.868, 83.9, 13.2),
                "sl": (192, 15.7, 2.932, 87.0, 52.2), "tbn": (36, 5.03, 2.633, 90.5, 69.9)}}
# What they print of look-ups of TLBs, instructions of warps (millions), and lanes of
# these: whatever the prefetcher.
PUBLISHED_WARPS = {"bfs": (4639171, 9.89, 14.4), "backprop": (1322852, 12.43, 27.7),
                   "hotspot": (1824096, 60.67, 28.3)}
# And of memory that is too small, 110 % ("EvictionPolicy_HWPrefetcher_Combo"): by
# pair faults, pages that came again, million cycles with faults, and without; None:
# not known. The tree prefetcher runs until memory is full, the pair's from then on.
PUBLISHED_FULL = {
    "hotspot": {"none": None, "random": (1776, None, 125.2, 6.851),
                "sl": (170, None, 15.1, 3.800), "tbn": (72, 3072, 9.7, 4.922)},
    "bfs": {"none": (5419, 5366, 377.1, 15.936), "random": (2210, 2352, 155.3, 8.049),
            "sl": (429, 5952, 34.0, 5.361), "tbn": (143, 9152, 17.4, 7.916)}}
# Few harts; as many TMs as UVMSmart's GTX 1080 Ti has SMs, and as the report's
# V100 has, with as many harts as there is work for. A TM of the latter takes a
# chunk of 256 items at a time, as an SM does a block of threads: the usual 32 of
# a scheduler leave nothing for most of 84 TMs. Published cycles are without the
# latency of launches: those of backprop, which launches two kernels, are 0.14
# million more than those of its faults and pages, and two launches take 0.44.
SMALL = ("-a", "tiny", "-s", "chip.clock=1481")
GTX = ("-a", "rtx2080", "-s", "chip.clock=1481", "-s", "chip.tms=28", "-s",
       "chip.tps=8")
# UVMSmart's cores, too, and an item for each lane; the report's chip with such cores.
WARPS = ("-a", "gtx1080ti", "-s", "gmmu.gpgpu_kernel_launch_latency=0")
V100_WARPS = ("-a", "uvm-v100-simt", "-s", "gmmu.gpgpu_kernel_launch_latency=0")
SMALL_WARPS = ("-a", "tiny-simt", "-s", "chip.warp=32", "-s", "chip.warps=8",
               "-s", "tp.coalescer=block128", "-s", "tp.translation=request")
# As many items under way as the 28 SMs hold threads, 2048 each: 224 chunks.
FEW = (*GTX, "-s", "chip.harts=1", "-s", "scheduler.block=1")
V100 = ("-a", "uvm-v100", "-s", "chip.tps=4", "-s", "chip.harts=8", "-s",
        "gmmu.gpgpu_kernel_launch_latency=0", "-s", "scheduler.block=1")
# Less than the 2 MB that a device has at least: memory is never full.
QUICK = {"bfs": "3000,6", "hotspot": "96,2,2", "pathfinder": "2000,20,5",
         "backprop": "2048", "srad": "64,80,9,1"}


class Run:
    """What a region of interest counted."""

    def __init__(self, folder, options, program, transfers):
        os.makedirs(folder)
        done = measure([SIM, "--quiet", "-j", "1", "-o", folder, "--timing", "roi",
                        *(["--transfers"] if transfers else []), *options, *program])
        self.said, self.seconds = done.out.strip(), done.cpu
        self.hash = " ".join(done.err.split())
        with open(f"{folder}/stats.json", encoding="utf-8") as file:
            stats = json.load(file)
        region = stats["region_of_interest"]
        self.counters = {name: value for group in ("pcie", "gmmu") for name, value in
                         region["groups"][group]["counters"].items()}
        self.figures = region["groups"]["pcie"]["derived"]
        self.tlb = region["groups"]["tlb"]["counters"]
        self.cores = region["groups"]["tp"]["counters"]
        self.rtcore = region["groups"].get("rtcore", {}).get("buckets")
        self.begin, end = (region["regions"][0][key] for key in ("begin", "end"))
        self.cycles = end - self.begin
        # As UVMSmart counts: without what hart 0 does between kernels, on a CPU there.
        self.kernels = sum(k["end"] - k["begin"] for k in stats["kernels"]
                           if self.begin <= k["begin"] < end)
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

    def hits(self):
        return self.tlb["hits"] / self.tlb["accesses"]

    def read_use(self):
        """Of PCIe's bandwidth, while something is read."""
        return self.figures["read_utilisation"]


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
        self.kernels = QUICK if quick else KERNELS
        self.digests = {}
        self.absent = []  # files of input that are not there: none is needed

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

    def kernel(self, name, transfers=False, chip=SMALL, size=None, more=(), **given):
        """Quick runs are all on a small chip, and of one size. Warps have an item for
        each lane."""
        warps = chip in (WARPS, V100_WARPS)
        if self.quick:
            chip, size = SMALL_WARPS if warps else SMALL, None
        return self.start([*chip, "-s", "chip.uvm=on", *more, *settings(**given)],
                          [f"{BUILD}/samples/rv64/uvm", name, "--size",
                           size or self.kernels[name], *(["--lanes"] if warps else [])],
                          transfers)

    def kernels_of(self, names, variants, chip=SMALL, sizes=None):
        """Runs by kernel and variant, all of them started before the first one
        is waited for. variants: settings by name, or a function of the kernel
        that has them."""
        sizes = sizes or {}
        started = {(k, v): self.kernel(k, chip=chip, size=sizes.get(k), **given)
                   for k in names for v, given in
                   (variants(k) if callable(variants) else variants).items()}
        return {at: self.same(f"{at[0]} {sizes.get(at[0], '')}".strip(), run)
                for at, run in started.items()}

    def device(self, name, size, of):
        """Bytes of device memory of which what the kernel touches is `of` per cent;
        2 MB at least."""
        run = self.kernel(name, chip=GTX, size=size,
                          hardware_prefetch="none").result()
        return max(run.touched(4096) * 100 // of, 512) * 4096


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
                     by["tbn"]["page_validates"], *found.values(),
                     *(mega(r.with_faults()) for r in by.values()),
                     *(mega(runs[name, (p, "channel")].cycles) for p in PREFETCHERS)])
    return pages.table(["kernel", "pages", "blocks", "pages that come, tbn",
                        *(f"{w} {p}" for w in ("faults,", "M cycles and faults,",
                                               "M cycles, channel,")
                          for p in PREFETCHERS)], rows)


def beside(names):
    """Heads of columns that have what is published beside what is found here."""
    return [f"{what}, {whose}" for what in names for whose in ("published", "here")]


def longer(cycles, published):
    """Cycles without faults, which are the same time each, by those published."""
    return f"{100 * (cycles / 1e6 / published - 1):+.0f}"


def published(study):
    """What UVMSmart's logs have, and the same here."""
    runs = study.kernels_of(PUBLISHED, {p: {"hardware_prefetch": p} for p in PREFETCHERS},
                            GTX, {name: "large" for name in PUBLISHED})
    rows = []
    for name, theirs in PUBLISHED.items():
        for p in PREFETCHERS:
            faults, cycles, without, hits, use = theirs[p]
            run = runs[name, p]
            rows.append([name, p, faults, run["far_faults"], pages.number(cycles, 2),
                         mega(run.with_faults()),
                         pages.number(theirs["none"][1] / cycles, 1),
                         pages.number(runs[name, "none"].with_faults() /
                                      run.with_faults(), 1),
                         pages.number(without, 2), mega(run.cycles),
                         longer(run.cycles, without),
                         pages.number(hits, 1), pages.number(100 * run.line_hits(), 1),
                         mega(run.tlb["accesses"]), mega(run.tlb["misses"]),
                         pages.number(use, 1), pages.number(100 * run.read_use(), 1)])
    return pages.table(
        ["kernel", "prefetcher", *beside(("faults", "M cycles and faults",
                                          "times as fast as none")),
         *beside(["M cycles without faults"]), "% longer", *beside(["TLB hits %"]),
         "M TLB accesses, here", "M TLB misses, here", *beside(["use by reads %"])], rows)


def looks_up(what, run):
    """A look-up for each request to managed memory; requests to other memory pass, and
    as warps park a message each, which the coalescer does not make."""
    passed = run.tlb["accesses"] + run.tlb["bypassed"] - run.cores["requests"]
    if not 0 <= passed <= run.cores["requests"] / 50:
        raise Wrong(f"{what}: {run.tlb['accesses']} look-ups and {run.tlb['bypassed']} "
                    f"requests that pass, of {run.cores['requests']}")


def warps(study):
    """The same on UVMSmart's cores; cycles are those of kernels alone, as there."""
    runs = study.kernels_of(PUBLISHED, {p: {"hardware_prefetch": p} for p in PREFETCHERS},
                            WARPS, {name: "large" for name in PUBLISHED})
    rows = []
    for name, theirs in PUBLISHED.items():
        looked, issued, lanes = PUBLISHED_WARPS[name]
        for p in PREFETCHERS:
            faults, _, without, hits, use = theirs[p]
            run = runs[name, p]
            looks_up(f"{name}, {p}", run)
            warp_instructions = run.cores["warp_instructions"]
            rows.append([name, p, faults, run["far_faults"],
                         pages.number(hits, 1), pages.number(100 * run.hits(), 1),
                         mega(looked), mega(run.tlb["accesses"]),
                         pages.number(without, 2), mega(run.kernels),
                         longer(run.kernels, without),
                         pages.number(use, 1), pages.number(100 * run.read_use(), 1),
                         pages.number(issued, 1), pages.number(warp_instructions / 1e6, 1),
                         pages.number(lanes, 1),
                         pages.number(run.cores["instructions"] / warp_instructions, 1)])
    return pages.table(
        ["kernel", "prefetcher", *beside(("faults", "TLB hits %", "M look-ups",
                                          "M cycles of kernels")), "% longer",
         *beside(("use by reads %", "M warp instructions", "lanes of each"))], rows)


SHOOTDOWN = {k: {"hardware_prefetch": "none", "shootdown_on": "map", "tlb_shootdown": k}
             for k in ("entry", "full")}


def shootdown_of(study, chips, hits, time):
    """E2, figures 5 and 6 of the report: by chip what forgetting all pages costs."""
    runs = {(chip, *at): run for chip, options in chips.items() for at, run in
            study.kernels_of(study.kernels, SHOOTDOWN, options).items()}
    rows, gaps = [], {chip: [] for chip in chips}
    for name in study.kernels:
        row = [name]
        for chip in chips:
            entry, full = (runs[chip, name, k] for k in SHOOTDOWN)
            more = 100 * (time(full) / time(entry) - 1)
            gaps[chip].append(100 * (hits(entry) - hits(full)))
            if gaps[chip][-1] < 0:
                raise Wrong(f"{name}, {chip}: more hits where all pages are forgotten")
            row += [pages.number(100 * hits(entry), 2), pages.number(100 * hits(full), 2),
                    pages.number(gaps[chip][-1], 2), f"{more:+.3f}"]
        rows.append(row)
    rows.append(["mean", *(v for chip in chips for v in (
        "", "", pages.number(sum(gaps[chip]) / len(gaps[chip]), 2), ""))])
    return pages.table(["kernel", *(f"{w}, {chip}" for chip in chips for w in (
        "hits % entry", "full", "gap", "cycles % more"))], rows)


def shootdown(study):
    """On the report's chip and on the small one, with scalar cores."""
    return shootdown_of(study, {"84 TMs": V100, "one TM": SMALL}, Run.line_hits,
                        Run.with_faults)


def shootdown_warps(study):
    """And with SIMT cores."""
    return shootdown_of(study, {"28 SMs": WARPS, "84 SMs": V100_WARPS}, Run.hits,
                        lambda run: run.kernels + run["report_cycles"])


def full(study, of, pairs, chip=GTX, names=tuple(PUBLISHED_FULL)):
    """Runs whose touched pages are `of` per cent of the device's: the tree prefetcher
    until memory is full, then that of the pair, as published."""
    runs = study.kernels_of(names, lambda name: {
        p: {**pair(*p), "hardware_prefetch": "tbn",
            "gddr_size": study.device(name, "large", of)} for p in pairs},
        chip, {name: "large" for name in names})
    return thrashes(study, {(name, p[0]): run for (name, p), run in runs.items()})


def comes_again(what, run):
    """Nothing is learned of eviction where no page comes again."""
    if not run["page_thrash"]:
        raise Wrong(f"{what}: no page comes again")


def thrashes(study, runs):
    """The runs, in which pages come again; quick ones are too small for it."""
    for which, run in runs.items():
        if not study.quick:
            comes_again(" ".join(map(str, which)), run)
    return runs


def oversubscription(study):
    """At 110 %, beside UVMSmart's logs, and with fewer chunks under way."""
    of, rows = OVERSUBSCRIBED[0], []
    runs = {(name, name, p): run for (name, p), run in full(study, of, PAIRS).items()}
    runs |= {(f"{name}, 224 chunks", name, p): run for (name, p), run in
             full(study, of, PAIRS, FEW).items()}
    evictions = dict(PAIRS)
    for (what, name, p), run in runs.items():
        row = PUBLISHED_FULL[name][p] or (None,) * 4
        rows.append([
            what, f"{p}, {evictions[p]}", pages.number(row[0], 0), run["far_faults"],
            pages.number(row[1], 0), run["page_thrash"], pages.number(row[2], 1),
            pages.number(run.with_faults() / 1e6, 1), pages.number(row[3], 2),
            mega(run.cycles), longer(run.cycles, row[3]) if row[3] else "-"])
    return pages.table(
        ["kernel", "prefetch, eviction", *beside((
            "faults", "thrash", "M cycles and faults", "M cycles without faults")),
         "% longer"], rows)


def shares(study):
    """From 110 to 150 %."""
    pairs = [p for p in PAIRS if p[0] != "random"]
    runs = {of: full(study, of, pairs) for of in OVERSUBSCRIBED}
    return pages.table(
        ["kernel", "prefetch, eviction",
         *(f"{w} {of} %" for of in OVERSUBSCRIBED
           for w in ("faults,", "thrash,", "M cycles and faults,"))],
        [[name, f"{p}, {evict}", *(v for of in OVERSUBSCRIBED for r in [runs[of][name, p]]
                                   for v in (r["far_faults"], r["page_thrash"],
                                             mega(r.with_faults())))]
         for name in PUBLISHED_FULL for p, evict in pairs])


def zero_copy(study):
    """E4. smart: the runtime chooses by what it sees."""
    names = ("bfs", "hotspot")
    modes = [("off", 8), *((mode, n) for mode in ("always", "oversub", "adaptive")
                           for n in (8, 16, 32)), ("smart", 8)]

    def variants(name):
        memory = study.device(name, LARGER.get(name), 150)
        return {(mode, n): pair("tbn", "tbn", gddr_size=memory, migrate_threshold=n,
                                **({"enable_smart_runtime": "on"} if mode == "smart"
                                   else {"enable_dma": mode})) for mode, n in modes}

    runs = study.kernels_of(names, variants, GTX, LARGER)
    thrashes(study, {at: run for at, run in runs.items() if at[1] == modes[0]})
    return pages.table(
        ["mode", "threshold", *(f"{w} {n}" for n in names for w in (
            "faults,", "reads over PCIe,", "M cycles and faults,"))],
        [[at[0], "" if at[0] == "off" else at[1],
          *(v for n in names for r in [runs[n, at]]
            for v in (r["far_faults"], r["dma_reads"], mega(r.with_faults())))]
         for at in modes])


def skipping(study):
    """E5. The time is that of the simulator; all but it has to be the same."""
    name = "backprop"
    with_skips, without = (
        study.kernel(name, size=QUICK[name], more=more, hardware_prefetch="none",
                     fault_mode="channel").result() for more in ((), ("--no-skip",)))
    if with_skips.hash != without.hash:
        raise Wrong(f"{name}: {with_skips.hash}, without skipping "
                    f"{without.hash}")
    return pages.table(
        ["kernel", "faults", "M cycles", "results", "times as fast with skipping"],
        [[f"{name} {QUICK[name]}", without["far_faults"], mega(without.cycles), "the same",
          pages.number(without.seconds / with_skips.seconds, 0)]])


TABLES = {"skipping": skipping, "prefetchers": prefetchers, "published": published,
          "warps": warps, "shootdown": shootdown, "shootdown-warps": shootdown_warps,
          "oversubscription": oversubscription,
          "shares": shares, "zero-copy": zero_copy}
