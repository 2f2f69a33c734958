#!/bin/bash
# corbel-scene export-rtp: triangles for the processor rtp from meshes and scenes,
# shader words from materials or given, and limits that are told.
# ci: area scene rtp
# ci: quick
# ci: needs bin/corbel-scene
. ci/tests/head

tool=$bin/corbel-scene
cd "$dir"

# expect STATUS 'PATTERN' ARGUMENTS: one line on stderr, nothing written
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$tool" export-rtp "$@" >stdout 2>stderr || got=$?
    [ $got -eq "$status" ] || fail "$*: exit status $got, expected $status"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$*: $(cat stderr)"
    grep -q -- "$pattern" stderr || fail "$*: '$(cat stderr)' lacks '$pattern'"
    [ -z "$(ls ./*.part out.tri 2>/dev/null)" ] || fail "$*: wrote a file"
}

# The file's words as hexadecimal numbers, a record a line.
records() {
    od -An -v -w16 -tx4 "$1" | sed 's/^ //'
}

cat >house.obj <<'OBJ'
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 2 3
usemtl roof
f 1 3 4
OBJ
"$tool" export-rtp house.obj house.tri >stdout
grep -qx 'house.tri: 2 triangles, 4 vertices' stdout || fail "$(cat stdout)"
cat >expected <<'WORDS'
00000000 00000001 00000002 00000002
00000000 00000002 00000003 00000001
00000000 00000000 00000000 00000000
00000000 00000000 3f800000 00000001
3f800000 00000000 3f800000 00000001
3f800000 3f800000 3f800000 00000001
00000000 3f800000 3f800000 00000001
00000000 00000000 00000000 00000000
WORDS
records house.tri | diff expected - || fail "house.tri"

# one word for all; a scene has no materials
"$tool" export-rtp house.obj given.tri --shader 0x2a 2>stderr
[ "$(records given.tri | head -n 2 | cut -d' ' -f4 | sort -u)" = 0000002a ] || fail "0x2a"
grep -q 'left out: 1 uses of materials' stderr || fail "materials are not told"
"$tool" convert house.obj house.scene 2>stderr
"$tool" export-rtp house.scene scene.tri --shader 42
cmp given.tri scene.tri || fail "a scene's triangles"
"$tool" export-rtp house.scene scene.tri
[ "$(records scene.tri | head -n 2 | cut -d' ' -f4 | sort -u)" = 00000001 ] || fail "1"

# limits
"$tool" generate layers most.scene --triangles 511 >stdout
"$tool" export-rtp most.scene most.tri >stdout
[ "$(records most.tri | wc -l)" -eq $((511 + 1 + 3 * 511 + 1)) ] || fail "511"
"$tool" generate layers more.scene --triangles 512 >stdout
expect 3 'more.scene: 512 triangles, expected 511 or fewer' more.scene out.tri
{
    for ((i = 0; i < 2049; i++)); do echo "v $i 0 0"; done
    echo "f 1 2 3"
} >points.obj
expect 3 'points.obj: 2049 vertices, expected 2048 or fewer' points.obj out.tri
for word in 0 0x0 -1 +1 4294967296 0x 7x "" ; do
    expect 2 "--shader: '$word', expected a number from 1" house.obj out.tri --shader "$word"
done
expect 2 'wrong number of arguments' house.obj
expect 4 'cannot write' house.obj nowhere/out.tri
expect 3 'no-such.obj' no-such.obj out.tri
echo "export-rtp: words, materials, limits"
