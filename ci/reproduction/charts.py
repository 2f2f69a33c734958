"""Draws the results of ci/reproduce with gnuplot, as SVG and PNG."""
import pages
import plots
import streamcharts
import tables
from bars import BARS, bars, highest

# Systems that were published in greys, Corbel's in colours.
COLOURS = {"hardware": "#333333", "arches": "#8c8c8c", "vulkan_sim": "#c8c8c8"}


def colour(system, number):
    return COLOURS.get(system, plots.COLOURS[number % len(plots.COLOURS)])


def systems(s, name):
    """Rows for bars of those systems that have the figure."""
    rows, simulated = [], 0
    for system, title in s.systems.items():
        values = s.row(system, name)
        if any(v is not None for v in values):
            rows.append((title.replace("_", " "), colour(system, simulated),
                         values))
        simulated += system not in COLOURS
    return rows


def mrays(path, plan, part):
    s = tables.Sponza(plan, part)
    rows = systems(s, "mrays")
    data, plot = bars("d", rows, s.kinds)
    plots.render(path, data + BARS + f"""
set key top right
set yrange [0:{1.1 * highest(rows)}]
set ylabel "MRays/s"
set title "{s.scene}, {pages.size_of(part)} rays"
""" + plot)


def traffic(path, plan, part):
    s = tables.Sponza(plan, part)
    script, draw = BARS, "set multiplot layout 1,2\n"
    for name, title in (("l2_bytes", "L2: bytes a ray"),
                        ("dram_bytes", "DRAM: bytes a ray")):
        rows = systems(s, name)
        data, plot = bars(name, rows, s.kinds)
        script += data
        draw += f"""set title "{title}"
set key top left
set yrange [0:{1.4 * highest(rows)}]
{plot}"""
    plots.render(path, script + draw + "unset multiplot\n")


def scenes(path, plan, part):
    names = pages.in_order(part, "scene")
    rows = [(kind, plots.COLOURS[i], [
        found and found["mrays"] for name in names
        for found in [pages.find(part, scene=name, kind=kind)]])
        for i, kind in enumerate(plan.plan["kinds"])]
    data, plot = bars("d", rows, names)
    chip = part["cells"][0]["chip"]
    plots.render(path, data + BARS + f"""
set key top right
set yrange [0:{1.15 * highest(rows)}]
set ylabel "MRays/s"
set title "{chip}, {pages.size_of(part)} rays"
""" + plot)


def trax(path, plan, part):
    """Speed compared with software traversal, a panel for each scene."""
    variants = tables.published_variants(plan, part)
    rows = list(tables.trax_rows(plan, part))
    panels = list(dict.fromkeys(row[0] for row in rows))
    scaled = {panel: to_first([row for row in rows if row[0] == panel])
              for panel in panels}
    top = max(v for panel in scaled.values() for _, values in panel
              for v in values if v)
    script = BARS + f"""
set yrange [0:{1.4 * top}]
set key top left
set xtics font ",9"
"""
    draw = f"set multiplot layout 1,{len(panels)}\n"
    for i, (panel, group) in enumerate(scaled.items()):
        data, plot = bars(f"d{i}", [
            (variants[chip], plots.COLOURS[list(variants).index(chip)], values)
            for chip, values in group], plan.plan["kinds"])
        script += data
        draw += f"""set title "{'Corbel' if i else 'Arches'}, {panel}"
set ylabel "{'' if i else 'to software traversal'}"
{plot}"""
    plots.render(path, script + draw + "unset multiplot\n", 400)


def to_first(rows):
    """(chip, values to those of the first row)."""
    return [(chip, [v and b and v / b for v, b in zip(values, rows[0][3])])
            for _, chip, _, values in rows]


# ---- calibration ------------------------------------------------------------

def ranked(plan, part):
    """Constants with their effects in %, the one of least effect first."""
    def both(name, kind):
        return [100 * (tables.effect(part, [name, which], kind) or 0)
                for which in ("low", "high")]
    found = [(c["parameter"], [both(c["parameter"], kind)
                               for kind in plan.plan["kinds"]])
             for c in part["constants"]]
    return sorted(found, key=lambda row: max(
        abs(v) for pair in row[1] for v in pair))


def calibration(path, plan, part):
    rows, kinds = ranked(plan, part), plan.plan["kinds"]
    reach = 1.1 * max(1, *(abs(v) for _, pairs in rows for pair in pairs
                           for v in pair))
    script = "".join(plots.block(f"d{k}", [
        (y, *pairs[k]) for y, (_, pairs) in enumerate(rows)])
        for k in range(len(kinds)))
    names = ", ".join(f'"{name}" {y}' for y, (name, _) in enumerate(rows))
    script += f"""
set style fill solid 0.9 noborder
set xrange [{-reach}:{reach}]
set yrange [-0.7:{len(rows) - 0.3}]
set xlabel "change of MRays/s, %"
set border 1
set grid noytics xtics
set arrow from 0, graph 0 to 0, graph 1 nohead lc rgb '#555555' front
set key bottom right
set tmargin 2.5
set multiplot layout 1,{len(kinds)}
"""
    left, wide = 0.17, (0.985 - 0.17) / len(kinds)
    for k, kind in enumerate(kinds):
        script += (f"set ytics scale 0 noenhanced ({names})\n" if k == 0
                   else 'set ytics scale 0 ("" 0)\nunset key\n')
        script += f"""set lmargin at screen {left + k * wide:.3f}
set rmargin at screen {left + (k + 1) * wide - 0.02:.3f}
set title "{kind}"
plot """ + ", ".join(
            f"$d{k} using ({which[0]} / 2):1:(0):{which[0]}:"
            f"($1 - {which[1]}):($1 + {which[2]}) with boxxyerror "
            f"lc rgb '{which[3]}' title '{which[4]}'"
            for which in (("$2", .38, 0, plots.COLOURS[0], "less"),
                          ("$3", 0, .38, plots.COLOURS[1], "more"))
        ).replace("(0):$2", "(0):2").replace("(0):$3", "(0):3") + "\n"
    plots.render(path, script + "unset multiplot\n", 110 + 26 * len(rows))


# Name of the plot, of which part.
CHARTS = {"mrays": (mrays, "sponza"), "traffic": (traffic, "sponza"),
          "scenes": (scenes, "scenes"), "trax": (trax, "trax"),
          "calibration": (calibration, "calibration"),
          **{name: (draw, "streams")
             for name, draw in streamcharts.CHARTS.items()}}


def draw_all(folder, plan, known):
    """Names of those that were drawn: of parts that have results."""
    drawn = [name for name, (_, part) in CHARTS.items() if part in known
             and (part != "streams" or streamcharts.has(known[part], name))]
    for name in drawn:
        draw, part = CHARTS[name]
        draw(f"{folder}/{name}", plan, known[part])
    return drawn
