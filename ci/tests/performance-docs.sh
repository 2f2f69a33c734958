#!/bin/bash
# What the pages say of speed agrees: the table of docs/performance.md is that of
# docs/performance.json, the page is short, and the instructions a second of
# --functional are the same wherever they are told.
set -euo pipefail

mkdir -p build/tests
dir=$(mktemp -d build/tests/performance-docs.XXXXXX)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*"
    exit 1
}

cp docs/performance.md "$dir/page.md"
ci/speed/table.py docs/performance.json "$dir/page.md"
diff docs/performance.md "$dir/page.md" || fail "docs/performance.md: make docs renews it"
grep -q '^| primary, CPU s a frame | 0' "$dir/page.md" || fail "no table"
[ "$(wc -l <docs/performance.md)" -le 300 ] || fail "docs/performance.md: more than 300 lines"

sed '/^<!-- table/d' docs/performance.md >"$dir/none.md"
! ci/speed/table.py docs/performance.json "$dir/none.md" 2>"$dir/err" || fail "no place, no error"
grep -q 'none.md: expected lines' "$dir/err" || fail "the error does not name the page"

# In millions, rounded to tens.
functional=$(python3 - <<'END'
import json
figures = json.load(open("docs/performance.json"))["figures"]
print(round(figures["functional, instructions per CPU s"]["median"] / 1e7) * 10)
END
)
grep -q -- "\`--functional\` runs $functional\b" README.md || fail "README.md: not $functional"
grep -q "some $functional million instructions a second" docs/sim-run.md ||
    fail "docs/sim-run.md: not $functional"
echo "--functional: $functional million instructions a second in all pages"
