#!/bin/bash
# What the verdict says of lanes that part and of accesses that are not side by side is what
# another order of the same work gains; issue slots are busy as slots say. sim-report says the
# same.
# ci: area observe simt
# ci: needs toolchain bin/sim-run-stalls report
. ci/tests/head

"$bin/corbel-gcc" -O2 -Wall ci/tests/simt/gain.c -o "$dir/gain" || fail gain
run() { # WORK apart|together SETTING...
    "$sim" --stalls -a tiny-simt "${@:3}" -o "$dir/$1-$2" "$dir/gain" "$1" "$2" >/dev/null 2>"$dir/$1-$2.log" || fail "$*: $(cat "$dir/$1-$2.log")"
    "$bin/sim-report" --verdict "$dir/$1-$2" >"$dir/said" || fail "$*: sim-report"
    grep '^verdict' "$dir/$1-$2.log" | cmp - "$dir/said" || fail "$*: sim-report says other"
}
# gains WORK NAME SETTING...: what is predicted is obtained within 6 %
gains() {
    run "$1" apart "${@:3}"
    run "$1" together "${@:3}"
    grep -q "^verdict .*predicted gains: .*of another program +[0-9]* % $2" "$dir/$1-apart.log" ||
        fail "$1: $(cat "$dir/$1-apart.log")"
    python3 - "$dir/$1-apart" "$dir/$1-together" "$2" <<'PY' || fail "$*"
import json
import sys

apart, together = (json.load(open(f"{d}/stats.json"))["region_of_interest"]
                   for d in sys.argv[1:3])
verdict, groups = apart["verdict"], apart["groups"]
counters = groups["tp"]["counters"]
gains = {one["change"]: one["speedup"] for one in verdict["predictions"]}
said, obtained = gains[sys.argv[3]], apart["cycles"] / together["cycles"]
print(f"{sys.argv[3]}: +{100 * said - 100:.0f} % said, +{100 * obtained - 100:.0f} % obtained")
assert abs(said - obtained) < 0.06 * obtained and obtained > 1.1
assert abs(sum(part["share"] for part in verdict["parts"]) - 1) < 1e-6
slots = next(l for l in verdict["limits"] if l["name"] == "issue slots")
all_slots = sum(n for name, n in counters.items() if name.startswith("slot_"))
assert abs(slots["used"] - (counters["slot_issued"] + counters["slot_arbitration"]) / all_slots) < 1e-6
PY
}
warps=(-s chip.warp=32 -s chip.warps=4)
gains ways "lanes of warps that do not part" "${warps[@]}"
gains ways "lanes of warps that do not part" -s chip.warp=8
gains across "accesses of lanes side by side" "${warps[@]}"
