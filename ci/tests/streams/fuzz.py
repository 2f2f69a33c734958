#!/usr/bin/env python3
"""
Whole chips with ray streams, or whose rays move, on odd scenes and odd rays, all
drawn from seeds: each run ends, its hits are those of plain traversal, and what it
counts agrees (counts.py). So does the native program, and so do kernels that have no
rays (none.c). Of each seed one chip runs again, in other order, some on two threads.

    fuzz.py FOLDER     COUNT seeds (20) from SEED (1) on, a scene with rays and 4
                       chips for each; FOLDER: for its files, below the current one;
                       it has none.elf and none.native

A seed that fails leaves its files in FOLDER/SEED, and a line that runs it again.
Exit status: 0; 1 something failed.
"""
import ctypes
import os
import random
import shlex
import shutil
import struct
import subprocess
import sys

import counts
import runs
from runs import BUILD, KINDS, Failed

NODES = ("bvh2", "bvh3", "bvh4", "bvh5", "bvh6", "bvh7", "cwbvh5t", "cwbvh6t")
WITH_PARENTS = NODES[:-1]
LEAVES = ("plain", "packed", "indexed", "block128")
STEPPED = 300_000   # cycles: each of them is looked at in fewer
TREELETS = (512, 512, 1024, 2048, 4096, 8192, 65536)


# ---- scenes -----------------------------------------------------------------------

def soup(r, count, size):
    """Triangles anywhere."""
    for _ in range(count):
        at = [r.uniform(-1, 1) for _ in range(3)]
        yield tuple(tuple(x + r.uniform(-size, size) for x in at)
                    for _ in range(3))


def grid(r, side):
    """A flat grid, neighbours share edges."""
    place = [[(x / side, y / side, 0.5 * r.choice((0, 0, 1)))
              for x in range(side + 1)] for y in range(side + 1)]
    for y in range(side):
        for x in range(side):
            yield place[y][x], place[y][x + 1], place[y + 1][x]
            yield place[y + 1][x], place[y][x + 1], place[y + 1][x + 1]


def spoilt(r, triangles):
    """And some without area, and some twice."""
    for triangle in triangles:
        yield triangle
        chance = r.random()
        if chance < 0.1:
            yield triangle
        elif chance < 0.15:
            yield triangle[0], triangle[1], triangle[0]
        elif chance < 0.2:
            yield (triangle[0],) * 3


MESHES = (
    lambda r: [((0, 0, 0), (1, 0, 0), (2, 0, 0))],   # nothing can be hit
    lambda r: [((0, 0, 0), (1, 0, 0), (0, 1, 0))],
    lambda r: list(soup(r, 3, 1)),
    lambda r: list(soup(r, 40, 1)) * 2,
    lambda r: [((0, 0, 0), (1, 0, 0), (0, 1, 0))] * 60,
    lambda r: list(spoilt(r, soup(r, 300, 0.2))),
    lambda r: list(grid(r, r.randint(1, 30))),
    lambda r: list(spoilt(r, grid(r, 12))),
    lambda r: list(soup(r, r.randint(1, 5000), 0.05)),
    lambda r: [tuple(tuple(1e6 * x for x in p) for p in t)
               for t in soup(r, 200, 0.3)],
)


def make_scene(r, folder, treelet, nodes):
    """The treelets' bytes, as those asked for may be too few for a node."""
    with open(f"{folder}/mesh.obj", "w", encoding="utf-8") as file:
        for number, triangle in enumerate(r.choice(MESHES)(r)):
            for point in triangle:
                file.write("v %r %r %r\n" % point)
            file.write("f %d %d %d\n" % tuple(3 * number + i
                                              for i in (1, 2, 3)))
    while True:
        words = [f"{BUILD}/bin/corbel-scene", "convert", f"{folder}/mesh.obj",
                 f"{folder}/a.scene", "--nodes", nodes, "--leaves",
                 r.choice(LEAVES), "--leaf", str(r.choice((1, 1, 2, 4))),
                 "--quality", "low", "--treelets", str(treelet)]
        done = subprocess.run(words, capture_output=True, text=True,
                              check=False)
        if not done.returncode:
            return treelet
        if "are too few for a node" not in done.stderr:
            raise Failed(f"{shlex.join(words)}: {done.stderr}")
        treelet *= 2


# ---- rays -------------------------------------------------------------------------

def any_ray(r):
    at = [r.uniform(-2, 2) for _ in range(3)]
    to = [r.uniform(-1, 1) for _ in range(3)]
    way = [b - a for a, b in zip(at, to)]
    return *at, 0.0, *way, 1048576.0


def along_an_axis(r):
    way = [0.0, 0.0, 0.0]
    way[r.randrange(3)] = r.choice((-1.0, 1.0))
    at = [r.choice((0.0, 0.5, 1.0, r.uniform(-1, 1))) for _ in range(3)]
    return *(a - 3 * w for a, w in zip(at, way)), 0.0, *way, 1048576.0


def dead(r):
    ray = any_ray(r)
    return *ray[:7], -1.0


def of_one_point(r):
    """Not dead, but an interval of one distance."""
    ray = any_ray(r)
    return *ray[:3], 0.5, *ray[4:7], 0.5


def short(r):
    ray = any_ray(r)
    return *ray[:7], r.uniform(0, 1.5)


def nowhere(r):
    ray = any_ray(r)
    return *ray[:4], 0.0, 0.0, 0.0, ray[7]


BUFFERS = (   # makers of rays
    (any_ray,), (any_ray, dead), (dead,), (any_ray, along_an_axis),
    (any_ray, along_an_axis, dead, of_one_point, short, nowhere),
)
SIZES = ((1, 1), (1, 1), (2, 1), (8, 7), (7, 5), (19, 3), (16, 16), (40, 24))


def make_rays(r, folder):
    """Those of corbel-rays give the header. How many there are."""
    width, height = r.choice(SIZES)
    path = f"{folder}/a.rays"
    runs.run(f"{BUILD}/bin/corbel-rays", f"{folder}/a.scene", path, "--kind",
             "primary", "--size", f"{width}x{height}")
    with open(path, "rb") as file:
        header = bytearray(file.read(128))
    makers, count = r.choice(BUFFERS), width * height
    rays = [r.choice(makers)(r) for _ in range(count)]
    rays = [struct.unpack("<8f", struct.pack("<8f", *ray)) for ray in rays]
    struct.pack_into("<I", header, 44, sum(ray[7] < ray[3] for ray in rays))
    whole = header + b"".join(struct.pack("<8f", *ray) for ray in rays)
    xxh64 = ctypes.CDLL("libxxhash.so").XXH64
    xxh64.restype = ctypes.c_uint64
    xxh64.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
    rest = bytes(whole[16:])
    struct.pack_into("<Q", whole, 8, xxh64(rest, len(rest), 0))
    with open(path, "wb") as file:
        file.write(whole)
    return count


# ---- chips ------------------------------------------------------------------------

def draw_common(r):
    """Settings of any chip."""
    return {
        "chip.seed": r.randrange(1 << 20), "chip.partitions": r.randint(1, 4),
        "chip.tms": r.randint(1, 8), "chip.tps": r.choice((1, 1, 2, 3)),
        "chip.dram": r.choice(("arches", "gddr6")),
        "tp.harts": r.choice((1, 2, 4, 8)),
        "l1.size": r.choice(("2k", "16k")), "l1.ways": r.choice((1, 2)),
        "l1.mshrs": r.choice((1, 2, 8)), "l1.targets": r.choice((1, 2, 16)),
        "l2.size": r.choice(("2k", "64k")), "l2.mshrs": r.choice((1, 2, 8)),
        "l2.ways": r.choice((1, 2)),
    }


def draw_rtcore(r):
    return {"chip.max_rays": r.choice((1, 1, 2, 3, 8, 32)),
            "rtcore.box_latency": r.choice((1, 3)),
            "rtcore.tri_width": r.choice((0, 1, 2))}


def draw_dual(r, treelet):
    """Settings of a chip with ray streams, and what counts.py is told."""
    facts = {"bucket": r.choice((128, 128, 256, 512, 2048, 8192)),
             "banks": r.choice((1, 2, 5, 32)),
             "bank_by": r.choice(("tm", "segment")),
             "rays": r.choice(("dram", "dram", "chip")),
             "hits": r.choice(("dram", "dram", "chip"))}
    ways = r.choice((1, 2, 8))
    settings = {f"chip.{name}": facts[name]
                for name in ("bucket", "rays", "hits")}
    settings |= {
        "chip.scene_buffer": treelet * r.choice((0, 0, 1, 1, 2, 3, 16)),
        "chip.order": r.choice(("bfs", "dfs")),
        "chip.weight": r.choice(("total", "average", "none")),
        "chip.records": 8 * r.choice((1, 1, 2, 64)),
        "hitupdater.ways": ways,
        "hitupdater.fetches": r.choice((1, 2, 64)),
        "streamscheduler.banks": facts["banks"],
        "streamscheduler.bank_by": facts["bank_by"],
        "streamscheduler.bank_queue": r.choice((1, 1, 2)),
        "streamscheduler.jobs": r.choice((1, 1, 2, 16)),
        "streamscheduler.channel_order": r.choice(("fifo", "reads_first")),
        "streamscheduler.low_water": r.choice((1, 2, 16)),
        "streamscheduler.active": r.choice((0, 0, 1, 2)),
        "streamscheduler.prefetches": r.choice((1, 4)),
    }
    if r.random() < 0.3:   # one set
        settings |= {"hitupdater.records": ways}
    if settings["chip.scene_buffer"]:
        settings |= {"scenebuffer.banks": r.choice((1, 2, 32)),
                     "scenebuffer.commands": r.choice((1, 1, 2, 16)),
                     "scenebuffer.fetches": r.choice((1, 2)),
                     "scenebuffer.latency": r.choice((1, 4))}
    return settings, facts


def draw_moving(r, slots, rays):
    """slots: rays that a TM can have, or want, at a time. One ray after the other
    would take long."""
    facts = {"live": max(r.choice((1, 1, 2, 3, 10, 100, 4096)), rays // 64)}
    return {
        "chip.buffer": 64 * facts["live"],
        "chip.treelets": r.choice(("idle_first", "batch")),
        "chip.order": r.choice(("lifo", "fifo")),
        "raystore.banks": r.choice((1, 2, 64)),
        "raystore.batch": r.randint(1, slots),
        "raystore.busy": r.randint(1, slots),
        "raystore.latency": r.choice((1, 2, 100)),
        "raygate.queue": r.choice((2, 2, 3, 16)),
    }, facts


def draw_chip(r, kind, treelet, nodes, rays):
    """Settings, the program's options, and what counts.py is told."""
    settings = {"chip.kind": kind} | draw_common(r)
    rtcores = kind.endswith("-rt")
    if rtcores:
        settings |= draw_rtcore(r)
    if kind.startswith("dual"):
        more, facts = draw_dual(r, treelet)
        if rtcores:
            settings["chip.early"] = r.randint(0, 1)
    else:
        more, facts = draw_moving(
            r, settings["chip.max_rays"] if rtcores
            else settings["tp.harts"] * settings["chip.tps"], rays)
        if rtcores:
            settings["chip.traversal"] = r.choice(
                ("restarts", "climbs") +
                (("parents",) if nodes in WITH_PARENTS else ()))
    words = runs.words_for(kind, r.choice(("off", "on", "delayed")),
                           facts.get("live"))
    return settings | more, words, facts


# ---- runs -------------------------------------------------------------------------

def on_chip(folder, settings, words, facts, again):
    """again: in another way on `again` threads, with the same results."""
    chip, once = f"{runs.HERE}/chips.lua", ("-j", 1)
    line, expected = runs.stream(folder, chip, settings, once, words)
    wrong = counts.check(f"{folder}/out/stats.json", f"{folder}/a.scene",
                         f"{folder}/a.rays", facts)
    if wrong:
        raise Failed(f"{line}: {'; '.join(wrong)}")
    if again:
        how = ["-j", again, "--reverse-units"]
        if runs.cycles(folder) < STEPPED:
            how += ["--no-skip"]
        line, found = runs.stream(folder, chip, settings, how, words)
        if found != expected:
            raise Failed(f"{line}: {found}, expected {expected}")
    runs.simulate(folder, chip, settings, once, f"{folder}/../none.elf",
                  f"{folder}/a.scene", settings["chip.kind"])


def try_scene(r, folder):
    """Each kind of chip that has traced it."""
    nodes = r.choice(NODES)
    treelet = make_scene(r, folder, r.choice(TREELETS), nodes)
    rays = make_rays(r, folder)
    again = {r.choice(KINDS): 2 if r.random() < 0.2 else 1}
    runs.trace_plainly(folder)
    for kind in KINDS:
        runs.run("timeout", 60, f"{folder}/../none.native",
                 f"{folder}/a.scene", kind)
        if kind == "strata" and nodes not in WITH_PARENTS:
            continue
        settings, words, facts = draw_chip(r, kind, treelet, nodes, rays)
        runs.natively(folder, r.randint(1, 4), words)
        on_chip(folder, settings, words, facts, again.get(kind))
        yield kind


def main(folder):
    first, count = (int(os.environ.get(name, usual)) for name, usual in
                    (("SEED", 1), ("COUNT", 20)))
    failures, done = 0, dict.fromkeys(KINDS, 0)
    for seed in range(first, first + count):
        own = f"{folder}/{seed}"
        os.makedirs(own)
        try:
            r = random.Random(seed)
            for kind in try_scene(r, own):
                done[kind] += 1
            shutil.rmtree(own)
        except Failed as error:
            print(f"FAIL: seed {seed}: {error}", flush=True)
            failures += 1
    print(", ".join(f"{number} {kind}" for kind, number in done.items()))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1])
