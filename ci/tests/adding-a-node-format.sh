#!/bin/bash
# docs/guides/adding-a-node-format.md works: ci/guide follows it on a copy of the
# tree, which goes on from our build, so only what reads nodes is compiled. It does
# not ask for the whole toolchain, which other tests keep locked for minutes.
set -euo pipefail

make -s sim corbel-scene build/samples/rv64/primary build/tests/scene/nodes_test >/dev/null
mkdir -p build/tests
copy=$PWD/$(mktemp -d build/tests/adding-a-node-format.XXXXXX)
trap 'rm -rf "$copy"' EXIT

git ls-files -z --cached --others --exclude-standard | while IFS= read -rd '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar -c --null --no-recursion -T - | tar -x -C "$copy"

# Copies, not links: a compiler may write its outputs in place. Target objects
# are made anew: they depend on headers by paths that lead to this tree. So do the
# links to the toolchain, which may lie anywhere.
mkdir "$copy/build"
cp -a build/bin build/lib build/share build/obj "$copy/build"
rm -rf "$copy/build/obj/rv64" "$copy/build/obj/rv32" "$copy/build/lib/corbel/links"
ln -s "$PWD/build/toolchain" "$copy/build/toolchain"

MAKEFLAGS=-j$(nproc) ci/guide docs/guides/adding-a-node-format.md "$copy"
