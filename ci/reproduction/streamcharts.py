"""Draws the experiments of docs/studies/streams-study.md with gnuplot."""
import figures
import pages
import plots
import streamtables
from bars import BARS, bars, highest

CLIENTS = {"rays_bytes": "rays", "scene_bytes": "scene", "hits_bytes": "hits"}


def multiplot(panels, columns=2):
    rows = -(-len(panels) // columns)
    return (f"set multiplot layout {rows},{min(columns, len(panels))}\n"
            + "".join(panels) + "unset multiplot\n")


# ---- X1 ---------------------------------------------------------------------

# As in the published figure: total is drawn first, so that rays lie upon it.
CURVES = {"bytes_written": ("DRAM write", "#e8a33d", 4),
          "bytes_read": ("DRAM read", "#86b8e0", 4),
          "rays_written": ("ray write", "#b3423c", 1.5),
          "rays_read": ("ray read", "#1f4e8c", 1.5)}


def clients(path, plan, part):
    """Bytes a cycle over the frame, a panel for each scene."""
    data, panels = "", []
    for i, cell in enumerate(streamtables.cells(part, "clients")):
        series = cell["series"]
        width = series["cycles"]
        data += plots.block(f"s{i}", [
            ((step + 0.5) * width / 1000,
             *(series[name][step] / width for name in CURVES))
            for step in range(len(series["bytes_read"]))])
        curves = ", ".join(
            f"$s{i} using 1:{column + 2} with lines lw {thick} lc rgb "
            f"'{colour}' title '{title}'" for column, (title, colour, thick)
            in enumerate(CURVES.values()))
        panels.append(f"""set title "{cell['scene']}, {short(cell['chip'])}" offset 0,1.7
set xlabel "thousands of cycles"
set ylabel "bytes a cycle"
set key at graph 0.5, 1.02 center bottom horizontal maxcols 4 samplen 1 font ",9"
set tmargin 6
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
plot {curves}
""")
    plots.render(path, data + multiplot(panels), 330 * -(-len(panels) // 2))


# ---- bars -------------------------------------------------------------------

def panel(name, title, label, rows, groups, room=1.35):
    """Data and plot of a panel with bars."""
    data, plot = bars(name, rows, groups)
    return data, f"""set title "{title}"
set ylabel "{label}"
set key top right
set yrange [0:{room * highest(rows)}]
{plot}"""


def drawn(path, panels, height=plots.HEIGHT, columns=2, before=""):
    plots.render(path, "".join(data for data, _ in panels) + BARS + before
                 + multiplot([plot for _, plot in panels], columns), height)


def rows_of(part, series, groups, figure, wanted):
    """
    Rows for bars: of `series` (value: title); groups are values too, `wanted`
    says by a value of each what the cell has to have.
    """
    found = []
    for i, (value, title) in enumerate(series.items()):
        cell = [pages.find(part, **wanted(value, group)) for group in groups]
        if any(cell):
            found.append((title, plots.COLOURS[i % len(plots.COLOURS)],
                          [c and c[figure] for c in cell]))
    return found


def chips_of(part, *experiments):
    return {cell["chip"]: short(cell["chip"])
            for cell in streamtables.cells(part, *experiments)}


def short(chip):
    """A chip's name where there is little room."""
    return chip.replace("dual-streaming-rt", "dual").replace("-2ghz", "")


def largest(found):
    return max((cell["size"] for cell in found), default=None)


def trax(path, plan, part):
    """The largest pictures."""
    of = streamtables.OF["trax"]
    found = streamtables.cells(part, *of)
    size = largest(found)
    groups = list(dict.fromkeys((c["about"][0], c["scene"], c["kind"])
                                for c in found))
    names = [f"{scene}, {kind}" for _, scene, kind in groups]
    panels = []
    for figure, label in (("mrays", "MRays/s"),
                          ("read_bytes", "DRAM read: bytes a ray")):
        rows = rows_of(part, chips_of(part, *of), groups, figure,
                       lambda chip, group: {
                           "about": [group[0], ""], "chip": chip,
                           "scene": group[1], "kind": group[2], "size": size})
        panels.append(panel(figure, label, "", rows, names, 1.6))
    drawn(path, panels, 560, 1)


def curves_by_size(part):
    """Secondary rays: names of curves with the cells along each."""
    found = {}
    for cell in streamtables.cells(part, "trax", "strata-sizes"):
        if cell["kind"] == "secondary":
            name = ", ".join(filter(None, (short(cell["chip"]),
                                           streamtables.variant(cell))))
            found.setdefault(name, []).append(cell)
    return found


def sizes(path, plan, part):
    """What grows with the picture: speed, and how full buckets are."""
    found = curves_by_size(part)
    data = "".join(plots.block(f"z{i}", [
        (cell["size"][0], cell["figures"]["mrays"], cell["figures"]["read_bytes"])
        for cell in along]) for i, along in enumerate(found.values()))
    panels = []
    for column, label in ((2, "MRays/s"), (3, "DRAM read: bytes a ray")):
        curves = ", ".join(f"$z{i} using 1:{column} title '{name}' "
                           + plots.style(i) for i, name in enumerate(found))
        panels.append(f"""set ylabel "{label}"
plot {curves}
""")
    plots.render(path, data + """
set logscale x 2
set xlabel "pixels across"
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
set key at graph 0.5, 1.02 center bottom horizontal maxcols 2 samplen 1.5
set tmargin 6
""" + multiplot(panels), 400)


def order(path, plan, part):
    panels = []
    for experiment, title in (("order", "RT cores"),
                              ("order-software", "software")):
        found = [c["about"][1].rsplit(", ", 1)
                 for c in streamtables.cells(part, experiment)]
        if not found:
            continue
        orders = list(dict.fromkeys(o for o, _ in found))
        early = {e: f"early {e}" for _, e in found}
        rows = rows_of(part, early, orders, "mrays", lambda e, o: {
            "about": [experiment, f"{o}, {e}"]})
        panels.append(panel(experiment.replace("-", "_"), title, "MRays/s",
                            rows, orders, 1.5))
    drawn(path, panels, before='set xtics font ",9"\n')


def strata(path, plan, part):
    kinds = plan.plan["kinds"]
    panels = []
    for figure in ("mrays", "dram_bytes", "revisits", "store_bytes"):
        rows = rows_of(part, chips_of(part, "strata"), kinds, figure,
                       lambda chip, kind: {"about": ["strata", "bvh6"],
                                           "chip": chip, "kind": kind})
        rows = [row for row in rows if any(row[2])]
        if rows:
            panels.append(panel(figure, figures.title(figure), "", rows,
                                kinds, 2))
    drawn(path, panels, 700)


def formats(path, plan, part):
    chips = chips_of(part, "formats")
    nodes = {c["about"][1]: c["about"][1]
             for c in streamtables.cells(part, "formats")}
    panels = [panel(figure, figures.title(figure), "", rows_of(
        part, nodes, chips, figure, lambda name, chip: {
            "about": ["formats", name], "chip": chip}), list(chips.values()))
        for figure in ("mrays", "dram_bytes")]
    drawn(path, panels, 560, 1)


# ---- X4 ---------------------------------------------------------------------

SWEPT = {"treelets": "bytes of a treelet", "bucket": "bytes of a bucket",
         "records": "records of a hit updater",
         "scene-buffer": "bytes of the scene buffer (0: none)"}


def sweep(part, experiment, number):
    """Bytes by client, and MRays/s on the right."""
    found = streamtables.cells(part, experiment)
    values = [int(c["about"][1].split()[-1]) for c in found]
    data = plots.block(f"w{number}", [
        (i, *(c["figures"][name] for name in CLIENTS), c["figures"]["mrays"])
        for i, c in enumerate(found)])
    tics = ", ".join(f'"{plots.size_name(v)}" {i}'
                     for i, v in enumerate(values))
    curves = ", ".join(f"$w{number} using 1:{i + 2} title '{title}' "
                       + plots.style(i) for i, title in
                       enumerate(CLIENTS.values()))
    return data, f"""set xtics ({tics})
set xrange [-0.3:{len(values) - 0.7}]
set xlabel "{SWEPT[experiment]}"
plot {curves}, $w{number} using 1:{len(CLIENTS) + 2} axes x1y2 \\
    title 'MRays/s (right)' lw 2 pt 5 dt (6,4) lc rgb '#333333'
"""


def sweeps(path, plan, part):
    panels = [sweep(part, name, i) for i, name in enumerate(SWEPT)
              if streamtables.cells(part, name)]
    plots.render(path, "".join(data for data, _ in panels) + """
set yrange [0:*]
set y2range [0:*]
set offsets 0, 0, graph 0.1, 0
set ytics nomirror
set y2tics nomirror
set border 11 lc rgb "#555555"
set xtics font ",9"
set ylabel "DRAM bytes a ray"
set y2label "MRays/s"
set key at graph 0.5, 1.02 center bottom horizontal maxcols 4 samplen 1.5
set tmargin 4
""" + multiplot([plot for _, plot in panels]), 640)


CHARTS = {f"streams-{name}": draw for name, draw in {
    "clients": clients, "trax": trax, "strata-sizes": sizes, "order": order, "sweeps": sweeps,
    "strata": strata, "formats": formats}.items()}


def has(part, name):
    return streamtables.has(part, name.removeprefix("streams-"))
