#!/bin/bash
# The model of paging equals the reference: every transfer, its order, size and
# cycles, every eviction and every value of the PCIe curve. page-run prints the
# files byte for byte, says so when it compares, and sees a difference.
# ci: area paging uvm
# ci: needs bin/page-run
. ci/tests/head

golden=$shared/uvm-golden
run=$bin/page-run
[ -d "$golden" ] || skip "no reference data in $golden"
files=0

for file in "$golden"/*.csv "$golden"/*.csv.gz; do
    [ -f "$file" ] || continue
    files=$((files + 1))
    name=$(basename "$file")
    gzip -dcf "$file" > "$dir/expected"
    if ! "$run" "$file" > "$dir/got"; then
        complain "$name: status $?"
    elif ! cmp -s "$dir/expected" "$dir/got"; then
        complain "$name"
        diff "$dir/expected" "$dir/got" | head -5 || true
    elif ! "$run" --compare "$file" > "$dir/compared" || ! grep -q 'all equal$' "$dir/compared"; then
        complain "$name: --compare"
        cat "$dir/compared"
    else
        echo "ok   $name: $(cat "$dir/compared")"
    fi
    # A last digit changed in the last line with one is found.
    awk '{ line[NR] = $0 }
        END {
            for (n = NR; n > 1 && line[n] !~ /[0-9]\r?$/; n--)
                ;
            for (i = 1; i <= NR; i++) {
                if (i == n) {
                    last = match(line[i], /[0-9]\r?$/)
                    digit = (substr(line[i], last, 1) + 1) % 10
                    line[i] = substr(line[i], 1, last - 1) digit substr(line[i], last + 1)
                }
                print line[i]
            }
        }' "$dir/expected" > "$dir/changed.csv"
    status=0
    "$run" --compare "$dir/changed.csv" > "$dir/compared" || status=$?
    [ $status -eq 1 ] && grep -q 'is the first that differs' "$dir/compared" ||
        complain "$name: a changed digit is not found (status $status)"
done

echo "$files files, $failures failures"
[ "$files" -gt 0 ] && [ "$failures" -eq 0 ]
