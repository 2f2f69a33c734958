"""The cases on which verdicts are validated: chips, work, and what is made the limit of each.

A case is a chip, a workload and a crippling. Half of the cases of CHIPS are for tuning the
model, the other half is held out: half() says which, by the name of the case alone. The cases of
FRESH are other chips, workloads and factors, all held out; they were listed before any was run.
"""
import hashlib

# How scenes are made with corbel-scene, and rays of them with corbel-rays.
SCENES = {
    "arcade": ["--triangles", "20000"],
    "fine": ["--triangles", "60000"],
    "treelets": ["--triangles", "10000", "--nodes", "cwbvh6t", "--treelets", "16384"],
    "dense": ["--triangles", "40000"],
    "patches": ["--triangles", "16000", "--nodes", "cwbvh6t", "--treelets", "8192"],
}
RAYS = {
    "scattered": ("arcade", ["--kind", "secondary", "--size", "48"]),
    "stream": ("treelets", ["--kind", "secondary", "--size", "40"]),
    "third": ("dense", ["--kind", "tertiary", "--size", "40"]),
    "first": ("patches", ["--kind", "primary", "--size", "48"]),
}

# Programs with what follows them; {NAME} is a file.
WORKLOADS = {
    "primary": "primary {arcade} --size 64 --out image.png",
    "path": "path {fine} --size 40 --spp 1 --out image.png",
    "ao": "ao {arcade} --size 40 --spp 2 --out image.png",
    "replay": "replay {arcade} {scattered}",
    "units": "primary {arcade} --size 40 --traversal isect --out image.png",
    "software": "primary {arcade} --size 32 --traversal software --out image.png",
    "streams": "streams {treelets} {stream} --mode rt",
    "moves": "streams {treelets} {stream} --mode rt --machine strata",
    "buckets": "streams {treelets} {stream} --mode software",
    "random": "microbench random --bytes 1M --count 16k",
    "bfs": "uvm bfs --size 1024,6",
    "bounce": "path {dense} --size 32 --spp 1 --out image.png",
    "shade": "ao {dense} --size 32 --spp 1 --out image.png",
    "third": "replay {dense} {third}",
    "boxes": "ao {dense} --size 24 --spp 1 --traversal isect --out image.png",
    "walks": "path {arcade} --size 20 --spp 1 --traversal software --out image.png",
    "patches": "streams {patches} {first} --mode rt",
    "shifts": "streams {patches} {first} --mode rt --machine strata",
    "piles": "streams {patches} {first} --mode software",
    "copies": "microbench copy --bytes 512k --count 16k",
    "stencil": "uvm hotspot --size 64,2,4",
    "paths": "uvm pathfinder --size 1000,20,5",
}

# What makes one thing the limit. A chip may have another value for it.
CRIPPLED = {
    "stock": [],
    "l1.size": ["l1.size=4096", "l1.ways=4"],
    "l1.latency": ["l1.latency=200"],
    "l1.mshrs": ["l1.mshrs=1"],
    "l1.banks": ["l1.banks=1"],
    "l1.mem_width": ["l1.mem_width=1"],
    "l1.fill_width": ["l1.fill_width=1"],
    "l1.reply_width": ["l1.reply_width=4"],
    "l1.targets": ["l1.targets=1"],
    "l2.size": ["l2.size=8192", "l2.ways=4"],
    "l2.latency": ["l2.latency=1000"],
    "l2.mshrs": ["l2.mshrs=1"],
    "l2.banks": ["l2.banks=1", "l1.size=2048", "l1.ways=4"],
    "l2.reply_width": ["l2.reply_width=1"],
    "l3.latency": ["l3.latency=500"],
    "l3.mshrs": ["l3.mshrs=1"],
    "l3.size": ["l3.size=8192", "l3.ways=4"],
    "dram.front": ["dram.front=1000"],
    "dram.back": ["dram.back=1000"],
    "dram.channels": ["dram.clock=50000"],
    "rt.max_rays": ["rtcore.max_rays=2"],
    "rt.box_pipes": ["rtcore.box_interval=40"],
    "rt.tri_pipes": ["rtcore.tri_interval=100"],
    "rt.box_latency": ["rtcore.box_latency=300"],
    "rt.tri_latency": ["rtcore.tri_latency=800"],
    "rt.ports": ["chip.rt_ports=1", "l1.banks=16", "l1.ways=4", "rtcore.max_rays=128"],
    "sfu_float": ["sfu_float.interval=60"],
    "sfu_box": ["sfu_box.interval=30"],
    "sfu_tri": ["sfu_tri.interval=60"],
    "pcie": ["pcie.pcie_bandwidth=16", "gmmu.page_fault_latency=1000"],
    "fault": ["gmmu.page_fault_latency=500000"],
    "walk": ["gmmu.page_table_walk_latency=50000"],
    "tlb": ["tlb.tlb_size=4"],
    "scheduler.banks": ["streamscheduler.banks=1"],
    "store.latency": ["raystore.latency=1000"],
    "store.banks": ["raystore.banks=1"],
}

# Chips: the preset or the file, what is set always, workloads in turn, what is made the limit,
# and where the chip has other names or values for it.
CHIPS = {
    "rtx2080": {
        "arch": "rtx2080", "set": ["chip.tms=2", "chip.harts=8"],
        "work": ["primary", "path", "replay"],
        "limits": ["stock", "l1.size", "l1.latency", "l1.mshrs", "l1.banks", "l1.mem_width",
                   "l1.fill_width", "l1.reply_width", "l1.targets", "l2.latency", "l2.mshrs",
                   "l2.reply_width", "dram.front", "dram.back", "dram.channels", "rt.max_rays",
                   "rt.box_pipes", "rt.tri_pipes", "rt.box_latency", "rt.tri_latency",
                   "rt.ports"]},
    "rtx4090": {
        "arch": "rtx4090", "set": ["chip.tms=2"],
        "work": ["ao", "primary"],
        "limits": ["stock", "l1.size", "l1.mshrs", "l1.banks", "l1.fill_width", "l2.latency",
                   "l2.size", "dram.back", "dram.channels", "rt.max_rays", "rt.box_pipes",
                   "rt.tri_latency"]},
    "trax": {
        "arch": "trax", "set": ["chip.tms=2"], "work": ["units", "software", "random"],
        "limits": ["stock", "l1.size", "l1.latency", "l1.mshrs", "l1.banks", "l1.reply_width",
                   "l2.latency", "l2.reply_width", "dram.front", "dram.channels", "sfu_float",
                   "sfu_box", "sfu_tri"]},
    "trax-rt": {
        "arch": "trax-rt", "set": ["chip.tms=2", "rtcore.nodes=any"], "work": ["path", "replay"],
        "limits": ["stock", "l1.size", "l1.mshrs", "l1.banks", "l1.mem_width", "l2.latency",
                   "l2.mshrs", "dram.front", "dram.channels", "rt.max_rays", "rt.box_pipes",
                   "rt.tri_pipes"]},
    "tiny": {
        "arch": "tiny", "set": [], "work": ["primary", "ao", "units"],
        "limits": ["stock", "l1.size", "l1.latency", "l1.banks", "l1.mshrs", "l2.size",
                   "l2.latency", "l2.banks", "dram.back", "dram.channels", "rt.max_rays",
                   "rt.tri_latency", "sfu_float", "sfu_box"],
        "other": {"sfu_float": ["sfu_float.interval=200"]}},
    "streams": {
        "arch": "dual-streaming-rt", "set": ["chip.tms=2"], "work": ["streams"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l2.latency", "dram.front", "dram.channels",
                   "rt.max_rays", "rt.box_pipes", "rt.tri_pipes", "scheduler.banks"]},
    "moves": {
        "arch": "strata-rt", "set": ["chip.tms=2", "chip.tps=64"], "work": ["moves"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l1.fill_width", "l2.latency",
                   "dram.channels", "rt.max_rays", "rt.box_pipes", "rt.box_latency",
                   "store.latency", "store.banks"],
        "other": {"rt.max_rays": ["chip.max_rays=2"]}},
    "paging": {
        "arch": "rtx2080", "set": ["chip.tms=2", "chip.harts=4", "chip.uvm=on",
                                   "chip.managed=scene"],
        "work": ["primary", "replay"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l2.latency", "rt.max_rays", "pcie", "fault",
                   "walk", "tlb"]},
    "hetero-l3": {
        "arch": "samples/chips/hetero-l3.lua", "set": [],
        "work": ["replay", "primary", "ao"],
        "limits": ["stock", "l1.size", "l1.latency", "l1.banks", "l1.mshrs", "l2.latency",
                   "l2.mshrs", "l3.latency", "l3.mshrs", "l3.size", "dram.front",
                   "dram.channels", "rt.max_rays", "rt.box_pipes", "rt.ports"],
        "other": {"rt.max_rays": ["large_rt.max_rays=2"],
                  "rt.box_pipes": ["large_rt.box_interval=40", "small_rt.box_interval=40"],
                  "rt.ports": ["chip.rt_ports=1", "l1.banks=16", "large_rt.max_rays=128"]}},
}

# Likewise of what nothing was tuned on: half as crippled, or not in one thing alone.
FRESH_CRIPPLED = {
    "stock": [],
    "l1.size": ["l1.size=8192", "l1.ways=8"],
    "l1.latency": ["l1.latency=90"],
    "l1.mshrs": ["l1.mshrs=2"],
    "l1.banks": ["l1.banks=2"],
    "l1.mem_width": ["l1.mem_width=2"],
    "l1.fill_width": ["l1.fill_width=2"],
    "l1.reply_width": ["l1.reply_width=8"],
    "l2.size": ["l2.size=16384", "l2.ways=8"],
    "l2.latency": ["l2.latency=500"],
    "l2.mshrs": ["l2.mshrs=2"],
    "l2.reply_width": ["l2.reply_width=2"],
    "l3.latency": ["l3.latency=250"],
    "dram.front": ["dram.front=500"],
    "dram.back": ["dram.back=700"],
    "dram.channels": ["dram.clock=100000"],
    "rt.max_rays": ["rtcore.max_rays=4"],
    "rt.box_pipes": ["rtcore.box_interval=20"],
    "rt.tri_pipes": ["rtcore.tri_interval=50"],
    "rt.box_latency": ["rtcore.box_latency=150"],
    "rt.tri_latency": ["rtcore.tri_latency=400"],
    "sfu_float": ["sfu_float.interval=30"],
    "sfu_box": ["sfu_box.interval=15"],
    "sfu_tri": ["sfu_tri.interval=30"],
    "pcie": ["pcie.pcie_bandwidth=16", "gmmu.page_fault_latency=2000"],
    "fault": ["gmmu.page_fault_latency=200000"],
    "walk": ["gmmu.page_table_walk_latency=20000"],
    "tlb": ["tlb.tlb_size=8"],
    "scheduler.banks": ["streamscheduler.banks=2"],
    "store.latency": ["raystore.latency=500"],
    "store.banks": ["raystore.banks=2"],
    "two latencies": ["l1.latency=60", "l2.latency=300"],
    "mshrs and rays": ["l1.mshrs=2", "rtcore.max_rays=8"],
}

FRESH = {
    "rtx3070": {
        "arch": "rtx3070", "set": ["chip.tms=2"], "work": ["bounce", "third", "shade"],
        "limits": ["stock", "l1.size", "l1.latency", "l1.mshrs", "l1.banks", "l1.mem_width",
                   "l1.fill_width", "l2.latency", "dram.back", "dram.channels", "rt.max_rays",
                   "rt.box_pipes", "rt.tri_pipes", "rt.tri_latency", "mshrs and rays"]},
    "rtx2060": {
        "arch": "rtx2060", "set": ["chip.tms=3"], "work": ["third", "shade"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l1.reply_width", "l2.size", "l2.reply_width",
                   "dram.front", "dram.channels", "rt.box_latency", "rt.max_rays",
                   "two latencies"]},
    "trax-large": {
        "arch": "trax", "set": ["chip.tms=4"], "work": ["boxes", "walks", "copies"],
        "limits": ["stock", "l1.latency", "l1.size", "l1.mshrs", "l1.banks", "l2.latency",
                   "dram.back", "dram.channels", "sfu_float", "sfu_box", "sfu_tri",
                   "two latencies"]},
    "trax-rt-large": {
        "arch": "trax-rt", "set": ["chip.tms=4", "rtcore.nodes=any"], "work": ["shade", "third"],
        "limits": ["stock", "l1.size", "l1.mshrs", "l1.banks", "l2.latency", "l2.mshrs",
                   "dram.front", "rt.max_rays", "rt.tri_pipes", "mshrs and rays"]},
    "piles": {
        "arch": "dual-streaming", "set": ["chip.tms=2"], "work": ["piles"],
        "limits": ["stock", "l1.banks", "l1.latency", "l2.latency", "dram.channels", "sfu_float",
                   "scheduler.banks"]},
    "patches": {
        "arch": "dual-streaming-rt", "set": ["chip.tms=4"], "work": ["patches"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l2.latency", "dram.channels",
                   "rt.max_rays", "rt.box_pipes", "rt.tri_pipes", "scheduler.banks"]},
    "shifts": {
        "arch": "strata-rt", "set": ["chip.tms=4", "chip.tps=32"], "work": ["shifts"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l2.latency", "rt.max_rays", "rt.box_pipes",
                   "rt.tri_latency", "store.latency", "store.banks"],
        "other": {"rt.max_rays": ["chip.max_rays=4"]}},
    "pages": {
        "arch": "uvm-v100", "set": ["chip.tms=2", "chip.tps=4"], "work": ["stencil", "paths"],
        "limits": ["stock", "l1.banks", "l1.mshrs", "l2.latency", "pcie", "fault", "walk",
                   "tlb"]},
}

# What may be the true first limit: of each kind of unit its parameters and how they are
# changed, once for each group of the kind. A value of 0 is no limit, and 1 cannot be halved.
CHANGES = {
    "cache": {"size": 2, "latency": 0.5, "mshrs": 2, "banks": 2, "mem_width": 2, "fill_width": 2,
              "reply_width": 2, "targets": 2},
    "dram": {"channels": 2, "front": 0.5, "back": 0.5, "accepts": 2, "answers": 2},
    "memory": {"bandwidth": 2, "latency": 0.5},
    "rtcore": {"max_rays": 2, "box_pipes": 2, "tri_pipes": 2, "box_latency": 0.5,
               "tri_latency": 0.5, "ops": 2},
    "sfu": {"interval": 0.5, "latency": 0.5},
    "tlb": {"tlb_size": 2, "misses": 2},
    "gmmu": {"page_table_walk_latency": 0.5, "page_fault_latency": 0.5},
    "pcie": {"pcie_bandwidth": 2},
    "streamscheduler": {"banks": 2, "jobs": 2, "bank_queue": 2},
    "raystore": {"latency": 0.5, "banks": 2},
    "hitupdater": {"records": 2},
}

# Where this counter of the run is 0, the change would alter nothing, and is not made.
NEEDED = {
    ("cache", "mshrs"): "stall_mshr", ("cache", "targets"): "stall_target",
    ("cache", "banks"): "conflicts", ("rtcore", "box_pipes"): "ray_box_queue",
    ("rtcore", "tri_pipes"): "ray_tri_queue", ("sfu", "interval"): "conflicts",
    ("sfu", "latency"): "operations",
}

# Options of chips, by what they change: the group or kind, and the name of its limit.
OPTIONS = {"rt_ports": ("rtcore", "ports to the L1", 2), "hop": ("", "links", 0.5)}

# What a chip may want along with a change: tried in this order when it refuses the change.
COMPANIONS = {
    "banks": [["{group}.ways={ways2}"], ["{group}.ways={ways4}"], ["{group}.size={size2}"]],
    "channels": [["{group}.mapping=RoCoBaBgChCo2"], ["{group}.mapping=RoCoBaBgPcChCo2"],
                 ["{group}.mapping=RoCoBaBgChCo1"]],
    "size": [["{group}.ways={ways2x}"]],
}


def cases():
    """(name, chip, workload, crippling, settings); a chip is a row of CHIPS or of FRESH."""
    for chips, crippled in ((CHIPS, CRIPPLED), (FRESH, FRESH_CRIPPLED)):
        for chip, row in chips.items():
            for number, limit in enumerate(row["limits"]):
                work = row["work"][number % len(row["work"])]
                settings = row.get("other", {}).get(limit, crippled[limit])
                yield f"{chip}/{work}/{limit}", chip, work, limit, row["set"] + settings


def half(name):
    """Of CHIPS by the parity of the first byte of its SHA-256; "fresh" of FRESH."""
    if name.split("/")[0] in FRESH:
        return "fresh"
    return ("tuning", "held-out")[hashlib.sha256(name.encode()).digest()[0] & 1]
