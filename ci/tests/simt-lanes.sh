#!/bin/bash
# Under ipdom kernels issue as many warp instructions, of as many lanes, as an independent
# simulator (simt-golden) has counted: equal for each number of lanes. `ci/simt/lanes` has all cases.
# ci: area simt
# ci: needs toolchain bin/sim-run
. ci/tests/head

status=0
SIM=$sim ci/simt/lanes --quick || status=$?
[ $status != 77 ] || exit 77
[ $status = 0 ] || fail "lanes: status $status"
