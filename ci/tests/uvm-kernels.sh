#!/bin/bash
# The kernels of samples/uvm: the same digest natively, executed and timed, on
# both targets and for any number of harts; each is what its serial version
# computes, and a changed word of its input is noticed; bad usage is refused.
# ci: area paging samples
# ci: needs bin/sim-run sample-uvm
. ci/tests/head

native=$B/samples/native/uvm

run() { "$sim" --quiet "$@"; }

kernels=(bfs hotspot pathfinder backprop srad)
declare -A small=([bfs]=1001,5 [hotspot]=53,3,5 [pathfinder]=700,23,7
    [backprop]=1040 [srad]=37,50,9,3)

echo "== natively: threads, the serial version, a spoilt input"
for kernel in "${kernels[@]}"; do
    for size in report large "${small[$kernel]}"; do
        said=$(CORBEL_THREADS=1 "$native" "$kernel" --size $size)
        for threads in 2 7; do
            CORBEL_THREADS=$threads says_only "$said" "$native" "$kernel" --size $size --check
        done
        says_only "$said" "$native" "$kernel" --size $size --prefetch
        status=0
        "$native" "$kernel" --size $size --check --spoil >"$dir/out" 2>"$dir/err" || status=$?
        [ $status = 1 ] && grep -qE "^uvm: $kernel: [a-z ]+ [0-9]+ is 0x[0-9a-f]{8}, expected 0x[0-9a-f]{8}$" "$dir/err" ||
            fail "$kernel $size, spoilt: status $status, $(cat "$dir/err")"
        [ "$(cat "$dir/out")" != "$said" ] || fail "$kernel $size, spoilt: the same digest"
    done
done

echo "== executed"
for kernel in "${kernels[@]}"; do
    for target in rv64 rv32; do
        elf=$B/samples/$target/uvm
        says_only "$("$native" "$kernel")" run --functional "$elf" "$kernel"
        said=$("$native" "$kernel" --size "${small[$kernel]}")
        says_only "$said" run --functional "$elf" "$kernel" --size "${small[$kernel]}" --check
        says_only "$said" run --functional --harts 3 "$elf" "$kernel" --size "${small[$kernel]}"
        says_only "$said" run --functional -a rtx2080 "$elf" "$kernel" --size "${small[$kernel]}"
    done
    says_only "$("$native" "$kernel" --size large)" \
        run --functional "$B/samples/rv64/uvm" "$kernel" --size large
done

echo "== timed"
for kernel in "${kernels[@]}"; do
    said=$("$native" "$kernel" --size "${small[$kernel]}")
    for target in rv64 rv32; do
        elf=$B/samples/$target/uvm
        says_only "$said" run -a tiny "$elf" "$kernel" --size "${small[$kernel]}" --prefetch
        says_only "$said" run -a rtx2080 -s chip.tms=2 -s chip.tps=4 "$elf" "$kernel" \
            --size "${small[$kernel]}"
    done
    says_only "$said" run -a tiny --harts 3 "$B/samples/rv64/uvm" "$kernel" --size "${small[$kernel]}"
done

echo "== an item for each lane"
for kernel in "${kernels[@]}"; do
    said=$("$native" "$kernel" --size "${small[$kernel]}")
    says_only "$said" "$native" "$kernel" --size "${small[$kernel]}" --lanes --check
    says_only "$said" run --functional "$B/samples/rv32/uvm" "$kernel" --size "${small[$kernel]}" --lanes
    says_only "$said" run -a tiny-simt -s chip.uvm=on "$B/samples/rv64/uvm" "$kernel" \
        --size "${small[$kernel]}" --lanes
done

echo "== touches of one hart"
touches=(P1:6 P2:6 P3:7 RU:9 BND:18 SCAN:3072)
for micro in "${touches[@]}"; do
    name=${micro%:*}
    said=$("$native" "$name" --delay 0)
    [[ $said =~ ^$name:\ ${micro#*:}\ touches,\ [0-9a-f]{8}$ ]] || fail "natively: $said"
    for target in rv64 rv32; do
        for mode in --functional "-a tiny"; do
            # shellcheck disable=SC2086
            says_only "$said" run $mode "$B/samples/$target/uvm" "$name"
        done
    done
done
# Each touch is followed by the delay.
"$sim" -o "$dir/log" "$B/samples/rv64/uvm" P1 --delay 1000000 >/dev/null 2>"$dir/err"
cycles=$(sed -n 's/^region *\([0-9]*\) cycles.*/\1/p' "$dir/err")
[ "$cycles" -ge 6000000 ] && [ "$cycles" -lt 6050000 ] || fail "P1 takes $cycles cycles"
# The tables of managed memory are those of the programs.
grep -q 'managed: 2097152 bytes at 0x' "$dir/log/log.txt" || fail "P1: $(cat "$dir/log/log.txt")"
"$sim" --quiet --functional -o "$dir/log" "$B/samples/rv64/uvm" hotspot --size 1024,2,1 >/dev/null 2>&1
[ "$(grep -c 'managed: 4194304 bytes at 0x' "$dir/log/log.txt")" = 3 ] ||
    fail "hotspot: $(grep managed "$dir/log/log.txt")"

echo "== statistics are there, and 0 on chips that move nothing"
zeros="faults 0, in 0 transfers of 0 bytes, out 0 of 0, remote reads 0"
for stats in "$native" "run --functional $B/samples/rv32/uvm" "run -a tiny $B/samples/rv64/uvm"; do
    # shellcheck disable=SC2086
    [ "$($stats P2 --delay 10 --stats 2>/dev/null | tail -n 1)" = "$zeros" ] || fail "$stats: statistics"
done

echo "== bad usage"
refused() { misused "uvm: $1" "$native" "${@:2}"; }
refused 'no name: expected that of a kernel, see --help'
refused 'nope: expected a kernel, see --help' nope
refused 'hotspot: expected one name, see --help' bfs hotspot
refused '--chek: expected an option, see --help' bfs --chek
refused '--size: expected a value behind it, see --help' bfs --size
for size in "" 3 4,0 4,1025 4,5,6 4,5x -4,5 larger 268435457,1 99999999999999999999,1; do
    refused "--size $size: expected report, large or nodes,degree, each from 1 to 268435456, 1024" \
        bfs --size "$size"
done
refused '--size 268435456,8: expected fewer than 2147483647 edges' bfs --size 268435456,8
refused '--size 30,8,1: expected report, large or grid,pyramid,steps, each from 1 to 16384, 7, 1000000' \
    hotspot --size 30,8,1
refused '--size 5,1,1: expected 2 rows and more' pathfinder --size 5,1,1
refused '--size 17: expected a multiple of 16' backprop --size 17
refused '--size 16,20,16,1: expected a corner within the rows and columns' srad --size 16,20,16,1
refused '--delay: expected P1, P2, P3, RU, BND or SCAN with it' bfs --delay 3
refused 'P1 with --size, --check, --spoil or --lanes: expected none of these' P1 --check
refused '--delay 1x: expected cycles, 0 to 1000000000' P1 --delay 1x

echo "pass"
