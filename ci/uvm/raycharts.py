"""The plots of rays: faults and speed over memory, and PCIe over time."""
import plots
import rays as experiments
import uvmcharts


def curves(found, rays, scene, index, value):
    """Lines of a scene: by prefetcher, secondary rays dashed. The first plot's
    key has the primary rays, the second one's the others."""
    data, draw = "", []
    for k, kind in enumerate(experiments.KINDS):
        for i, p in enumerate(experiments.PAIRS):
            name = f"d{index}_{k}_{i}"
            data += plots.block(name, [(m, value(found[scene, kind, (p, m)]))
                                       for m in scene.memory])
            title = (f"title '{p[0]}, {kind}' " if len(rays.scenes) == 1 or k == index
                     else "notitle ")
            draw.append(f"${name} {title}" + plots.style(i, k))
    return data, ", ".join(draw)


def over_memory(path, rays, ylabel, value):
    found = experiments.memory_runs(rays)
    data = script = ""
    for index, scene in enumerate(rays.scenes):
        block, draw = curves(found, rays, scene, index, value)
        data += block
        script += (f"set title '{scene.name}'\n"
                   + plots.tics([m for m in scene.memory if m not in (75, 125)])
                   + f"\nset xrange [{scene.memory[0] * 0.9}:{scene.memory[-1] * 1.1}]"
                   + f"\nplot {draw}\n")
    plots.render(path, data + f"""
set multiplot layout 1,{len(rays.scenes)}
set logscale xy
set xlabel "device memory, % of the scene"
set ylabel "{ylabel}"
set bmargin 6.5
set key below center horizontal maxcols 2 samplen 3 spacing 1.1 font ",9"
{script}
unset multiplot
""", height=460)


def faults(path, rays):
    over_memory(path, rays, "faults a ray",
                lambda run: run["far_faults"] / rays.count())


def speed(path, rays):
    over_memory(path, rays, "million rays a second",
                lambda run: rays.count() * run.mhz / run.cycles)


def pcie(path, rays):
    scene = rays.scenes[0]
    started = {p[0]: rays.start(scene, "primary", transfers=True,
                                **experiments.pair(*p, gddr_percent=scene.tight))
               for p in experiments.PAIRS}
    uvmcharts.draw_pcie(path, {p: run.result() for p, run in started.items()},
                        f"{scene.name}, primary rays, memory for {scene.tight} %: "
                        "use of the channel to the device")


PLOTS = {"faults": faults, "speed": speed, "pcie": pcie}
