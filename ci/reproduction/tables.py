"""
The generated tables of docs/studies/reproduction.md and docs/studies/calibration.md, from the
results and the published figures. In a page a table, with the link to its plot,
stands between a line <!-- NAME --> and a line <!-- end -->.
"""
import figures
import streamtables
from pages import (NOTHING, find, in_order, number, shown, size_of, table,
                   titles, with_ratio)

CLOSE = 0.05  # to hardware: the goal
class Sponza:
    """Published and simulated systems on the one scene of both."""

    def __init__(self, plan, part):
        self.plan, self.part = plan, part
        self.kinds = plan.plan["kinds"]
        self.scene = in_order(part, "scene")[0]
        self.systems = dict(plan.published["systems"]) | {
            chip: f"Corbel {chip}" for chip in in_order(part, "chip")}

    def figure(self, system, name, kind):
        if system in self.plan.published["systems"]:
            return figures.published(self.plan.published, system, self.scene,
                                     self.kinds.index(kind)).get(name)
        found = find(self.part, chip=system, kind=kind)
        return found and found[name]

    def row(self, system, name):
        return [self.figure(system, name, kind) for kind in self.kinds]

    def compared(self, name):
        """A row for each system, with its ratio to hardware."""
        real = self.row("hardware", name)
        rows = []
        for system, title in self.systems.items():
            values = self.row(system, name)
            if any(v is not None for v in values):
                rows.append([title, *(
                    with_ratio(v, system != "hardware" and r,
                               figures.digits(name))
                    for v, r in zip(values, real))])
        return table([figures.title(name), *self.kinds], rows)

    def verdict(self):
        """Distance of MRays/s to hardware, and whether it is near enough."""
        real = self.row("hardware", "mrays")
        rows = []
        for system, title in self.systems.items():
            off = [value / r - 1 if value else None
                   for value, r in zip(self.row(system, "mrays"), real)]
            if system != "hardware":
                rows.append([title, *(f"{100 * o:+.1f} %" if o is not None
                                      else NOTHING for o in off),
                             sum(o is not None and abs(o) <= CLOSE
                                 for o in off)])
        return table(["to hardware", *self.kinds,
                      f"cells within {CLOSE:.0%}"], rows)


def sponza(plan, part):
    s = Sponza(plan, part)
    made = {f"sponza-{name.replace('_', '-')}": s.compared(name)
            for name in ("mrays", "l2_hit", "l2_bandwidth", "dram_bandwidth",
                         "l2_bytes", "l2_missing", "dram_bytes", "clocks")}
    return made | {"sponza-verdict": s.verdict(),
                   "sponza-work": work(part), "sponza-runs": ran(part)}


WORK = ("l1_hit", "l2_load_hit", "nodes", "leaves", "triangles", "restarts",
        "occupancy", "dram_latency")


def work(part):
    return table(["chip", "rays", *titles(WORK)], [
        [cell["chip"], cell["kind"], *shown(cell["figures"], WORK)]
        for cell in part["cells"]])


def ran(part):
    """Of what each line of the tables is, once for each chip."""
    cells = {cell["chip"]: cell for cell in part["cells"]}
    return table(["chip", "rays", "scene options", "traversal", "settings"], [
        [chip, size_of(cell), f"`{cell['convert']}`",
         cell["mode"], " ".join(cell["settings"]) or "none"]
        for chip, cell in cells.items()])


SHAPE = ("mrays", "l1_hit", "l2_hit", "l2_bandwidth", "dram_bandwidth",
         "l2_bytes", "dram_bytes", "nodes", "triangles", "restarts",
         "occupancy")


def scenes(plan, part):
    return {"scenes": table(
        ["scene", "rays", *titles(SHAPE)],
        [[cell["scene"], cell["kind"], *shown(cell["figures"], SHAPE)]
         for cell in part["cells"]]),
        "scenes-runs": ran(part)}


# ---- TRaX -------------------------------------------------------------------

def published_variants(plan, part):
    """The names in the table of TRaX, in the order of the part's chips."""
    return dict(zip(plan.plan["parts"]["trax"]["chips"],
                    plan.published["trax"]))


def trax_rows(plan, part):
    """Scene, system, and MRays/s of each kind of rays."""
    variants = published_variants(plan, part)
    kinds = plan.plan["kinds"]
    for chip, variant in variants.items():
        yield "Intel Sponza", chip, f"Arches, {variant}", \
            plan.published["trax"][variant]
    for scene in in_order(part, "scene"):
        for chip in variants:
            found = [find(part, scene=scene, chip=chip, kind=kind)
                     for kind in kinds]
            if any(found):
                yield scene, chip, f"Corbel {chip}", [
                    f and f["mrays"] for f in found]


def trax(plan, part):
    rows, first = [], {}
    for scene, _, system, values in trax_rows(plan, part):
        base = first.setdefault(scene, values)
        rows.append([scene, system, *(
            with_ratio(value, reference, 0)
            for value, reference in zip(values, base))])
    return {"trax": table(["scene", "system", *plan.plan["kinds"]], rows),
            "trax-runs": ran(part)}


# ---- calibration ------------------------------------------------------------

def effect(part, about, kind):
    """Change of MRays/s by it, as a share; None: there is no such run."""
    base = find(part, about=["nominal", ""], kind=kind)
    other = find(part, about=about, kind=kind)
    return other and base and other["mrays"] / base["mrays"] - 1


def effects(plan, part, about):
    found = [effect(part, about, kind) for kind in plan.plan["kinds"]]
    if all(e is None for e in found):
        return NOTHING
    return " / ".join(NOTHING if e is None else f"{100 * e:+.1f}"
                      for e in found)


def calibration(plan, part):
    rows = [[f"`{c['parameter']}`", f"{c['value']} {c['unit']}", c["source"],
             *(f"{c[which]}: {effects(plan, part, [c['parameter'], which])}"
               if c[which] else NOTHING for which in ("low", "high"))]
            for c in part["constants"]]
    others = [about for about in map(tuple, in_order_about(part))
              if about[1] == "instead"]
    base = [find(part, about=["nominal", ""], kind=kind)
            for kind in plan.plan["kinds"]]
    return {
        "calibration": table(["constant", "value", "source", "less: %",
                              "more: %"], rows),
        "calibration-nominal": table(
            ["rays", *plan.plan["kinds"]],
            [[size_of(part), *(
                number(b and b["mrays"], 0) for b in base)]]),
        "calibration-alternatives": table(
            ["instead", "settings", "scene options", "MRays/s, %"],
            [alternative(plan, part, about) for about in others]),
    }


def in_order_about(part):
    return dict.fromkeys(tuple(cell["about"]) for cell in part["cells"])


def alternative(plan, part, about):
    cell = next(c for c in part["cells"] if c["about"] == list(about))
    return [about[0], " ".join(cell["settings"]) or "none",
            f"`{cell['convert']}`", effects(plan, part, list(about))]


# ---- all --------------------------------------------------------------------

PARTS = {"sponza": (sponza, (
             "mrays", "verdict", "l2-hit", "l2-bandwidth", "dram-bandwidth",
             "l2-bytes", "l2-missing", "dram-bytes", "clocks", "work",
             "runs")),
         "trax": (trax, ("", "runs")), "scenes": (scenes, ("", "runs")),
         "calibration": (calibration, ("", "nominal", "alternatives")),
         "streams": (streamtables.streams, streamtables.NAMES)}


# Tables that a plot goes before: its name, and what is said for it.
PLOTS = {"sponza-mrays": ("mrays", "MRays/s"),
         "sponza-l2-bytes": ("traffic", "bytes a ray"),
         "scenes": ("scenes", "MRays/s of the scenes"),
         "trax": ("trax", "speed to software traversal"),
         "calibration": ("calibration", "effect of each constant"),
         **streamtables.PLOTS}


def with_plots(made):
    for name, (plot, what) in PLOTS.items():
        if made[name]:
            made[name] = (f"\n![{what}](reproduction-{plot}.svg)\n\n"
                          + made[name])
    return made


def blocks(plan, known):
    """Tables by name; None for those of parts that have no results."""
    made = {}
    for part, (make, names) in PARTS.items():
        made |= {"-".join(filter(None, (part, name))): None for name in names}
        if part in known:
            made |= make(plan, known[part])
    return with_plots(made)
