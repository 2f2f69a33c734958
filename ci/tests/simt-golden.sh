#!/bin/bash
# SIMT cores make as many sectors and conflicts of banks as an independent simulator has of the
# same kernels, and cycles of memory-bound ones are near its: a part of the study. Other banks, and
# a slower L1, are found.
# ci: area simt studies
# ci: needs bin/sim-run toolchain
. ci/tests/head

[ -f "$shared/simt-golden/results.csv" ] || skip "no data at $shared/simt-golden"
golden() {
    CORBEL_SHARED=$shared SIM=${1:-$sim} ci/simt/golden "${@:2}" >"$dir/log" 2>&1
}
golden "$sim" --quick || fail "golden --quick"
grep -q '^| the [1-9][0-9]* others | equal' "$dir/log" || fail "no counts are equal"

# found TEXT SETTING WORD: a simulator with another parameter differs
found() {
    printf '#!/bin/bash\nargs=("$@")\nexec %s "${args[@]:0:7}" -s %s "${args[@]:7}"\n' \
        "$PWD/$B/bin/sim-run" "$2" >"$dir/sim"
    chmod +x "$dir/sim"
    ! golden "$dir/sim" --quick --case "$3" || fail "not found: $2"
    grep -q "$1" "$dir/log" || fail "$2: $(cat "$dir/log")"
}
found 'other sectors or conflicts than the data: smem_ld-8' tp.shared_banks=16 smem_ld-8
found 'cycles: mean error' l1.latency=60 stride_hit
echo pass
