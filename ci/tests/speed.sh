#!/bin/bash
# A small frame needs no more than 110 % of the committed number of host
# instructions, counted by callgrind in sim-run's own code.
set -euo pipefail

B=${B:-build}
make --no-print-directory "$B/bin/sim-run" "$B/bin/corbel-scene" "$B/bin/corbel-rays" \
    "$B/samples/rv64/replay" >/dev/null
exec ci/speed/count
