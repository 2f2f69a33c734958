#!/bin/bash
# In a tree that cannot be written, make says in one line what to do instead, for
# every target that writes; `make help` and another B work.
# ci: area house
# ci: makes bin/sim-run
. ci/tests/head

cat >"$dir/inside" <<'END'
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" || exit 77
shift
"$@"
END

# The program in a copy of the tree's build files that is read-only.
inside() {
    unshare -rm sh "$dir/inside" "$dir/tree" "$@" >"$dir/said" 2>&1
}
mkdir "$dir/tree"
git ls-files -z Makefile ci sdk sim runtime native-shim samples docs |
    xargs -0 cp -d -r --parents -t "$dir/tree"
status=0
inside true || status=$?
[ $status = 0 ] || skip "no mounts of one's own here"

targets=$(make -s help | awk '$1 == "make" && $2 !~ /^(help|format|format-check)$/ { print $2 }')
[ "$(wc -w <<<"$targets")" -gt 10 ] || fail "make help: $targets"
for target in $targets build/bin/sim-run; do
    ! inside make "$target" || fail "make $target writes"
    grep -qE 'build cannot be written: expected .* B=' "$dir/said" || fail "make $target"
    [ "$(wc -l <"$dir/said")" = 1 ] || fail "make $target: more than a line"
done
inside make help || fail 'make help'
inside make -n "B=$dir/elsewhere" sim || fail 'make with another B'
echo "make names another folder for $(wc -w <<<"$targets") targets"
