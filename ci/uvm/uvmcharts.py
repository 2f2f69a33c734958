"""The plots: far faults and the use of PCIe over the time of a run."""
import experiments
import plots

SLICES = 60


def runs(study):
    """hotspot with each prefetcher, faults one after the other."""
    started = {p: study.kernel("hotspot", transfers=True, hardware_prefetch=p,
                               fault_mode="channel") for p in experiments.PREFETCHERS}
    return {p: run.result() for p, run in started.items()}


def lines(found, ylabel, more=""):
    data = "".join(plots.block(p, rows) for p, rows in found.items())
    draw = ", ".join(f"${p} with lines lw 2 lc rgb '{plots.COLOURS[i]}' title '{p}'"
                     for i, p in enumerate(found))
    return data + f"set ylabel '{ylabel}'\n{more}plot {draw}\n"


def faults(path, study):
    """How many there have been, by time; both on logarithmic scales."""
    found = {}
    for prefetch, run in runs(study).items():
        at = [int(t["begin"]) - run.begin for t in run.transfers if t["kind"] == "fault"]
        found[prefetch] = [(max(cycle, 1) / run.mhz / 1000, i + 1)
                           for i, cycle in enumerate(at)]
    plots.render(path, lines(found, "far faults so far", """
set logscale xy
set xlabel "ms since the kernel began"
set title "hotspot: far faults over time, by prefetcher"
"""))


def draw_pcie(path, runs_of, title):
    """The share of time in which the read channel carries bytes, in slices."""
    found = {}
    for prefetch, run in runs_of.items():
        width = run.cycles / SLICES
        used = [0.0] * SLICES
        for t in run.transfers:
            if t["kind"] != "migration":
                continue
            begin, end = (int(t[k]) - run.begin for k in ("begin", "end"))
            for i in range(int(begin / width), min(int(end / width) + 1, SLICES)):
                used[i] += max(0, min(end, (i + 1) * width) - max(begin, i * width))
        found[prefetch] = [(100 * (i + 0.5) / SLICES, 100 * u / width)
                           for i, u in enumerate(used)]
    plots.render(path, lines(found, "% of time in which pages come", f"""
set xlabel "% of the kernel's time"
set yrange [0:100]
set title "{title}"
"""))


def pcie(path, study):
    draw_pcie(path, runs(study),
              "hotspot: use of the channel to the device, by prefetcher")


PLOTS = {"faults": faults, "pcie": pcie}
