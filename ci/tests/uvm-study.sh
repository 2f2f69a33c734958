#!/bin/bash
# The study of paging, small: all tables and plots are there; prefetchers rank; a
# simulator that counts other faults than pages are touched, or that computes something
# else for some setting, or other results without skipping, is found.
# ci: area studies
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays sample-uvm samples/rv64/replay
. ci/tests/head

tools gnuplot

ci/uvm/study --quick --out "$dir" >"$dir/tables" 2>"$dir/err" || fail "status $?"
# has PAGE NAME...: tables, which are in docs/studies/paging-PAGE.md
has() {
    local name
    for name in "${@:2}"; do
        grep -qx "## $name" "$dir/tables" || fail "no table $name"
        grep -qx "<!-- $name -->" "docs/studies/paging-$1.md" || fail "docs/studies/paging-$1.md has no $name"
    done
}
has study skipping prefetchers published warps shootdown shootdown-warps oversubscription shares \
    zero-copy
has rays scenes memory causes pairs layouts remote-reads frame-buffer remedies
for name in study-faults study-pcie rays-faults rays-speed rays-pcie; do
    [ -s "$dir/paging-$name.svg" ] || fail "no plot $name"
done
# A wall of 2000 x 19 and two rows of 2000 words.
[ "$(awk -F ' *[|] *' '$2 == "pathfinder" { print $3; exit }' "$dir/tables")" = $((38 + 2 + 2)) ] ||
    fail "pages of pathfinder"

# found TEXT COMMAND PART [OPTION...]: what a simulator does behind the real one; the study says TEXT
found() {
    printf '#!/bin/bash\nout=$5 all=$*\n%s "$@" || exit\n%s\n' "$PWD/$B/bin/sim-run" "$2" >"$dir/sim"
    chmod +x "$dir/sim"
    local status=0
    SIM=$dir/sim ci/uvm/study --part "$3" --quick --out "$dir" "${@:4}" >"$dir/tables" 2>"$dir/err" || status=$?
    [ $status = 1 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q "$1" "$dir/err" || fail "not found: $1"
}
found 'faults on demand, expected' 'sed -i "s/\"far_faults\":\t[0-9]/&1/" "$out/stats.json"' kernels
found 'without skipping' '[[ $all != *--no-skip* ]] || echo more >&2' kernels
found 'bfs: .* in another run' '[[ $all != *prefetch=sl* ]] || echo more' kernels
found 'look-ups and' 'sed -i "s/\"bypassed\":\t[1-9]/&11/" "$out/stats.json"' kernels --table warps
found 'no page comes again' \
    'sed -i "s/\"page_thrash\":\t[0-9][0-9]*/\"page_thrash\":\t0/" "$out/stats.json"' rays
found 'primary rays: .* in another run' '[[ $all != *prefetch=sl* ]] || echo more' rays

# One table alone
ci/uvm/study --part kernels --table skipping --quick --out "$dir" >"$dir/tables" 2>"$dir/err" ||
    fail "--table: status $?"
[ "$(grep '^## ' "$dir/tables")" = "## skipping" ] || fail "--table: $(grep '^## ' "$dir/tables")"

for refused in "--jobs 0" --nothing "--part none" "--table none" "--quick --renew"; do
    status=0
    # shellcheck disable=SC2086
    ci/uvm/study $refused >"$dir/tables" 2>"$dir/err" || status=$?
    [ $status = 2 ] || fail "$refused: status $status"
done
echo pass
