#!/usr/bin/env python3
"""Costs of pixels in a directory of sim-run --cost-images: costs.py DIR [EXPRESSION]...

Sums of pixels and rest are those of stats.json; pictures say what pixels.json does.
An expression is about arrays of the costs, by index, that of the pixel from the top
left: NAME[i], sum(NAME), i % 4; index is the work index of a hottest pixel, else None. It
has to hold for each i.
"""
import array
import json
import struct
import sys
import zlib

folder = sys.argv[1]


def fail(text):
    sys.exit(f"{folder}: {text}")


def load(name):
    with open(f"{folder}/{name}") as f:
        return json.load(f)


def read_pfm(name, width, height):
    with open(f"{folder}/{name}", "rb") as f:
        if f.readline() != b"Pf\n" or f.readline().split() != [b"%d" % width, b"%d" % height]:
            fail(f"{name}: wrong head")
        if float(f.readline()) != -1:
            fail(f"{name}: wrong scale")
        values = array.array("f", f.read())
    if len(values) != width * height:
        fail(f"{name}: {len(values)} values")
    lines = [values[y * width:(y + 1) * width] for y in range(height)]
    return [int(v) for line in reversed(lines) for v in line]


def read_png(name):
    """Width, height, and the pixels of the first line."""
    with open(f"{folder}/{name}", "rb") as f:
        data = f.read()
    at, parts = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        parts[kind] = data[at + 8:at + 8 + size]
        at += 12 + size
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    line = zlib.decompress(parts[b"IDAT"])[1:1 + 3 * width]
    return width, height, [tuple(line[3 * x:3 * x + 3]) for x in range(width)]


pixels, stats = load("pixels.json"), load("stats.json")
with open(f"{folder}/log.txt", encoding="utf-8") as f:
    log = f.read()
indices = {}  # of the hottest pixels
width, height = pixels["width"], pixels["height"]
colours = [tuple(bytes.fromhex(c[1:])) for c in pixels["colours"]]

totals = dict.fromkeys([c["name"] for c in pixels["costs"]], 0)
misses = 0
for group in stats["groups"].values():
    counters, kind = group["counters"], group["kind"]
    if kind == "tp":
        totals["cycles"] += sum(group["buckets"].values())
    elif kind == "simt":  # the buckets are of warps, the costs of their lanes
        warp = counters["lane_slots"] // counters["warp_instructions"]
        totals["cycles"] += warp * sum(group["buckets"].values())
    elif kind == "rtcore":
        for name in "rays", "nodes", "triangles":
            totals[name] += counters[name]
    elif kind == "cache":
        misses += counters["misses_read"] + counters["bypassed"]
    elif kind == "dram":
        totals["dram_bytes"] += counters["bytes_read"] + counters["bytes_written"]
    elif kind == "memory":
        totals["dram_bytes"] += counters["bytes"]

costs = {}
for c in pixels["costs"]:
    name = c["name"]
    values = read_pfm(f"cost-{name}.pfm", width, height) if c["most"] else [0] * width * height
    costs[name] = values
    if name.endswith("_misses"):
        misses -= c["sum"] + c["rest"]
    elif c["sum"] + c["rest"] != totals[name]:
        fail(f"{name}: {c['sum']} of pixels and {c['rest']} are not {totals[name]}")
    if sum(values) != c["sum"] or max(values) != c["most"]:
        fail(f"{name}: sum or maximum of the pixels")
    hottest = sorted(values, reverse=True)[:10]
    if [h["value"] for h in c["hottest"]] != [v for v in hottest if v]:
        fail(f"{name}: the hottest pixels")
    for h in c["hottest"]:
        if values[h["y"] * width + h["x"]] != h["value"]:
            fail(f"{name}: {h}")
        if f"{h['value']} at {h['x']},{h['y']} (index {h['index']})" not in log and (
                c["sum"] < c["most"] * width * height):
            fail(f"{name}: the log does not have {h}")
        indices[h["y"] * width + h["x"]] = h["index"]
    if not c["most"]:
        continue
    across, down, line = read_png(f"cost-{name}.png")
    zoom = max(1, -(-256 // max(width, height)))
    if across <= width * zoom or down < height * zoom:
        fail(f"{name}: size of the picture")
    for x in range(width):
        share = min(1, values[x] / c["scale"])
        if line[x * zoom] != colours[int(share * 255 + 0.5)]:
            fail(f"{name}: colour of pixel {x},0")
if misses:
    fail(f"{misses} misses of caches are missing")

for expression in sys.argv[2:]:
    for i in range(width * height):
        if not eval(expression, {"i": i, "sum": sum, "index": indices.get(i), **costs}):
            got = {n: v[i] for n, v in costs.items()}
            fail(f"not {expression} at {i}: {got}")
