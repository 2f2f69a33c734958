#!/usr/bin/env python3
"""
What a run of samples/streams leaves in stats.json, against what must hold of any
chip with ray streams (dual-streaming) or of one whose rays move (strata): every
ray, bucket, record and treelet is counted as often where it comes in as where it
goes out, and main memory has carried their bytes.

    counts.py STATS.json SCENE.scene RAYS.rays [NAME=VALUE...]

Names say what the statistics do not:

    bucket=2048           bytes of a bucket
    banks=32 bank_by=tm   of the stream scheduler
    rays=dram hits=dram   where buckets and hit records are kept, or chip
    live=N                rays that may be under way: the program's --buffer / 64

Exit status: 0; 1 something does not hold (a line for each); 2 usage.
"""
import json
import struct
import sys

DEFAULTS = {"bucket": 2048, "banks": 32, "bank_by": "tm", "rays": "dram", "hits": "dram",
            "live": 8 << 20 >> 6}
HEAD, ITEM, RECORD, SECTOR, MOVING = 16, 36, 16, 32, 64   # bytes


class Counts:
    """Counters of all groups, 0 where a chip has no such unit."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.groups = json.load(file)["groups"]
        self.wrong = []

    def has(self, group):
        return group in self.groups

    def __getitem__(self, name):
        group, counter = name.split(".")
        return self.groups.get(group, {}).get("counters", {}).get(counter, 0)

    def equal(self, what, *values):
        if len(set(values)) != 1:
            self.wrong.append(f"{what}: {' and '.join(map(str, values))} differ")

    def between(self, what, least, value, most):
        if not least <= value <= most:
            self.wrong.append(f"{what}: {value} is not in {least}..{most}")


def read_scene(path):
    """Bytes of a treelet, and how many there are."""
    with open(path, "rb") as file:
        header = file.read(256)
    return (struct.unpack_from("<I", header, 172)[0],
            struct.unpack_from("<I", header, 184)[0])


def read_rays(path):
    """How many there are, and how many of them are dead."""
    with open(path, "rb") as file:
        return struct.unpack_from("<2I", file.read(48), 40)


# ---- rays that are copied ---------------------------------------------------------

def check_items(c, rays, dead):
    """Each item is made once and traced once (I1)."""
    c.equal("roots", c["streamscheduler.roots"], rays)
    c.equal("dead roots", c["streamscheduler.dead_roots"], dead)
    c.equal("live roots", c["streamscheduler.live_roots"], rays - dead)
    c.equal("items sent and received", c["stager.items"],
            c["streamscheduler.items"])
    c.equal("items, live and dead", c["streamscheduler.items"],
            c["streamscheduler.live"] + c["streamscheduler.dead"])
    c.equal("live items and those handed out", c["streamscheduler.live"],
            c["stager.handed"])
    if c.has("rtcore"):
        c.equal("items handed out and traced", c["stager.handed"],
                c["rtcore.items"])
        c.equal("children", c["rtcore.children"],
                c["streamscheduler.items"] - rays)
        c.equal("rays of RT cores", c["rtcore.rays"], rays - dead)
        c.equal("slot-cycles by state", c["rtcore.ray_cycles"], sum(
            value for name, value in c.groups["rtcore"]["counters"].items()
            if name.startswith("ray_") and name != "ray_cycles"))


def check_buckets(c, facts, treelets):
    """Each is opened, written, read and retired once (I3); their bytes (I5)."""
    written, live = c["streamscheduler.written"], c["streamscheduler.live"]
    c.equal("buckets", written, *(c[f"streamscheduler.{name}"] for name in (
        "opened", "read", "retired")), c["stager.buckets"],
        c["stager.completes"])
    room = (facts["bucket"] - HEAD) // ITEM
    parts = facts["banks"] * c["streamscheduler.fetched"]
    if facts["bank_by"] == "segment": # one open bucket a treelet, of roots one a bank
        parts = facts["banks"] + c["streamscheduler.fetched"]
    c.between("buckets for the items", -(-live // room), written,
              live // room + parts)
    c.between("treelets with rays", min(live, 1),
              c["streamscheduler.fetched"], min(treelets, live))
    c.equal("treelets with and without rays", treelets,
            c["streamscheduler.fetched"] + c["streamscheduler.culled"])
    for way in ("read", "written"):
        c.equal(f"bytes of buckets {way}", c[f"streamscheduler.bytes_{way}"],
                facts["bucket"] * written)
        c.equal(f"main memory, rays_{way}", c[f"dram.rays_{way}"],
                0 if facts["rays"] == "chip" else facts["bucket"] * written)


def check_scene(c, treelet_bytes):
    """Each treelet with rays is fetched once, and retired (I6)."""
    if not c.has("scenebuffer"):
        return
    fills = c["scenebuffer.fills"]
    c.equal("treelets fetched", fills, c["streamscheduler.fetched"],
            c["scenebuffer.retired"])
    c.equal("bytes of treelets", c["scenebuffer.bytes_in"],
            treelet_bytes * fills)
    c.between("main memory, scene_read", treelet_bytes * fills,
              c["dram.scene_read"], float("inf"))
    c.equal("requests refused or late", 0, c["scenebuffer.refused"],
            c["scenebuffer.late"])


def check_hits(c, facts):
    """Records are fetched by misses, written back if changed (I7)."""
    c.equal("hits stored", c["stager.hit_stores"], c["hitupdater.stores"])
    c.equal("records loaded", c["stager.hit_loads"], c["hitupdater.loads"])
    c.equal("requests for records", sum(c[f"hitupdater.{name}"] for name in (
        "hits", "merges", "misses", "refused")),
        c["hitupdater.stores"] + c["hitupdater.loads"])
    c.equal("requests refused", 0, c["hitupdater.refused"])
    c.equal("bytes of records read", c["hitupdater.bytes_read"],
            RECORD * c["hitupdater.misses"])
    c.equal("bytes of records written", c["hitupdater.bytes_written"],
            RECORD * (c["hitupdater.evicted"] + c["hitupdater.flushed"]))
    # Main memory carries the sector that a record is in.
    for way in ("read", "written"):
        c.equal(f"main memory, hits_{way}", c[f"dram.hits_{way}"],
                0 if facts["hits"] == "chip" else
                SECTOR // RECORD * c[f"hitupdater.bytes_{way}"])
    if c.has("rtcore"):
        c.equal("hits of RT cores", c["rtcore.hits"], c["stager.hit_stores"])


def check_frame(c, rays):
    """A word a ray is stored, past all caches that have no copy, and that once;
    what else lies in the sectors of its ends is little."""
    c.between("main memory, frame_written", 0, c["dram.frame_written"],
              4 * rays + 8 * SECTOR)
    c.between("main memory, kernel_read", 1, c["dram.kernel_read"],
              float("inf"))


# ---- rays that move ---------------------------------------------------------------

def check_moves(c, facts, rays, dead):
    """Each ray is in one place, and ends once; there is room for it (I1, I8)."""
    dead_here = dead if c.has("rtcore") else 0   # else they go to the store
    finished = c["raystore.finished"]
    c.equal("dead rays", c["raygate.dead"], dead_here)
    c.equal("rays", rays, finished, c["raystore.hits"],
            c["raystore.roots"] + dead_here)
    moved = c["raystore.roots"] + c["raystore.crossings"]
    c.equal("rays that moved", moved, c["raystore.rays"], c["raygate.rays"],
            c["raygate.stores"])
    for way in ("read", "written"):
        c.equal(f"bytes of rays {way}", c[f"raystore.bytes_{way}"],
                MOVING * (moved + finished))
    c.between("rays held", 1, c["raystore.held_max"], min(facts["live"], rays))
    if c.has("rtcore"):
        c.equal("rays traced", c["rtcore.items"], moved)
        c.equal("rays that crossed", c["rtcore.children"],
                c["raystore.crossings"])
    for name in ("rays_read", "rays_written", "hits_read", "hits_written"):
        c.equal(f"main memory, {name}", c[f"dram.{name}"], 0)


def check(stats, scene, rays, facts):
    """What does not hold, in words; facts: as on the command line."""
    c = Counts(stats)
    facts = DEFAULTS | facts
    treelet_bytes, treelets = read_scene(scene)
    count, dead = read_rays(rays)
    check_frame(c, count)
    if c.has("raystore"):
        check_moves(c, facts, count, dead)
    else:
        check_items(c, count, dead)
        check_buckets(c, facts, treelets)
        check_scene(c, treelet_bytes)
        check_hits(c, facts)
    return c.wrong


def main(stats, scene, rays, *words):
    facts = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in DEFAULTS:
            print(f"counts.py: {word}: expected one of {', '.join(DEFAULTS)}, "
                  "and =VALUE", file=sys.stderr)
            sys.exit(2)
        facts[name] = int(value) if value.isdigit() else value
    wrong = check(stats, scene, rays, facts)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        print("counts.py: expected STATS.json SCENE.scene RAYS.rays "
              "[NAME=VALUE...]", file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
