#!/bin/bash
# corbel-scene end to end: formats in, determinism, bad input, exit statuses.
# ci: area scene
# ci: needs bin/corbel-scene bin/corbel-rays
. ci/tests/head

tool=$bin/corbel-scene
cd "$dir"

# expect STATUS 'PATTERN' ARGUMENTS: one line on stderr, nothing written
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$tool" "$@" >stdout 2>stderr || got=$?
    [ $got -eq "$status" ] || fail "$*: exit status $got, expected $status"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$*: $(cat stderr)"
    grep -q -- "$pattern" stderr || fail "$*: '$(cat stderr)' lacks '$pattern'"
    [ -z "$(ls ./*.part 2>/dev/null)" ] || fail "$*: left $(ls ./*.part)"
    [ ! -e out.scene ] || fail "$*: wrote out.scene"
}

# the same mesh from every file format makes the same hits
"$tool" generate arcade a.scene --triangles 12345 --ply a.ply --obj a.obj
"$tool" info a.scene --json | grep -q '"triangles": 12345,' || fail "count"
"$tool" check a.scene
view=(--eye=-1.3,1.7,1.2 --look 0.7,2.35,14 --fov 68 --size 128x96)
"$tool" trace a.scene "${view[@]}" --hits a.hits
gzip -k a.ply
xz -k a.obj
for input in a.ply a.obj a.ply.gz a.obj.xz; do
    "$tool" convert $input b.scene
    "$tool" check b.scene
    "$tool" trace b.scene "${view[@]}" --hits b.hits
    cmp a.hits b.hits || fail "$input gives other hits"
done

# one that ends by a signal while it writes leaves nothing
cat >end.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    if (fileno(file) > STDERR_FILENO)
        raise(SIGINT);
    return write(fileno(file), bytes, size * count) > 0 ? count : 0;
}
END
gcc -shared -fPIC -o end.so end.c
mkdir interrupted
for output in "convert a.ply interrupted/b.scene" \
    "trace a.scene ${view[*]} --hits interrupted/b.hits"; do
    # shellcheck disable=SC2086
    (LD_PRELOAD=$PWD/end.so "$tool" $output) >stdout 2>&1 && fail "$output: it is not ended"
    [ -z "$(ls interrupted)" ] || fail "$output: ended by a signal, it left $(ls interrupted)"
done

# a scene encoded anew is what its mesh would be encoded to
"$tool" generate arcade a7.scene --triangles 12345 --nodes cwbvh7 --leaf 2
"$tool" convert a7.scene b.scene
cmp a.scene b.scene || fail "a.scene by way of cwbvh7 differs"
xz -k a.scene
"$tool" convert a.scene.xz b.scene --nodes cwbvh7 --leaf 2
cmp a7.scene b.scene || fail "a.scene.xz as cwbvh7 differs"
"$tool" convert b.scene ./b.scene 2>err && fail "a scene is replaced by itself"
cmp a7.scene b.scene || fail "a scene that is not replaced by itself has changed"

# glTF with a node that moves the mesh: a quad at z = 0 to z = -5
python3 - <<'PY'
import base64, json, struct
points = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
data = b"".join(struct.pack("<3f", *p) for p in points)
data += struct.pack("<6H", 0, 1, 2, 0, 2, 3)
json.dump({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "translation": [0, 0, -5]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "buffers": [{"byteLength": len(data), "uri":
        "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                    {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
         "min": [-1, -1, 0], "max": [1, 1, 0]},
        {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}]},
    open("quad.gltf", "w"))
PY
"$tool" convert quad.gltf quad.scene
"$tool" trace quad.scene --eye 0,0,0 --look 0,0,-1 --fov 22 --size 8 |
    grep -q 'hits 64 (100.00 %)' || fail "glTF quad"

# the same bytes from run to run and for any number of threads and node format
for format in cwbvh7 cwbvh6 bvh6 bvh2; do
    "$tool" convert a.ply 1.scene --nodes $format
    taskset -c 0 "$tool" convert a.ply 2.scene --nodes $format
    cmp 1.scene 2.scene || fail "$format differs between runs"
    "$tool" trace 1.scene "${view[@]}" --stack 1 --hits 1.hits
    cmp a.hits 1.hits || fail "$format gives other hits"
done

# degenerate triangles are kept and counted
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\nf 1 2 2\n' >flat.obj
"$tool" convert flat.obj flat.scene 2>stderr
grep -q '2 of 3 triangles have no area' stderr || fail "$(cat stderr)"
"$tool" check flat.scene

# triangles of many sizes: trees of every quality and order, and the same hits
python3 - >sizes.obj <<'PY'
for power in range(-30, 32):
    for axis, sign in ((a, s) for a in range(3) for s in (1, -1)):
        size = sign * 2.0 ** power
        for corner in ((0, 0, 0), (1, .3, 0), (0, 1, .5)):
            print("v", *("%.9g" % (size * ((axis == i) + corner[i] / 10)) for i in range(3)))
        print("f -3 -2 -1")
PY
wide=(--eye 4e9,3e9,2e9 --look 0,0,0 --fov 60 --size 64)
"$tool" convert sizes.obj sizes.scene
"$tool" trace sizes.scene "${wide[@]}" --hits sizes.hits >/dev/null
for nodes in bvh2 cwbvh6; do
    "$tool" convert sizes.obj low.scene --quality low --nodes $nodes
    "$tool" check low.scene
    taskset -c 0 "$tool" convert sizes.obj other.scene --quality low --nodes $nodes
    cmp low.scene other.scene || fail "low $nodes differs between runs"
    "$tool" trace low.scene "${wide[@]}" --hits low.hits | grep -v 'hits 0' | grep -q hits ||
        fail "nothing is hit"
    cmp sizes.hits low.hits || fail "low $nodes gives other hits"
done
for order in breadth parts; do
    "$tool" convert sizes.obj order.scene --order $order
    "$tool" check order.scene
    "$tool" trace order.scene "${wide[@]}" --hits order.hits >/dev/null
    cmp sizes.hits order.hits || fail "$order gives other hits"
done

# what is so small that no direction within it is valid gets a note, as in exactness.md
for power in 59 62; do
    python3 -c "s = 2.0 ** -$power; print('v', s, 0, 0, '\nv', 0, s, 0, '\nv 0 0 0\nf 1 2 3')" >small.obj
    "$tool" convert small.obj small.scene 2>stderr
    if [ $power = 59 ]; then [ ! -s stderr ] || fail "2^-59: $(cat stderr)"
    else grep -q 'small.obj: all of it is within 2.17e-19 units' stderr || fail "$(cat stderr)"; fi
done

# rays that Embree would stop the program at are refused
build=${tool%/*}
"$build/corbel-rays" quad.scene plain.rays --kind primary --size 4 --eye 0,0,1 --look 0,0,-1 >stdout
python3 - <<'PY'
import ctypes, struct
xxh64 = ctypes.CDLL("libxxhash.so").XXH64
xxh64.restype = ctypes.c_uint64
xxh64.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
plain = open("plain.rays", "rb").read()
inf, nan = float("inf"), float("nan")
# field of ray 5 (origin, tmin, direction, tmax) and its value, by name of file
refused = [(field, value) for field in (0, 2, 4, 6) for value in (1e30, -3e38, inf, nan)]
refused += [(3, -1), (3, nan), (7, nan)]
taken = [(4, 2.0 ** 60), (1, -2.0 ** 60), (7, inf)]
for name, changes in ("refused", refused), ("taken", taken):
    for i, (field, value) in enumerate(changes):
        data = bytearray(plain)
        struct.pack_into("<f", data, 128 + 32 * 5 + 4 * field, value)
        struct.pack_into("<Q", data, 8, xxh64(bytes(data[16:]), len(data) - 16, 0))
        open("%s%d.rays" % (name, i), "wb").write(data)
PY
for rays in refused*.rays; do
    status=0
    "$tool" trace quad.scene "$rays" --by embree >stdout 2>stderr || status=$?
    [ $status -eq 3 ] && [ "$(wc -l <stderr)" -eq 1 ] &&
        grep -q 'ray 5: Embree expects' stderr || fail "$rays: $status, $(cat stderr)"
    "$tool" trace quad.scene "$rays" >stdout || fail "$rays by corbel"
done
for rays in taken*.rays; do
    "$tool" trace quad.scene "$rays" --by embree >stdout || fail "$rays by embree"
done

# compare tells differences
python3 - <<'PY'
data = bytearray(open("a.hits", "rb").read())
data[8 * 100 + 4:8 * 100 + 8] = b"\0\0\x80\x3f"
open("c.hits", "wb").write(data)
PY
"$tool" compare a.hits a.hits >/dev/null
status=0
"$tool" compare a.hits c.hits >stdout || status=$?
[ $status -eq 1 ] || fail "compare: exit status $status"
grep -q 'record 100 differs' stdout || fail "compare: $(cat stdout)"

# records of rays are no records of views: the same, or the scene is wanted
"${tool%/*}/corbel-rays" a.scene a.rays --kind primary --size 9 >/dev/null
"$tool" trace a.scene a.rays --hits full.hits >/dev/null
"$tool" compare full.hits full.hits >stdout || fail "compare of a file with itself: $(cat stdout)"
grep -q '^81 records of rays, all the same$' stdout || fail "compare: $(cat stdout)"
"$tool" compare full.hits full.hits a.scene >/dev/null
{ head -c 800 full.hits; head -c 16 /dev/zero; tail -c +817 full.hits; } >other.hits
expect 3 'other.hits: records of rays, expected FILE.scene too' compare other.hits full.hits
head -c $((8 * 1296)) a.hits >short.hits
expect 3 'short.hits: not records of rays' compare short.hits short.hits a.scene
# numbers that are none are the same as themselves
python3 -c 'import struct
open("nan.hits", "wb").write(struct.pack("<IfIfIf", 1, 2, 3, float("nan"), 5, float("inf")))
open("nanfull.hits", "wb").write(b"".join(
    struct.pack("<3fI", t, 0.5, 0.25, 2) for t in (1, float("nan"), 3)))'
"$tool" compare nan.hits nan.hits >/dev/null || fail "compare: a NaN differs from itself"
"$tool" compare nanfull.hits nanfull.hits a.scene >/dev/null || fail "compare: a NaN differs from itself"

# bad input
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' >empty.obj
printf 'not a mesh\n' >junk.ply
cp a.ply junk.gz
head -c 5000 a.ply.gz >cut.ply.gz
head -c 5000 a.obj.xz >cut.obj.xz
python3 - <<'PY'
import struct
head = (b"ply\nformat binary_little_endian 1.0\nelement vertex 3\n"
        b"property float32 x\nproperty float32 y\nproperty float32 z\n"
        b"element face 1\nproperty list uint8 int32 vertex_indices\nend_header\n")
face = struct.pack("<B3i", 3, 0, 1, 2)
nan = float("nan")
open("nan.ply", "wb").write(head + struct.pack("<9f", 0, 0, 0, 1, nan, 0, 0, 1, 0) + face)
open("far.ply", "wb").write(head + struct.pack("<9f", 0, 0, 0, 1, 1e20, 0, 0, 1, 0) + face)
open("index.ply", "wb").write(head + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<B3i", 3, 0, 1, 7))
scene = bytearray(open("a.scene", "rb").read())
open("cut.scene", "wb").write(scene[:-64])
open("stub.scene", "wb").write(scene[:100])
open("long.scene", "wb").write(scene + b"\0" * 64)
scene[5000] ^= 1
open("bad.scene", "wb").write(scene)
scene[5000] ^= 1
scene[16] = 99
open("version.scene", "wb").write(scene)
PY
expect 2 'no command'
expect 2 "'frobnicate' is no command; corbel-scene --help" frobnicate
expect 2 "'convrt' is no command, did you mean 'convert'?" convrt a b
expect 2 "--qualty: unknown option, did you mean --quality?" convert a b --qualty low
expect 2 "unknown option" info --frobnicate a.scene
expect 2 "'x', expected one of.* cwbvh7" convert a.ply out.scene --nodes x
expect 2 "too long for nodes of format cwbvh7" convert a.ply out.scene --nodes cwbvh7 --leaves packed
expect 2 "'x', expected one of plain" convert a.ply out.scene --leaves x
expect 2 "from 1 to 8" convert a.ply out.scene --leaf 9
expect 2 "expected low, medium or high" convert a.ply out.scene --quality x
expect 2 "expected depth, breadth or parts" convert a.ply out.scene --order pots
expect 2 "expected none with --treelets" convert a.ply out.scene --order parts --treelets 4096
expect 2 "wrong number of arguments" convert a.ply
expect 2 "expected arcade, cornell, layers or forest" generate castle out.scene
expect 2 "an arcade has at least" generate arcade out.scene --triangles 5
expect 2 "no output" generate arcade
expect 2 "expected X,Y,Z" trace a.scene --eye 1,2
expect 2 "same point" trace a.scene --eye 1,2,3 --look 1,2,3
expect 2 "from 1 to 16384" trace a.scene --size 0x7
expect 3 "missing.ply: No such file" convert missing.ply out.scene
expect 3 "is a directory" convert . out.scene
expect 3 "empty.obj: empty mesh" convert empty.obj out.scene
expect 3 "junk.ply:1: not a PLY file" convert junk.ply out.scene
expect 3 "gzip" convert junk.gz out.scene
expect 3 "damaged gzip" convert cut.ply.gz out.scene
expect 3 "damaged xz" convert cut.obj.xz out.scene
# 1 GiB of zeros, and a decoder that wants as much
python3 - <<'END'
import gzip, lzma
zeros = bytes(1 << 25)
filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
for name, packed, times in [("zeros.obj.gz", gzip.compress(zeros, 9), 32),
                            ("zeros.scene.xz", lzma.compress(zeros, preset=0), 32),
                            ("wide.obj.xz", lzma.compress(b"v 0 0 0\n", filters=filters), 1)]:
    open(name, "wb").write(packed * times)
END
expect 3 "zeros.obj.gz: unpacks to more than [0-9]* bytes" convert zeros.obj.gz out.scene
expect 3 "zeros.scene.xz: unpacks to more than [0-9]* bytes" info zeros.scene.xz
expect 3 "/dev/zero: has more than 536870912 bytes, .*; expected a file" info /dev/zero
expect 3 "wide.obj.xz: needs more than 536870912 bytes to be unpacked" convert wide.obj.xz out.scene
expect 3 "nan.ply: byte [0-9]*: vertex 1 is (1, nan, 0)" convert nan.ply out.scene
expect 3 "far.ply: byte [0-9]*: vertex 1 is" convert far.ply out.scene
expect 3 "index.ply: byte [0-9]*: face 0 uses vertex 7" convert index.ply out.scene
expect 3 "match the hash" convert bad.scene out.scene
expect 3 "not a .scene file" check a.ply
expect 3 "junk.ply:1: not a PLY file" info junk.ply
expect 3 "truncated" info cut.scene
expect 3 "truncated" check stub.scene
expect 3 "longer than" check long.scene
expect 3 "match the hash" trace bad.scene
expect 3 "wrong version" info version.scene
expect 3 "equally many records" compare a.hits a.ply
expect 4 "cannot write" convert a.ply nowhere/out.scene
expect 4 "cannot write" trace a.scene --hits nowhere/out.hits
echo "scene-convert: all passed"
