#!/bin/bash
# Managed memory of programs on chips that move pages: the transfers, faults, bytes and
# cycles of the micro-benchmarks are those of the reference, for each prefetcher; prefetch
# and synchronise take the times of theirs; kernels and a managed scene give what they
# give without, for any setting; results do not depend on how they are computed.
# ci: area paging
# ci: needs bin/sim-run bin/corbel-scene runtime sample-uvm sample-primary
. ci/tests/head

uvm=$B/samples/rv64/uvm
native=$B/samples/native/uvm

# run OPTION... PROGRAM...: what it prints is in said, its results hash in $hash, and the
# run in run/
run() {
    "$sim" --quiet -o "$dir/run" "$@" >"$dir/said" 2>"$dir/err" ||
        fail "$*: status $?: $(cat "$dir/err")"
    hash=$(sed -n 's/^results hash: //p' "$dir/err")
}
# counters [GROUP.]NAME...: sums over all units, or those of a group, on one line
counters() {
    python3 -c 'import json, sys
units = json.load(open(sys.argv[1]))["units"]
def total(path):
    group, name = path.rpartition(".")[::2]
    return sum(u["counters"].get(name, 0) for u in units if group in ("", u["group"]))
print(*map(total, sys.argv[2:]))' \
        "$dir/run/stats.json" "$@"
}
# expect NUMBERS NAME...: the counters have these values
expect() {
    local said
    said=$(counters "${@:2}")
    [ "$said" = "$1" ] || fail "$what: $said, expected $1 (${*:2})"
}

# ---- micro-benchmarks: faults, transfers, bytes, cycles of the read channel
curve="-s chip.clock=1481 -s chip.uvm=on" # the clock of the reference's PCIe curve
while read -r chip prefetch name numbers; do
    what="$chip, $prefetch, $name"
    # shellcheck disable=SC2086
    run -a $chip $curve -s gmmu.hardware_prefetch=$prefetch "$uvm" $name --stats
    expect "$numbers" far_faults h2d_transfers h2d_bytes read_cycles
    read -r faults transfers bytes _ <<<"$numbers"
    [ "$(tail -n 1 "$dir/said")" = "faults $faults, in $transfers transfers of $bytes bytes, \
out 0 of 0, remote reads 0" ] || fail "$what: the program is told $(tail -n 1 "$dir/said")"
done <<'END'
tiny none P1 6 6 24576 15630
tiny none P2 6 6 24576 15630
tiny none P3 7 7 28672 18235
tiny none RU 9 9 36864 23445
tiny none BND 18 18 73728 46890
tiny none SCAN 3072 3072 12582912 8002560
tiny sl P1 6 12 393216 65070
tiny sl P2 6 12 393216 65070
tiny sl P3 7 14 458752 75915
tiny sl RU 9 18 589824 97605
tiny sl BND 18 36 1179648 195210
tiny sl SCAN 192 384 12582912 2082240
tiny tbn P1 6 12 2097152 260453
tiny tbn P2 6 13 2097152 261700
tiny tbn P3 7 17 2097152 267466
tiny tbn RU 9 18 2359296 300443
tiny tbn BND 18 36 6291456 781359
tiny tbn SCAN 36 72 12582912 1562718
uvm-v100 tbn P2 6 13 2097152 261700
uvm-v100 sl RU 9 18 589824 97605
END
echo "micro-benchmarks: ok"

# ---- prefetch and synchronise
while read -r name numbers; do
    what="$name --prefetch"
    # shellcheck disable=SC2086
    run -a tiny $curve "$uvm" $name --prefetch
    expect "$numbers" far_faults h2d_transfers user_bytes read_cycles
done <<'END'
P1 0 1 2097152 242080
RU 0 2 2293760 265752
BND 0 3 6291456 726240
END
build/bin/corbel-gcc -O2 -Wall ci/tests/managed/home.c -o "$dir/home.elf"
what="home"
# shellcheck disable=SC2086
run -a tiny $curve "$dir/home.elf"
# 242080 for 2 MB, 23672 for 192 KB; home 260453 for 2 MB, 3 times 4 and 60 KB.
expect "0 2 265752 1 18 2293760 292988" far_faults h2d_transfers read_cycles syncs \
    sync_transfers sync_bytes write_cycles
took=$(counters sync_cycles)
[ "$took" -ge 292988 ] && [ "$took" -lt 293100 ] || fail "synchronise took $took cycles"
expect "1 265752" user_prefetches user_cycles
echo "prefetch and synchronise: ok"

# ---- launches: a kernel begins the latency later, rounded up to 2 E cycles; then nothing
# is any different
# launches LATENCY: when the first kernel began, how long it took, cycles counted
launches() {
    # shellcheck disable=SC2086
    run -a uvm-v100 -s chip.tms=1 $1 "$uvm" hotspot --size 30,2,4
    awk '/launch of kernel/ && !from { from = $1 } /all harts are parked/ && !to { to = $1 }
        END { printf "%d %d ", from, to - from }' "$dir/run/log.txt"
    counters launch_cycles
}
read -r from took counted <<<"$(launches "-s gmmu.gpgpu_kernel_launch_latency=0")"
[ "$counted" = 0 ] || fail "no latency of launches, but $counted cycles"
while read -r later option; do # the chip has 150 us
    said=$(launches "$option")
    [ "$said" = "$((from + later)) $took $((4 * later))" ] ||
        fail "launches, $option: $said, without $from $took"
done <<'END'
196800
64 -s gmmu.gpgpu_kernel_launch_latency=33
222176 -s gmmu.gpgpu_kernel_launch_latency=222150
END
echo "launches: ok"

# ---- transfers.csv: what came and went, as the counters have it
# kinds: rows, bytes and cycles of each kind in it
kinds() {
    awk -F, 'NR > 1 { rows[$3]++; bytes[$3] += $5; cycles[$3] += $2 - $1 }
        END { for (k in rows) print k, rows[k], bytes[k], cycles[k] }' "$dir/run/transfers.csv" |
        sort
}
# listed KIND COUNTER...: rows, bytes and cycles are those of the counters (-: not compared)
listed() {
    local said
    read -ra said < <(kinds | sed -n "s/^$1 //p"; echo)
    for ((i = 2; i <= $#; i++)); do
        [ "${!i}" = - ] || [ "${said[i - 2]-0}" = "$(counters ${!i})" ] ||
            fail "$what: $1 ${said[*]}, expected ${!i} $(counters ${!i})"
    done
}
what="P2, transfers"
# shellcheck disable=SC2086
run -a tiny $curve --transfers "$uvm" P2
# The list of the reference: address in the root and KB.
[ "$(awk -F, '$3 == "migration" { printf "%s:%d ", substr($4, length($4) - 4), $5 / 1024 }' \
    "$dir/run/transfers.csv")" = "10000:4 11000:60 30000:4 31000:60 00000:4 01000:60 \
20000:64 40000:4 41000:252 80000:4 81000:508 00000:4 01000:1020 " ] ||
    fail "$what: $(cat "$dir/run/transfers.csv")"
for setting in gmmu.fault_mode=channel gmmu.first_write_no_copy=on gmmu.enable_dma=adaptive gmmu.invalidate_clean=on; do
    what="$setting, transfers"
    # shellcheck disable=SC2086
    run -a tiny $curve --transfers -s gmmu.gddr_size=2M -s gmmu.eviction_policy=tbn -s $setting \
        "$uvm" backprop --size 32768 --prefetch
    [[ $setting != *no_copy=on ]] || [ "$(counters mapped)" -gt 0 ] || fail "$what: no map"
    listed fault far_faults
    listed handling faults - fault_cycles
    listed remote pcie.dma_reads - dma_cycles
    listed prefetch - user_bytes user_cycles
    listed home - sync_bytes home_cycles
    listed write-back d2h_transfers d2h_bytes
    [ "$(kinds | awk '/^map/ { n = $3 / 4096 } END { print n + 0 }')" = "$(counters mapped)" ] ||
        fail "$what: what was mapped"
    [ "$(kinds | awk '/^(migration|prefetch)/ { n += $2; b += $3; c += $4 }
        END { print n, b, c }')" = "$(counters h2d_transfers h2d_bytes read_cycles)" ] ||
        fail "$what: what came"
    [ "$(kinds | awk '/^drop/ { n = $3 / 4096 } END { print n + 0 }')" = "$(counters dropped)" ] ||
        fail "$what: what was dropped"
done
echo "transfers: ok"

# ---- kernels: the native digest for every setting
declare -A size=([bfs]=1001,5 [hotspot]=53,3,5 [pathfinder]=700,23,7 [backprop]=1040
    [srad]=37,50,9,3)
tight="-s gmmu.gddr_size=2M -s gmmu.percentage_of_free_page_buffer=95"
settings=("$tight -s gmmu.eviction_policy="{lru2m,tbn,sl,random,lfu2m,lru4k}" -s gmmu.hwprefetch_oversub=tbn"
    "$tight -s gmmu.hardware_prefetch="{none,random,sl}" -s gmmu.eviction_policy=sl"
    "-s gmmu.fault_mode="{channel,overlap}
    "$tight -s gmmu.enable_dma="{adaptive,always,oversub}
    "-s gmmu.tlb_shootdown=full -s gmmu.shootdown_on=both -s tlb.tlb_size=2"
    "$tight -s gmmu.first_write_no_copy=on" "-s gmmu.page_size=2MB" "-s gmmu.enable_smart_runtime=on -s gmmu.sync_keep=on"
    "-s chip.uvm_tlb=crossbar")
for kernel in bfs hotspot pathfinder backprop srad; do
    said=$("$native" "$kernel" --size "${size[$kernel]}")
    for setting in "${settings[@]}"; do
        what="$kernel, $setting"
        # shellcheck disable=SC2086
        run -a tiny -s chip.uvm=on $setting "$uvm" "$kernel" --size "${size[$kernel]}"
        [ "$(cat "$dir/said")" = "$said" ] || fail "$what: $(cat "$dir/said"), natively $said"
        [ "$(counters walks)" -gt 0 ] || fail "$what: nothing was managed"
        [[ $setting != "$tight -s gmmu.ev"* ]] || [ "$(counters victims)" -gt 0 ] ||
            fail "$what: nothing left"
    done
done
echo "kernels: ok"

# ---- a managed scene: the native picture; results however they are computed
"$B/bin/corbel-scene" generate arcade --triangles 20000 "$dir/arcade.scene" >/dev/null 2>&1
"$B/samples/native/primary" "$dir/arcade.scene" --size 24 --out "$dir/native.ppm"
same() { # OPTION... -- PROGRAM...: whatever the engine does, the same hash
    local options=() first
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    run "${options[@]}" "$@"
    first=$hash
    for how in "-j 2 --transfers" --no-skip --reverse-units "--epoch 1" --check-memory; do
        # shellcheck disable=SC2086
        run "${options[@]}" $how "$@"
        [ "$hash" = "$first" ] || fail "$* $how: another hash"
    done
}
gpu=(-a rtx2080 -s chip.tms=2 -s chip.uvm=on -s gmmu.gddr_percent=60 -s gmmu.eviction_policy=tbn)
same "${gpu[@]}" --managed scene -- "$B/samples/rv64/primary" "$dir/arcade.scene" --size 24 \
    --out "$dir/picture.ppm"
cmp "$dir/native.ppm" "$dir/picture.ppm" || fail "a managed scene: another picture"
[ "$(counters far_faults)" -gt 0 ] || fail "the scene was not managed"
same -a tiny -s chip.uvm=on -- "$uvm" srad --size "${size[srad]}" --prefetch
same -a tiny -s chip.uvm=on -- "$dir/home.elf"
same -a uvm-v100 -s chip.tms=1 -s chip.tps=2 -- "$uvm" hotspot --size 30,2,2
echo "determinism: ok"

# ---- refused: a list of transfers without a folder or time; a range that is managed
# already
for options in --transfers "--transfers --functional -o $dir/run"; do
    status=0
    # shellcheck disable=SC2086
    "$sim" $options "$uvm" P1 >"$dir/said" 2>"$dir/err" || status=$?
    [ $status = 200 ] && [ "$(cat "$dir/err")" = "sim-run: --transfers: needs --outdir and a timed run" ] ||
        fail "$options: status $status, $(cat "$dir/err")"
done
status=0
"$sim" -a tiny -s chip.uvm=on -s gmmu.managed_bytes=4G "$uvm" P1 >"$dir/said" 2>"$dir/err" ||
    status=$?
[ $status = 1 ] && grep -q 'note: managed memory: .* meets that at 0x0$' "$dir/err" ||
    fail "everything is managed: status $status, $(cat "$dir/err")"
echo pass
