#!/bin/bash
# Every fuzz target runs for a few seconds from its seeds and from the inputs that
# failed once (ci/fuzz/found), under AddressSanitizer and UBSan, and finds nothing.
# ci: area fuzz
# ci: long
# ci: needs bin/corbel-scene bin/corbel-rays bin/sim-run
. ci/tests/head

while read -r name _; do
    status=0
    CORPUS=$dir ci/fuzz/run "$name" 4 >"$dir/log" 2>&1 || status=$?
    [ $status -ne 77 ] || { tail -n 1 "$dir/log"; exit 77; }
    if [ $status -ne 0 ]; then
        echo "FAIL: ci/fuzz/run $name ends with $status"
        grep -E 'ERROR|SUMMARY|runtime error|fuzz:|Test unit written' "$dir/log" ||
            tail -n 5 "$dir/log"
        failures=$((failures + 1))
    fi
done < <(sed 1d ci/fuzz/targets)
[ $failures -eq 0 ] || exit 1
echo "$(sed 1d ci/fuzz/targets | wc -l) targets ran and found nothing"
