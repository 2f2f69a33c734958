#!/bin/bash
# An SM fetches lines of code as often as its L0 lacks them, and waits for as long as the
# instruction cache behind it takes. What programs compute does not depend on it, however small
# an L0 is, nor results on the host, and a run that is saved and resumed goes on alike.
# ci: area simt
# ci: needs toolchain bin/sim-run sample-gpu
. ci/tests/head

"$B/bin/corbel-gcc" -march=rv64imafdc_zifencei -mabi=lp64d -O2 -Wall ci/tests/simt/fetch.c \
    -o "$dir/fetch" || fail fetch

cat >"$dir/check.py" <<'END'
import sys
import rounds
from rounds import expect

program = rounds.Program(sys.argv[1], f"{sys.argv[2]}/fetch", "chip.icache=1",
                         "tp.branch_latency=1")


def run(way, count, settings):
    return program.run((way,), count, settings.split())


def a_round(way, settings):
    return program.a_round((way,), settings.split(), 10, 74)


for way, settings, fetches in (("plain", "tp.l0_sets=1 tp.l0_ways=4", 0),
                               ("plain", "tp.l0_sets=4 tp.l0_ways=1", 0),
                               ("plain", "tp.l0_sets=1 tp.l0_ways=3", 4),
                               ("plain", "tp.l0_sets=2 tp.l0_ways=1", 4),
                               ("plain", "tp.l0_sets=3 tp.l0_ways=1", 2),
                               ("plain", "tp.l0_sets=0", 0),
                               ("anew", "tp.l0_sets=1 tp.l0_ways=8", 4)):
    expect(f"{way}, {settings}: lines", a_round(way, settings)["fetches"], fetches)

# A line is asked for one by one; what the cache behind takes longer the warp waits longer.
slow, fast = (a_round("plain", f"tp.l0_sets=1 tp.l0_ways=3 icache.latency={n}")["wait_fetch"]
              for n in (30, 10))
expect("four lines, each 20 cycles later: waits", round(slow - fast), 80)
# Of the lines of a round that come anew, three come with the one that is met first.
alone, ahead = (run("anew", 74, f"tp.l0_sets=1 tp.l0_ways=16 tp.fetch_ahead={n}") for n in (0, 2))
if not (ahead["wait_fetch"] < 0.8 * alone["wait_fetch"] and ahead["fetches_ahead"] > 3 * 74):
    print(f"ahead: waits {ahead['wait_fetch']} instead of {alone['wait_fetch']}")
    rounds.wrong += 1
sys.exit(rounds.wrong > 0)
END
PYTHONPATH=ci/tests/simt python3 "$dir/check.py" "$sim" "$dir" >"$dir/log" 2>&1 || fail formulas

lud=("$B/samples/rv64/gpu" lud) said=$("$B/samples/native/gpu" lud)
for settings in "l0_sets=1" "l0_ways=1" "fetch_ahead=3" "l0_sets=64 -s icache.size=512"; do
    hash=
    for host in "-j 1" "-j 2" "--epoch 1 --no-skip" "--reverse-units"; do
        # shellcheck disable=SC2086
        "$sim" --max-cycles 3000000 -a tiny-simt -s chip.icache=1 -s chip.tms=2 -s tp.$settings $host \
            "${lud[@]}" >"$dir/digest" 2>"$dir/log" || fail "$settings $host"
        [ "$(<"$dir/digest")" = "$said" ] || fail "$settings $host: other results"
        new=$(grep '^results hash' "$dir/log")
        [ "${hash:=$new}" = "$new" ] || fail "$settings $host: another hash"
    done
done
chip=(-a tiny-simt -s chip.icache=1 -s tp.fetch_ahead=3)
hash_of() { "$sim" "${chip[@]}" "$@" "${lud[@]}" 2>&1 >/dev/null | grep '^results hash'; }
whole=$(hash_of)
"$sim" --quiet "${chip[@]}" --checkpoint "$dir/lud.ck" --checkpoint-every 7777 --max-cycles 50000 \
    "${lud[@]}" >/dev/null 2>&1 && fail "it ends before it is saved"
[ "$(hash_of --resume "$dir/lud.ck")" = "$whole" ] || fail "resumed: another hash"

refused() { # TEXT SETTING...
    local status=0
    "$sim" -a tiny-simt "${@:2}" "${lud[@]}" >/dev/null 2>"$dir/log" || status=$?
    [ $status = 201 ] && grep -qF -- "$1" "$dir/log" || fail "$2: status $status"
}
refused 'l0_sets: there is no fetch link' -s tp.l0_sets=4
refused 'fetch_ahead: at most 3 with an L0 of 4 lines' -s chip.icache=1 -s tp.fetch_ahead=4
refused 'l0_sets: an instruction may lie in two lines' -s chip.icache=1 -s tp.l0_sets=1 -s tp.l0_ways=1
echo "code comes as formulas say"
