#!/bin/bash
# Chips with ray streams, and those whose rays move, find in real scenes what plain
# traversal finds, bit for bit: primary, secondary and tertiary rays, options dealt out
# so that each value is tried on several scenes. SIZE, COUNT and SEED in the environment:
# ci/tests/streams/scenes.py.
# ci: area hits
# ci: long
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/streams
# ci: needs samples/native/streams
. ci/tests/head

scenes=$shared/scenes
[ -e "$scenes/README.md" ] ||
    skip "no scenes in $scenes (set CORBEL_SHARED)"
ci/tests/streams/scenes.py "$scenes" "$dir"
