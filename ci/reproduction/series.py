"""
What main memory carried over a frame, from a run's intervals.csv, and whether
that agrees with what rays in buckets have to be: the check numbers of Figure 6.
"""
import csv
import math

from chip import Wrong

STEPS = 100  # of a frame, about
BUCKET_HEAD, ITEM = 16, 36  # bytes
NAMES = ("bytes_read", "bytes_written", "rays_read", "rays_written",
         "scene_read", "hits_read", "hits_written", "frame_read",
         "frame_written", "kernel_read", "kernel_written")


def growth(path):
    """
    Bytes of main memory that were moved, by name, for the last cycle of each
    interval; and the cycles of an interval.
    """
    grown = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                sums = grown.setdefault(int(row["cycle"]),
                                        dict.fromkeys(NAMES, 0))
                if row["group"] == "dram" and row["stat"] in NAMES:
                    sums[row["stat"]] = int(row["value"])
    except (OSError, TypeError, ValueError, KeyError) as error:
        raise Wrong(f"{path}: {error!r}: expected cycle,group,stat,value"
                    ) from None
    cycles = sorted(grown)
    if len(cycles) < 3:
        raise Wrong(f"{path}: expected three intervals or more")
    return grown, cycles[1] - cycles[0]


def steps(grown, interval, begin, end):
    """
    By name the sums of steps of equal length, STEPS at most, that cover the
    cycles from begin to end in whole intervals; and their length in cycles.
    """
    first = begin // interval
    count = -(-end // interval) - first
    each = -(-count // STEPS)
    sums = {name: [0] * -(-count // each) for name in NAMES}
    for cycle, row in grown.items():
        at = -(-cycle // interval) - 1 - first
        if 0 <= at < count:
            for name in NAMES:
                sums[name][at // each] += row[name]
    return sums, each * interval


def check(what, value, least, most):
    return {"what": what, "value": value, "least": least, "most": most}


def checks(counters, bucket, banks, sums):
    """
    A bank writes its full buckets, and at the end one that is not, so roots
    take at least the buckets that they fill, and one a bank more at most. What is written
    of rays is read once, all of it by the client that main memory counts.
    """
    room = (bucket - BUCKET_HEAD) // ITEM
    roots = math.ceil(counters["live_roots"] / room)
    written, read = (sum(sums[f"rays_{way}"]) for way in ("written", "read"))
    return [
        check("root items written, bytes", bucket * counters["written_roots"],
              bucket * roots, bucket * (roots + banks)),
        check("all items written, bytes", written,
              bucket * counters["written"], bucket * counters["written"]),
        check("all items read, bytes", read, written, written)]


def compute(path, stats, scheduler):
    """The series of a run with buckets in main memory, and its checks."""
    region = stats["region_of_interest"]
    begin = region["regions"][0]["begin"]
    end = region["regions"][-1]["end"]
    sums, cycles = steps(*growth(path), begin, end)
    found = checks(region["groups"]["streamscheduler"]["counters"],
                   scheduler["bucket"], scheduler["banks"], sums)
    for c in found:
        if not c["least"] <= c["value"] <= c["most"]:
            raise Wrong(f"{c['what']}: {c['value']}, expected {c['least']} to "
                        f"{c['most']}")
    return {"series": {"cycles": cycles, **sums}, "checks": found}
