#!/bin/bash
# --check-memory: nothing is found in any sample and the programs of sim/isa, on
# chips whose L1s write through and back, and the results are those of a run
# without it. A cache that makes a mistake on purpose is found out, in the
# same words however the run is computed.
# ci: area memcheck
# ci: needs bin/sim-run bin/corbel-scene runtime sample-hello sample-hello-cpp sample-floats
# ci: needs sample-kernels sample-records sample-mandelbrot sample-primary sample-ao sample-path
. ci/tests/head

gcc=riscv64-unknown-elf-gcc
tools $gcc
cd "$dir"

# run STATUS ARGUMENT...: stdout to out, stderr to err
run() {
    local expected=$1 status=0
    shift
    timeout 100 "$sim" "$@" >out 2>err </dev/null || status=$?
    [ $status = "$expected" ] || fail "$*: status $status"
}

# same ARGUMENT...: nothing found, and the results of a run without the check
same() {
    run 0 --quiet "$@"
    mv out expected.out
    mv err expected
    run 0 --quiet --check-memory "$@"
    diff err expected || fail "$*: results change with the check"
    cmp out expected.out
    runs=$((runs + 1))
}
runs=0

# ---- samples
"$root/$B/bin/corbel-scene" generate arcade arcade.scene --triangles 10000 \
    >/dev/null 2>&1
declare -A with=([mandelbrot]="--size 16" [primary]="arcade.scene --size 12"
    [ao]="arcade.scene --size 6 --spp 1" [path]="arcade.scene --size 4 --spp 1"
    [kernels]=1 [records]=1 [floats]=1)
through="-a tiny -s chip.tms=2"
back="$through -s l1.write=back -s l1.size=1024 -s l1.ways=2 -s tp.scratch=0"
for name in hello hello-cpp floats kernels records mandelbrot primary ao path; do
    # shellcheck disable=SC2086
    case $name in
    kernels | records | hello-cpp)
        run 204 --check-memory --max-cycles 120000 $through \
            "$root/$B/samples/rv64/$name" ${with[$name]:-}
        run 204 --check-memory --max-cycles 120000 $back \
            "$root/$B/samples/rv32/$name" ${with[$name]:-} ;;
    *)
        same $through "$root/$B/samples/rv64/$name" ${with[$name]:-}
        same $back "$root/$B/samples/rv32/$name" ${with[$name]:-} ;;
    esac
done
same -a rtx2080 -s chip.tms=2 "$root/$B/samples/rv64/primary" \
    arcade.scene --size 6
same -a tiny -s l1.write=back -s l1.atomics=here "$root/$B/samples/rv64/hello"

# ---- programs that own the machine: atomics, misaligned, code that changes
programs=$root/sim/isa/tests/programs
for xlen in 32 64; do
    abi=$([ $xlen = 32 ] && echo ilp32 || echo lp64)
    for name in atomics memory selfmod cache harts; do
        harts=$([ $name = harts ] && echo 4 || echo 1)
        $gcc -march=rv${xlen}gc_zicbom_zba_zbb -mabi=$abi -nostdlib -static \
            -DHARTS=$harts -Wl,--no-warn-rwx-segments -T "$programs/link.ld" \
            -o $name "$programs/$name.S"
        for l1 in through back; do
            same -a tiny -s tp.harts=1 -s l1.write=$l1 $name
        done
    done
done

# ---- mistakes
# Hart 0 writes what hart 1, on the other TM, has read before, and tells it by
# an atomic; after the fence hart 1 must see it.
cat >message.S <<'END'
    .option norelax
    .globl _start
_start:
    la s0, value
    la s1, turn
    li s2, 1
    bnez a0, reader
    call await
    li t0, 42
    sd t0, 0(s0)
    fence
    amoadd.d zero, s2, (s1)
    li s2, 3
    call await
    la t0, tohost
    sd s2, 0(t0)
1:  j 1b
reader:
    ld t0, 0(s0)
    amoadd.d zero, s2, (s1)
    li s2, 2
    call await
    fence
    ld t0, 0(s0)
    li s2, 1
    amoadd.d zero, s2, (s1)
1:  j 1b
await:
    amoadd.d t0, zero, (s1)
    bne t0, s2, await
    ret
    .data
    .globl tohost
    .balign 256
tohost: .dword 0
    .balign 256
value: .dword 7
    .balign 256
turn: .dword 0
END
$gcc -march=rv64ima -mabi=lp64 -nostdlib -static -Wl,--no-warn-rwx-segments \
    -Ttext=0x10000 -o message message.S
pair=(-a tiny -s chip.tms=2 -s chip.tps=1 -s tp.harts=1)
cpp=$root/$B/samples/rv64/hello-cpp
run 1 "${pair[@]}" --check-memory message

# found PATTERN ARGUMENT...: one line that matches, whatever the way of running
found() {
    local pattern=$1 options
    shift
    run 206 --quiet --check-memory "$@"
    [[ $(grep -c '^sim-run: memory check: ' err) = 1 &&
        $(sed -n 1p err) =~ $pattern ]] ||
        fail "$*: expected $pattern"
    mv err expected
    while read -r options; do
        # shellcheck disable=SC2086
        run 206 --quiet --check-memory $options "$@"
        diff err expected || fail "$options $*: in other words"
    done <<'END'
-j 1
-j 2 --epoch 1 --schedule dynamic
-j 1 --no-skip --reverse-units
END
    runs=$((runs + 1))
}

at='hart [0-9]+, pc 0x[0-9a-f]+ <.*>.*, loaded 0x[0-9a-f]+ \('
found "tm1.tp0 $at"'8 bytes at 0x.* <value>\) in cycle .*; expected 0x2a \(last written by hart 0 in cycle [0-9]+\); path tm1.tp0 -> tm1.l1 \(hit\)$' \
    "${pair[@]}" -s tm1.l1.fault=stale message

# found_some PATTERN FAULT OPTION...: a mistake may befall what no load looks at,
# or looks at only when it lies in the L1; the first that does not is found
found_some() {
    local pattern=$1 fault=$2 at status said
    shift 2
    for at in 20 50 10 5 100 40 30; do
        status=0
        "$sim" --quiet --check-memory --max-cycles 60000 -a tiny "$@" \
            -s "$fault" -s "${fault%=*}_at=$at" "$cpp" >out 2>err </dev/null ||
            status=$?
        [ $status = 206 ] || continue
        said=$(sed -n 1p err)
        [[ $said =~ ^"sim-run: memory check: tm0.tp0 hart " ]] ||
            fail "$fault: expected a hart of tm0.tp0: $said"
        if [[ $said =~ $pattern ]]; then break; fi
    done
    found "$pattern" -a tiny "$@" -s "$fault" -s "${fault%=*}_at=$at" "$cpp"
}

path='path tm0.tp0 -> tm0.l1'
found_some "tm0.tp0 $at.* $path " l1.fault=flip
found_some "tm0.tp0 $at.* $path \(miss\) -> part0.l2." l2.fault=flip
found_some "tm0.tp0 hart 0.* (stored|loaded) .* $path " l1.fault=lost_store
found_some "tm0.tp0 hart 0.* (stored|loaded) .* $path " l2.fault=lost_store
found_some "tm0.tp0 $at.* $path " l1.fault=swap
found_some "tm0.tp0 $at.* $path " l1.fault=flip -s l1.write=back

# The slice that is named is the one that erred, however wide its stripes are. A
# mistake in bytes that were not asked for is seen later, in the L1's copy.
named=0
for nth in 20 35 45 55 75 80 95 105; do
    status=0
    "$sim" --quiet --check-memory --max-cycles 120000 -a tiny -s l2.map_line=256 \
        -s part0.l2.1.fault=flip -s part0.l2.1.fault_at=$nth "$cpp" \
        >out 2>err </dev/null || status=$?
    [ $status = 206 ] || continue
    grep -q 'path tm0.tp0 -> tm0.l1 (hit)$' err && continue
    [[ $(sed -n 1p err) == *' -> part0.l2.1 '* ]] || fail "the mistake $nth is of part0.l2.1"
    named=$((named + 1))
done
[ $named -ge 3 ] || fail "of the mistakes in part0.l2.1 only $named were found"

# ---- kernels
# What harts of another TM have read in one kernel they read anew in the next,
# without a fence of theirs: the start drops all copies.
cat >twice.c <<'END'
#include <corbel/corbel.h>
static volatile int value = 1;
static volatile int sum[64];
static void look(void *unused)
{
    (void)unused;
    sum[corbel_hart()] += value;
}
int main(void)
{
    corbel_launch(look, 0);
    value = 42;
    corbel_launch(look, 0);
    return sum[0] != 43 || sum[corbel_harts() - 1] != 43;
}
END
"$root/$B/bin/corbel-gcc" -march=rv64imafc -mabi=lp64f -O2 -o twice twice.c
for l1 in through back; do
    run 0 "${pair[@]}" -s l1.write=$l1 --check-memory twice
done
found "tm1.tp0 $at"'4 bytes at 0x.* <value>\) in cycle .*; expected 0x2a \(last written by hart 0 in cycle [0-9]+\); path tm1.tp0 -> tm1.l1 \(hit\)$' \
    "${pair[@]}" -s tm1.l1.fault=stale -s tm1.l1.fault_at=2 twice

# ---- how it ends
run 206 --quiet --check-memory -a tiny -s l1.fault=flip -s l1.fault_at=20 \
    -o out-dir "$cpp"
grep -q '"ending":.*"memory check"' out-dir/manifest.json || fail "manifest"
run 200 --check-memory --functional "$cpp"
grep -q '^sim-run: --check-memory: ' err || fail "--functional"
run 0 --check-memory -a tiny "$root/$B/samples/rv64/hello"
grep -E '^memory check +[1-9][0-9]* loads, [1-9][0-9]* stores, [0-9]+ atomics$' \
    err >/dev/null || fail "summary"
echo "$runs runs: no difference but those made on purpose"
