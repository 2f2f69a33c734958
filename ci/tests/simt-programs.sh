#!/bin/bash
# Random programs whose lanes have data of their own, and part and join by it: each lane gets what
# it gets alone (qemu-user, isa_run, sim-run --functional of one hart), for each policy and warps
# of 1 to 64 lanes. A program that does not is shrunk and kept under build/simt-programs/failures.
#
# SEEDS=FIRST-LAST, COUNT (main instructions of a program), JOBS choose others than CI's; LONG=1
# tries 1000 programs.
# ci: area simt isa
# ci: needs tests/isa-fuzz tests/isa-run-program bin/sim-run
. ci/tests/head

last=28
if [ -n "${LONG:-}" ]; then
    last=500
fi
tools qemu-riscv32 qemu-riscv64
rm -rf "$B/simt-programs"
"$B/tests/isa-fuzz" --build "$B" --out "$B/simt-programs" --lanes 40 \
    --seeds "${SEEDS:-1-$last}" --count "${COUNT:-100}" --jobs "${JOBS:-2}"
