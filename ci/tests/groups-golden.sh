#!/bin/bash
# The kernels of the golden data of SIMT cores, which a simulator of GPUs has run, by the
# interface of groups: what they leave is what they leave member by member, natively and on
# chips, executed and timed.
# ci: area toolchain
# ci: needs bin/sim-run toolchain lib/libcorbel-native.a
. ci/tests/head

kernels=$shared/simt-golden/kernels
[ -f "$kernels/kern.c" ] || skip "no kernels at $kernels"
flags=(-g -O2 -w -ffp-contract=off -I "$kernels" ci/tests/groups/golden.c)
gcc "${flags[@]}" -Iruntime/include -DSERIAL "$B/lib/libcorbel-native.a" -pthread -lm -o "$dir/serial"
gcc "${flags[@]}" -Iruntime/include "$B/lib/libcorbel-native.a" -pthread -lm -o "$dir/native"
"$B/bin/corbel-gcc" "${flags[@]}" -march=rv64imafdc -mabi=lp64d -lm -o "$dir/rv64d"
"$B/bin/corbel-gcc" "${flags[@]}" -march=rv32imafc -mabi=ilp32f -lm -o "$dir/rv32"

# KERNEL GROUPS SIZE ARGUMENT...
cases='vecadd 5 256 1200
hotspot 4 256 32
matmul 4 256 32
nn 3 256 700
pathfinder 3 256 600 2 5
reduce 5 256 1100
transpose_naive 4 256 32
backprop_fwd 6 256
fma_dep 2 64 3
imad_dep 2 64 3
alu_dep 2 64 3
fma_ilp4 1 96 2
mix_ilp 1 64 2
rsqrt_dep 1 64 2
sqrt_dep 1 64 2
idiv_dep 1 64 2
div_loop 1 128 32 8
nest 1 128 3 7
early 1 128 32
chase 1 32 12 3
stride_ld 4 64 8 4 1024
stride_st 1 64 4 4 256
bcast_ld 2 64 8
smem_ld 2 128 3 8
barr 2 96 5
atom_add 2 64 31 2
occ8k 3 128 5
occ32k 3 128 5
bfs_level 2 256 500 1
dfma_dep 1 64 2
sin_dep 1 64 2
exlg_dep 1 64 2'

while read -r name rest; do
    read -ra arguments <<<"$rest"
    said=$("$dir/serial" "$name" "${arguments[@]}") || fail "$name: status $?"
    for threads in 1 64; do
        CORBEL_THREADS=$threads says_only "$said" "$dir/native" "$name" "${arguments[@]}"
    done
    # The C libraries of host and target differ in last bits; rv32 has no double precision.
    [[ $name != @(sin_dep|exlg_dep) ]] ||
        said=$("$sim" --quiet --functional "$dir/rv64d" "$name" "${arguments[@]}" 2>/dev/null)
    says_only "$said" "$sim" --quiet --functional -a tiny "$dir/rv64d" "$name" "${arguments[@]}"
    says_only "$said" "$sim" --quiet -a rtx2080 -s chip.tms=1 -s chip.tps=16 "$dir/rv64d" "$name" "${arguments[@]}"
    [ "$name" = dfma_dep ] ||
        says_only "$said" "$sim" --quiet --functional --harts 1 "$dir/rv32" "$name" "${arguments[@]}"
done <<<"$cases"

echo "pass"
