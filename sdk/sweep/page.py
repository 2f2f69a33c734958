"""
corbel-sweep collect --page, --figures: a page for a browser, in the frame of
sim-report's with its tables, and the same figures as files for papers.
"""
import base64
import itertools
import json
import os

from . import draw, files
from .analysis import Study, short
from .spec import OWN
from .wrong import HOST, Wrong

PAIRS = 6  # heat maps, at most
FRAME = os.path.join(os.path.dirname(__file__), "..", "..", "..", "..",
                     "share", "corbel", "sweep")


def unit_name(study):
    group, _, last = study.figure.rpartition(".")
    unit = study.collected.unit(group, last)[0]
    return study.figure if unit in ("", study.figure) else \
        f"{study.figure} ({unit})"


def seeds(study):
    most = max(len(s.values) for s in study.samples)
    return (f" Bars are intervals of 95 % over up to {most} orders of work."
            if most > 1 else "")


def base_of(study, name):
    others = [f"{n} {short(v)}" for n, v in study.base.items()
              if n != name and n in study.varied()]
    return f" The others are {', '.join(others)}." if others else ""


def curve_figures(study):
    for name in study.varied():
        lines = {s: line for s, line in study.curve(name).items() if line}
        if not lines:
            continue
        rest = (" Points are means over ranges of what was drawn."
                if study.drawn() else base_of(study, name))
        yield (f"curve-{name}", "Curves", f"{name}",
               f"{unit_name(study)} by {name}.{rest}{seeds(study)}",
               draw.curves(f"{study.figure} by {name}", lines, name,
                           unit_name(study)))


def heat_figures(study):
    for first, second in list(itertools.combinations(
            study.varied(), 2))[:PAIRS] if not study.drawn() else ():
        cells = study.pair(first, second)
        if len({a for a, _ in cells}) > 1 and len({b for _, b in cells}) > 1:
            yield (f"heat-{first}-{second}", "Heat maps",
                   f"{first} and {second}",
                   f"Mean of {unit_name(study)} over all else.",
                   draw.heat(f"{study.figure} by {first} and {second}",
                             cells, first, second))


def front_figure(study):
    points = study.front()
    if len(points) < 2:
        return
    yield ("pareto", "Pareto front", f"{study.figure} against {study.cost}",
           f"Less of both is better: {sum(p[3] for p in points)} of "
           f"{len(points)} are on the front.",
           draw.pareto(f"{study.figure} against {study.cost}", points,
                       study.cost, unit_name(study)))


def tornado_figure(study):
    rows = study.tornado()
    if rows:
        yield ("tornado", "Sensitivities", "What each setting changes",
               f"Change of {study.figure} when one setting goes from the "
               "base to its first (blue) and last (orange) value.",
               draw.tornado(f"{study.figure}: one setting at a time", rows,
                            f"change of {study.figure}"))


def all_figures(study):
    """(Name, section, title, caption, SVG.)"""
    for make in (curve_figures, heat_figures, front_figure, tornado_figure):
        yield from make(study)


# ---- the page ---------------------------------------------------------------

def compared(study):
    """Geometric means of ratios to the baseline are not skewed by size."""
    rows = []
    for sample in study.samples:
        ratio = sample.ratio
        if ratio:
            rows.append([*(sample.coordinates[n] for n in OWN),
                         *(sample.coordinates.get(n) for n in study.settings),
                         ratio.value, ratio.half, ratio.count])
    return rows


def table(study):
    return [[min(s.numbers), *(s.coordinates[n] for n in OWN),
             *(s.coordinates.get(n) for n in study.settings),
             s.mean.value, s.mean.half, s.mean.count]
            for s in study.samples]


def as_image(svg):
    return "data:image/svg+xml;base64," + base64.b64encode(
        svg.encode()).decode()


def data_of(study, figures):
    collected = study.collected
    return {
        "title": collected.sweep["name"],
        "versions": collected.versions,
        "figure": study.figure, "unit": unit_name(study), "part": study.part,
        "cards": [[str(len(collected.results)), "points"],
                  [str(len(collected.done())), "done"],
                  [str(len(study.samples)), "without their seeds"],
                  [str(len(collected.settings)), "settings"]],
        "own": list(OWN), "settings": collected.settings,
        "table": table(study), "compared": compared(study),
        "figures": [{"name": name, "section": section, "title": title,
                     "caption": caption, "image": as_image(svg)}
                    for name, section, title, caption, svg in figures]}


def frame_part(name):
    path = os.path.normpath(os.path.join(FRAME, name))
    return files.read(path)


def write_html(study, figures, path):
    text = json.dumps(data_of(study, figures), ensure_ascii=False)
    files.write(path, frame_part("begin.html") + text.replace("<", "\\u003c")
                + frame_part("end.html"))


def write_figures(figures, folder):
    """SVG, and PDF where there is a program for it; a line says if not."""
    files.make_folder(folder)
    made = True
    for name, _, _, _, svg in figures:
        path = os.path.join(folder, files.plain(name))
        files.write(path + ".svg", svg)
        made = draw.pdf(path + ".svg", path + ".pdf") and made
    if not made:
        raise Wrong("rsvg-convert (package librsvg2-bin) makes PDF files: "
                    "there are only those of SVG", HOST)


def write_page(collected, options):
    sweep = collected.sweep
    study = Study(collected, options.figure or sweep["figure"], options.part,
                  options.cost or sweep["cost"])
    figures = list(all_figures(study))
    if options.page:
        write_html(study, figures, options.page)
    if options.figures:
        write_figures(figures, options.figures)
