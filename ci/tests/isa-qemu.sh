#!/bin/bash
# Random programs leave the same registers, flags and memory in qemu-user, in
# isa_run(), in isa_execute(), in sim-run --functional and in sim-run. A program
# that does not is shrunk and kept under build/isa-qemu/failures/XLEN-SEED/.
#
# SEEDS=FIRST-LAST, COUNT (main instructions of a program), JOBS and TIMED
# (sim-run for one seed in TIMED) choose others than CI's; LONG=1 tries 10000
# seeds.
# ci: area isa
# ci: needs tests/isa-fuzz tests/isa-run-program bin/sim-run
. ci/tests/head

last=250
if [ -n "${LONG:-}" ]; then
    last=10000
fi
tools qemu-riscv32 qemu-riscv64
rm -rf "$B/isa-qemu"
"$B/tests/isa-fuzz" --build "$B" --out "$B/isa-qemu" --complete \
    --seeds "${SEEDS:-1-$last}" --count "${COUNT:-500}" \
    --jobs "${JOBS:-2}" --timed "${TIMED:-1}"
