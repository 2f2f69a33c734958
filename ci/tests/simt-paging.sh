#!/bin/bash
# TLBs before the L1s of SMs: look-ups are counted by instruction and page, or by request, as a
# formula says, and so is what passes by the L1; kernels with managed memory compute on SMs what
# they do natively, their look-ups are the coalescer's requests where these are what is looked up.
# ci: area simt paging
# ci: needs toolchain bin/sim-run sample-uvm
. ci/tests/head

"$B/bin/corbel-gcc" -march=rv64imafdc_zicbom -mabi=lp64d -O2 -Wall ci/tests/simt/counts.c \
    -o "$dir/counts" || fail "counts"

cat >"$dir/check.py" <<'END'
import json, subprocess, sys

sim, folder = sys.argv[1:3]
bad = 0


def run(options, *program):
    """Counters of TLBs and SMs; what the program printed."""
    done = subprocess.run([sim, "--quiet", "--outdir", f"{folder}/out", *options, *program],
                          check=True, capture_output=True, text=True)
    with open(f"{folder}/out/stats.json") as file:
        groups = json.load(file)["groups"]
    return {**groups["tlb"]["counters"],
            **{f"sm.{k}": v for k, v in groups["tp"]["counters"].items()},
            **{f"l1.{k}": v for k, v in groups["l1"]["counters"].items()}}, done.stdout


def expect(what, counted, expected):
    global bad
    if counted != expected:
        print(f"{what}: {counted}, expected {expected}")
        bad += 1


def a_round(n, *options):
    """What a round of loads of word n * lane counts."""
    few, many = (run(["-a", "tiny-simt", "-s", "chip.warp=32", "-s", "chip.warps=1", "-s",
                      "chip.subcores=1", "-s", "chip.uvm=on", "-s", "gmmu.managed_bytes=4G",
                      *options], f"{folder}/counts", "stride", str(n), str(rounds))[0]
                 for rounds in (10, 42))
    return {name: (many[name] - few[name]) / 32 for name in many}


def agree(what, c):
    """Sectors that look nothing up are those besides the first of a request."""
    expect(f"{what}: hits and misses", c["hits"] + c["misses"], c["accesses"])
    expect(f"{what}: sectors that follow", c["followed"], c["sm.sectors"] - c["sm.requests"])


# Lanes lie 4 n bytes apart, from the beginning of a page on.
for n in 0, 1, 8, 64, 256, 1024:
    c = a_round(n, "-s", "tp.translation=page")
    expect(f"stride {n}: look-ups by page", c["accesses"], (31 * 4 * n) // 4096 + 1)
    expect(f"stride {n}: they all hit", c["hits"], c["accesses"])
    expect(f"stride {n}: look-ups and others", c["accesses"] + c["followed"], c["sm.sectors"])
    c = a_round(n, "-s", "tp.translation=request")
    expect(f"stride {n}: look-ups by sector", c["accesses"], min(max(4 * n, 1), 32))
    c = a_round(n, "-s", "tp.translation=request", "-s", "tp.coalescer=block128")
    expect(f"stride {n}: look-ups by block", c["accesses"], min(max(n, 1), 32))
    agree(f"stride {n}", c)

# Loads leave nothing in the L1, but for those of one address by several lanes, if the chip says so.
for n, one, lanes in (0, 0, 1), (1, 4, 4), (8, 32, 32):
    for levels, passing in (0, one), (3, lanes):
        c = a_round(n, "-s", "tp.load_bypass=1", "-s", f"tp.uniform_bypass={levels}")
        expect(f"stride {n}, {levels} levels: sectors that pass by the L1", c["l1.bypassed"], passing)

kernels = dict(zip(sys.argv[3::2], sys.argv[4::2]))
for kernel, said in kernels.items():
    name, size = kernel.split()
    for chip in "uvm-v100-simt", "gtx1080ti":
        c, printed = run(["-a", chip, "-s", "chip.tms=2"], sys.argv[2] + "/uvm", name, "--size", size)
        expect(f"{chip}: {kernel}", printed.strip(), said)
        agree(f"{chip}: {kernel}", c)
sys.exit(bad > 0)
END
ln -s "$PWD/$B/samples/rv64/uvm" "$dir/uvm"
native=()
for kernel in "bfs 1001,5" "hotspot 53,3,5" "pathfinder 700,23,7" "backprop 1040" "srad 37,50,9,3"; do
    # shellcheck disable=SC2086
    set -- $kernel
    native+=("$kernel" "$("$B/samples/native/uvm" "$1" --size "$2")")
done
python3 "$dir/check.py" "$sim" "$dir" "${native[@]}" || fail "see above"
echo pass
