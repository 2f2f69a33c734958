#!/bin/bash
# Every test of ci/tests begins with ci/tests/head, has an area, and names what it uses of
# what make builds, so that ci/test builds that and nothing else.
# ci: quick
# ci: area house
. ci/tests/head

ci/tests/heads/check.py "$B" ci/tests/*.sh || fail "heads of tests: the lines above"

while IFS=$'\t' read -r pattern lines; do
    [[ $pattern != '#'* ]] || continue
    printf '#!/bin/bash\n# Says what it tests.\n%b\n' "$lines" >"$dir/made-up.sh"
    ci/tests/heads/check.py "$B" "$dir/made-up.sh" >"$dir/log" || true
    if [ "$pattern" = - ]; then
        [ ! -s "$dir/log" ] || fail "of a test in order: $lines"
    else
        [ "$(grep -c "$pattern" "$dir/log")" = 1 ] || fail "expected $pattern of: $lines"
    fi
done <ci/tests/heads/cases

ci/test --area unheard >"$dir/said" 2>&1 && fail "an area without tests: status 0"
grep -q 'no test: --area unheard' "$dir/said" || fail "$(cat "$dir/said")"
ci/test --list --area dram >"$dir/said"
grep -q '^dram-golden dram' "$dir/said" && grep -q '^unit-units-memory-dram' <(ci/test --list --area memory) ||
    fail "--area dram: $(cat "$dir/said")"
ci/test --needs ci/tests/timing-roi.sh >"$dir/said"
grep -qx sample-uvm "$dir/said" || fail "--needs lacks what regions needs: $(cat "$dir/said")"
echo "heads: $(ls ci/tests/*.sh | wc -l) tests name what they use"
