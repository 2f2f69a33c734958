#!/bin/bash
# The RISC-V part of gas's testsuite passes, our tests of xtrav included.
# ci: area toolchain
# ci: needs toolchain
. ci/tests/head

toolchain=$root/$B/toolchain
tools runtest

sum=$toolchain/obj/binutils/gas/testsuite/gas.sum
rm -f "$sum"
flock "$toolchain/lock" make -C "$toolchain/obj/binutils" MAKEINFO=true \
    check-gas RUNTESTFLAGS=riscv.exp >"$toolchain/log/check-gas.log" 2>&1 || true
[ -e "$sum" ] || { echo "toolchain-gas: the testsuite did not run, see $toolchain/log/check-gas.log" >&2; exit 1; }

if grep -E '^(FAIL|XPASS|ERROR|UNRESOLVED)' "$sum" >&2; then
    echo "toolchain-gas: failures, see $sum" >&2
    exit 1
fi

# Every .d file that our series adds is a test.
ours=0
while read -r test; do
    grep -qx "PASS: gas/riscv/$test" "$sum" || {
        echo "toolchain-gas: $test did not run" >&2
        exit 1
    }
    ours=$((ours + 1))
done < <(sed -n 's|^+++ b/gas/testsuite/gas/riscv/\(.*\)\.d$|\1|p' binutils-patches/*.patch)

# 240 are binutils 2.40's own.
passes=$(sed -n 's/^# of expected passes[[:space:]]*//p' "$sum")
[ "$passes" = $((240 + ours)) ] || {
    echo "toolchain-gas: $passes passes, expected 240 and $ours of ours" >&2
    exit 1
}
echo "toolchain-gas: $passes tests passed, $ours of them ours"
