#!/bin/bash
# Buffers of rays: corbel-rays writes the same bytes for any number of threads
# and any node format, the rays are what docs/reference/rays.md says, replay finds the
# same hits natively, on a chip and with each way to trace, what is damaged is
# refused. On a generated scene, and on Crytek Sponza where it is.
# ci: area rays
# ci: needs sim sample-replay sample-primary
. ci/tests/head

samples=$root/$B/samples
sponza=$(realpath -m "$shared/scenes/crytek-sponza.ply.xz")
cd "$dir"

# rays OUT ARGUMENTS...
rays() {
    "$bin/corbel-rays" "$scene" "$@" >stdout 2>stderr || fail "$*: $(cat stderr)"
}

# replay OUT.hits COMMAND...: prints its line
replay() {
    "${@:2}" --hits "$1" >stdout 2>stderr || fail "${*:2}: $(cat stderr)"
    head -1 stdout
}

# The records and the line are the same from everything that traces the rays.
everywhere() { # BUFFER [--any]
    local line mode chip
    line=$(replay native.hits "$samples/native/replay" "$scene" "$@")
    for mode in rt isect software; do
        [ "$(replay other.hits "$samples/native/replay" "$scene" "$@" --mode $mode)" = "$line" ] ||
            fail "$* --mode $mode: $(cat stdout), expected $line"
        cmp native.hits other.hits
    done
    for chip in "rv64 -a tiny" "rv32 -a tiny" "rv64 --functional"; do
        # shellcheck disable=SC2086
        [ "$(replay other.hits "$bin/sim-run" --quiet ${chip#* } "$samples/${chip%% *}/replay" \
            "$scene" "$@")" = "$line" ] || fail "$* $chip: $(cat stdout), expected $line"
        cmp native.hits other.hits
    done
}

echo "== the same bytes for any number of threads and node format"
for format in cwbvh6 bvh2; do
    "$bin/corbel-scene" generate arcade $format.scene --triangles 20000 \
        --ply a.ply --nodes $format >/dev/null
done
for kind in primary secondary tertiary; do
    scene=bvh2.scene
    rays 2.rays --kind $kind --size 37x21 --seed 7 --threads 2
    scene=cwbvh6.scene
    rays $kind.rays --kind $kind --size 37x21 --seed 7 --threads 1
    cmp $kind.rays 2.rays
    rays 2.rays --kind $kind --size 37x21 --seed 8
    [ $kind = primary ] || ! cmp -s -i 128 $kind.rays 2.rays || fail "the seed changes nothing"
    "$bin/corbel-rays" info $kind.rays | grep -q "kind  *$kind" || fail "info $kind.rays"
done
rays facing.rays --kind secondary --size 37x21 --seed 7 --normals facing
rays short.rays --kind secondary --size 37x21 --seed 7 --tmin 0.5

echo "== the rays are what the format says"
for kind in primary secondary; do
    replay $kind.hits "$samples/native/replay" $scene $kind.rays >/dev/null
done
"$samples/native/primary" $scene --size 37x21 --out p.png --hits p.hits
python3 - <<'PY'
import struct, math
HEADER, RAY, HIT = 128, struct.Struct("<8f"), struct.Struct("<3fI")
MISS, COUNT = 0xFFFFFFFF, 37 * 21
def rays(name):
    data = open(name, "rb").read()
    assert data[:8] == b"CorbRays" and len(data) == HEADER + 32 * COUNT, name
    assert struct.unpack_from("<4I", data, 32)[:3] == (37, 21, COUNT), name
    return [RAY.unpack_from(data, HEADER + 32 * i) for i in range(COUNT)], data
def hits(name):
    return list(HIT.iter_unpack(open(name, "rb").read()))
def dot(a, b):
    return sum(x * y for x, y in zip(a, b))
def dead(r):
    return r[7] < r[3]
def point(r, t):
    return [r[i] + t * r[4 + i] for i in range(3)]

header, _, mesh = open("a.ply", "rb").read().partition(b"end_header\n")
VERTICES, FACES = (int(header.split(b"element " + name)[1].split()[0])
                   for name in (b"vertex", b"face"))
vertices = [struct.unpack_from("<3f", mesh, 12 * i) for i in range(VERTICES)]
def normal(index):
    n, *corners = struct.unpack_from("<B3I", mesh, 12 * VERTICES + 13 * index)
    assert n == 3
    v = [vertices[i] for i in corners]
    a, b = ([p - q for p, q in zip(v[i], v[2])] for i in (0, 1))
    n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    length = math.sqrt(dot(n, n))
    return [x / length for x in n]

primary, _ = rays("primary.rays")
secondary, _ = rays("secondary.rays")
tertiary, data = rays("tertiary.rays")
facing, _ = rays("facing.rays")
short, _ = rays("short.rays")
first, second = hits("primary.hits"), hits("secondary.hits")

# primary rays are those of samples/primary, in the same order
old = list(struct.iter_unpack("<If", open("p.hits", "rb").read()))
assert [(h[3], -1 if h[3] == MISS else h[0]) for h in first] == old
assert all(r[3] == 0 and r[7] == 2.0**20 for r in primary)

# a path goes on exactly where the ray before hit, or is dead
misses = 0
for before, hit, after in zip(primary + secondary, first + second, secondary + tertiary):
    assert dead(after) == (hit[3] == MISS)
    misses += dead(after)
    if dead(after):
        assert after[7] == -1 and all(math.isfinite(x) for x in after)
        continue
    assert abs(dot(after[4:7], after[4:7]) - 1) < 1e-5
    p = point(before, hit[0])
    assert all(abs(a - b) <= 1e-6 * (abs(a) + 30) for a, b in zip(p, after[:3]))
    # around the normal as the triangle is wound
    assert dot(normal(hit[3]), after[4:7]) > -1e-5
assert misses > 0, "no path left the scene: nothing was tested"
assert struct.unpack_from("<I", data, 44)[0] == sum(map(dead, tertiary))

# cosine-weighted: the mean cosine is 2/3, its deviation 0.236 / sqrt(n)
cosines = [dot(normal(h[3]), r[4:7]) for h, r in zip(first, secondary) if h[3] != MISS]
mean = sum(cosines) / len(cosines)
assert abs(mean - 2 / 3) < 4 * 0.236 / math.sqrt(len(cosines)), mean

# tmin: largest extent x 2^-17, or as given
assert len(mesh) == 12 * VERTICES + 13 * FACES
extent = max(max(v[i] for v in vertices) - min(v[i] for v in vertices) for i in range(3))
assert all(abs(r[3] - extent * 2.0**-17) < 1e-6 for r in secondary)
assert all(r[3] == 0.5 for r in short)

# normals that face: no path goes on behind the surface that it hit
for before, hit, turned in zip(primary, first, facing):
    if hit[3] != MISS:
        n = normal(hit[3])
        side = dot(n, before[4:7])
        assert side * dot(n, turned[4:7]) < 1e-3
PY

echo "== the same hits everywhere: no whole tiles, tiles in threes, in fours"
for kind in primary secondary tertiary; do
    everywhere $kind.rays
done
for size in 12x24 16x24 1 3x50; do
    rays odd.rays --kind secondary --size $size
    everywhere odd.rays
    "$bin/corbel-scene" trace $scene odd.rays --hits other.hits >/dev/null
    cmp native.hits other.hits
done
replay any.hits "$samples/native/replay" $scene secondary.rays --any >/dev/null
replay simany.hits "$bin/sim-run" --quiet -a tiny "$samples/rv64/replay" $scene secondary.rays --any >/dev/null
cmp any.hits simany.hits

echo "== colours: those of the hit triangles, from everything that traces"
image() { # OUT.ppm COMMAND...
    "${@:2}" --image "$1" >stdout 2>stderr || fail "${*:2}: $(cat stderr)"
}
line=$(replay odd.hits "$samples/native/replay" $scene odd.rays)
image odd.ppm "$samples/native/replay" $scene odd.rays
[ "$(cut -d, -f1,2 stdout)" = "${line%,*}" ] || fail "--image: $(cat stdout), expected $line"
cp stdout colours
for mode in rt isect software; do
    image other.ppm "$samples/native/replay" $scene odd.rays --mode $mode
    cmp odd.ppm other.ppm
    for chip in "rv64 -a tiny" "rv32 -a tiny"; do
        # shellcheck disable=SC2086
        image other.ppm "$bin/sim-run" --quiet ${chip#* } "$samples/${chip%% *}/replay" \
            $scene odd.rays --mode $mode
        cmp odd.ppm other.ppm
        cmp colours stdout
    done
done
"$samples/native/replay" $scene odd.rays --colours >stdout
cmp colours stdout
image any.ppm "$samples/native/replay" $scene odd.rays --any
image other.ppm "$bin/sim-run" --quiet -a tiny "$samples/rv64/replay" $scene odd.rays --any
cmp any.ppm other.ppm
python3 - <<'PY'
import struct
picture = open("odd.ppm", "rb").read()
assert picture.startswith(b"P6\n3 50\n255\n"), picture[:16]
pixels = [tuple(p) for p in struct.iter_unpack("<3B", picture[-450:])]
def colour(index):
    h = (index + 1) % 2**32
    h ^= h << 13 & 0xFFFFFFFF
    h ^= h >> 17
    h ^= h << 5 & 0xFFFFFFFF
    return tuple(h.to_bytes(4, "little")[:3])
wanted = [colour(index) for *_, index in
          struct.iter_unpack("<3fI", open("odd.hits", "rb").read())]
rows = [wanted[i:i + 3] for i in range(0, 150, 3)]
assert pixels == sum(reversed(rows), []), "not the colours of the hits"
assert len(set(pixels)) > 20
PY

echo "== dead rays miss, without a fetch"
eye=(--eye 1000,1000,1000 --look 2000,2000,2000) # away from the scene
rays dead.rays --kind secondary --size 32 "${eye[@]}"
"$bin/corbel-rays" info dead.rays | grep -q 'dead  *1024 (100' || fail "not all are dead"
everywhere dead.rays
replay dead.hits "$bin/sim-run" --quiet -a tiny -o run "$samples/rv64/replay" $scene dead.rays |
    grep -q '^1024 rays, 0 hits' || fail "dead rays hit: $(cat stdout)"
python3 - <<'PY'
import json
counted = json.load(open("run/stats.json"))["groups"]["rtcore"]["counters"]
assert counted["rays"] == 1024 and counted["nodes"] == counted["leaves"] == 0, counted
PY

echo "== the manifest's hashes are those of the files"
python3 - <<'PY'
import ctypes, json
xxh64 = ctypes.CDLL("libxxhash.so").XXH64
xxh64.restype = ctypes.c_uint64
xxh64.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
manifest = json.load(open("run/manifest.json"))
opened = manifest["scenes"] + manifest["files"]
assert [f["path"] for f in opened] == ["cwbvh6.scene", "dead.rays"], opened
for f in opened:
    data = open(f["path"], "rb").read()
    assert f["bytes"] == len(data), f
    assert f["xxh64"] == f"{xxh64(data, len(data), 0):016x}", f
PY

echo "== counts for each ray: the native ones, and their sums the chip's"
for stack in 1 4 8; do
    "$bin/sim-run" --quiet -a tiny -s rtcore.stack=$stack -o run "$samples/rv64/replay" \
        $scene tertiary.rays --counts chip.counts >stdout 2>stderr ||
        fail "--counts: $(cat stderr)"
    CORBEL_STACK=$stack "$samples/native/replay" $scene tertiary.rays \
        --counts native.counts >stdout
    cmp chip.counts native.counts || fail "stack $stack: counts differ from the native ones"
done
CORBEL_STACK=16 "$samples/native/replay" $scene tertiary.rays --counts native.counts >stdout
python3 - <<'PY'
import json, struct
def read(name):
    counts = list(struct.iter_unpack("<4I", open(name, "rb").read()))
    assert len(counts) == 37 * 21, name
    return counts
chip, native = read("chip.counts"), read("native.counts")
counted = json.load(open("run/stats.json"))["region_of_interest"]["groups"]["rtcore"]["counters"]
for i, name in enumerate(("nodes", "leaves", "triangles", "restarts")):
    assert sum(ray[i] for ray in chip) == counted[name], name
# a shorter stack restarts more often and visits the same leaves
assert [ray[1:3] for ray in chip] == [ray[1:3] for ray in native]
rays = open("tertiary.rays", "rb").read()
for i, ray in enumerate(chip):
    tmin, tmax = (struct.unpack_from("<f", rays, 128 + 32 * i + k)[0] for k in (12, 28))
    assert (ray[0] == 0) == (tmax < tmin), i
PY

echo "== bad input"
# refused STATUS PATTERN COMMAND...: one line on stderr, no file
refused() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$@" >stdout 2>stderr || got=$?
    [ $got -eq "$status" ] || fail "$*: exit status $got, expected $status: $(cat stderr)"
    grep -q -- "$pattern" stderr || fail "$*: '$(cat stderr)' lacks '$pattern'"
    [ -z "$(ls ./*.part out.rays 2>/dev/null)" ] || fail "$*: wrote a file"
}
one_line() {
    [ "$(wc -l <stderr)" -eq 1 ] || fail "more than one line: $(cat stderr)"
}
tool=$bin/corbel-rays
refused_by_tool() {
    refused "$1" "$2" "$tool" "${@:3}"
    one_line
}
refused 2 'neither --colours nor --image' "$samples/native/replay" $scene odd.rays --colours --hits h
refused 2 'neither --colours nor --image' "$samples/native/replay" $scene odd.rays --counts c --image i.png
refused 2 'in .png or .ppm' "$samples/native/replay" $scene odd.rays --image i.jpg
refused_by_tool 2 'expected SCENE.scene and OUT.rays'
refused_by_tool 2 'no --kind' $scene out.rays
refused_by_tool 2 'primary, secondary or tertiary' $scene out.rays --kind x
refused_by_tool 2 'from 1 to 16384' $scene out.rays --kind primary --size 0
refused_by_tool 2 'from 1 to 16384' $scene out.rays --kind primary --size 4x16385
refused_by_tool 2 'geometric or facing' $scene out.rays --kind primary --normals up
refused_by_tool 2 'a distance' $scene out.rays --kind primary --tmin=-1
refused_by_tool 2 'less than tmax' $scene out.rays --kind primary --tmin 1e9
refused_by_tool 2 'expected X,Y,Z' $scene out.rays --kind primary --eye 1,2
refused_by_tool 2 'same point' $scene out.rays --kind primary --eye 1,2,3 --look 1,2,3
refused_by_tool 2 'unknown option' $scene out.rays --kind primary --frobnicate
refused_by_tool 2 'unknown option, did you mean --kind?' $scene out.rays --knd primary
refused_by_tool 3 'No such file' none.scene out.rays --kind primary
refused_by_tool 3 'not a .scene' primary.rays out.rays --kind primary
refused_by_tool 4 'cannot write' $scene nowhere/out.rays --kind primary
refused_by_tool 3 'not a .rays' info $scene

python3 - <<'PY'
data = open("primary.rays", "rb").read()
def write(name, change=None, at=0):
    new = bytearray(data)
    if change is not None:
        new[at:at + len(change)] = change
    open(name, "wb").write(new)
open("cut.rays", "wb").write(data[:-32])
open("stub.rays", "wb").write(data[:100])
open("long.rays", "wb").write(data + bytes(32))
open("empty.rays", "wb")
write("flipped.rays", bytes([data[5000] ^ 1]), 5000)
write("version.rays", b"\x63", 16)
write("size.rays", b"\x26", 32)
PY
damaged() { # FILE PATTERN: by the tool, natively, in both modes of sim-run
    refused_by_tool 3 "$2" info "$1"
    refused 1 "$2" "$samples/native/replay" $scene "$1"
    refused 1 "note: rays $1: .*$2" "$bin/sim-run" -a tiny "$samples/rv64/replay" $scene "$1"
    refused 1 "note: rays $1: .*$2" "$bin/sim-run" --functional "$samples/rv64/replay" $scene "$1"
}
damaged cut.rays 'truncated'
damaged stub.rays 'truncated'
damaged long.rays 'longer than'
damaged flipped.rays 'match the hash'
damaged version.rays 'wrong version'
damaged size.rays 'do not agree'
damaged $scene 'not a .rays'
for way in "$samples/native/replay" "$bin/sim-run --quiet -a tiny $samples/rv64/replay"; do
    # shellcheck disable=SC2086
    {
        refused 1 'No such file' $way $scene none.rays
        refused 1 'not a usable buffer' $way $scene empty.rays
        refused 1 'not a usable buffer\|Is a directory' $way $scene .
        refused 1 'not a usable scene' $way primary.rays primary.rays
        refused 2 'too few' $way $scene
        refused 2 'expected --mode' $way $scene primary.rays --mode x
        refused 2 'expected SCENE' $way $scene primary.rays more
        refused 1 'nowhere' $way $scene primary.rays --hits nowhere/a.hits
    }
done
"$bin/corbel-scene" generate cornell cornell.scene >/dev/null
refused 1 'another scene' "$samples/native/replay" cornell.scene primary.rays

echo "== any file can be mapped, and not written"
cat >map.c <<'C'
#include <corbel/corbel.h>
#include <errno.h>
int main(int argc, char **argv)
{
    size_t bytes = 0, again = 0;
    const unsigned char *at = corbel_file_map(argv[1], &bytes);
    if (!at || bytes != 5 || (uintptr_t)at % 64 || at[0] != 'h' || at[4] != '\n')
        return 1;
    if (corbel_file_map("none", &again) || errno != ENOENT)
        return 2;
    if (corbel_file_map("empty.rays", &again) || errno != EINVAL || again)
        return 3;
    if (argc > 2)
        *(volatile unsigned char *)at = 1;
    return 0;
}
C
echo helo >data
gcc -I"$root/runtime/include" map.c "$root/build/lib/libcorbel-native.a" -pthread -lm -o map
"$bin/corbel-gcc" -O1 map.c -o map.elf
./map data || fail "map: status $?"
"$bin/sim-run" --quiet -a tiny -o mapped map.elf data 2>stderr || fail "map.elf: status $?, $(cat stderr)"
grep -A3 '"files"' mapped/manifest.json | grep -q '"data"' || fail "the manifest lacks the file"
refused 202 'read-only' "$bin/sim-run" -a tiny map.elf data write

if [ -f "$sponza" ]; then
    echo "== Crytek Sponza"
    scene=sponza.scene
    "$bin/corbel-scene" convert "$sponza" $scene --quality low >/dev/null 2>&1
    view=(--size 64 --eye=-900.6,150.8,120.74 --look 79.7,14.0,-17.4 --fov 90)
    for kind in primary secondary tertiary; do
        rays $kind.rays --kind $kind "${view[@]}"
        line=$(replay native.hits "$samples/native/replay" $scene $kind.rays)
        [ "$(replay sim.hits "$bin/sim-run" --quiet -a rtx2080 "$samples/rv64/replay" $scene \
            $kind.rays)" = "$line" ] || fail "sponza $kind: $(cat stdout), expected $line"
        cmp native.hits sim.hits
        echo "$kind: $line"
    done
else
    echo "no Crytek Sponza (set CORBEL_SHARED): generated scenes only"
fi
echo "rays: all passed"
