"""Draws the results of ci/bench-memory with gnuplot, as SVG and PNG."""
import subprocess

import chip as chips
import dram
from chip import Wrong

WIDTH, HEIGHT = 820, 460
COLOURS = ("#1f6fb4", "#d9822b", "#3a9d5d", "#8a5fbf", "#b3423c",
           "#5f5f5f")

COMMON = """
set border 3 lc rgb "#555555"
set tics nomirror textcolor rgb "#333333"
set grid lc rgb "#e4e4e4" lt 1
set key top left reverse Left samplen 2 spacing 1.2
set title font ",13"
set style data linespoints
set pointsize 0.7
"""


def size_name(number):
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if number >= unit and number % unit == 0:
            return f"{number // unit}{name}"
    return str(number)


def tics(values, name=str):
    return "set xtics (" + ", ".join(
        f'"{name(v)}" {v}' for v in values) + ")"


def block(name, rows):
    """Inline data; a block of (x, y, ...) rows."""
    return f"${name} << EOD\n" + "\n".join(
        " ".join(f'"{v}"' if isinstance(v, str) and v != "NaN" else str(v)
                 for v in row)
        for row in rows) + "\nEOD\n"


def render(path, script, height=HEIGHT):
    terminals = {"svg": f"svg size {WIDTH},{height} enhanced "
                        "font 'DejaVu Sans,11' background rgb 'white'",
                 "png": f"pngcairo size {WIDTH},{height} enhanced "
                        "font 'DejaVu Sans,10'"}
    for ending, terminal in terminals.items():
        text = (f"set terminal {terminal}\nset output '{path}.{ending}'\n"
                + COMMON + script)
        try:
            done = subprocess.run(["gnuplot"], input=text, text=True,
                                  capture_output=True, check=False)
        except FileNotFoundError:
            raise Wrong("gnuplot is not installed (package gnuplot-nox): no "
                        "plots") from None
        if done.returncode or done.stderr:
            raise Wrong(f"gnuplot, {path}.{ending}: {done.stderr.strip()}")


def style(number, dashed=False):
    colour = COLOURS[number % len(COLOURS)]
    return (f"lw 2 pt 7 lc rgb '{colour}'"
            + (" dt (6,4)" if dashed else ""))


def by(rows, *keys):
    """Rows in groups of equal keys, in the order of their first one."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return groups


def limit(value, name, colour="#888888"):
    """A dashed line across, and what it is."""
    return (f"set arrow from graph 0, first {value} to graph 1, first {value} "
            f"nohead dt 2 lc rgb '{colour}'\n"
            f"set label '{name}' at graph 0.99, first {value} right "
            f"offset 0,0.6 textcolor rgb '{colour}'\n")


# ---- latency against footprint ----------------------------------------------

def level_marks(chip):
    """Lines for what the description says: latencies and capacities."""
    text = ""
    for level in chips.cache_levels(chip):
        text += limit(level.latency, f"{level.name}: {level.latency}")
        text += (f"set arrow from {level.capacity}, graph 0 to "
                 f"{level.capacity}, graph 1 nohead dt 2 lc rgb '#bbbbbb'\n"
                 f"set label '{level.name}: {size_name(level.capacity)}' at "
                 f"{level.capacity}, graph 0.3 rotate by 90 "
                 f"offset -0.9,0 textcolor rgb '#888888'\n")
    return text


def dram_marks(chip, name):
    """Rows open and rows in the way; the longest in any phase."""
    reads = dram.Reads(chip.way()[-1].group)
    return "".join(
        f"set arrow from graph 0, first {cycles} to graph 1, first {cycles} "
        f"nohead dt 2 lc rgb '#bbbbbb'\n"
        f"set label '{name}, row {outcome}: {cycles}' at graph 0.01, "
        f"first {cycles} offset 0,0.6 textcolor rgb '#888888'\n"
        for outcome in ("hit", "closed", "conflict")
        for cycles in [chips.to_memory(chip) + reads.range(outcome)[1]])


def latency(path, machines, rows):
    groups = by(rows, "variant", "case")
    sizes = sorted({r["bytes"] for r in rows})
    name, machine = next(iter(machines.items()))
    script = level_marks(machine)
    if machine.way()[-1].group.kind == "dram":
        script += dram_marks(machine, name)
    script += tics([s for s in sizes if s & (s - 1) == 0][::2], size_name)
    script += f"""
set logscale x 2
set xrange [{sizes[0]}:{sizes[-1]}]
set yrange [0:400]
set key at graph 0.02, 0.7
set xlabel "footprint, bytes"
set ylabel "cycles from load to use"
set title "A chain of dependent loads, one every 128 bytes"
"""
    curves = []
    variants = list(by(rows, "variant"))
    for i, ((variant, case), part) in enumerate(groups.items()):
        script += block(f"d{i}", [(r["bytes"], r["cycles_per_access"])
                                  for r in part])
        curves.append(f"$d{i} title '{variant}, {case}' "
                      + style(variants.index((variant,)), case == "linear"))
    render(path, script + "plot " + ", ".join(curves) + "\n")


# ---- bandwidth ------------------------------------------------------------

def pin_marks(machines):
    return "".join(limit(m.pins, f"{name} pins: {m.pins:.1f}", COLOURS[i])
                   for i, (name, m) in enumerate(machines.items()))


def stride(path, machines, rows):
    def is_power(row):
        return row["stride"] & (row["stride"] - 1) == 0

    script = tics(sorted({r["stride"] for r in rows if is_power(r)}),
                  size_name)
    script += """
set logscale x 2
set logscale y
set xrange [8:66000]
set yrange [0.1:1000]
set key bottom left
set xlabel "stride, bytes"
set ylabel "bytes of sectors a cycle"
set title "Independent loads, one every stride bytes, of all thread processors"
"""
    curves = []
    for i, ((variant,), part) in enumerate(by(rows, "variant").items()):
        pins = machines[variant].pins
        for name, wanted in ("p", True), ("o", False):
            script += block(f"{name}{i}", [
                (r["stride"], r["bytes_per_cycle"]) for r in part
                if is_power(r) == wanted] or [("NaN", "NaN")])
        colour = COLOURS[i]
        script += (f"set arrow from graph 0, first {pins} to graph 1, first "
                   f"{pins} nohead dt 2 lc rgb '{colour}'\n")
        curves.append(f"$p{i} title '{variant}, pins {pins:.0f}' " + style(i))
        curves.append(f"$o{i} with points pt 6 ps 1.1 lw 1.5 lc rgb "
                      f"'{colour}' notitle")
    render(path, script + "plot " + ", ".join(curves) + "\n")


def stream(path, machines, rows):
    groups = by(rows, "variant")
    cases = list(by(rows, "case"))
    script = pin_marks(machines) + """
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set boxwidth 0.9
set yrange [0:400]
set key top left horizontal
unset xtics
set xtics nomirror scale 0
set ylabel "bytes a cycle"
set title "Streams of one hart of each thread processor, or of all harts"
"""
    table = [[case, *(part[0]["bytes_per_cycle"] if (part := [
        r for r in group if r["case"] == case]) else 0
        for group in groups.values())] for case, in cases]
    script += block("d", table)
    curves = [f"$d using {i + 2}:xtic(1) title '{variant}' "
              f"lc rgb '{COLOURS[i]}'"
              for i, (variant,) in enumerate(groups)]
    render(path, script + "plot " + ", ".join(curves) + "\n")


def atomic(path, machines, rows):
    rows = [r for r in rows if r["case"] != "chain"]
    slices = next(iter(machines.values())).way()[-2].group.count
    script = limit(1, "one word: 1 a cycle") + limit(
        slices, f"one in each of {slices} slices")
    script += tics(sorted({r["harts"] for r in rows})) + """
set logscale xy
set xrange [1:32768]
set yrange [0.03:100]
set xlabel "harts"
set ylabel "atomic additions a cycle"
set title "Atomic additions, performed in the L2"
"""
    curves = []
    for i, ((case,), part) in enumerate(by(rows, "case").items()):
        script += block(f"d{i}", [
            (r["harts"], r["accesses"] / r["cycles"])
            for r in part])
        curves.append(f"$d{i} title '{case}' " + style(i))
    render(path, script + "plot " + ", ".join(curves) + "\n")


def draw_all(out, machines, results):
    for draw in (latency, stride, stream, atomic):
        if results[draw.__name__]:
            draw(f"{out}/{draw.__name__}", machines, results[draw.__name__])
