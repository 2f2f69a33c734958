#!/bin/bash
# The model of the rtp chip in ci/rtp comes to what the reference data say:
# registers, memory, results and the cycle of every event; rays bit by bit.
# EVERY in the environment takes each EVERYth ray only.
set -euo pipefail

golden=${CORBEL_SHARED:-../shared}/rtp-golden
[ -d "$golden" ] || { echo "skip: no reference data in $golden"; exit 77; }
ci/rtp/check --every "${EVERY:-10}" "$golden"/*.jsonl.gz "$golden/intersect.csv.gz"
