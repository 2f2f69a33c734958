#!/bin/bash
# Pages of studies are what their stored figures make, which have a command, a revision and
# a test of a small case; a changed cell, a lost table and a lost file are found.
# ci: quick
# ci: area studies docs
. ci/tests/head

ci/studies/run --check || fail "pages of studies: the lines above"

# found PATTERN SED-SCRIPT FILE: the check of a copy in which the file is changed so
found() {
    rm -rf "$dir/docs"
    cp -r docs "$dir"
    sed -i "$2" "$dir/$3"
    ! ci/studies/run --check "$dir" >"$dir/log" 2>&1 || fail "not found: $1"
    grep -q "$1" "$dir/log" || fail "expected $1"
}
found 'rtp-study.md: the table study is not that' '/^| 4 /s/[0-9][.]/&9/' docs/studies/rtp-study.md
found 'verdict.md: the table errors' '/<!-- errors -->/d' docs/studies/verdict.md
found 'paging-rays.md: the table scenes' '/"scenes": /,/\]/s/[0-9]/77/' docs/studies/figures/paging.json
found 'expected a command' 's/"revision": .*/"revision": "",/' docs/studies/figures/scaling.json
rm "$dir/docs/studies/performance.json"
! ci/studies/run --check "$dir" >"$dir/log" 2>&1 && grep -q 'performance.json: No such file' "$dir/log" ||
    fail "a lost file is not found"

# The pages come from the figures: --pages repairs the changed cell.
cp -r ci docs "$dir"
sed -i '/^| 4 /s/[0-9][.]/&9/' "$dir/docs/studies/rtp-study.md"
(cd "$dir" && ci/studies/run --pages)
cmp docs/studies/rtp-study.md "$dir/docs/studies/rtp-study.md" || fail "the page is not made again"

status=0
ci/studies/run none 2>"$dir/err" || status=$?
[ $status = 2 ] && grep -q '^usage: .* paging, verdict' "$dir/err" || fail "an unknown study: status $status"
make -n study-rtp | grep -q 'ci/studies/run rtp' || fail "make study-rtp"
echo "studies: pages are those of their figures"
