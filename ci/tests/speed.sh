#!/bin/bash
# A small frame needs no more than 110 % of the committed number of host
# instructions, counted by callgrind in sim-run's own code.
# ci: area speed
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays samples/rv64/replay
. ci/tests/head
ci/speed/count
