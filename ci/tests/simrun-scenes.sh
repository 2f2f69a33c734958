#!/bin/bash
# Scenes in sim-run: what is damaged is refused with the reason, what is good is
# placed once and cannot be written.
# ci: area host
# ci: needs bin/sim-run bin/corbel-scene
. ci/tests/head

scene=$bin/corbel-scene
tools riscv64-unknown-elf-gcc
gcc -O1 -I. -Iruntime/include ci/tests/scene-hostile/mutate.c -o "$dir/mutate"
cd "$dir"

cat > start.S << 'END'
    .globl _start
_start:
    bnez a0, park
    ld sp, 48(a1)
    mv a0, a1
    call run
    li a7, 93
    ecall
park:
    li a7, 0x1001
    ecall
    j park
END
# Opens its arguments. Exit status: 0 all good, else -errno; "same", "write",
# "map", "kernel" and "left" are tests of their own.
cat > open.c << 'END'
#include <stdint.h>
#include "runtime/include/corbel/abi.h"
static long call3(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b,
                  a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}
static long call(long number, long a)
{
    return call3(number, a, 0, 0);
}
int run(struct corbel_boot *boot)
{
    char **argv = (char **)boot->argv;
    long first = call(CORBEL_SYS_SCENE, (long)argv[2]);
    if (first < 0)
        return -first;
    if (*(uint64_t *)first != 0x656e656353627243)
        return 100;
    if (argv[1][0] == 'w')
        *(volatile char *)(first + 300) = 1;
    if (argv[1][0] == 'm') /* its size would be written into the file */
        return -call3(CORBEL_SYS_MAP, (long)argv[3], first - 4096, 0);
    long second = call(CORBEL_SYS_SCENE, (long)argv[3]);
    if (call(CORBEL_SYS_SCENE_USE, first) || !call(CORBEL_SYS_SCENE_USE, 4096))
        return 101;
    if (argv[1][0] == 'k') { /* the second scene, while a kernel runs and after */
        call(CORBEL_SYS_LAUNCH, 0);
        long running = call(CORBEL_SYS_SCENE_USE, second);
        if (call(CORBEL_SYS_SCENE_USE, first))
            return 103;
        call(CORBEL_SYS_JOIN, 0);
        return call(CORBEL_SYS_SCENE_USE, second) ? 104 : -running;
    }
    if (argv[1][0] == 'l') { /* a finished ray is left, and there in the other scene? */
        call(CORBEL_SYS_LAUNCH, 0);
        __asm__ volatile(".word 0x4000200b /* trav.swr ft0 */");
        for (volatile int i = 0; i < 1000; i++)
            ;
        call(CORBEL_SYS_JOIN, 0);
        if (argv[1][1] == 'o')
            call(CORBEL_SYS_SCENE_USE, second);
        uint32_t id;
        __asm__ volatile(".word 0x4010100b /* trav.lhr ft0 */\n\tfmv.x.w %0, ft4" : "=r"(id));
        return id == 0 ? 0 : 105;
    }
    if (call(214, 0) >= (second < first ? second : first))
        return 102;
    return argv[1][0] == 's' ? second != first : second == first;
}
END
riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -mcmodel=medany -O1 -g \
    -ffreestanding -nostdlib -static -I"$root" -Wl,-Ttext=0x10000 \
    -Wl,--no-relax -Wl,--no-warn-rwx-segments -o open start.S open.c

# opens STATUS PATTERN ARGUMENTS: in both modes; the pattern in stderr
opens() {
    local status=$1 pattern=$2 mode got
    shift 2
    for mode in --functional ""; do
        got=0
        "$sim" $mode ${on:-} open "$@" > out 2> err || got=$?
        [ $got -eq "$status" ] && grep -qE -e "$pattern" err ||
            complain "open $* $mode: status $got, expected $status and: $pattern"
    done
}

"$scene" generate cornell good.scene > /dev/null 2>&1 ||
    skip "corbel-scene cannot generate a scene"
cp good.scene copy.scene
size=$(stat -c %s good.scene)

# patched NAME OFFSET BYTES: a copy of the good scene with bytes replaced
patched() {
    cp good.scene "$1"
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

opens 0 'results hash' same good.scene good.scene
opens 0 'results hash' different good.scene copy.scene
opens 0 'results hash' same "$PWD/good.scene" "$PWD/good.scene"
opens 202 'fault: hart 0, .* <run.*open.c:[0-9]+.* store at 0x[0-9a-f]+, .*read-only' \
    write good.scene copy.scene
opens 14 'results hash' map good.scene copy.scene
opens 2 'results hash' same none.scene
opens 13 'may not open ../none.scene' same ../none.scene
opens 22 'results hash' same .
head -c 4 good.scene > tiny.scene
opens 22 'scene tiny.scene: not a .scene file' same tiny.scene
: > empty.scene
opens 22 'scene empty.scene: not a .scene file' same empty.scene
head -c 100 good.scene > short.scene
opens 22 'scene short.scene: truncated' same short.scene
head -c $((size - 64)) good.scene > cut.scene
opens 22 'scene cut.scene: truncated' same cut.scene
patched magic.scene 0 'X'
opens 22 'scene magic.scene: not a .scene file' same magic.scene
patched version.scene 16 '\x09'
opens 22 'scene version.scene: wrong version' same version.scene
patched damaged.scene $((size - 100)) '\xff\xfe\xfd'
opens 22 'scene damaged.scene: damaged' same damaged.scene
# The root of the Cornell box is its first node, at byte 256, of format bvh2.
"$scene" convert good.scene bvh2.scene --nodes bvh2 > /dev/null
hostile() { # NAME OFFSET WORD ..: the hash is right
    ./mutate bvh2.scene "$@"
}
opens 0 'results hash' different bvh2.scene good.scene
hostile self.scene 256 16
opens 22 'scene self.scene: damaged: node 0 at byte 256 refers to a node that does not come after it' \
    same self.scene
hostile outside.scene 256 0x7ffffff
opens 22 'scene outside.scene: damaged: node 0 at byte 256 refers to a node outside' \
    same outside.scene
hostile twice.scene 256 20 260 20
opens 22 'scene twice.scene: damaged: node 0 at byte 256 refers to a node that has a parent' \
    same twice.scene
hostile deep.scene 124 1
opens 22 'scene deep.scene: damaged: node .* is deeper than the header says' same deep.scene
cat good.scene good.scene > long.scene
opens 22 'scene long.scene: damaged' same long.scene
truncate -s 100G huge.scene
opens 12 'scene huge.scene: .* do not fit' same huge.scene

# Where rays wait for treelets, a scene is bound between kernels only.
"$scene" convert good.scene cut.scene --nodes bvh6 --treelets 4096 > /dev/null 2>&1
cp cut.scene other.scene
opens 0 'results hash' kernel cut.scene other.scene
for chip in strata strata-rt dual-streaming dual-streaming-rt; do
    on="-a $chip -s chip.tms=1 -s chip.tps=1"
    opens 16 'scene other.scene: bound in a kernel' kernel cut.scene other.scene
    opens 0 'results hash' different cut.scene other.scene
done
# What a kernel has left is there in its scene, and gone in another one.
on="-a strata-rt -s chip.tms=1 -s chip.tps=1"
opens 0 'results hash' left cut.scene other.scene
for mode in "203 deadlock" "105 results.hash --functional"; do
    read -r status said how <<< "$mode"
    got=0
    # shellcheck disable=SC2086 # words of their own
    "$sim" $how $on open lost cut.scene other.scene > out 2> err || got=$?
    [ $got -eq "$status" ] && grep -q "$said" err || complain "left in another scene: status $got"
done
on=

# Nor does what sim-run writes for the program. With tohost it runs on one core.
mv open plain
for word in tohost fromhost; do
    "$sim" --quiet -a core -o log plain same good.scene good.scene > out 2> err || complain "no log"
    address=$(grep -oP 'scene good.scene: .* bytes at \K0x[0-9a-f]+' log/log.txt)
    riscv64-unknown-elf-objcopy --add-symbol \
        "$word=.text:$((address + 256 - 0x10000)),global" plain open
    [ $word = tohost ] || riscv64-unknown-elf-objcopy \
        --add-symbol 'tohost=.text:0x100000,global' open
    opens 12 "the program has tohost or fromhost in its place" same good.scene good.scene
done

# Stores on their way when a scene is placed do not reach it: hart 1 stores to
# where the second scene will lie, until that faults. Exit status: 0 the scenes
# are alike, 99 it never stored.
cat > race.S << 'END'
    .globl _start
_start:
    li t0, 1
    beq a0, t0, storer
    bnez a0, park
    ld s0, 24(a1) # argv
    ld a0, 8(s0)
    call open
    mv s1, a0
    li t0, PLACE
    la t1, place
    sub t0, s1, t0
    addi t0, t0, 256
    sd t0, (t1)
    li t0, 2000
1:  addi t0, t0, -1
    bnez t0, 1b
    ld a0, 16(s0)
    call open
    li t0, 2000
1:  addi t0, t0, -1
    bnez t0, 1b
    li t0, PLACE
    sub t0, s1, t0
    bne a0, t0, 2f
    lw t1, 256(s1)
    lw t2, 256(a0)
    xor a0, t1, t2
    snez a0, a0
    la t0, stored
    ld t0, (t0)
    bnez t0, 3f
2:  li a0, 99
3:  li a7, 93
    ecall
open:
    li a7, SCENE
    ecall
    ret
storer:
    la t0, trapped
    csrw mtvec, t0
    la t1, place
1:  ld t0, (t1)
    beqz t0, 1b
    li t2, 77
    la t3, stored
    sd t2, (t3)
1:  sw t2, (t0)
    j 1b
    .balign 4
trapped:
    csrw mtvec, zero
park:
    li a7, 0x1001
    ecall
    .data
    .balign 8
place:
    .dword 0
stored:
    .dword 0
END
place=$(((size + 4095) / 4096 * 4096))
scene_call=$(grep -oP 'define CORBEL_SYS_SCENE \K\w+' "$root/runtime/include/corbel/abi.h")
riscv64-unknown-elf-gcc -march=rv64imafc_zicsr -mabi=lp64f -nostdlib -static \
    -DPLACE=$place -DSCENE="$scene_call" -Wl,-Ttext=0x10000 -Wl,--no-relax \
    -Wl,--no-warn-rwx-segments -o race race.S
for chip in tiny trax; do
    got=0
    "$sim" -a $chip race good.scene copy.scene > out 2> err || got=$?
    [ $got -eq 0 ] || complain "stores on their way, $chip: status $got"
done

[ $failures -eq 0 ] && echo "scenes are checked"
