#!/bin/bash
# The small ray-tracing processor equals its reference: of each recorded program
# every event with its cycle, registers, memory and results, on 4, 8 and 16
# intersection cores; of programs on one core state, cycles and stores; rays bit
# by bit. A chip with another timing or memory map is found out.
# ci: area rtp
# ci: needs bin/rtp-run
. ci/tests/head

golden=$shared/rtp-golden
run=$bin/rtp-run
[ -d "$golden" ] || skip "no reference data in $golden"

"$run" "$golden"/*.gz || fail "not equal"
"$run" --quirks "$golden/programs.jsonl.gz" || fail "defects of the original hardware differ"
for order in --reverse-units --no-skip; do
    "$run" $order "$golden/random_chip.jsonl.gz" "$golden/random_core.jsonl.gz" ||
        fail "not equal with $order"
done

# found SETTING CASE: with the setting the case is not equal
found() {
    local status=0
    "$run" -s "$1" "$golden/programs.jsonl.gz" >build/tests/rtp-golden.$$ || status=$?
    grep -q "^$2: " build/tests/rtp-golden.$$ && [ $status -eq 1 ] ||
        { rm build/tests/rtp-golden.$$; fail "$1 makes no difference to $2"; }
    rm build/tests/rtp-golden.$$
}
found intersector.cycles=52 tr_1_hit
found core.memory_map=document mem_const_vec_mirror
found patcher.host_copy=500 thr_64
found controller.dma_latency=21 isa_logic
found intersector.two_sided=1 tr_1_back
echo "equal"
