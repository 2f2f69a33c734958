#!/bin/bash
# What a warp of 32 lanes does is what a formula says: sectors and requests of strides and of
# misaligned words, cycles of the coalescer; warp instructions and lanes of branches, loops, returns,
# calls, tables and recursion for each policy; of groups conflicts of banks, what a load waits for
# them, and barriers, which are no services. Locks between lanes end where lanes are independent,
# and are told where they do not.
# ci: area simt
# ci: needs toolchain bin/sim-run
. ci/tests/head

for program in simt/counts simt/lanes atomics/share; do
    "$B/bin/corbel-gcc" -march=rv64imafdc_zicbom -mabi=lp64d -O2 -Wall ci/tests/$program.c \
        -o "$dir/${program##*/}" || fail "$program"
done

cat >"$dir/check.py" <<'END'
import functools, math, sys
import rounds
from rounds import expect

program = rounds.Program(sys.argv[1], f"{sys.argv[2]}/counts", "chip.warp=32")


@functools.cache
def a_round(way, n, *settings):
    return program.a_round((way, n), settings)


for n in 0, 1, 2, 3, 5, 8, 16, 64:
    c = a_round("stride", n)
    sectors = min(max(4 * n, 1), 32)
    expect(f"stride {n}: sectors", c["sectors"], sectors)
    expect(f"stride {n}: requests", c["requests"], sectors)
    expect(f"stride {n}: lanes", c["instructions"] / c["warp_instructions"], 32)
    if n <= 8:
        expect(f"stride {n}: cycles", c["coalescer_cycles"], (sectors + 3) // 4 - 1)
    c = a_round("stride", n, "tp.coalescer=block128")
    expect(f"stride {n}: sectors of blocks", c["sectors"], sectors)
    expect(f"stride {n}: blocks", c["requests"], min(max(n, 1), 32))
for n, sectors in (0, 4), (1, 5), (4, 5), (30, 5), (32, 4):
    expect(f"offset {n}: sectors", a_round("offset", n)["sectors"], sectors)
expect("double: sectors", a_round("double", 0)["sectors"], 8)

# Words of one bank: those of as many lanes as the stride shares factors with 32 banks.
for n in range(33):
    in_bank = math.gcd(n, 32) if n else 1
    for way in ("bank", "wbank") if n < 5 or n % 8 == 0 else ("bank",):
        c = a_round(way, n)
        expect(f"{way} {n}: accesses", c["shared_accesses"], 1)
        expect(f"{way} {n}: conflicts", c["shared_conflicts"], in_bank - 1)
        expect(f"{way} {n}: outside", c["accesses"], 0)
for n in 0, 1, 32:
    c = a_round("abank", n)
    expect(f"abank {n}: conflicts", c["shared_conflicts"], (31, 0, 31)[(n > 0) + (n > 1)])
for n in 0, 1, 2, 4, 16:  # one half of the warp after the other
    c = a_round("bank8", n)
    in_bank = min(16, n) if n else 1
    expect(f"bank8 {n}: conflicts", c["shared_conflicts"], 2 * (in_bank - 1))
for n, latency in (1, 20), (1, 33), (2, 33), (32, 33):
    c = a_round("chain", n, f"tp.shared_latency={latency}")
    expect(f"chain {n}: cycles", c["cycles"], latency + math.gcd(n, 32) - 1)
c = a_round("bank", 8, "tp.shared_banks=16")
expect("16 banks, bank 8: conflicts", c["shared_conflicts"], 15)
c = a_round("bank", 2, "tp.shared_width=8")
expect("banks of 8 bytes, bank 2: conflicts", c["shared_conflicts"], 0)
long, longer = (a_round("meet", 1, f"tp.barrier_latency={n}") for n in (30, 50))
expect("barriers", long["barriers"], 32)
expect("barriers: services", round(long["service"]), 0)
expect("barriers: latency", longer["wait_result"] - long["wait_result"], 20)


def compared(policy, way, n, warp, lane, parts=None):
    """What a round of n counts beyond one of 1: warp instructions, and those of a lane h; how
    often paths part, and meet again."""
    use = (f"tp.reconvergence={policy}",)
    c, one = a_round(way, n, *use), a_round(way, 1, *use)
    what = f"{policy}, {way} {n}"
    expect(f"{what}: warp instructions", c["warp_instructions"] - one["warp_instructions"],
           warp(n) - warp(1))
    expect(f"{what}: instructions", c["instructions"] - one["instructions"],
           sum(lane(n, h) - lane(1, h) for h in range(32)))
    expect(f"{what}: joins", c["joins"], c["splits"])
    if parts is not None:
        expect(f"{what}: splits", c["splits"], parts)


def nest_warp(n):
    lanes = [(h // 8 % n + 1, h % n + 1) for h in range(32)]
    return sum(3 + 4 * max(i for o, i in lanes if o > r) for r in range(max(o for o, i in lanes)))


for policy in "min_sp_pc", "independent", "ipdom":
    stack = policy == "ipdom"
    for n in 2, 4, 8, 16, 32:
        compared(policy, "ways", n, lambda n: 11 * n, lambda n, h: 9 + 2 * (h % n + 1), n - 1)
    for n in 4, 32:
        compared(policy, "trips", n, lambda n: 12 * n, lambda n, h: 12 * (h % n + 1), n - 1)
    for n in 2, 4, 8:
        compared(policy, "nest", n, nest_warp,
                 lambda n, h: (h // 8 % n + 1) * (3 + 4 * (h % n + 1)))
        # Lanes that return from one place meet there, but on a stack behind the return.
        compared(policy, "early", n, lambda n: 4 * n - 2 + (n if stack else 1),
                 lambda n, h: 4 * (h % n), n - 1)
        # What is behind a switch is done together, but on a stack way by way.
        compared(policy, "table", n, lambda n: n * (4 + 3 * stack), lambda n, h: 0, n - 1)
        compared(policy, "recursion", n, lambda n: 8 * n, lambda n, h: 8 * (h % n), n - 1)
    compared(policy, "calls", 2, lambda n: 6 * (n - 1), lambda n, h: h % n, 1)
sys.exit(rounds.wrong > 0)
END
PYTHONPATH=ci/tests/simt python3 "$dir/check.py" "$sim" "$dir" >"$dir/log" 2>&1 || fail counts

for way in reserve compare own swap "malloc 32"; do
    # shellcheck disable=SC2086
    timeout 100 "$sim" -a tiny-simt -s chip.warp=32 --max-cycles 5000000 "$dir/share" $way >"$dir/log" 2>&1 || fail "locks: $way"
done
# Where they hang by nature the run ends, and says which lanes. One that works while others wait
# for it does not hang, however long it takes.
for policy in min_sp_pc ipdom; do
    hangs=("$sim" -a tiny-simt -s chip.warp=32 -s tp.reconvergence=$policy --max-stall 50000)
    for way in swap "malloc 32"; do # the lanes of the latter part as they wait, and count
        status=0
        # shellcheck disable=SC2086
        timeout 100 "${hangs[@]}" --max-cycles 5000000 "$dir/share" $way >"$dir/log" 2>&1 ||
            status=$?
        [ $status = 203 ] || fail "$policy, $way hangs: status $status"
        grep -q "no progress: .*warp [0-9]*, .*lanes 0x.* at pc 0x.*reconvergence $policy" \
            "$dir/log" || fail "$policy, $way hangs: no word of lanes"
    done
    for way in "alone 40000" "sum 5000"; do
        # shellcheck disable=SC2086
        timeout 100 "${hangs[@]}" "$dir/lanes" $way >"$dir/log" 2>&1 ||
            fail "$policy works: $way"
    done
done
echo "formulas of counts hold; locks of lanes end"
