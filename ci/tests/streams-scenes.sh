#!/bin/bash
# ci: long
# Chips with ray streams, and those whose rays move, find in real scenes what plain
# traversal finds, bit for bit: primary, secondary and tertiary rays, options dealt out
# so that each value is tried on several scenes. SIZE, COUNT and SEED in the environment:
# ci/tests/streams/scenes.py.
set -euo pipefail

B=${B:-build}
scenes=${CORBEL_SHARED:-../shared}/scenes
[ -e "$scenes/README.md" ] ||
    { echo "skip: no scenes in $scenes (set CORBEL_SHARED)"; exit 77; }
make --no-print-directory "$B/bin/sim-run" "$B/bin/corbel-scene" "$B/bin/corbel-rays" \
    "$B/samples/rv64/streams" "$B/samples/native/streams" >/dev/null
mkdir -p "$B/tests"
work=$(mktemp -d "$B/tests/streams-scenes.XXXXXX")
trap 'rm -rf "$work"' EXIT
ci/tests/streams/scenes.py "$scenes" "$work"
