#!/bin/bash
# clang compiles the host's programs and unit tests without a warning: in the build with
# sanitizers, of which sanitize-memory.sh runs them. What other builds add is
# only read, by clang and by the version that `make release` takes: --stalls, rules for
# units, no assertions. Warnings are errors. (gcc's are in the variants release-gcc and
# O0-hintless, which determinism.sh compares.)
# ci: area house
# ci: makes sim
. ci/tests/head

ci/variant asan samples-native unit-tests \
    bin/{sim-run,corbel-scene,corbel-rays,sim-report,sim-diff,dram-run,page-run,rtp-run}

read -ra warnings < <(make -s print-warnings)
mapfile -t files < <(find sim -name '*.c' ! -name '*_test.c' | sort)
[ ${#files[@]} -gt 100 ] || fail "only ${#files[@]} files in sim"
for way in clang{,-19}\ -D{STALLS=1,CHECKED=1,NDEBUG}; do
    read -r compiler define <<<"$way"
    command -v "$compiler" >/dev/null || continue
    printf '%s\n' "${files[@]}" | xargs -P 2 -n 20 "$compiler" "$define" -fsyntax-only -Werror \
        -std=c17 -D_GNU_SOURCE "${warnings[@]}" -I. -Iruntime/include -I/usr/include/lua5.4 ||
        fail "$way"
done
echo "clang: no warnings"
