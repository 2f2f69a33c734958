#!/bin/bash
# docs/reference/units.md is what sim-run says of its units, every kind and row of it, and
# docs/guides/observing.md has the legs of requests.
# ci: area docs
# ci: needs bin/sim-run bin/sim-run-stalls
. ci/tests/head

list=$("$sim" --list-units)
awk -f docs/units.awk <<<"$list" | diff -u docs/reference/units.md - >&2 || {
    echo "docs-units: docs/reference/units.md is out of date: make docs" >&2
    exit 1
}
# The table dropped nothing: as many rows as the list has.
said=$(grep -c '^    ' <<<"$list")
shown=$(grep -c '^| `' docs/reference/units.md)
[ "$said" = "$shown" ] || {
    echo "docs-units: sim-run lists $said rows, docs/reference/units.md has $shown" >&2
    exit 1
}
awk '/^\|---/ { head = NR } /^$/ && head == NR - 1 { exit 1 }' docs/reference/units.md || {
    echo "docs-units: docs/reference/units.md has a table without rows" >&2
    exit 1
}
page=docs/guides/observing.md
legs=$("$sim-stalls" --list-units | awk -f docs/legs.awk - "$page")
diff -u "$page" - <<<"$legs" >&2 && grep -q '^| `memory_bus` | .' "$page" || {
    echo "docs-units: the legs of $page are out of date: make docs" >&2
    exit 1
}
echo "docs-units: $shown rows are up to date"
