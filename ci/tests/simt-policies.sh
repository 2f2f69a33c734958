#!/bin/bash
# What works on chips works on warps under each policy: benchmarks and samples give what they give
# natively; logs of commits, in the order of lanes; parts timed alone, states that were begun
# without timing, any number of harts, the check of memory, and images of costs.
# ci: area simt samples
# ci: needs toolchain bin/sim-run bin/corbel-scene samples sample-gpu
. ci/tests/head

policies=(independent min_sp_pc ipdom)
warps=(-a tiny-simt -s chip.warp=32 -s chip.tms=2)
run() { timeout 100 "$sim" --quiet --fs "$dir" "$@"; }

"$B/bin/corbel-scene" generate arcade "$dir/s.scene" --triangles 10000 >"$dir/log" 2>&1 ||
    fail generate
path=("$B/samples/rv64/path" "$dir/s.scene" --size 16x12 --traversal rtcore --spp 1
    --out "$dir/t.png")
run -a tiny --cost-images 16x12 --outdir "$dir/tp" "${path[@]}" >"$dir/log" 2>&1 || fail tp
cp "$dir/t.png" "$dir/tp.png"

# on WHAT ARGUMENT...: the picture is that of tp
on() {
    rm -f "$dir/t.png"
    run "${@:2}" >"$dir/log" 2>&1 || complain "$1: status $?, $(cat "$dir/log")"
    cmp "$dir/tp.png" "$dir/t.png" || complain "$1: another picture"
}

for policy in "${policies[@]}"; do
    use=("${warps[@]}" -s tp.reconvergence="$policy")
    on "$policy, roi" "${use[@]}" --timing roi "${path[@]}"
    on "$policy, 37 harts" "${use[@]}" --harts 37 --check-memory "${path[@]}"
    on "$policy, costs" "${use[@]}" --cost-images 16x12 --outdir "$dir/o" "${path[@]}"
    for what in rays nodes triangles; do
        cmp "$dir/tp/cost-$what.pfm" "$dir/o/cost-$what.pfm" || complain "$policy: costs in $what"
    done
    run "${use[@]}" --functional --checkpoint "$dir/c" "${path[@]}" >"$dir/log" 2>&1 ||
        fail "$policy: --functional --checkpoint"
    on "$policy, resumed" --resume "$dir/c"
    for sample in hello hello-cpp "floats 2" "records 3"; do
        read -ra words <<<"$sample"
        says_only "$(CORBEL_THREADS=256 "$B/samples/native/${words[0]}" "${words[@]:1}")" \
            run "${use[@]}" "$B/samples/rv64/${words[0]}" "${words[@]:1}"
    done
done

# A policy for each benchmark, in turn.
mapfile -t benchmarks < <("$B/samples/native/gpu" --help | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p')
for i in "${!benchmarks[@]}"; do
    says_only "$("$B/samples/native/gpu" "${benchmarks[i]}")" run "${warps[@]}" \
        -s chip.subcores=4 -s chip.warps=8 -s tp.reconvergence="${policies[i % 3]}" \
        "$B/samples/rv64/gpu" "${benchmarks[i]}"
done

# The log of each hart is that of a run without timing, and a warp instruction is that of lanes in
# their order.
"$B/bin/corbel-gcc" -march=rv64imafdc -mabi=lp64d -O2 -Wall ci/tests/simt/counts.c \
    -o "$dir/counts" || fail counts
cat >"$dir/check.py" <<'END'
import collections, json, re, subprocess, sys

sim, folder, *policies = sys.argv[1:]


def log(*options):
    """Pairs of a hart and what follows."""
    subprocess.run([sim, "--quiet", "-a", "tiny-simt", "-s", "chip.warp=32", "-s", "chip.warps=1",
                    "-s", "chip.subcores=1", *options, "--log-commits", "--log", f"{folder}/log",
                    "--outdir", f"{folder}/o", f"{folder}/counts", "recursion", "8", "3"],
                   check=True, capture_output=True)
    with open(f"{folder}/log") as file:
        return [re.match(r"core +(\d+): (.*)", line).groups() for line in file]


def by_hart(lines):
    harts = collections.defaultdict(list)
    for hart, rest in lines:
        harts[hart].append(rest)
    return harts


expected = by_hart(log("--functional"))
for policy in policies:
    lines = log("-s", f"tp.reconvergence={policy}")
    if by_hart(lines) != expected:
        sys.exit(f"{policy}: logs of harts differ")
    places = [(int(hart), rest.split()[1]) for hart, rest in lines]
    groups = 1 + sum(a[1] != b[1] or a[0] >= b[0] for a, b in zip(places, places[1:]))
    with open(f"{folder}/o/stats.json") as file:
        issued = json.load(file)["groups"]["tp"]["counters"]["warp_instructions"]
    # Of calls there are no lines.
    if not issued - 20 <= groups <= issued:
        sys.exit(f"{policy}: {groups} rows of lanes in the log, {issued} warp instructions")
END
python3 "$dir/check.py" "$sim" "$dir" "${policies[@]}" || complain "--log-commits"
echo "${#benchmarks[@]} benchmarks, ${#policies[@]} policies"
