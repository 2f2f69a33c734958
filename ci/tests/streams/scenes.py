#!/usr/bin/env python3
"""
Real scenes on chips with ray streams, or whose rays move: primary, secondary and
tertiary rays of each find the hits of plain traversal, natively and on chips whose
options are dealt out, so that each value is tried on several scenes.

    scenes.py SCENES FOLDER    meshes in SCENES, cameras in its README.md; FOLDER: for
                               its files, below the current one

SIZE x SIZE rays (36), COUNT hands of options (1), from SEED (1) on. Exit status: 0; 1
something failed.
"""
import os
import random
import re
import sys

import counts
import runs
from runs import BUILD, KINDS, Failed

RAYS = ("primary", "secondary", "tertiary")

# Bytes of treelets, nodes, leaves. One of two is for chips that need no parents.
SCENES = {
    "cornell-box": ((512, "bvh2", "plain"), (4096, "cwbvh6t", "block128")),
    "bunny": ((4096, "bvh6", "packed"), (65536, "cwbvh6t", "plain")),
    "city-diorama": ((2048, "bvh4", "indexed"), (16384, "cwbvh6t", "packed")),
    "crytek-sponza": ((16384, "bvh5", "plain"), (8192, "cwbvh6t", "block128")),
    "hairball-proc": ((65536, "cwbvh5t", "packed"),),
    "san-miguel-part": ((262144, "bvh7", "packed"),),
}
OTHERS = ((65536, "bvh6", "plain"),)

# What is dealt out: settings of the chip unless the name has no dot. slots: of the
# scene buffer, in treelets.
COMMON = {"chip.tms": (1, 2, 3, 4, 8), "chip.dram": ("arches", "gddr6"),
          "threads": (1, 2, 5)}
DUAL = {"chip.bucket": (128, 512, 2048, 8192), "chip.order": ("bfs", "dfs"),
        "chip.weight": ("total", "average", "none"),
        "chip.rays": ("dram", "dram", "chip"),
        "chip.hits": ("dram", "dram", "chip"),
        "chip.records": (8, 128, 65536), "slots": (0, 0, 1, 2, 16)}
MOVING = {"chip.treelets": ("idle_first", "batch"),
          "chip.order": ("lifo", "fifo"), "live": (32, 200, 131072)}
OPTIONS = {
    "dual-streaming": COMMON | DUAL | {"chip.tps": (4, 16),
                                       "early": ("off", "on", "delayed")},
    "dual-streaming-rt": COMMON | DUAL | {"chip.tps": (1, 4),
                                          "chip.early": (0, 1),
                                          "chip.max_rays": (8, 64, 256)},
    "strata": COMMON | MOVING | {"chip.tps": (4, 16)},
    "strata-rt": COMMON | MOVING | {"chip.tps": (1, 4),
                                    "chip.max_rays": (16, 64, 256),
                                    "chip.traversal": ("restarts", "climbs",
                                                       "parents")},
}


class Dealer:
    """Deals the values of an option in turn, shuffled anew each time they are all
    out; notes which scenes got which."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.decks = {}
        self.seen = {}

    def draw(self, kind, name, scene):
        values = OPTIONS[kind][name]
        deck = self.decks.setdefault((kind, name), [])
        if not deck:
            deck += self.random.sample(values, len(values))
        value = deck.pop()
        self.seen.setdefault((kind, name, value), set()).add(scene)
        return value

    def hand(self, kind, scene):
        return {name: self.draw(kind, name, scene) for name in OPTIONS[kind]}

    def check(self):
        """Values that came to fewer scenes than two."""
        for kind, options in OPTIONS.items():
            for name, values in options.items():
                for value in set(values):
                    if len(self.seen.get((kind, name, value), ())) < 2:
                        yield f"{kind}: {name}={value} was on fewer than two " \
                              "scenes"


def read_cameras(folder):
    """Options of corbel-rays by scene."""
    cameras = {}
    with open(f"{folder}/README.md", encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) == 9 and re.fullmatch(r"[-\d., ]+,[-\d., ]+",
                                                cells[2]):
                eye, look = (cell.replace(" ", "") for cell in cells[2:4])
                cameras[cells[0]] = (f"--eye={eye}", f"--look={look}", "--fov",
                                     cells[4])
    return cameras


def meshes(folder):
    end = ".ply.xz"
    return sorted(name.removesuffix(end) for name in os.listdir(folder)
                  if name.endswith(end))


def suits(kind, nodes, hand):
    """Rays of strata, and by parents, go back up by references that some nodes
    do not have."""
    return nodes != "cwbvh6t" or not (
        kind == "strata" or hand.get("chip.traversal") == "parents")


class Test:
    def __init__(self, scenes, folder):
        self.scenes, self.folder = scenes, folder
        self.size = int(os.environ.get("SIZE", 36))
        self.dealer = Dealer(int(os.environ.get("SEED", 1)))
        self.failures = self.done = 0

    def one(self, kind, scene, treelet, nodes):
        hand = self.dealer.hand(kind, scene)
        if not suits(kind, nodes, hand):
            hand["chip.traversal"] = "restarts"
        settings = {name: value for name, value in hand.items() if "." in name}
        if "live" in hand:
            settings["chip.buffer"] = 64 * hand["live"]
        else:
            settings["chip.scene_buffer"] = hand["slots"] * treelet
        words = runs.words_for(kind, hand.get("early"), hand.get("live"))
        runs.natively(self.folder, hand["threads"], words)
        line, _ = runs.stream(self.folder, kind, settings, ("-j", 1), words)
        facts = {name.removeprefix("chip."): value
                 for name, value in hand.items()
                 if name in ("chip.bucket", "chip.rays", "chip.hits", "live")}
        wrong = counts.check(f"{self.folder}/out/stats.json",
                             f"{self.folder}/a.scene", f"{self.folder}/a.rays",
                             facts)
        if wrong:
            raise Failed(f"{line}: {'; '.join(wrong)}")

    def rays(self, scene, treelet, nodes, camera):
        """All kinds of rays, traced by all kinds of chips that can."""
        for number, rays in enumerate(RAYS):
            runs.run(f"{BUILD}/bin/corbel-rays", f"{self.folder}/a.scene",
                     f"{self.folder}/a.rays", "--kind", rays, "--size",
                     self.size, *camera)
            runs.trace_plainly(self.folder)
            for kind in KINDS:
                if not suits(kind, nodes, {}):
                    continue
                try:
                    self.one(kind, scene, treelet, nodes)
                    self.done += 1
                except Failed as error:
                    print(f"FAIL: {scene}, {rays}: {error}", flush=True)
                    self.failures += 1

    def run(self):
        cameras = read_cameras(self.scenes)
        names = meshes(self.scenes)
        for scene in names:
            for treelet, nodes, leaves in SCENES.get(scene, OTHERS):
                runs.run(f"{BUILD}/bin/corbel-scene", "convert",
                         f"{self.scenes}/{scene}.ply.xz",
                         f"{self.folder}/a.scene", "--nodes", nodes, "--leaves",
                         leaves, "--quality", "low", "--treelets", treelet)
                for _ in range(int(os.environ.get("COUNT", 1))):
                    self.rays(scene, treelet, nodes, cameras[scene])
        if len(names) >= len(SCENES):   # there are enough runs
            for line in self.dealer.check():
                print(f"FAIL: {line}")
                self.failures += 1
        print(f"{self.done} runs on {len(names)} scenes")


def main(scenes, folder):
    test = Test(scenes, folder)
    test.run()
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
