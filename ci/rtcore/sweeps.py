"""The sweeps of ci/bench-rtcore: which parameter, on which rays, and how they
are drawn. A curve is what is measured (solid) below its bound (dashed)."""
from dataclasses import dataclass, field

import plots


@dataclass(frozen=True)
class Scene:
    """Layers (corbel-scene generate): all rays do the same in such a tree."""
    nodes: str
    layers: int
    copies: int = 1  # of each triangle: triangles of a leaf

    def name(self):
        return f"{self.nodes}-{self.layers}x{self.copies}"


@dataclass(frozen=True)
class Curve:
    name: str
    scene: Scene
    rays: str = "gap"
    settings: dict = field(default_factory=dict, hash=False)
    rounds: int = 120  # rays for each slot


@dataclass
class Sweep:
    name: str
    title: str
    parameter: str  # of --set
    unit: str
    values: list
    few: list  # of them, for --quick
    curves: list
    settings: dict = field(default_factory=dict)
    slow: bool = False  # drawn as cycles a ray, with the nodes visited


BINARY = Scene("bvh2", 512)   # 9 nodes of 64 bytes, 2 boxes each
WIDE = Scene("bvh8", 512)     # 3 nodes of 224 bytes, 8 boxes each
SMALL = Scene("bvh2", 32)     # 31 nodes, 32 leaves in all
LEAVES = Scene("bvh2", 32, 8)  # 8 triangles in each leaf

POWERS = [1, 2, 4, 8, 16, 32, 64]

SWEEPS = [
    Sweep("max-rays", "Rays in flight", "rtcore.max_rays", "rays",
          [1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256], [1, 256], [
              Curve("8 ports, L1 20 cycles", BINARY),
              Curve("L1 60 cycles", BINARY,
                    settings={"l1.latency": 60}),
              Curve("2 ports", BINARY,
                    settings={"chip.rt_queues": 2}),
              Curve("a node every 2 cycles", BINARY,
                    settings={"rtcore.box_pipes": 1,
                              "rtcore.box_interval": 2}),
          ]),
    Sweep("node-latency", "Latency of the box pipeline", "rtcore.box_latency",
          "cycles", POWERS, [1, 64], [
              Curve(f"{n} rays in flight", BINARY,
                    settings={"rtcore.max_rays": n}) for n in (8, 32, 128)]),
    Sweep("box-width", "Boxes tested per initiation, nodes of 8",
          "rtcore.box_width", "boxes", [1, 2, 3, 4, 5, 6, 7, 8], [1, 8], [
              Curve("1 pipe", WIDE, settings={"rtcore.box_pipes": 1}),
              Curve("2 pipes", WIDE, settings={"rtcore.box_pipes": 2}),
              Curve("1 pipe, interval 2", WIDE,
                    settings={"rtcore.box_pipes": 1,
                              "rtcore.box_interval": 2}),
          ], {"rtcore.max_rays": 128, "chip.rt_queues": 32}),
    Sweep("ports", "Ports of the RT core to its L1", "chip.rt_queues", "ports",
          [1, 2, 3, 4, 5, 6, 7, 8, 12, 16], [1], [
              Curve("9 nodes of 64 bytes", BINARY),
              Curve("3 nodes of 224 bytes", WIDE),
              Curve("3 nodes of 80 bytes", Scene("cwbvh8", 512)),
          ], {"rtcore.max_rays": 128}),
    Sweep("banks", "Banks of the L1", "l1.banks", "banks", POWERS, [1], [
              Curve("9 nodes of 64 bytes", BINARY),
              Curve("3 nodes of 224 bytes", WIDE),
          ], {"rtcore.max_rays": 128, "chip.rt_queues": 32}),
    Sweep("scheduler", "Rays that leave the scheduler in a cycle", "rtcore.ops",
          "a cycle", [1, 2, 3, 4, 6, 8], [1], [
              Curve("9 nodes", BINARY),
              Curve("3 nodes", WIDE),
          ], {"rtcore.max_rays": 128, "chip.rt_queues": 32}),
    Sweep("triangle-latency", "Latency of the triangle pipeline",
          "rtcore.tri_latency", "cycles", POWERS, [64], [
              Curve(f"{n} rays in flight", LEAVES, "one",
                    {"rtcore.max_rays": n}) for n in (8, 32, 128)],
          {"chip.rt_queues": 32}),
    Sweep("triangle-width", "Triangles tested per initiation, leaves of 8",
          "rtcore.tri_width", "triangles", [1, 2, 3, 4, 5, 6, 7, 8], [1], [
              Curve("1 pipe", LEAVES, "one", {"rtcore.tri_pipes": 1}),
              Curve("1 pipe, interval 2", LEAVES, "one",
                    {"rtcore.tri_pipes": 1, "rtcore.tri_interval": 2}),
              Curve("2 pipes, interval 8", LEAVES, "one",
                    {"rtcore.tri_pipes": 2, "rtcore.tri_interval": 8}),
          ], {"rtcore.max_rays": 128, "chip.rt_queues": 32}),
    Sweep("stack", "Entries of the short stack", "rtcore.stack", "entries",
          [1, 2, 3, 4, 5, 6, 8], [1, 8], [
              Curve("1 ray in flight", SMALL, "all",
                    {"rtcore.max_rays": 1}, 2),
              Curve("64 rays in flight", SMALL, "all",
                    {"rtcore.max_rays": 64}, 16),
          ], slow=True),
]


def limits(part):
    """Which bounds a curve meets, from left to right."""
    return ", ".join(dict.fromkeys(r["limit"] for r in part))


def axes(sweep, values):
    wide = max(values) > 16 * min(values)
    low, high = ((0.94 * values[0], 1.06 * values[-1]) if wide else
                 (values[0] - 0.1, values[-1] + 0.1))
    logarithmic = sweep.slow or sweep.parameter == "rtcore.max_rays"
    ticked = [v for v in values if v & (v - 1) == 0] if wide else values
    return f"""
{"set logscale x 2" if wide else ""}
{"set logscale y; set autoscale yfixmax" if logarithmic else "set yrange [0:*]"}
set xrange [{low}:{high}]
set offsets graph 0, 0, graph 0.05, 0
set key outside right top vertical width -1 samplen 2 spacing 1.3
set xlabel "{sweep.parameter}, {sweep.unit}" noenhanced
set ylabel "{"cycles a ray" if sweep.slow else "MRays/s at 1 GHz"}"
set title "{sweep.title}"
""" + plots.tics(ticked)


# Rays in 1000 cycles are MRays/s at 1 GHz.
def draw(path, sweep, rows):
    script = axes(sweep, sorted({r["value"] for r in rows}))
    curves = []
    for i, ((name,), part) in enumerate(plots.by(rows, "curve").items()):
        script += "\n" + plots.block(f"d{i}", [
            (r["value"], *(1e3 / y if sweep.slow else y for y in
                           (r["rays_per_kcycle"], r["bound"])), r["nodes"])
            for r in part])
        colour = f"lc rgb '{plots.COLOURS[i % len(plots.COLOURS)]}'"
        curves += [f"$d{i} using 1:2 with points pt 7 ps 0.9 {colour} "
                   f"title '{name}'",
                   f"$d{i} using 1:3 with lines lw 1.5 dt (6,4) {colour} "
                   f"title 'bound: {limits(part)}'"]
    if sweep.slow:
        curves.append("$d0 using 1:4 with linespoints pt 6 ps 0.7 "
                      "lc rgb '#888888' title 'nodes visited'")
    plots.render(path, script + "plot " + ", ".join(curves) + "\n")


def draw_all(out, rows):
    for sweep in SWEEPS:
        part = [r for r in rows if r["sweep"] == sweep.name]
        if part:
            draw(f"{out}/rtcore-{sweep.name}", sweep, part)
