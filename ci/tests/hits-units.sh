#!/bin/bash
# Hits do not depend on units: a scene times 2^i, directions times 2^j, and each
# record is that of the plain scene with its distance times 2^(i-j). From
# everything that traces: corbel-scene, replay natively and on the target by RT
# core, by instructions and in software, streams by two machines; and a shadow ray
# from point to point (t from 0 to 1) in a scene of 2^30 units.
# ci: area hits rays
# ci: needs sim sample-replay sample-streams bin/corbel-scene bin/corbel-rays
. ci/tests/head

samples=$root/$B/samples
cd "$dir"
export CORBEL_THREADS=2

run() { "$@" >log 2>&1 || fail "$*"; }

# scale.py mesh I: a.ply times 2^I; rays I J: plain.rays for that, as segments where
# J is I; hits I J FILE: are they those of plain.hits?
cat >scale.py <<'PY'
import ctypes, math, struct, sys
xxh64 = ctypes.CDLL("libxxhash.so").XXH64
xxh64.restype = ctypes.c_uint64
xxh64.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
what, i, j = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def times(values, exponent):
    return [math.ldexp(v, exponent) for v in values]
def read(name):
    return open(name, "rb").read()
if what == "mesh":
    header, mark, mesh = read("plain.ply").partition(b"end_header\n")
    count = int(header.split(b"element vertex")[1].split()[0])
    vertices = struct.unpack_from(f"<{3 * count}f", mesh)
    open("a.ply", "wb").write(header + mark + struct.pack(
        f"<{3 * count}f", *times(vertices, i)) + mesh[12 * count:])
elif what == "rays":
    data, one = bytearray(read("plain.rays")), read("one.rays")
    data[48:56] = one[48:56]  # the hash of the scaled mesh
    for at in range(128, len(data), 32):
        o, tmin, d, tmax = [*struct.unpack_from("<3f", data, at)], *struct.unpack_from(
            "<f", data, at + 12), [*struct.unpack_from("<3f", data, at + 16)], *struct.unpack_from(
            "<f", data, at + 28)
        struct.pack_into("<8f", data, at, *times(o, i), *times([tmin], i - j), *times(d, j),
                         *times([tmax], i - j))
    struct.pack_into("<Q", data, 8, xxh64(bytes(data[16:]), len(data) - 16, 0))
    open("a.rays", "wb").write(data)
else:
    plain = list(struct.iter_unpack("<3fI", read("plain.hits")))
    found = list(struct.iter_unpack("<3fI", read(sys.argv[4])))
    wanted = [(math.ldexp(t, i - j), b1, b2, index) for t, b1, b2, index in plain]
    hits = sum(h[3] != 2**32 - 1 for h in plain)
    assert len(found) == len(plain) and hits > len(plain) / 3, hits
    for n, (a, b) in enumerate(zip(wanted, found)):
        assert a == b, f"ray {n}: {b}, expected {a}"
PY

checked=0
# hits I J COMMAND...: writes found.hits
hits() {
    run "${@:3}"
    python3 scale.py hits "$1" "$2" found.hits >log 2>&1 || fail "2^$1, 2^$2: ${*:3}"
    rm found.hits
    checked=$((checked + 1))
}

everywhere() { # I J
    hits "$@" "$bin/corbel-scene" trace a.scene a.rays --hits found.hits
    for mode in rt isect software; do
        hits "$@" "$samples/native/replay" a.scene a.rays --mode $mode --hits found.hits
        hits "$@" "$bin/sim-run" --quiet --functional "$samples/rv64/replay" a.scene a.rays \
            --mode $mode --hits found.hits
    done
    hits "$@" "$bin/sim-run" --quiet -a tiny "$samples/rv64/replay" a.scene a.rays --hits found.hits
    hits "$@" "$bin/sim-run" --quiet --functional "$samples/rv32/replay" a.scene a.rays \
        --mode isect --hits found.hits
    for machine in dual strata; do
        hits "$@" "$samples/native/streams" t.scene a.rays --machine $machine --hits found.hits
    done
}

run "$bin/corbel-scene" generate arcade plain.scene --triangles 9984 --ply plain.ply
run "$bin/corbel-rays" plain.scene plain.rays --kind secondary --size 20x12
run "$samples/native/replay" plain.scene plain.rays --hits plain.hits
units() { # I J...
    local i=$1 j
    python3 scale.py mesh "$i" 0
    run "$bin/corbel-scene" convert a.ply a.scene
    run "$bin/corbel-scene" convert a.ply t.scene --nodes bvh6 --treelets 2048
    run "$bin/corbel-rays" a.scene one.rays --kind primary --size 1
    for j in "${@:2}"; do
        python3 scale.py rays "$i" "$j"
        everywhere "$i" "$j"
    done
}
units -58 -58 58
units -31 -31
units 0 -58 58
units 30 -58 30 58

# A program's own segments, natively and on a chip (bounds: 2^29 units, |d| 2^30).
if [ -f "$shared/cases/public/shadow-big.c" ]; then
    cases=$shared/cases/public
    run "$bin/corbel-scene" convert "$cases/shadow-big.obj" b.scene
    run "$bin/corbel-gcc" -O2 "$cases/shadow-big.c" -o s.elf
    run "${CC:-cc}" -I"$root/runtime/include" "$cases/shadow-big.c" \
        "$root/build/lib/libcorbel-native.a" -pthread -lm -o s
    for way in ./s "$bin/sim-run --quiet -a tiny s.elf"; do
        # shellcheck disable=SC2086
        run $way b.scene
        grep -q '^unit: hit at .*segment: hit$' log || fail "$way: no hit"
    done
fi
echo "hits-units: $checked files of records as in the plain scene"
