"""
What a run's stats.json says of the region of interest, in the units of the
published tables. A figure that a chip has no units for is None.

Bytes at the L2 are sectors of 32 bytes that it was asked for, and the hit
records written: the L1s send the words of a record one by one, the coalescer
of a GPU as sectors. What is written counts as missing, as in the published
counters, where 70 bytes a primary ray of which 68.2 % miss are the 32 of the
ray and the 16 of the hit.
"""
from dataclasses import dataclass

from chip import Wrong

SECTOR = 32
RAY = 32     # bytes of a ray that a kernel reads


@dataclass
class Measured:
    """Sums of the region of interest, and what they are to be divided by."""
    cycles: int
    clock_mhz: float
    rays: int
    record: int    # bytes written for a ray
    max_rays: int  # of an RT core; 0: there is none
    groups: dict

    def count(self, group, *counters):
        """The counters' sum; None if the chip has no such units."""
        if group not in self.groups:
            return None
        found = self.groups[group]["counters"]
        for counter in counters:
            if counter not in found:
                raise Wrong(f"stats.json: {group} has no counter {counter}")
        return sum(found[counter] for counter in counters)

    def units(self, group):
        return self.groups[group]["units"]

    def share(self, group, *buckets):
        """Of the cycles of all units, in %."""
        if group not in self.groups:
            return None
        found = self.groups[group]["buckets"]
        return 100 * sum(found[bucket] for bucket in buckets) / (
            self.units(group) * self.cycles)

    def each(self, group, *counters):
        """For each ray."""
        total = self.count(group, *counters)
        return None if total is None else total / self.rays

    def derived(self, group, name):
        return self.groups.get(group, {}).get("derived", {}).get(name)


def read(stats, rays, record, max_rays):
    try:
        region = stats["region_of_interest"]
        cycles = sum(r["end"] - r["begin"] for r in region["regions"])
        clock, groups = stats["clock_mhz"], region["groups"]
    except KeyError as missing:
        raise Wrong(f"stats.json: there is no {missing}") from None
    if not cycles:
        raise Wrong("stats.json: the region of interest has no cycles")
    return Measured(cycles, clock, rays, record, max_rays, groups)


def l2_bytes(m):
    return SECTOR * m.each("l2", "reads") + m.record


def l2_missing(m):
    return SECTOR * m.each("l2", "fills") + m.record


def dram_bytes(m):
    if m.groups["dram"]["kind"] == "memory":
        return m.each("dram", "bytes")
    return m.each("dram", "bytes_read", "bytes_written")


def of_rtcore(m, counter):
    return m.each("rtcore", counter) if m.max_rays else None


def of_slots(m, *counters):
    """Share of the time of all slots of the RT cores, in %."""
    if not m.max_rays:
        return None
    slots = m.units("rtcore") * m.max_rays * m.cycles
    return 100 * m.count("rtcore", *counters) / slots


def of_client(m, *counters):
    """Bytes of main memory; None: the scene has no treelets, they are not
    counted by client."""
    clients = [name for name in m.groups["dram"]["counters"]
               if name.startswith(("rays_", "scene_", "hits_", "frame_",
                                   "kernel_"))]
    counted = any(m.count("dram", name) for name in clients)
    return m.each("dram", *counters) if counted else None


def scene_bytes(m):
    """
    Read of the scene for each ray; of a chip without streams all that was read
    but the ray itself, as it reads nothing else.
    """
    counted = of_client(m, "scene_read")
    if counted is None and "streamscheduler" not in m.groups:
        return m.each("dram", "bytes_read") - RAY
    return counted


def tracing(m):
    """Cycles from the first item to the last; all without a scheduler."""
    cycles = m.count("streamscheduler", "tracing")
    return m.cycles if cycles is None else cycles


def percent(value):
    return None if value is None else 100 * value


# Name, digits behind the point, title, and how it is computed.
FIGURES = {
    "mrays": (0, "MRays/s", lambda m: m.rays * m.clock_mhz / m.cycles),
    "l2_hit": (1, "L2 hits, %",
               lambda m: 100 * (1 - l2_missing(m) / l2_bytes(m))),
    "l2_load_hit": (1, "L2 hits of loads, %",
                    lambda m: percent(m.derived("l2", "hit_rate"))),
    "l2_bandwidth": (1, "L2 bandwidth, %", lambda m: 100 * l2_bytes(m) *
                     m.rays / (m.cycles * m.units("l2") * SECTOR)),
    "dram_bandwidth": (1, "DRAM bandwidth, %",
                       lambda m: percent(m.derived("dram",
                                                   "bus_utilisation"))),
    "l2_bytes": (0, "L2 B/ray", l2_bytes),
    "l2_missing": (0, "missing B/ray", l2_missing),
    "dram_bytes": (0, "DRAM B/ray", dram_bytes),
    "clocks": (1, "clk per ray and SM",
               lambda m: m.cycles * m.units("l1") / m.rays),
    "l1_hit": (1, "L1 hits, %", lambda m: percent(m.derived("l1",
                                                            "hit_rate"))),
    "nodes": (1, "nodes", lambda m: of_rtcore(m, "nodes")),
    "leaves": (2, "leaves", lambda m: of_rtcore(m, "leaves")),
    "triangles": (2, "triangles", lambda m: of_rtcore(m, "triangles")),
    "restarts": (3, "restarts", lambda m: of_rtcore(m, "restarts")),
    "occupancy": (1, "RT core slots, %", lambda m: of_slots(m, "ray_cycles")),
    "dram_latency": (0, "DRAM read, clk",
                     lambda m: m.derived("dram", "latency_mean")),
}


def moved(m):
    """Rays that went on in another treelet, for each ray."""
    if "raystore" in m.groups:
        return m.each("raystore", "crossings")
    if "streamscheduler" not in m.groups:
        return None
    return m.each("streamscheduler", "live") - m.each("streamscheduler",
                                                      "live_roots")


# The same of chips with ray streams, and of others beside them.
STREAMS = {name: FIGURES[name] for name in (
    "mrays", "dram_bytes", "dram_bandwidth", "l1_hit", "l2_load_hit", "nodes",
    "triangles", "restarts", "occupancy")} | {
    "cycles": (0, "cycles", lambda m: m.cycles),
    "read_bytes": (0, "DRAM read B/ray",
                   lambda m: m.each("dram", "bytes_read")),
    "written_bytes": (0, "DRAM written B/ray",
                      lambda m: m.each("dram", "bytes_written")),
    "tracing_mrays": (0, "tracing alone",
                      lambda m: m.rays * m.clock_mhz / tracing(m)),
    "tracing": (0, "tracing, %", lambda m: 100 * tracing(m) / m.cycles),
    "flushing": (0, "flush, %", lambda m: m.share("hitupdater", "flushing")),
    "rays_bytes": (0, "rays", lambda m: of_client(m, "rays_read",
                                                  "rays_written")),
    "scene_bytes": (0, "scene", scene_bytes),
    "hits_bytes": (0, "hits", lambda m: of_client(m, "hits_read",
                                                  "hits_written")),
    "kernel_bytes": (0, "kernel", lambda m: of_client(m, "kernel_read",
                                                      "kernel_written")),
    "frame_bytes": (0, "frame", lambda m: of_client(m, "frame_read",
                                                    "frame_written")),
    "record_bytes": (0, "hit record B/ray",
                     lambda m: m.each("hitupdater", "bytes_read",
                                      "bytes_written")),
    "items": (2, "items", lambda m: m.each("streamscheduler", "items")),
    "buckets": (0, "buckets", lambda m: m.count("streamscheduler",
                                                "written")),
    "filled": (1, "rays a bucket", lambda m: m.derived("streamscheduler",
                                                      "rays_per_bucket")),
    "fetched": (0, "treelets", lambda m: m.count("streamscheduler",
                                                 "fetched")),
    "single": (0, "of one bucket", lambda m: m.count("streamscheduler",
                                                     "single")),
    "moved": (2, "crossings", moved),
    "climbs": (2, "up", lambda m: of_rtcore(m, "climbs")),
    "revisits": (2, "nodes again", lambda m: of_rtcore(m, "revisits")),
    "store_bytes": (0, "ray store B/ray", lambda m: m.each(
        "raystore", "bytes_read", "bytes_written")),
    "memory": (1, "slots: memory, %", lambda m: of_slots(
        m, "ray_request", "ray_memory")),
    "starved": (1, "slots: no item, %", lambda m: of_slots(m, "item_cycles")),
    "waiting": (1, "RT cores wait, %", lambda m: m.share("rtcore", "waiting")),
    "idle": (1, "idle, %", lambda m: m.share("rtcore", "idle")),
}


def compute(stats, rays, record, max_rays, which):
    """which: FIGURES or STREAMS. Dead rays do not come to RT cores there."""
    measured = read(stats, rays, record, max_rays)
    traced = measured.count("rtcore", "rays")
    dead = sum(measured.count(group, counter) or 0 for group, counter in (
        ("streamscheduler", "dead_roots"), ("raygate", "dead")))
    if traced and traced + dead != rays:
        raise Wrong(f"stats.json: the RT cores traced {traced} rays in the "
                    f"region of interest; expected {rays - dead}")
    return {name: None if value is None else round(value, 6)
            for name, (_, _, how) in which.items()
            for value in [how(measured)]}


def digits(name):
    return (FIGURES | STREAMS)[name][0]


def title(name):
    return (FIGURES | STREAMS)[name][1]


def published(data, system, scene, kind):
    """
    The same of a published system; kind: 0 primary, 1 secondary, 2 tertiary.
    Bytes and clocks follow from the percentages.
    """
    given = {name: data[name].get(scene, {}).get(system, [None] * 3)[kind]
             for name in ("mrays", "l2_hit", "l2_bandwidth",
                          "dram_bandwidth")}
    hardware, mrays = data["hardware"], given["mrays"]
    if mrays:
        given["clocks"] = hardware["clock_mhz"] * hardware["sms"] / mrays
    if given["l2_bandwidth"]:
        peak = hardware["l2_bytes_per_clock"] * hardware["clock_mhz"]
        given["l2_bytes"] = given["l2_bandwidth"] / 100 * peak / mrays
        given["l2_missing"] = (given["l2_bytes"] *
                               (1 - given["l2_hit"] / 100))
    if given["dram_bandwidth"]:
        peak = hardware["dram_gb_per_second"] * 1000
        given["dram_bytes"] = given["dram_bandwidth"] / 100 * peak / mrays
    return given
