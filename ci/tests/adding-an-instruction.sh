#!/bin/bash
# docs/adding-an-instruction.md works: ci/guide follows it on a copy of the
# tree, whose toolchain goes on from ours, so only the table is compiled again.
set -euo pipefail

make -s toolchain >/dev/null
mkdir -p build/tests
copy=$PWD/$(mktemp -d build/tests/adding-an-instruction.XXXXXX)
trap 'rm -rf "$copy"' EXIT

git ls-files -z --cached --others --exclude-standard | while IFS= read -rd '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar -c --null --no-recursion -T - | tar -x -C "$copy"

# Hard links where nothing is written in place.
copy_toolchain() {
    local from=build/toolchain to=$copy/build/toolchain
    mkdir -p "$to/src" "$to/obj"
    cp -al "$from/src/binutils" "$to/src"
    cp -a --remove-destination "$from/src/binutils/opcodes/xtrav.def" "$to/src/binutils/opcodes"
    cp -a "$from/obj/binutils" "$to/obj"
    cp -a "$from/tools" "$from/stamp" "$to"
    cp -al "$from/riscv" "$to"
}
export -f copy_toolchain
export copy
flock build/toolchain/lock bash -euc copy_toolchain

ours=$(sha256sum build/toolchain/src/binutils/opcodes/xtrav.def sdk/isa/xtrav.def)
MAKEFLAGS=-j$(nproc) ci/guide docs/adding-an-instruction.md "$copy"
[ "$ours" = "$(sha256sum build/toolchain/src/binutils/opcodes/xtrav.def sdk/isa/xtrav.def)" ] || {
    echo "adding-an-instruction: the test changed this tree's own table" >&2
    exit 1
}
if [ -e "$copy/build/toolchain/log/newlib-lp64f.log" ]; then
    echo "adding-an-instruction: more than the table was compiled" >&2
    exit 1
fi
