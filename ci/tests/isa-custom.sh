#!/bin/bash
# Every custom instruction gives the bits that its native function gives, on
# random and adversarial operands and with any registers: executed and timed,
# RV64 and RV32, by the RT cores of two chips, by wrappers of several builds.
#
#   isa-custom.sh [SEED [SETS]]    SETS of operands executed (100000); a tenth
#                                  of them in other builds and scenes, 3 of 100
#                                  timed
#
# What differs is printed, and its files stay in build/tests/isa-custom. SIM
# names another sim-run.
# ci: area isa
# ci: needs bin/sim-run bin/corbel-scene lib/libcorbel-native.a runtime
. ci/tests/head

SIM=${SIM:-$B/bin/sim-run}
seed=${1:-1} sets=${2:-100000}
sequences=2000
src=ci/tests/isa-custom
differences=0
# Rays that are counted restart as on tiny, which is what runs sequences.
export CORBEL_STACK=8

common=(-std=c17 -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wno-maybe-uninitialized)
native() { # NAME OBJECTS AND FLAGS...
    ${CC:-gcc} "${common[@]}" -D_GNU_SOURCE -pthread -I. -Iruntime/include "$src"/*.c "${@:2}" -lm -o "$dir/$1"
}
target() { # NAME XLEN FLAGS...
    local -A abi=([64]=lp64f [32]=ilp32f)
    "$B/bin/corbel-gcc" -march="rv$2imafc" -mabi="${abi[$2]}" "${common[@]}" "${@:3}" \
        "$src"/*.c "$src/enter.S" "$dir/sequences.S" -lm -o "$dir/$1"
}
native native -O2 "$B/lib/libcorbel-native.a"
native native-O0 -O0 native-shim/*.c runtime/common/{image,checksum}.c
"$dir/native" words "$seed" $sequences >"$dir/sequences.S"
target rv64 64 -O3
target rv32 32 -O3
target rv64-O0 64 -O0
target rv32-insn 32 -O2 -DCORBEL_INSN

"$B/bin/corbel-scene" generate cornell --obj "$dir/cornell.obj" >"$dir/log"
for nodes in cwbvh6 bvh6 bvh2; do
    far=0
    [ $nodes != bvh6 ] || far=1
    awk -v far=$far -f "$src/mesh.awk" "$dir/cornell.obj" >"$dir/$nodes.obj"
    "$B/bin/corbel-scene" convert "$dir/$nodes.obj" "$dir/$nodes.scene" --nodes $nodes >"$dir/log" 2>&1 ||
        { cat "$dir/log"; exit 1; }
done

# same XLEN PART COUNT SCENE COMMAND...: its results are those of the native program
same() {
    local xlen=$1 start=$SECONDS
    local what=("$2" "$seed" "$3" "$dir/$4.scene" "$dir/results")
    echo "$2 $3 $4: ${*:5}"
    rm -f "$dir/results"
    timeout 300 "${@:5}" "${what[@]}" >"$dir/log" 2>&1 || { echo "  status $?"; cat "$dir/log"; exit 1; }
    "$dir/native" "${what[@]}" "$xlen" >"$dir/log" ||
        { differences=$((differences + 1)) && mv "$dir/results" "$dir/results-$differences"; }
    sed 's/^/  /' "$dir/log"
    echo "  $((SECONDS - start)) s"
}
functional=("$SIM" --quiet --functional -a tiny)
timed=("$SIM" --quiet -j1 -a)
some=$((sets / 10)) few=$((sets * 3 / 100))

for xlen in 64 32; do
    same $xlen operands "$sets" cwbvh6 "${functional[@]}" "$dir/rv$xlen"
    same $xlen operands $few cwbvh6 "${timed[@]}" tiny "$dir/rv$xlen"
    same $xlen registers $sequences cwbvh6 "${functional[@]}" "$dir/rv$xlen"
    same $xlen registers $((sequences / 4)) cwbvh6 "${timed[@]}" tiny "$dir/rv$xlen"
    same $xlen operands $some bvh6 "${functional[@]}" "$dir/rv$xlen"
    same $xlen operands $some bvh2 "${functional[@]}" "$dir/rv$xlen"
    same $xlen functions "$sets" cwbvh6 "${functional[@]}" "$dir/rv$xlen"
    same $xlen software $((some / 2)) bvh6 "${functional[@]}" "$dir/rv$xlen"
done
same 64 operands $few bvh6 "${timed[@]}" rtx2080 "$dir/rv64"
same 64 operands $((few / 2)) bvh2 "${timed[@]}" tiny -s rtcore.stack=1 -s rtcore.max_rays=1 "$dir/rv64"
same 64 software $((some / 2)) cwbvh6 "${functional[@]}" "$dir/rv64"
same 64 software $((some / 2)) bvh2 "${functional[@]}" "$dir/rv64"
same 64 operands $some cwbvh6 "${functional[@]}" "$dir/rv64-O0"
same 32 operands $some cwbvh6 "${functional[@]}" "$dir/rv32-insn"
same 64 operands "$some" cwbvh6 "$dir/native-O0"

[ $differences -eq 0 ] || { echo "isa-custom: $differences runs differ"; exit 1; }
rm -f "$dir"/*.obj "$dir/results"
echo "isa-custom: ok"
