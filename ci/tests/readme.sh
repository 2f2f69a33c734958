#!/bin/bash
# The first kernel of the README compiles and runs, natively and simulated; so do the first day
# (docs/guides/first-day.md), the way from a mesh to a figure (docs/guides/first-study.md), and a
# program for ray streams (docs/guides/streams-program.md).
set -euo pipefail

for file in build/bin/sim-run build/bin/corbel-scene build/lib/libcorbel-native.a build/samples/rv64/hello \
    build/bin/sim-report build/bin/sim-diff build/bin/sim-run-stalls; do
    [ -e "$file" ] || { echo "readme: skipped: $file is not built"; exit 77; }
done
mkdir -p build/tests
dir=$(mktemp -d build/tests/readme.XXXXXX)
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/build" "$PWD/runtime" "$dir"
ci/guide README.md "$dir"
ci/guide docs/guides/first-day.md "$dir"
ci/guide docs/guides/first-study.md "$dir"
ci/guide docs/guides/streams-program.md "$dir"
