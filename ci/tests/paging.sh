#!/bin/bash
# Managed memory on whole chips: with any prefetcher, eviction, fault mode and
# place of the TLBs a program prints and draws what it does without; results do
# not depend on how they are computed; bytes over PCIe are those of the pages
# that came; prefetchers rank as they should; a fault costs the host nothing;
# impossible settings get one line.
# ci: area paging
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/primary samples/rv64/hello
# ci: needs samples/native/primary sample-uvm
. ci/tests/head

samples=$(realpath "$B/samples")
scene=$(realpath "$B/bin/corbel-scene")
cd "$dir"

"$scene" generate arcade --triangles 60000 --ply arcade.ply >/dev/null 2>&1
"$scene" convert arcade.ply arcade.scene >/dev/null 2>&1
"$samples/native/primary" arcade.scene --size 32x24 --out native.png >/dev/null
managed=(-s chip.uvm=on -s gmmu.managed_bytes=4G)
# 2 MB, of which 80 % are kept free: what all of these runs need is more.
small=(-s gmmu.gddr_size=2M -s gmmu.percentage_of_free_page_buffer=80)

# draw CHIP OPTION...: the picture; prints the hash; the run is in out/
draw() {
    "$sim" --quiet --transfers --fs . -o out -a "$1" "${@:2}" "$samples/rv64/primary" \
        arcade.scene --size 32x24 --out picture.png >log 2>&1 || { cat log >&2; fail "$*"; }
    cmp picture.png native.png >&2 || fail "$*: another picture"
    sed -n 's/^results hash: //p' log
}

# counter GROUP NAME: its sum in out/
counter() {
    python3 -c 'import json, sys
units = json.load(open("out/stats.json"))["units"]
print(sum(u["counters"][sys.argv[2]] for u in units if u["group"] == sys.argv[1]))' "$@"
}

under_way() { # bytes of transfers that the end of the run has cut short
    local end
    end=$(python3 -c 'import json; print(json.load(open("out/stats.json"))["cycles"])')
    awk -F, -v end="$end" 'NR > 1 && $2 > end { bytes += $5 } END { print bytes + 0 }' out/transfers.csv
}

agree() { # what must hold after any run
    local charged rest
    charged=$(($(counter gmmu dram_written) + $(counter gmmu dram_read)))
    rest=$(($(counter pcie read_bytes) + $(counter pcie write_bytes) - charged))
    [ "$charged" = 0 ] || { [ $rest -ge 0 ] && [ $rest -le "$(under_way)" ]; } ||
        fail "$*: $charged bytes were moved in DRAM, $rest less than over PCIe"
    [ "$(counter pcie read_bytes)" = "$(counter gmmu h2d_bytes)" ] &&
        [ "$(counter gmmu h2d_bytes)" = $((4096 * $(counter gmmu page_validates))) ] &&
        [ "$(counter pcie write_bytes)" = "$(counter gmmu d2h_bytes)" ] &&
        [ "$(counter gmmu walks)" = "$(counter tlb misses)" ] &&
        [ "$(counter tlb accesses)" = $(($(counter tlb hits) + $(counter tlb misses))) ] ||
        fail "$*: counters do not agree"
}

# ---- settings
chip=(-s chip.tms=2)
without=$(draw rtx2080 "${chip[@]}")
for setting in fault_mode={report,channel,overlap} tlb_shootdown={entry,full,none} \
    enable_dma={adaptive,always,oversub} page_size=2MB enable_smart_runtime=on \
    invalidate_clean=on percentage_of_free_page_buffer=20; do
    hash=$(draw rtx2080 "${chip[@]}" "${managed[@]}" -s "gmmu.$setting")
    [ "$hash" != "$without" ] || fail "$setting changes nothing"
    agree "$setting"
done
for evict in lru2m tbn sl random lfu2m lru4k; do
    for prefetch in none tbn sl random; do
        draw rtx2080 "${chip[@]}" "${managed[@]}" "${small[@]}" -s gmmu.eviction_policy=$evict \
            -s gmmu.hardware_prefetch=$prefetch -s gmmu.hwprefetch_oversub=$prefetch >/dev/null
        agree "$evict, $prefetch"
        [ "$(counter gmmu victims)" -gt 0 ] || fail "$evict, $prefetch: memory was not full"
    done
done
echo "settings: ok"

# ---- migration takes of DRAM's bandwidth: of any DRAM, and without another picture
full=("${managed[@]}" "${small[@]}" -s gmmu.eviction_policy=tbn)
first=$(draw rtx2080 "${chip[@]}" "${full[@]}")
for option in "rtx2080 -s chip.tms=2" "rtx2080 -s chip.tms=2 -s chip.dram=hbm2" tiny; do
    # shellcheck disable=SC2086
    hash=$(draw $option "${full[@]}" -s chip.charge_dram=on)
    [ "$hash" != "$first" ] || fail "charge_dram changes nothing"
    agree "$option, charge_dram"
    [ "$(counter gmmu dram_written)" -gt 0 ] && [ "$(counter gmmu dram_read)" -gt 0 ] &&
        [ "$(counter dram bytes_written)" -ge "$(counter gmmu dram_written)" ] ||
        fail "$option: DRAM was not charged"
done
echo "charged: ok"

# ---- prefetchers: none > random > sl > tbn faults, and as many pages in none as faults
declare -A faults
for prefetch in none random sl tbn; do
    draw rtx2080 "${chip[@]}" "${managed[@]}" -s gmmu.hardware_prefetch=$prefetch >/dev/null
    faults[$prefetch]=$(counter gmmu far_faults)
    [ $prefetch != none ] || [ "${faults[none]}" = "$(counter gmmu page_validates)" ] ||
        fail "none: a page came without a fault"
done
echo "faults: none ${faults[none]}, random ${faults[random]}, sl ${faults[sl]}, tbn ${faults[tbn]}"
[ "${faults[none]}" -gt "${faults[random]}" ] && [ "${faults[random]}" -gt "${faults[sl]}" ] &&
    [ "${faults[sl]}" -gt "${faults[tbn]}" ] || fail "prefetchers do not rank"

# ---- the same results however they are computed; memory holds what it should
for place in chip.uvm_tlb=core chip.uvm_tlb=crossbar chip.charge_dram=on; do
    options=("${full[@]}" -s $place)
    first=$(draw rtx2080 "${chip[@]}" "${options[@]}")
    for how in --no-skip "-j 2" --reverse-units "--epoch 1" --check-memory; do
        # shellcheck disable=SC2086
        [ "$(draw rtx2080 "${chip[@]}" "${options[@]}" $how)" = "$first" ] ||
            fail "$place $how: another hash"
    done
done
draw rtx2080 "${chip[@]}" "${managed[@]}" -s l1.write=back -s chip.uvm_tlb=crossbar --check-memory >/dev/null
echo "determinism: ok"

# ---- far faults one after the other: a hundred times faster with skipping, results the same
seconds() { # OPTION...: of the host, for 40 million cycles
    local TIMEFORMAT=%U
    { time "$sim" --quiet -o out "$@" --max-cycles 40000000 -a tiny -s chip.uvm=on \
        -s gmmu.fault_mode=channel -s gmmu.hardware_prefetch=none "$samples/rv64/uvm" SCAN \
        --delay 1 >log 2>&1 || true; } 2>&1
}
fast=$(seconds)
said=$(cat log)
slow=$(seconds --no-skip)
[[ $said == *"the limit of 40000000 cycles"*"results hash"* ]] && [ "$said" = "$(cat log)" ] ||
    fail "faults, with and without skipping: $said, $(cat log)"
faults=$(counter gmmu far_faults)
echo "$faults faults: $fast s with skipping, $slow s without"
[ "$faults" -gt 500 ] || fail "few faults"
awk -v fast="$fast" -v slow="$slow" 'BEGIN { exit !(slow >= 100 * fast) }' || fail "skipping does not pay"

# ---- refused
refused() {
    local pattern=$1 status=0
    "$sim" --quiet -a tiny "${@:2}" "$samples/rv64/hello" >out.txt 2>err || status=$?
    [ $status -ge 200 ] && [ "$(wc -l <err)" = 1 ] && grep -qE "$pattern" err ||
        { cat err; fail "${*:2}: status $status, expected $pattern"; }
}
on=(-s chip.uvm=on)
refused 'device memory of 1048576 bytes; whole pages of 2 MB' "${on[@]}" -s gmmu.gddr_size=1M
refused 'page_size: .8KB. is none of' "${on[@]}" -s gmmu.page_size=8KB
refused 'not within the 2\^44 bytes' "${on[@]}" -s gmmu.managed_from=0xfffffff0000 -s gmmu.managed_bytes=1M
refused 'a multiple of 64 KB is expected' "${on[@]}" -s gmmu.managed_from=4096 -s gmmu.managed_bytes=1M
refused "points KiB:GB/s with ascending" "${on[@]}" -s pcie.points=4:1
refused "fault_mode: .later. is none of" "${on[@]}" -s gmmu.fault_mode=later
refused "pages of 2 MB are evicted as lru2m or lfu2m" "${on[@]}" -s gmmu.page_size=2MB -s gmmu.eviction_policy=tbn
refused "gmmu" -s gmmu.page_size=2MB
refused "chip.charge_dram=on: expected chip.uvm=on" -s chip.charge_dram=on
echo pass
