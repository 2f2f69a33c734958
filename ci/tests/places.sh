#!/bin/bash
# Threads of a run on a host with several last-level caches: each has the processors of its
# place, and the same result. This host's two first processors are told as such a host.
# ci: area host
# ci: needs bin/sim-run samples/rv64/mandelbrot
. ci/tests/head

taskset -c 0,1 true 2>/dev/null && [[ $(nproc) -ge 2 ]] ||
    skip "this host has no two processors 0 and 1"

# places: on which processors each thread of the run may be, once all have begun
places() {
    for ((i = 0; i < 200; i++)); do
        sed -n 's/^Cpus_allowed_list:\t//p' /proc/"$1"/task/*/status 2>/dev/null >"$dir/places"
        [[ $(sort -u "$dir/places" | wc -l) -lt 2 ]] || break
        sleep 0.05
    done
    paste -sd' ' "$dir/places"
}

run=(-a tiny -s chip.tms=2 "$B/samples/rv64/mandelbrot" --size 64 --out "$dir/image.ppm")
"$sim" --quiet -j 2 "${run[@]}" >/dev/null 2>"$dir/want"
HWLOC_SYNTHETIC="l3:2 core:1 pu:1" HWLOC_THISSYSTEM=1 taskset -c 0,1 \
    "$sim" --quiet -j 2 "${run[@]}" >/dev/null 2>"$dir/got" &
found=$(places $!)
wait $! || fail "status $?"
[[ $found = "0 1" ]] || fail "threads are on processors '$found', expected '0 1'"
cmp "$dir/want" "$dir/got"
echo "places: two threads on processors $found, the same result"
