#!/bin/bash
# The demo's script, on a small image: it builds what it needs and ends with
# two equal images, in the folder that DEMO_OUT names. When the build fails, it
# shows why and fails as well.
# ci: area guides
# ci: makes bin/sim-run bin/corbel-scene samples/native/path samples/rv64/path
. ci/tests/head

mkdir -p "$dir/bin"
export DEMO_OUT=$dir/out

DEMO_SIZE=16 DEMO_SPP=1 ci/demo >"$dir/said" 2>&1 || {
    echo "demo: status $?: $(cat "$dir/said")" >&2
    exit 1
}
grep -q '^== the images are identical, byte for byte$' "$dir/said"
cmp "$DEMO_OUT/native.png" "$DEMO_OUT/simulated.png"

printf '#!/bin/sh\necho the compiler is unwell\nexit 2\n' >"$dir/bin/make"
chmod +x "$dir/bin/make"
status=0
PATH=$dir/bin:$PATH ci/demo >"$dir/said" 2>&1 || status=$?
if [ $status != 1 ] || ! grep -q 'the compiler is unwell' "$dir/said"; then
    echo "demo: a build that fails: status $status, says $(cat "$dir/said")" >&2
    exit 1
fi
echo "demo: ok"
