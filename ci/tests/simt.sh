#!/bin/bash
# Samples on SIMT cores: the same files and output as natively, for warps of 1 to 64 lanes,
# each policy, rv32 and rv64, any number of threads; one hash however a chip is run.
# ci: area simt samples
# ci: needs toolchain bin/sim-run bin/sim-run-stalls bin/corbel-scene samples
. ci/tests/head

"$bin/corbel-scene" generate arcade "$dir/s.scene" --triangles 10000 >"$dir/log" 2>&1 ||
    fail generate
declare -i count=0

# arguments SAMPLE TRAVERSAL
arguments() {
    case $1 in
    mandelbrot) arguments=(--size 16x12 --out "$dir/t.png") ;;
    primary) arguments=("$dir/s.scene" --size 16x12 --traversal "$2" --hits "$dir/t.hits"
        --out "$dir/t.png") ;;
    *) arguments=("$dir/s.scene" --size 16x12 --traversal "$2" --spp 1 --out "$dir/t.png") ;;
    esac
}

# on SAMPLE TRAVERSAL COMMAND...: image and hits are those that came first
on() {
    arguments "$1" "$2"
    rm -f "$dir/t.png" "$dir/t.hits"
    "${@:3}" "${arguments[@]}" >"$dir/log" 2>&1 || fail "${*:3} ${arguments[*]}"
    for kind in png hits; do
        [ -e "$dir/t.$kind" ] || continue
        [ -e "$dir/$1.$kind" ] || cp "$dir/t.$kind" "$dir/$1.$kind"
        cmp "$dir/t.$kind" "$dir/$1.$kind" || fail "${*:3} ${arguments[*]}"
    done
    count+=1
}

simt=("$sim" --quiet --fs "$dir" -a tiny-simt --max-cycles 20000000)
for sample in mandelbrot primary ao path; do
    on $sample rtcore "$B/samples/native/$sample"
    on $sample rtcore "${simt[@]}" "$B/samples/rv64/$sample"
    on $sample software "${simt[@]}" "$B/samples/rv32/$sample"
done

for warp in 1 4 32 64; do
    on path isect "${simt[@]}" -s chip.warp=$warp "$B/samples/rv64/path"
    on primary rtcore "${simt[@]}" -s chip.warp=$warp -s chip.tms=2 "$B/samples/rv64/primary"
done

# One row at a time differs from the chip's own.
while read -r settings; do
    options=()
    for s in $settings; do options+=(-s "$s"); done
    on ao rtcore "${simt[@]}" "${options[@]}" "$B/samples/rv64/ao"
done <<END
tp.scheduler=gto
tp.scheduler=oldest
tp.scheduler=two_level tp.active_warps=1
tp.scheduler=cggty
tp.reconvergence=independent tp.path_turn=3
tp.reconvergence=min_sp_pc
tp.reconvergence=ipdom
tp.coalescer=block128
tp.requests_width=1 tp.mem_queue=1 tp.mem_entries=1
tp.serve_queue=1 tp.scratch=0
END

# The digest of the kernels is the native one.
"$B/samples/native/kernels" 3 >"$dir/native"
for xlen in 32 64; do
    "${simt[@]}" "$B/samples/rv$xlen/kernels" 3 >"$dir/out" 2>"$dir/log" || fail "kernels"
    grep -x -f "$dir/native" "$dir/out" >"$dir/log" || fail "kernels rv$xlen"
done

# hash WAY...: of a chip of three SMs
hash() {
    arguments path rtcore
    "${simt[@]}" -s chip.tms=3 "$@" "$B/samples/rv64/path" "${arguments[@]}" 2>&1 | tail -n 1
}
first=$(hash -j 1)
[[ $first == "results hash: "* ]] || fail "no hash: $first"
for way in "-j 2" "-j 3 --epoch 1" "-j 1 --epoch 1 --reverse-units" "-j 1 --no-skip" \
    --check-memory "--log-commits --log $dir/log"; do
    # shellcheck disable=SC2086
    [ "$(hash $way)" = "$first" ] || complain "$way: another hash"
done
for way in "l1.write=back" "l1.allocate=yes"; do
    [ "$(hash -s $way)" = "$(hash -s $way --check-memory)" ] || complain "$way: memory differs"
done

# A run that was saved and goes on, within main, a kernel, and rays; any number of harts.
for cycle in 30000 45000 50000; do
    hash --max-cycles $cycle --checkpoint "$dir/c" >/dev/null || true
    [ "$("$sim" --quiet --fs "$dir" --resume "$dir/c" 2>&1 | tail -n 1)" = "$first" ] ||
        complain "resumed at $cycle: another hash"
done
# The same where paths are on a stack, which is saved too.
ipdom=(-s tp.reconvergence=ipdom -s chip.warp=32)
expected=$(hash "${ipdom[@]}" -j 1)
[ "$(hash "${ipdom[@]}" -j 3 --epoch 1 --no-skip --reverse-units)" = "$expected" ] ||
    complain "ipdom: another hash"
for cycle in 20000 30000 40000; do
    hash "${ipdom[@]}" --max-cycles $cycle --checkpoint "$dir/c" >/dev/null || true
    [ "$("$sim" --quiet --fs "$dir" --resume "$dir/c" 2>&1 | tail -n 1)" = "$expected" ] ||
        complain "ipdom, resumed at $cycle: another hash"
done
for harts in 1 5 31 32 50; do
    on path rtcore "${simt[@]}" -s chip.tms=3 --harts $harts "$B/samples/rv64/path"
done
on path rtcore "${simt[@]}" --timing roi "$B/samples/rv64/path"

# A scheduler hands out indices to harts one by one or to warps: not to both.
cat >"$dir/mixed.lua" <<'END'
-- mixed: an SM and a thread processor at one scheduler
local t = tile("t")
local sm, tp = unit{tile = t, kind = "simt", name = "sm"}, unit{tile = t, kind = "tp", name = "tp"}
local s = unit{tile = t, kind = "scheduler", name = "s"}
local l1 = unit{tile = t, kind = "cache", name = "l1", size = 4096}
local dram = unit{tile = t, kind = "dram", name = "dram"}
for _, core in ipairs{sm, tp} do
  both(core, "next", s, "next", "index", "index", 1, 4)
  both(core, "mem", l1, "cpu", "reply", "data", 1, 4)
end
both(s, "ask", unit{tile = t, kind = "workcounter", name = "c"}, "ask", "block", "block", 4, 2)
both(l1, "mem", dram, "cpu", "reply", "fill", 1, 8)
END
"$sim" -a "$dir/mixed.lua" --describe >"$dir/log" 2>&1 && complain "an SM beside a thread processor"
grep -q 's: next: sm is of kind simt, but tp of kind tp' "$dir/log" ||
    complain "an SM beside a thread processor: $(cat "$dir/log")"

# Ray streams and rays that move are for cores of kind tp: chips that have them refuse SMs by name.
for kind in streams moving; do
    printf '%s\n' "-- $kind: SMs with $kind" 'include "gpu.lua"' "gpu{simt = {}, $kind = {}}" \
        >"$dir/$kind.lua"
    status=0
    "$sim" -a "$dir/$kind.lua" --describe >"$dir/log" 2>&1 || status=$?
    [ $status = 201 ] && grep -q 'gpu: cores of kind simt have no ray streams and no ray store' "$dir/log" ||
        complain "SMs with $kind: status $status, $(cat "$dir/log")"
done

# A lane of a kernel that stores to a constant faults, wherever its warp's others store.
"$B/bin/corbel-gcc" -march=rv64imafdc_zicbom -mabi=lp64d -O2 -Wall ci/tests/simt/lanes.c \
    -o "$dir/lanes" || fail lanes
for chip in tiny tiny-simt; do
    for lane in 0 3 7 4095; do
        status=0 expected=202
        [ $lane != 4095 ] || expected=0
        "$sim" --quiet -a $chip "$dir/lanes" constant $lane >"$dir/log" 2>&1 || status=$?
        [ $status = $expected ] || complain "$chip: lane $lane, constant: status $status"
        [ $status = 0 ] || grep -q "fault: hart $lane, .*which is read-only" "$dir/log" ||
            complain "$chip: lane $lane, constant: $(cat "$dir/log")"
    done
done
# Blocks of the caches are managed in the order of the program.
for write in through back; do
    timeout 100 "$sim" --quiet -a tiny-simt -s chip.tms=2 -s l1.write=$write --check-memory \
        "$dir/lanes" block 32 >"$dir/log" 2>&1 || complain "blocks, $write: $(cat "$dir/log")"
done

# Each sub-core has an issue slot.
"${simt[@]}" --stalls -o "$dir/o" "$B/samples/rv64/mandelbrot" --size 8 \
    --out "$dir/m.png" >"$dir/log" 2>&1 || fail "mandelbrot --stalls"
slots=$(grep -o 'tp issue slots used [0-9]* %' "$dir/o/stats.json" | grep -o '[0-9]*' |
    sort -n | tail -n 1)
[ "${slots:=0}" -gt 80 ] && [ "$slots" -le 100 ] || complain "issue slots used: $slots %"
echo "$count runs alike"
