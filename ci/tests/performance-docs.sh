#!/bin/bash
# What the pages say of speed agrees: the table of docs/studies/performance.md is that of
# docs/studies/performance.json, and the instructions a second of --functional and of software
# traversal are the same wherever they are told.
# ci: area docs speed
. ci/tests/head

cp docs/studies/performance.md "$dir/page.md"
ci/speed/table.py docs/studies/performance.json "$dir/page.md"
diff docs/studies/performance.md "$dir/page.md" || fail "docs/studies/performance.md: make docs renews it"
grep -q '^| primary, CPU s a frame | 0' "$dir/page.md" || fail "no table"

sed '/^<!-- table/d' docs/studies/performance.md >"$dir/none.md"
! ci/speed/table.py docs/studies/performance.json "$dir/none.md" 2>"$dir/err" || fail "no place, no error"
grep -q 'none.md: expected lines' "$dir/err" || fail "the error does not name the page"

# millions FIGURE TO: its median, rounded to TO
millions() {
    python3 - "$@" <<'END'
import json, sys
figure = json.load(open("docs/studies/performance.json"))["figures"][sys.argv[1]]
to = int(sys.argv[2])
print(round(figure["median"] / 1e6 / to) * to)
END
}
functional=$(millions "functional, instructions per CPU s" 10)
software=$(millions "software on trax, instructions per CPU s" 1)
grep -q -- "\`--functional\` runs $functional\b" README.md || fail "README.md: not $functional"
tr '\n' ' ' <README.md | grep -q "On \`trax\`, software traversal runs $software million" ||
    fail "README.md: not $software"
grep -q "Some $functional million instructions a second" docs/reference/options.md ||
    fail "docs/reference/options.md (sim/host/option_rows.c): not $functional"
echo "million instructions a second: --functional $functional, software on trax $software"
