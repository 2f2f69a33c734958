#!/bin/bash
# The study of host threads for kernels of GPUs runs on small cases: results are those of one thread
# by both schedules, more threads are predicted to gain up to the bound of the heaviest tile, and
# with a thread for each group of two others gain nothing.
# ci: area simt studies speed
# ci: needs bin/sim-run sample-gpu
. ci/tests/head

# study: runs it on two small cases, and says whether predictions are within their bounds
study() {
    rm -f "$dir/kept.json"
    ci/simt/threads --size small --only myocyte nn --out "$dir/kept.json" >"$dir/tables" \
        2>"$dir/err" || fail "ci/simt/threads"
    python3 - "$dir/kept.json" <<'END'
import json, sys
for name, of in json.load(open(sys.argv[1])).items():
    gains = of["predicted"]["static"]
    if not (1 <= gains["2"] <= 2.3 and gains["24"] <= 1.2 * of["bound"][1]):
        sys.exit(f"{name}: {of}")
END
}
# Times are of microseconds: what else the machine does may spoil one study, not three.
study || study || study || fail "predictions"
[ "$(grep -cE '^\| (myocyte|nn) \| [0-9,]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9.]+, [0-9.]+( \| [0-9.]+){5} \|$' "$dir/tables")" = 2 ] ||
    fail "speed-up: $(cat "$dir/tables")"
[ "$(grep -cE '^\| (myocyte|nn)( \| [0-9.]+){4}( \| ([0-9.]+|-)){2} \|$' "$dir/tables")" = 2 ] ||
    fail "schedules: $(cat "$dir/tables")"
[ -s "$dir/kept.svg" ] || fail "no plot"
echo "the study of threads runs"
