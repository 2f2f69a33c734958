#!/bin/bash
# The dram unit in chips: what makes no sense is refused with the unit and the
# parameter named; every device runs in every preset's place; what --describe
# and stats.json say fits.
# ci: area dram
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary
. ci/tests/head

program=$B/samples/rv64/primary

# refused STATUS PATTERN SETTING...: one line like PATTERN, no output
refused() {
    local status=$1 pattern=$2 got=0 settings=()
    shift 2
    for setting; do settings+=(-s "$setting"); done
    "$sim" -a tiny "${settings[@]}" "$program" >"$dir/out" 2>"$dir/err" </dev/null || got=$?
    [ $got -eq "$status" ] && [ "$(wc -l <"$dir/err")" -eq 1 ] &&
        [ ! -s "$dir/out" ] && grep -qE -e "$pattern" "$dir/err" && return
    complain "$*: status $got, expected $status and one line like: $pattern"
}

# ---- numbers and choices: where they are set
refused 200 'dram\.clock: 0 is outside 1\.\.' dram.clock=0
refused 200 'dram\.core_clock: 0 is outside 1\.\.' dram.core_clock=0
refused 200 'dram\.channels: 0 is outside 1\.\.' dram.channels=0
refused 200 'dram\.read_queue: 0 is outside 1\.\.' dram.read_queue=0
refused 200 'dram\.write_high: 1001 is outside 0\.\.1000' dram.write_high=1001
refused 200 "dram\.device: 'gddr6-14001' is none .* 'gddr6-14000'\?" dram.device=gddr6-14001
refused 200 "dram\.scheduler: 'fcfs' is none of first_ready\|row_hit" dram.scheduler=fcfs
refused 200 'dram\.mapping: longer than 63 characters' dram.mapping="$(printf 'Ro%.0s' {1..40})"
refused 200 'dram\.mapping: only printable ASCII' dram.mapping=$'Ro\nBa'
refused 200 "no parameter 'chanels', did you mean 'channels'" dram.chanels=2

# ---- what does not go together: when the chip is built
refused 201 'part0\.dram: channels: 3 is no power of two' dram.channels=3
refused 201 'part0\.dram: map_stride: 48 is no power of two' dram.map_stride=48
refused 201 'part0\.dram: map_stride: 32 is less than a transaction of ddr4-3200, 64 bytes' \
    dram.map_stride=32
refused 201 "part0\.dram: mapping 'RoBaXxCo'.*Xx" dram.mapping=RoBaXxCo
refused 201 "part0\.dram: mapping 'RoBaCoCo'.*Co" dram.mapping=RoBaCoCo
refused 201 "part0\.dram: mapping 'Ro'" dram.mapping=Ro
refused 201 'part0\.dram: .*write_low is 900' dram.write_low=900
refused 201 'part0\.dram: refresh by bank' dram.refresh=bank
refused 200 "chip\.dram: 'hbm3' is none of gddr6\|ddr4\|hbm2|no option 'dram'" chip.dram=hbm3

# ---- text: set, shown, emptied
shown() {
    "$sim" -a rtx2080 "$@" --describe | awk '$1 == "mapping" { print $2; exit }'
}
[ "$(shown)" = "'RoCoBaBgCo2'" ] || complain "the preset's mapping: $(shown)"
[ "$(shown -s dram.mapping=RoBaBgRaChCo)" = "'RoBaBgRaChCo'" ] || complain 'a mapping that was set'
[ "$(shown -s dram.mapping=)" = "''" ] || complain 'an emptied mapping'
[ "$(shown -s part1.dram.mapping=)" = "'RoCoBaBgCo2'" ] || complain 'of one partition only'
"$sim" -a rtx2080 -s part1.dram.mapping= --describe | grep -q '^dram: 15 x dram' ||
    complain 'units with another text are alike'
"$sim" --list-units | grep -qE "^    mapping +'', order of up to 63 characters: " ||
    complain '--list-units: mapping'
"$sim" --list-units | grep -qE '^    scheduler +row_hit of first_ready\|row_hit: ' ||
    complain '--list-units: default of a choice'

# ---- every device, and the presets' variants: the same picture, sums that fit
"$B/bin/corbel-scene" generate cornell "$dir/scene" >/dev/null 2>&1
picture() { # NAME OPTION...
    local name=$1
    shift
    "$sim" "$@" --quiet -o "$dir/results" "$program" "$dir/scene" --size 4 \
        --out "$dir/image.ppm" >"$dir/log" 2>&1 ||
        { complain "$name"; tail -n 3 "$dir/log"; return; }
    [ -e "$dir/expected.ppm" ] || cp "$dir/image.ppm" "$dir/expected.ppm"
    cmp -s "$dir/image.ppm" "$dir/expected.ppm" || complain "$name: another picture"
    python3 - "$dir/results/stats.json" <<'END' || complain "$name: sums"
import json, sys
dram = json.load(open(sys.argv[1]))["groups"]["dram"]
c = dram["counters"]
took = sum(dram["histograms"]["took"]["counts"])
parts = c["bytes_read"] // c["cmd_RD"]
assert c["reads"] > 0 and took == c["reads"], "reads"
assert c["bytes_read"] == parts * c["cmd_RD"], "bytes"
opened = c["cmd_ACT"] + c["cmd_CAS_RD"] + c["cmd_CAS_WR"]  # LPDDR5
assert opened >= c["read_misses"] + c["write_misses"] > 0, "ACT"
assert 0 < dram["derived"]["bus_utilisation"] < 1, "utilisation"
# A percentile lies in the range in which the count passes its rank.
borders = dram["histograms"]["took"]["edges"]
ranges = list(zip(borders, dram["histograms"]["took"]["counts"]))
for percent in 50, 95, 99:
    told, seen = dram["derived"][f"latency_p{percent}"], 0
    for (start, count), end in zip(ranges, borders[1:]):
        seen += count
        if 100 * seen >= percent * took:
            assert start <= told < end, f"p{percent} is {told}, not in {start} .. {end - 1}"
            break
END
}
picture tiny -a tiny
picture 'tiny, a slow core' -a tiny -s chip.clock=3
picture 'tiny, a slow memory' -a tiny -s dram.clock=1000
for variant in gddr6 ddr4 hbm2; do
    picture "rtx2080, $variant" -a rtx2080 -s chip.tms=1 -s chip.tps=4 -s chip.dram=$variant
done
devices=$("$sim" --list-units | sed -n 's/^    device .* of \([^:]*\):.*/\1/p')
for device in ${devices//|/ }; do
    picture "$device" -a tiny -s dram.device="$device"
done

[ $failures -eq 0 ] && echo "the dram unit refuses what makes no sense and runs $(wc -w <<<"${devices//|/ }") devices"
