#!/bin/bash
# --timing roi with what looks at a run: --stalls, intervals and windows, --cost-images,
# --profile, --trace, --transfers, --serve, saved caches. Each leaves the results as they are,
# sums up over the whole run, what is not timed included, and does not depend on how it is
# computed.
# ci: area host observe
# ci: needs bin/sim-run-stalls bin/sim-report bin/corbel-scene bin/corbel-rays sample-replay
# ci: needs sample-uvm sample-path
. ci/tests/head

S=$B/samples/rv64
export PYTHONPATH=ci/tests/traces PYTHONDONTWRITEBYTECODE=1

"$B/bin/corbel-scene" generate arcade "$dir/a.scene" --triangles 10000 >/dev/null
"$B/bin/corbel-rays" "$dir/a.scene" "$dir/a.rays" --kind secondary --size 16x12 >/dev/null
chip=(-a rtx2080 -s chip.tms=2)
replay=("$S/replay" "$dir/a.scene" "$dir/a.rays" --hits "$dir/hits")
windows=(--interval 700 --interval-level unit --stats-range :3000 --stats-range 3000:9999
    --stats-range 9999:)

# run NAME ARGUMENT...: files to NAME, the results hash to NAME.hash
run() {
    "$sim" --quiet --timing roi -o "$dir/$1" "${@:2}" >/dev/null 2>"$dir/$1.err" </dev/null ||
        fail "$*: status $?: $(cat "$dir/$1.err")"
    tail -n 1 "$dir/$1.err" >"$dir/$1.hash"
    if [ "$("$B/bin/sim-report" "$dir/$1" -o "$dir/page.html" 2>&1)" ]; then
        fail "$1: sim-report: $("$B/bin/sim-report" "$dir/$1" -o "$dir/page.html" 2>&1)"
    fi
}
# with NAME OPTION...: results are those of the run without the options, and the same files
# are written however it is computed
with() {
    local name=$1 file
    shift
    run "$name" "$@" "${chip[@]}" "${replay[@]}"
    cmp "$dir/plain.hash" "$dir/$name.hash" || fail "$name: results change"
    run again "$@" -j 2 --epoch 1 --no-skip --reverse-units "${chip[@]}" "${replay[@]}"
    for file in "$dir/$name"/*; do
        [[ $file == */manifest.json ]] || cmp "$file" "$dir/again/${file##*/}" ||
            fail "$name: ${file##*/} depends on the host"
    done
    rm -r "$dir/again"
}
run plain "${chip[@]}" "${replay[@]}"

with stalls --stalls "${windows[@]}"
ci/tests/stalls/sums.py "$dir/stalls" load.first load.memory read.first read.memory ||
    fail "legs of --stalls"
ci/tests/statistics/sums.py "$dir/stalls" || fail "intervals and windows"
with costs --cost-images 16x12
ci/tests/cost-images/costs.py "$dir/costs" 'rays[i] == 1' || fail "--cost-images"
with profile --profile
with traces --trace harts --trace pipeline:tm1.tp3 --trace rays --trace requests:tm1.*
python3 - "$dir" <<'PY' || fail "of a profile or a trace"
import collections
import json
import sys

import perfetto

plain = json.load(open(f"{sys.argv[1]}/plain/stats.json"))
tp, rtcore = plain["groups"]["tp"], plain["groups"]["rtcore"]
profile = json.load(open(f"{sys.argv[1]}/profile/profile.json"))
totals = dict(zip((e["name"] for e in profile["events"]), profile["totals"]))
for name, cycles in tp["buckets"].items():
    assert totals[name] == cycles, (name, totals, cycles)
# Each hart is somewhere all the time: in a service where nothing is timed.
harts, _ = perfetto.read(f"{sys.argv[1]}/traces/harts.pftrace")
sums = collections.Counter()
for hart, shown in harts.items():
    assert shown[0][0] == 0 and shown[-1][1] == plain["cycles"], hart
    assert all(a[1] == b[0] for a, b in zip(shown, shown[1:])), hart
    for begin, end, name in shown:
        sums[name] += end - begin
assert len(harts) == plain["harts"]
assert sums == {name: n for name, n in tp["buckets"].items() if n}, sums
assert harts["hart 0"][0][2] == "service" and harts["hart 0"][0][1] > 500, harts["hart 0"][0]
(rays, _), _ = perfetto.read_levels(f"{sys.argv[1]}/traces/rays.pftrace")
assert sum(map(len, rays.values())) == rtcore["counters"]["rays"] == 192
PY

# ---- pages of managed memory: moved in kernels, and by what main asks for
uvm=(-a uvm-v100 -s chip.tms=2 "$S/uvm" hotspot --size "64,2,1")
run unlisted "${uvm[@]}"
run transfers --transfers --stalls "${uvm[@]}"
run again --transfers -j 2 --epoch 1 --no-skip --reverse-units "${uvm[@]}"
cmp "$dir/unlisted.hash" "$dir/transfers.hash" || fail "--transfers: results change"
cmp "$dir/transfers/transfers.csv" "$dir/again/transfers.csv" || fail "transfers.csv"
python3 - "$dir/transfers" <<'PY' || fail "of transfers"
import csv
import json
import sys

gmmu = json.load(open(f"{sys.argv[1]}/stats.json"))["groups"]["gmmu"]["counters"]
rows = list(csv.DictReader(open(f"{sys.argv[1]}/transfers.csv")))
came = sum(int(r["bytes"]) for r in rows if r["kind"] in ("migration", "prefetch"))
left = sum(int(r["bytes"]) for r in rows if r["kind"] == "home")
assert came == gmmu["h2d_bytes"] > 0 and left == gmmu["sync_bytes"] > 0, (came, left, gmmu)
PY

# ---- caches of an earlier run
run saved --save-caches "$dir/caches" "${chip[@]}" "${replay[@]}"
cmp "$dir/plain.hash" "$dir/saved.hash" || fail "--save-caches: results change"
run warm --warm-caches "$dir/caches" "${chip[@]}" "${replay[@]}"
run again --warm-caches "$dir/caches" --roi-caches cold "${chip[@]}" "${replay[@]}"
python3 - "$dir" <<'PY' || fail "of warm caches"
import json
import sys

saved, warm, cold = (json.load(open(f"{sys.argv[1]}/{d}/stats.json"))["region_of_interest"]
                     ["groups"]["l2"]["counters"]["misses_read"] for d in ("saved", "warm", "again"))
assert 2 * warm < saved and saved * 0.9 < cold, (saved, warm, cold)
PY

# ---- a page: the files are the same; what is not timed is seen, and can be stopped
path=("$S/path" "$dir/a.scene" --size 40 --spp 4 --out "$dir/i.ppm")
run unserved --interval 2000 "${chip[@]}" "${path[@]}"
timeout 100 ci/tests/serve/watch.py whole "$dir/served" "$sim" --serve 0 --quiet --timing roi \
    -o "$dir/served" --interval 2000 "${chip[@]}" "${path[@]}" || fail "--serve"
for file in stats.json stats.txt intervals.csv log.txt; do
    cmp "$dir/unserved/$file" "$dir/served/$file" || fail "--serve: other results"
done
cat >"$dir/spin.c" <<'END'
#include <corbel/corbel.h>
int main(void)
{
    corbel_roi_begin();
    corbel_roi_end();
    for (volatile unsigned i = 0;; i++)
        continue;
}
END
"$B/bin/corbel-gcc" -O1 "$dir/spin.c" -o "$dir/spin"
timeout 100 ci/tests/serve/watch.py untimed "$dir/spin.out" "$sim" --serve 0 --quiet --timing roi \
    -o "$dir/spin.out" -a tiny "$dir/spin" || fail "--serve while nothing is timed"

# ---- --roi-caches with checkpoints of a run that is timed
frame=("${chip[@]}" "${replay[@]}")
"$sim" --quiet --roi-caches cold "${frame[@]}" 2>"$dir/whole" >/dev/null
"$sim" --quiet --roi-caches cold --checkpoint "$dir/ck" --max-cycles 2000 "${frame[@]}" \
    2>/dev/null >&2 || [ $? = 204 ] || fail "no checkpoint"
"$sim" --quiet --resume "$dir/ck" 2>"$dir/resumed" >/dev/null || fail "$(cat "$dir/resumed")"
cmp "$dir/whole" "$dir/resumed" || fail "--resume with cold caches"
for wrong in "--roi-caches warm|201|.* made with '--roi-caches cold', here it is '--roi-caches warm'" \
    "--timing roi|201|.* made with '--timing full', here it is '--timing roi'"; do
    IFS='|' read -r option status text <<<"$wrong"
    got=0
    # shellcheck disable=SC2086
    "$sim" --quiet --resume "$dir/ck" $option >/dev/null 2>"$dir/err" || got=$?
    [[ $got = "$status" && $(wc -l <"$dir/err") = 1 && $(cat "$dir/err") =~ ^sim-run:\ $text$ ]] ||
        fail "$option: status $got, $(cat "$dir/err")"
done
echo "OK"
