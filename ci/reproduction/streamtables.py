"""
The generated tables of docs/studies/streams-study.md: what each experiment of
streams.toml has shown, a row for each of its runs.
"""
import figures
from pages import find, shown, size_of, table, titles, with_ratio

BASES = ("trax-2ghz", "trax-log")  # chips without streams
BLOCK_BYTES = 64     # of the published reads

BY_CLIENT = ("rays_bytes", "scene_bytes", "hits_bytes", "frame_bytes",
             "kernel_bytes")
COLUMNS = {
    "trax": ("written_bytes", "scene_bytes", "tracing_mrays", "tracing",
             "flushing", "dram_bandwidth", "items", "filled", "memory",
             "starved"),
    "log": ("written_bytes", "scene_bytes", "waiting", "idle", "items", "buckets", "filled",
            "tracing", "dram_bandwidth"),
    "order": ("mrays", "cycles", "items", "filled", "buckets",
              "fetched", "single", "record_bytes", "dram_bytes"),
    "sweeps": ("mrays", "items", "filled", "buckets", "fetched", "single",
               "dram_bytes", *BY_CLIENT, "l2_load_hit", "starved"),
    "objections": ("read_bytes", "written_bytes", "scene_bytes",
                   "dram_bandwidth", "items", "filled", "memory", "starved"),
    "strata-sizes": ("dram_bytes", "scene_bytes", "l1_hit", "l2_load_hit",
                     "nodes", "moved", "store_bytes", "memory", "starved"),
    "strata": ("dram_bytes", "nodes", "moved", "climbs", "restarts",
               "revisits", "store_bytes", "memory", "starved"),
    "formats": ("dram_bytes", "scene_bytes", "rays_bytes", "nodes", "l1_hit",
                "moved", "memory", "starved"),
}


def cells(part, *experiments):
    return [cell for name in experiments for cell in part["cells"]
            if cell["about"][0] == name]


def variant(cell):
    return cell["about"][1]


def compared(cell, base, name):
    """A figure of a cell, with its ratio to that of another one."""
    return with_ratio(cell["figures"][name], base and base[name],
                      figures.digits(name))


# ---- X3: main memory over a frame -------------------------------------------

def clients(part):
    """What is counted over the frame, and what rays in buckets have to be."""
    return table(
        ["scene", "chip", "what", "counted", "expected", "holds"],
        [[cell["scene"], cell["chip"], c["what"], c["value"],
          str(c["least"]) + (f" to {c['most']}" if c["most"] > c["least"]
                             else ""),
          "yes" if c["least"] <= c["value"] <= c["most"] else "no"]
         for cell in cells(part, "clients") for c in cell["checks"]])


QUARTERS = {"rays_written": "ray write", "bytes_written": "DRAM write",
            "rays_read": "ray read", "scene_read": "scene read",
            "bytes_read": "DRAM read"}


def quarters(part):
    """Bytes a cycle in each quarter of a frame's steps."""
    rows = []
    for cell in cells(part, "clients"):
        series = cell["series"]
        steps = len(series["bytes_read"])
        borders = [steps * i // 4 for i in range(5)]
        rows += [[cell["scene"], cell["chip"], i + 1, *(
            f"{sum(series[name][a:b]) / ((b - a) * series['cycles']):.1f}"
            for name in QUARTERS)]
            for i, (a, b) in enumerate(zip(borders, borders[1:]))]
    return table(["scene", "chip", "quarter", *QUARTERS.values()], rows)


# ---- X1: beside TRaX --------------------------------------------------------

RATIOS = ("mrays", "read_bytes", "nodes")


def beside(cell, part):
    """
    The chip without streams that traced the same rays, in the same variant; or
    as it is, where the variant is one of streams.
    """
    for about in (cell["about"], ["log", "as it is"]):
        for base in BASES:
            if found := find(part, chip=base, about=about, **{
                    key: cell[key] for key in ("scene", "kind", "size")}):
                return found
    return None


def trax(part):
    names = COLUMNS["trax"]
    return table(["scene", "rays", "size", "chip", *titles(RATIOS),
                  *titles(names)], [
        [cell["scene"], cell["kind"], size_of(cell), cell["chip"],
         *(compared(cell, beside(cell, part), name) for name in RATIOS),
         *shown(cell["figures"], names)]
        for cell in cells(part, *OF["trax"])])


# ---- X2: the log ------------------------------------------------------------

def logged(plan):
    """Rows of the published log."""
    log = plan.published["logged"]
    base = None
    for about in log["chips"].values():
        found = dict.fromkeys(RATIOS + COLUMNS["log"]) | {
            "mrays": about["mrays"], "nodes": about["nodes"],
            "read_bytes": BLOCK_BYTES * about["blocks_read"] / log["pixels"],
            "waiting": about["memory"], "idle": about.get("ray"),
            "items": about.get("items"), "buckets": about.get("buckets"),
            "filled": about.get("filled")}
        base = base or found
        yield log_row(log["scene"], "published", about["title"], found, base)


def log_row(scene, varied, title, found, base):
    return [scene, varied, title,
            *(with_ratio(found[name], base and base[name],
                         figures.digits(name)) for name in RATIOS),
            *shown(found, COLUMNS["log"])]


def by_variant(part, name):
    """The cells of a table, a variant of each scene after the other."""
    found = cells(part, *OF[name])
    order = list(dict.fromkeys((c["scene"], variant(c)) for c in found))
    return sorted(found, key=lambda c: order.index((c["scene"], variant(c))))


def log(plan, part):
    return table(["scene", "what is changed", "chip", *titles(RATIOS),
                  *titles(COLUMNS["log"])], [*logged(plan), *(
        log_row(cell["scene"], variant(cell), cell["chip"], cell["figures"],
                beside(cell, part)) for cell in by_variant(part, "log"))])


# ---- X4, X5, X6 -------------------------------------------------------------

def order(part, experiment):
    names = COLUMNS["order"]
    return table(["order and weight, early", *titles(names)], [
        [variant(cell), *shown(cell["figures"], names)]
        for cell in cells(part, experiment)])


SWEEPS = ("treelets", "bucket", "records", "scene-buffer")


def sweeps(part):
    names = COLUMNS["sweeps"]
    return table(["swept", *titles(names)], [
        [f"`{variant(cell)}`", *shown(cell["figures"], names)]
        for cell in cells(part, *SWEEPS)])


def against(part, experiment, first, varied, names):
    """Each chip's variants beside its first one."""
    rows = []
    for cell in cells(part, experiment):
        base = find(part, about=[experiment, first], chip=cell["chip"])
        rows.append([cell["chip"], variant(cell),
                     compared(cell, base, "mrays"),
                     *shown(cell["figures"], names)])
    return table(["chip", varied, *titles(("mrays", *names))], rows)


def objections(part):
    return against(part, "objections", "as it is", "what is changed",
                   COLUMNS["objections"])


# ---- X7, X8 -----------------------------------------------------------------

def strata(part):
    names = COLUMNS["strata"]
    rows = []
    for cell in cells(part, *OF["strata"]):
        base = beside(cell, part)
        rows.append([cell["scene"], cell["kind"],
                     size_of(cell), cell["chip"],
                     compared(cell, base, "mrays"),
                     *shown(cell["figures"], names)])
    return table(["scene", "rays", "size", "chip",
                  *titles(("mrays", *names))], rows)


def strata_sizes(part):
    names = ("mrays", *COLUMNS["strata-sizes"])
    return table(["treelets", "size", *titles(names)], [
        [variant(cell), size_of(cell), *shown(cell["figures"], names)]
        for cell in cells(part, "strata-sizes")])


def policies(part):
    names = ("mrays", *COLUMNS["strata"])
    return table(["chip", "treelets, order", *titles(names)], [
        [cell["chip"], variant(cell).rsplit(",", 1)[0],
         *shown(cell["figures"], names)] for cell in cells(part, "policies")])


def formats(part):
    return against(part, "formats", "bvh6", "nodes", COLUMNS["formats"])


# ---- all --------------------------------------------------------------------

def sizes(part):
    """Scenes, rays and sizes of each experiment."""
    found = {}
    for cell in part["cells"]:
        about = found.setdefault(cell["about"][0], ({}, {}, {}, []))
        about[0][cell["scene"]] = about[1][cell["kind"]] = True
        about[2][size_of(cell)] = True
        about[3].append(cell)
    return table(["experiment", "scenes", "rays", "size", "runs"], [
        [name, ", ".join(scenes), ", ".join(kinds), ", ".join(sizes),
         len(runs)] for name, (scenes, kinds, sizes, runs) in found.items()])


def ran(plan, part):
    """What the names of chips stand for."""
    names = dict.fromkeys(cell["chip"] for cell in part["cells"])
    chips = [(name, plan.chip(name)) for name in names]
    return table(["chip", "to sim-run", "program", "scene options",
                  "settings"], [
        [name, f"`{c['preset']}`",
         f"`{' '.join([c['program'], '--mode', c['mode'], *c['arguments']])}`",
         f"`{' '.join(c['convert'])}`",
         " ".join(f"`{s}`" for s in c["settings"]) or "none"]
        for name, c in chips])


NAMES = ("sizes", "runs", "trax", "log", "clients", "quarters", "order",
         "order-software", "sweeps", "objections", "strata-sizes", "strata",
         "policies", "formats")

# Tables that a plot goes before.
PLOTS = {f"streams-{name}": (f"streams-{name}", what) for name, what in {
    "clients": "what main memory carries over a frame, by client",
    "trax": "Dual Streaming and TRaX",
    "strata-sizes": "speed and bytes by the size of the picture",
    "order": "orders of treelets",
    "sweeps": "sizes of treelets, buckets, hit buffer and scene buffer",
    "strata": "rays that move, rays that are copied, TRaX",
    "formats": "compressed and uncompressed nodes"}.items()}


# What a table is of, where that is not one experiment of its name.
OF = {"quarters": ("clients",), "trax": ("trax", "trax-large"),
      "log": ("log", "log-why"),
      "sweeps": SWEEPS, "strata": ("strata", "strata-large", "strata-software")}


def has(part, name):
    """Is there a run for the table, or the plot before it?"""
    return any(cells(part, *OF.get(name, (name,))))


def streams(plan, part):
    """Tables by name; None for those that no run is of."""
    makers = {"trax": trax, "log": lambda p: log(plan, p),
              "clients": clients, "quarters": quarters,
              "order": lambda p: order(p, "order"),
              "order-software": lambda p: order(p, "order-software"),
              "sweeps": sweeps, "objections": objections,
              "strata-sizes": strata_sizes, "strata": strata,
              "policies": policies, "formats": formats}
    made = {"sizes": sizes(part), "runs": ran(plan, part)} | {
        name: make(part) if has(part, name) else None
        for name, make in makers.items()}
    return {f"streams-{name}": text for name, text in made.items()}
