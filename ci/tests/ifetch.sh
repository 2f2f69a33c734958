#!/bin/bash
# Programs do the same on a chip with instruction caches as on one where fetch is
# free, only later; how much later does not depend on how it is computed. A
# program that writes its code executes what it wrote.
# ci: area tp cache
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary
. ci/tests/head

tool=$root/$B/bin/corbel-scene
program=$root/$B/samples/rv64/primary
sources=$PWD/sim/isa/tests/programs
cd "$dir"

"$tool" generate cornell cornell.scene >/dev/null 2>&1

# run NAME OPTION...: the image is NAME.ppm, the statistics are in NAME
run() {
    local name=$1
    shift
    "$sim" -a tiny --quiet -o "$name" "$@" "$program" cornell.scene --size 12 \
        --out image.ppm >/dev/null 2>"$name.log" || complain "$*: $(cat "$name.log")"
    mv image.ppm "$name.ppm"
    grep '^results hash' "$name.log" >"$name.hash"
}

# of NAME GROUP COUNTER: a number of a run's statistics
of() {
    python3 - "$@" <<'END'
import json, sys
with open(sys.argv[1] + "/stats.json") as file:
    stats = json.load(file)
group = stats["groups"][sys.argv[2]]
print(stats["cycles"] if sys.argv[3] == "cycles"
      else {**group["counters"], **group["buckets"]}[sys.argv[3]])
END
}

# ---- the same image, later; the fewer misses, the sooner
on=(-s chip.icache=1)
run free
run cached "${on[@]}"
run small "${on[@]}" -s icache.size=256
run off "${on[@]}" -s tp.fetch_buffer=0 -s tp.fetch_ahead=0
for name in cached small off; do
    cmp -s free.ppm $name.ppm || complain "$name: another image"
done
[ "$(of free tp cycles)" -lt "$(of cached tp cycles)" ] &&
    [ "$(of cached tp cycles)" -lt "$(of small tp cycles)" ] ||
    complain "cycles: $(of free tp cycles) with free fetch," \
        "$(of cached tp cycles) cached, $(of small tp cycles) in a small cache"
[ "$(of free tp wait_fetch)" = 0 ] && [ "$(of free tp fetches)" = 0 ] ||
    complain "fetch is not free without a fetch buffer"
[ "$(of off tp cycles)" = "$(of free tp cycles)" ] ||
    complain "a cache that no core fetches from changes the cycles"
[ "$(of cached tp wait_fetch)" -gt 0 ] || complain "fetch costs nothing"
[ "$(of cached tp fetches)" = "$(of cached icache reads)" ] ||
    complain "$(of cached tp fetches) fetches, but $(of cached icache reads) reads"

# ---- whatever computes it
for way in "-j 3" "--epoch 1" "--no-skip" "--reverse-units" \
    "-j 2 --schedule dynamic --epoch 1"; do
    # shellcheck disable=SC2086
    run again "${on[@]}" $way
    cmp cached.hash again.hash || complain "$way: other results"
done

# ---- code that changes
if command -v riscv64-unknown-elf-gcc >/dev/null; then
    riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64 -nostdlib -static \
        -Wl,--no-warn-rwx-segments -T "$sources/link.ld" -o selfmod \
        "$sources/selfmod.S"
    "$sim" -a tiny "${on[@]}" --quiet --max-cycles 10M selfmod 2>selfmod.log ||
        complain "selfmod: $(cat selfmod.log)"
fi

# ---- buffers that cannot work
refused() { # TEXT OPTION...
    local text=$1 status=0
    shift
    "$sim" -a tiny --quiet "$@" "$program" >/dev/null 2>refused.log || status=$?
    [ $status -ge 200 ] && grep -q -- "$text" refused.log ||
        complain "$*: status $status, $(cat refused.log)"
}
refused "fetch_buffer: there is no fetch link" -s tp.fetch_buffer=4
refused "0 or at least 2" "${on[@]}" -s tp.fetch_buffer=1 -s tp.fetch_ahead=0
refused "fetch_ahead: at most 2" "${on[@]}" -s tp.fetch_ahead=3

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
echo "cycles: $(of free tp cycles) if fetch is free, $(of cached tp cycles) with a cache"
