#!/bin/bash
# Mesh files end to end: the same mesh from every format, files that are cut,
# files beside a glTF file, what is told of what is left out, and with reference
# data each small file that once failed. Unit tests have the formats' details.
# ci: area mesh scene
# ci: needs bin/corbel-scene
. ci/tests/head

tool=$bin/corbel-scene
shared=$(realpath -m "$shared")
cd "$dir"

# refused 'PATTERN' FILE: status 3 and one line that names the file
refused() {
    local got=0
    timeout 20 "$tool" convert "$2" out.scene >stdout 2>stderr || got=$?
    [ $got -eq 3 ] || fail "$2: exit status $got, expected 3"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$2: $(cat stderr)"
    grep "^corbel-scene: $2:" stderr | grep -q -- "$1" ||
        fail "$2: '$(cat stderr)' lacks '$1'"
    [ ! -e out.scene ] || fail "$2: wrote out.scene"
}

# read_as FILE TEXT: the mesh of the file as vertices and faces, on one line
read_as() {
    rm -f out.scene
    timeout 20 "$tool" convert "$1" out.scene >stdout 2>stderr || fail "$1: $(cat stderr)"
    "$tool" check out.scene >/dev/null
    local got
    got=$(python3 - <<'PY'
import struct
data = open("out.scene", "rb").read()
faces, vertices = struct.unpack_from("<2Q", data, 48)
count = struct.unpack_from("<2I", data, 72)
print(*("%.9g,%.9g,%.9g" % v for v in struct.iter_unpack("<3f", data[vertices:vertices + 12 * count[1]])),
      "/", *("%d%d%d" % f for f in struct.iter_unpack("<3I", data[faces:faces + 12 * count[0]])))
PY
    )
    [ "$got" = "$2" ] || fail "$1 is read as '$got', expected '$2'"
    rm out.scene
}

# ---- vertices are shared, and in order: the same scene from PLY and OBJ ----
"$tool" generate arcade a.scene --triangles 60000 --ply a.ply --obj a.obj >/dev/null
for file in a.ply a.obj; do
    "$tool" convert $file b.scene >/dev/null
    python3 - $file <<'PY'
import sys
a, b = (open(name, "rb").read() for name in ("a.scene", "b.scene"))
# from the header's counts of faces and vertices, all but the camera
assert a[256:] == b[256:] and a[16:140] == b[16:140], sys.argv[1]
PY
    "$tool" info $file --json | grep -q '"triangles": 60000, .*"vertices": 40049,' ||
        fail "$file: $("$tool" info $file)"
done

# ---- binary PLY cut at any length, and glTF with files beside it ----
python3 - <<'PY'
import json, os, struct
square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
data = b"".join(struct.pack("<3f", *p) for p in square)
head = (b"ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
        b"property float x\nproperty float y\nproperty float z\n"
        b"element face 1\nproperty list uchar int vertex_indices\nend_header\n")
whole = head + data + struct.pack("<B4i", 4, 0, 1, 2, 3)
os.mkdir("cut")
open("cut/whole.ply", "wb").write(whole)
for length in range(len(whole)):
    open("cut/%d.ply" % length, "wb").write(whole[:length])
os.mkdir("beside")
data += struct.pack("<6H", 0, 1, 2, 0, 2, 3)
open("beside/ext bin.bin", "wb").write(data)
file = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}], "images": [{"uri": "a.png"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
    "buffers": [{"byteLength": len(data), "uri": "ext%20bin.bin"}],
    "bufferViews": [{"buffer": 0, "byteLength": 48},
                    {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}]}
json.dump(file, open("beside/square.gltf", "w"))
file["buffers"][0]["byteLength"] += 1
json.dump(file, open("short.gltf", "w"))
for name, uri in {"absolute": "/dev/zero", "web": "http://localhost/a.bin",
                  "device": "../" * 30 + "dev/zero", "gone": "gone.bin",
                  "percent": "a%2", "data": "data:,abc"}.items():
    file["buffers"][0]["uri"] = uri
    json.dump(file, open(name + ".gltf", "w"))
PY
read_as cut/whole.ply '0,0,0 1,0,0 1,1,0 0,1,0 / 012 023'
for file in cut/[0-9]*.ply; do
    refused 'ends within\|not a PLY file' "$file"
done
read_as beside/square.gltf '0,0,0 1,0,0 1,1,0 0,1,0 / 012 023'
grep -q 'beside/square.gltf: left out: 1 uses of materials, 1 images$' stderr ||
    fail "$(cat stderr)"
gzip -k beside/square.gltf
read_as beside/square.gltf.gz '0,0,0 1,0,0 1,1,0 0,1,0 / 012 023'
mv 'beside/ext bin.bin' 'ext bin.bin'
refused "buffers\[0\]: uri: there is no file 'beside/ext bin.bin'" beside/square.gltf
refused 'buffers\[0\]: has 60 bytes, byteLength says 61' short.gltf
refused 'uri: expected a data: URI' absolute.gltf
refused 'uri: expected a data: URI' web.gltf
refused 'uri: there is no file' device.gltf
refused 'uri: there is no file' gone.gltf
refused 'two hexadecimal digits' percent.gltf
refused 'base64' data.gltf

# ---- an accessor without a bufferView is zeros; nodes that name a mesh again are bounded ----
python3 - <<'PY'
import base64, json, struct
def write(name, nodes, targets, count=3, instances=None, colours=False):
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    primitive = {"attributes": {"POSITION": 0, **({"COLOR_0": 0} if colours else {})}}
    mesh = {"primitives": [primitive]}
    if targets:
        primitive["targets"] = [{"POSITION": 1}] * targets
        mesh["weights"] = [1] * targets
    node = {"mesh": 0}
    if instances:
        node["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2}}}
    vec3 = {"componentType": 5126, "type": "VEC3"}
    json.dump({"asset": {"version": "2.0"}, "nodes": [node] * nodes, "meshes": [mesh],
               "accessors": [{**vec3, **({"bufferView": 0} if count == 3 else {}), "count": count},
                             {**vec3, "count": count}, {**vec3, "count": instances or 1}],
               "bufferViews": [{"buffer": 0, "byteLength": 36}],
               "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,"
                            + base64.b64encode(data).decode()}]}, open(name, "w"))
write("zeros.gltf", 1, 1)
write("placed.gltf", 1, 0, 3, 2, True)
write("many.gltf", 300, 0, 3 * 349525)
write("instances.gltf", 8, 0, 3, 1 << 20)
write("targets.gltf", 30, 500, 3 * 34952)
PY
read_as zeros.gltf '0,0,0 1,0,0 0,1,0 / 012'
read_as placed.gltf '0,0,0 1,0,0 0,1,0 0,0,0 1,0,0 0,1,0 / 012 345'
grep -q 'left out: 6 colours' stderr || fail "$(cat stderr)"
refused 'more than [0-9]* vertices .* OBJ and PLY, where all of them are written out, have none' many.gltf
refused 'more than [0-9]* \(triangles\|vertices\)' instances.gltf
refused 'elements of accessors are used more than' targets.gltf

# ---- what is left out is told ----
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\np 1\nusemtl a\nf 1 2 3\n' >left.obj
read_as left.obj '0,0,0 1,0,0 0,1,0 / 012'
[ "$(cat stderr)" = 'corbel-scene: left.obj: left out: 2 lines, 1 sets of points, 1 uses of materials' ] ||
    fail "$(cat stderr)"
"$tool" info left.obj | grep -q '^left out    2 lines, 1 sets of points' || fail "info"
"$tool" info left.obj --json | python3 -c '
import json, sys
info = json.load(sys.stdin)
assert info["triangles"] == 1 and info["left_out"]["lines"] == 2, info'
printf 'mtllib there.mtl\nmtllib none.mtl\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >colours.obj
touch there.mtl
read_as colours.obj '0,0,0 1,0,0 0,1,0 / 012'
[ "$(cat stderr)" = 'corbel-scene: colours.obj: left out: 1 material libraries that are not there, 1 colours of vertices or faces' ] ||
    fail "$(cat stderr)"
printf 'v 0 0 0\n' >points.obj
refused 'empty mesh' points.obj
cp left.obj left.stl
refused 'of unknown kind, expected .obj, .ply' left.stl
cp left.obj LEFT.OBJ
read_as LEFT.OBJ '0,0,0 1,0,0 0,1,0 / 012'

# ---- small files that once failed ----
if [ ! -d "$shared/cases" ]; then
    echo "cases-meshes: passed, but for the files of $shared/cases, which are not there"
    exit 0
fi
square='0,0,0 1,0,0 0,1,0 1,1,0'
corner='0,0,0 1,0,0 0,1,0'
for file in "$shared"/cases/{ply,obj,gltf}/*; do
    cp "$file" .
    name=${file##*/}
    case $name in
    strips.ply) read_as "$name" "$square / 012 132" ;;
    first-byte-newline.ply) read_as "$name" "1.00000119,0,0 2,0,0 0,1,0 / 012" ;;
    face-missing.ply) refused ':14: the file ends within face 1 of 2' "$name" ;;
    no-end-header.ply) refused ':9: .*end_header' "$name" ;;
    concave.obj) read_as "$name" '0,0,0 2,0,0 2,1,0 1,1,0 1,2,0 0,2,0 / 012 023 034 045' ;;
    leading-blanks.obj) read_as "$name" "$corner / 012 021" ;;
    normals-without-vt.obj) read_as "$name" "$corner / 012 021" ;;
    plus-signs.obj) read_as "$name" "$corner / 012" ;;
    leading-point.obj) read_as "$name" '0,0.5,0 1,0.5,0 0,1.5,0 / 012' ;;
    bom.obj | trailing-comment.obj | vertex-xyzwrgb.obj) read_as "$name" "$corner / 012" ;;
    rounding.obj) read_as "$name" '1.30499995,0,0 2,0,0 0,1,0 / 012' ;;
    face-order.obj) read_as "$name" "$square 2,0,0 2,1,0 3,0,0 3,1,0 / 012 132 143 453 465 675" ;;
    quantised.gltf) read_as "$name" "$corner / 012" ;;
    required-unknown.gltf) refused 'ACME_nonsense is not read' "$name" ;;
    *) fail "$file: this test does not say what is right for it" ;;
    esac
done
echo "cases-meshes: all passed"
