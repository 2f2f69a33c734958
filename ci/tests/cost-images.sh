#!/bin/bash
# --cost-images: costs of pixels and the rest sum to the totals on chips of every kind,
# those of a program with known costs are what they have to be, pictures show them, no
# result changes, and nothing depends on how it is computed.
# ci: area observe report
# ci: needs bin/sim-run-stalls bin/sim-report bin/corbel-scene bin/corbel-rays samples/rv64/primary samples/rv64/path sample-streams
. ci/tests/head

S=$B/samples/rv64

# sim NAME ARGUMENT...: files in NAME.out, the results hash in NAME
sim() {
    local name=$1
    shift
    "${SIM:-$B/bin/sim-run}" --quiet -o "$dir/$name.out" "$@" >/dev/null 2>"$dir/$name" ||
        fail "$name: $(cat "$dir/$name")"
}
costs() { ci/tests/cost-images/costs.py "$@" || fail "costs.py"; }

"$B/bin/corbel-scene" generate cornell "$dir/c.scene" >/dev/null
"$B/bin/corbel-scene" generate arcade "$dir/t.scene" --triangles 10000 --nodes cwbvh6t \
    --treelets 4096 >/dev/null
"$B/bin/corbel-rays" "$dir/t.scene" "$dir/t.rays" --kind secondary --size 16 >/dev/null

# ---- costs computed by hand
"$B/bin/corbel-gcc" -O2 ci/tests/cost-images/known.c -o "$dir/known"
sim rays --cost-images 10x6 -a rtx2080 -s chip.tms=2 "$dir/known" rays "$dir/c.scene"
costs "$dir/rays.out" 'rays[i] == i % 4' 'nodes[i] == i % 4' 'triangles[i] == 0'
sim loads --cost-images 10x6 -a rtx2080 -s chip.tms=2 "$dir/known" loads
costs "$dir/loads.out" 'first_misses[i] == i % 3' 'second_misses[i] == i % 3' \
    'dram_bytes[i] == 32 * (i % 3)' 'rays[i] == 0'
sim ddr4 --cost-images 10x6 -a tiny "$dir/known" loads
costs "$dir/ddr4.out" 'first_misses[i] == i % 3' 'dram_bytes[i] == 64 * (i % 3)'
sim loops --cost-images 10x6 -a tiny --harts 1 "$dir/known" loops
costs "$dir/loops.out" 'i < 2 or cycles[i] == cycles[i - 1] + 20' 'dram_bytes[i] == 0' \
    'i < 50 or index == i'
for warp in 1 8 32; do # lanes of warps
    sim lanes-rays --cost-images 10x6 -a tiny-simt -s chip.warp=$warp "$dir/known" rays "$dir/c.scene"
    costs "$dir/lanes-rays.out" 'rays[i] == i % 4' 'nodes[i] == i % 4' 'triangles[i] == 0'
    sim lanes --cost-images 10x6 -a tiny-simt -s chip.warp=$warp "$dir/known" loads
    costs "$dir/lanes.out" 'first_misses[i] == i % 3' 'dram_bytes[i] == 64 * (i % 3)'
done
# tiles of 5 x 3 from below: index 0 is the first pixel of the fourth line
sim tiles --cost-images 10x6,5x3,up -a tiny "$dir/known" rays "$dir/c.scene"
costs "$dir/tiles.out" \
    'rays[i] == ((1 - i // 30) * 30 + i % 10 // 5 * 15 + (5 - i // 10) % 3 * 5 + i % 5) % 4' \
    'index is None or rays[i] == index % 4' 'i != 3 or index == 43'
# sim-report makes the pictures again, of what the run has left.
for cost in cycles rays; do
    "$bin/sim-report" --heat-map $cost "$dir/tiles.out" -o "$dir/again.png" || fail "--heat-map $cost"
    cmp "$dir/again.png" "$dir/tiles.out/cost-$cost.png" || fail "--heat-map $cost: another picture"
done
"$bin/sim-report" --heat-map heat "$dir/tiles.out" >"$dir/out" 2>"$dir/err" && fail "--heat-map heat"
grep -q "no cost of pixels 'heat'; expected one of cycles, rays" "$dir/err" || fail "--heat-map heat"
# a picture that is smaller than the work: what is left is rest
sim few --cost-images 7x5,8x4 -a tiny "$dir/known" rays "$dir/c.scene"
costs "$dir/few.out" 'sum(rays) < 90' 'i >= 7 or rays[i] == i % 4'

# ---- all chips; nothing changes
# both NAME WxH ARGUMENT...: with the option and without
both() {
    local name=$1 size=$2
    shift 2
    sim plain "$@"
    sim "$name" --cost-images "$size" "$@"
    cmp "$dir/plain" "$dir/$name" || fail "$name: results change"
    costs "$dir/$name.out"
}
primary=("$S/primary" "$dir/c.scene" --size 20x14 --out "$dir/image.ppm")
both rtx2080 20x14,8x4,up -a rtx2080 -s chip.tms=3 --interval 5000 "${primary[@]}"
both ahead 20x14,8x4,up -a tiny -s l1.write=back -s l1.sector=128 -s l1.prefetch=next \
    -s rtcore.prefetch=2 -s chip.icache=1 "${primary[@]}"
both bypass 20x14,8x4,up -a tiny -s tp.load_bypass=3 -s l1.mshrs=1 "${primary[@]}"
both simt 20x14,8x4,up -a tiny-simt -s chip.tms=2 "${primary[@]}"
both trax 20x14,8x4,up -a trax -s chip.tms=2 "${primary[@]}" --traversal software
both path 8x8,8x4,up -a rtx2080 -s chip.tms=2 "$S/path" "$dir/c.scene" --size 8 --spp 2 \
    --out "$dir/image.ppm"
both streams 16x16 -a dual-streaming-rt -s chip.tms=2 -s chip.tps=4 "$S/streams" \
    "$dir/t.scene" "$dir/t.rays" --mode rt --hits "$dir/hits"

# ---- however it is computed
sim otherwise --cost-images 20x14,8x4,up -j 2 --epoch 1 --no-skip --reverse-units \
    --interval 5000 -a rtx2080 -s chip.tms=3 "${primary[@]}"
for file in "$dir/rtx2080.out"/{pixels.json,cost-*,stats.json}; do
    cmp "$file" "$dir/otherwise.out/${file##*/}" || fail "$file differs"
done

# ---- what an earlier run has left goes; what cannot be is one line
sim rtx2080 -a tiny "${primary[@]}"
! ls "$dir/rtx2080.out" | grep -q 'cost-\|pixels' || fail "files of an earlier run are left"
# refuse WORDS ARGUMENT...
refuse() {
    local words=$1 status=0
    shift
    "$B/bin/sim-run" "$@" "${primary[@]}" 2>"$dir/log" || status=$?
    [ $status = 200 ] && [ "$(wc -l <"$dir/log")" = 1 ] && grep -q -e "$words" "$dir/log" ||
        fail "$*: $status, $(cat "$dir/log")"
}
for size in '' 0x4 4 4x 4x4x4 4x4, 4x4,0x1 4x4,down 4x4,2x2,up, 9999x1 8192x8192 -1x4; do
    refuse "^sim-run: --cost-images $size: expected WIDTHxHEIGHT" -o "$dir/x" \
        --cost-images "$size"
done
refuse 'cost-images: needs --outdir and a timed run' --cost-images 4x4
refuse 'cost-images: needs --outdir and a timed run' -o "$dir/x" --functional --cost-images 4x4
echo "cost-images: costs of 12 runs sum to their totals"
