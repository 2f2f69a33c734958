#!/bin/bash
# Scenes in sim-run: what is damaged is refused with the reason, what is good is
# placed once and cannot be written.
set -euo pipefail

sim=$PWD/${SIM:-build/bin/sim-run}
scene=$PWD/build/bin/corbel-scene
for file in "$sim" "$scene"; do
    [ -x "$file" ] || { echo "skip: $file is not built"; exit 77; }
done
command -v riscv64-unknown-elf-gcc > /dev/null ||
    { echo "skip: no riscv64-unknown-elf-gcc"; exit 77; }
root=$PWD
mkdir -p build/tests
dir=$(mktemp -d build/tests/simrun-scenes.XXXXXX)
trap 'rm -rf "$root/$dir"' EXIT
gcc -O1 -I. -Iruntime/include ci/tests/scene-hostile/mutate.c -o "$dir/mutate"
cd "$dir"
failures=0

fail() {
    echo "FAIL: $*"
    sed 's/^/  /' err
    failures=$((failures + 1))
}

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
END
# Opens its arguments. Exit status: 0 all good, else -errno; "same" and "write"
# are tests of their own.
cat > open.c << 'END'
#include <stdint.h>
#include "runtime/include/corbel/abi.h"
static long call(long number, long a)
{
    register long a0 __asm__("a0") = a, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
    return a0;
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
    long second = call(CORBEL_SYS_SCENE, (long)argv[3]);
    if (call(CORBEL_SYS_SCENE_USE, first) || !call(CORBEL_SYS_SCENE_USE, 4096))
        return 101;
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
        "$sim" $mode open "$@" > out 2> err || got=$?
        [ $got -eq "$status" ] && grep -qE -e "$pattern" err ||
            fail "open $* $mode: status $got, expected $status and: $pattern"
    done
}

"$scene" generate cornell good.scene > /dev/null 2>&1 ||
    { echo "skip: corbel-scene cannot generate a scene"; exit 77; }
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

[ $failures -eq 0 ] && echo "scenes are checked"
exit $((failures > 0))
