#!/bin/bash
# An RT core reaches, and never exceeds, what its description allows: a few points
# of each sweep of ci/bench-rtcore. A core that is faster or slower than described
# is found, and so is one that does other work. rtbench refuses bad usage.
set -euo pipefail

B=${B:-build}
make --no-print-directory rtcore-check >/dev/null
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/bench-rtcore.XXXXXX")
trap 'rm -rf "$work"' EXIT
native=$B/samples/native/rtbench

fail() {
    cat "$work/log"
    echo "FAIL: $*"
    exit 1
}

echo "== bounds"
ci/bench-rtcore --quick --check --out "$work/out" >"$work/log" 2>&1 ||
    fail "status $?"
python3 - "$work/out/rtcore-bench.csv" <<'PY' || fail rtcore-bench.csv
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
share = [float(r["share"]) for r in rows]
alone = {r["limit"] for r in rows if r["alone"] == "1"}
assert len(rows) >= 36 and max(share) <= 1 and min(share) > 0.7, share
assert alone == {"latency", "boxes", "triangles", "scheduler", "ports",
                 "banks"}, alone
# A ray alone takes what was computed, but for its hart's begin and end.
assert all(s > 0.997 for r, s in zip(rows, share)
           if r["sweep"] == "max-rays" and r["value"] == "1"), share
print(len(rows), "points, the lowest at", min(share))
PY

# wrong NAME=VALUE MESSAGE: the simulator has that, its description does not
wrong() {
    cat >"$work/sim" <<SH
#!/bin/bash
case " \$* " in
*" --describe "*) exec "$(realpath "$B/bin/sim-run")" "\$@" ;;
esac
exec "$(realpath "$B/bin/sim-run")" "\${@:1:\$#-8}" -s $1 "\${@: -8}"
SH
    chmod +x "$work/sim"
    status=0
    SIM=$work/sim ci/bench-rtcore --quick --check --only "$3" \
        --out "$work/wrong" >"$work/log" 2>&1 || status=$?
    [ $status = 1 ] && grep -q "$2" "$work/log" || fail "$1: status $status"
    echo "$1: $(grep -m 1 "$2" "$work/log")"
}
echo "== a core that is not as described"
wrong rtcore.box_latency=5 'waited -.* beyond its latency, boxes' node-latency
wrong rtcore.tri_latency=23 'waited 32.0* cycles beyond its latency, triangles' stack
wrong chip.rt_queues=4 'above its bound' ports
wrong rtcore.stack=3 'nodes, expected' stack

echo "== rtbench"
B=$B make --no-print-directory sample-rtbench >/dev/null
scene=$(ls "$work"/out/bvh2-512x1.scene)
"$native" "$scene" --rays gap --harts 4 --work >"$work/native"
[ "$(grep -c ,node,2,64, "$work/native")" = 36 ] || fail "36 nodes"
CORBEL_THREADS=4 "$native" "$scene" --rays hit --count 3 >"$work/log"
grep -q '^12,[0-9]*,12,' "$work/log" || fail "12 hits"
for kind in rv64 rv32; do
    "$B/bin/sim-run" --quiet -a core "$B/samples/$kind/rtbench" "$scene" \
        --rays gap --harts 4 --work >"$work/$kind" 2>"$work/log"
    cmp "$work/native" "$work/$kind" || fail "$kind: other work"
done
# bad STATUS TEXT ARGUMENT...
bad() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$native" "$@" >"$work/log" 2>&1 || status=$?
    [ $status = "$wanted" ] && grep -q -- "$text" "$work/log" ||
        fail "rtbench $*: status $status"
}
bad 2 'too few arguments' "$scene"
bad 2 'expected --rays' "$scene" --rays up
bad 2 'expected a number, 1 to' "$scene" --rays gap --count 0
bad 2 '--stack.*expected' "$scene" --rays gap --stack
bad 1 "No such file" "$work/none.scene" --rays gap

echo pass
