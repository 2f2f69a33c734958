#!/bin/bash
# Programs of the small ray-tracing processor by sim-run: pictures with and without timing,
# results that depend on nothing of the host, accounts that add up to the cycles, and a
# clear line with its status for every bad input.
# ci: area rtp
# ci: needs bin/sim-run
. ci/tests/head

cd "$dir"

# ELF files of words, without an assembler.
cat >elf.py <<'E2'
import struct

def pack(words):
    return b"".join(struct.pack("<I", w) for w in words)

def write(name, *segments, entry=0, machine=0x5254):
    at, headers, data = 52 + 32 * len(segments), b"", b""
    for address, bytes in segments:
        headers += struct.pack("<8I", 1, at + len(data), address, address, len(bytes),
                               len(bytes), 5, 4)
        data += bytes
    with open(name, "wb") as f:
        f.write(b"\x7fELF\x01\x01\x01" + b"\0" * 9 + struct.pack(
            "<HHIIIIIHHHHHH", 2, machine, 1, entry, 52, 0, 0, 52, 32, len(segments), 0, 0, 0)
            + headers + data)

NOP, FIN, TRACE = 0x34000000, 0xEC000000, 0xE8000000
# s_itof R2,R1; v_get_from_s RV1,R2,#0; s_mov R3,R29; s_write_low R3,R3,#0xfff0;
# v_store_16byte RV1,R3,#0
STORE_PIXEL = [0x88410000, 0x9C220000, 0x607D0000, 0x8463FFF0, 0xFC230000]
CONST, TRIANGLES = 0x20000000, 0x40000000

def scene(count, shader=lambda i: 7):
    one = struct.unpack("<I", struct.pack("<f", 1))[0]
    words = []
    for i in range(count):
        words += [0, 1, 2, shader(i)]
    words += [0] * 4 + [0, 0, 0, 1] + [one, 0, 0, 1] + [0, one, 0, 1] + [0] * 4
    return pack(words)

write("pixels", (0, pack([NOP] + STORE_PIXEL + [FIN])), (TRIANGLES, scene(1)))
# v_get_from_s RV14,R2,#0: the ray's origin; a trace between the two.
write("rays", (0, pack([NOP, 0x88410000, 0x9DC20000, TRACE, NOP] + STORE_PIXEL + [NOP, FIN])),
      (CONST, pack([1, 2, 3])), (TRIANGLES, scene(5)))
# The same in the same cycles with another result (s_itof R2,R29), and with it stored elsewhere.
write("other", (0, pack([NOP, 0x885D0000] + STORE_PIXEL[1:] + [FIN])), (TRIANGLES, scene(1)))
write("beside", (0, pack([NOP] + STORE_PIXEL[:3] + [0x8463FFC0, 0xFC230000, FIN])),
      (TRIANGLES, scene(1)))
write("beyond", (0, pack([NOP] + STORE_PIXEL[:3] + [0x8463FFB0, 0xFC230000, FIN])),
      (TRIANGLES, scene(1)))
# Pixels of the first of two patches differ, those of the second are 0: n * (pixel / 32) - n.
for n in 5, 7:
    write(f"first{n}", (0, pack([NOP, 0xAC410020, 0xA8420000 + n, 0xA4420000 + n]
                                + STORE_PIXEL[1:] + [FIN])), (TRIANGLES, scene(1)))
# ii_addi R2,R2,#1; ii_addi R4,R2,#0; s_itof R4,R4; v_get_from_s RV1,R4,#0.
write("ghosts", (0, pack([0xA0420001, 0xA0820000, 0x88840000, 0x9C240000] + STORE_PIXEL[2:]
                         + [FIN])), (TRIANGLES, scene(1)))
# The normal of a triangle with a subnormal coordinate, hit by a ray along -z: y is subnormal.
write("subnormal", (0, pack([NOP, 0x80403F80, 0x80803E80, 0x80A0BF80, 0x9DC40000, 0x9DC40001,
                             0x9DC20002, 0x9DE50002, TRACE, NOP, 0x607D0000, 0x8463FFF0,
                             0xFDE30000, FIN])),
      (TRIANGLES, scene(1)[:-24] + pack([0x116C2, 1] + [0] * 4)))
write("shortest", (0, pack([NOP, FIN])), (TRIANGLES, scene(1)))
# The same, with all lanes defined: vv_add RV14,RV0,RV0 and so on.
write("tidy", (0, pack([NOP, 0x01C00000, 0x01E00000, TRACE, 0x00200000] + STORE_PIXEL + [FIN])),
      (TRIANGLES, scene(5)))
# R5 is read before anything is written to it; then an address of thread 9, and one between words.
write("undefined", (0, pack([NOP, 0x60450000, FIN])))
write("foreign", (0, pack([NOP, 0x80400000 | 0x8009, 0x84420000, 0xF0220000, FIN])))
write("between", (0, pack([NOP, 0xF03D0002, FIN])))
write("flags", (0, pack([NOP, 0xC0000000, FIN])))
write("illegal", (0, pack([NOP, 0x10000000])))
write("finless", (0, pack([NOP, NOP])))
write("odd", (0, pack([0xD8000002, 0xEC000000])))
write("forever", (0, pack([NOP, 0xD800FFF8])))
write("machine", (0, pack([NOP, FIN])), machine=99)
write("elsewhere", (0, pack([NOP, FIN])), (0x50000000, pack([1])))
write("unaligned", (2, pack([NOP, FIN])))
write("halves", (0, pack([NOP, FIN])), (TRIANGLES, scene(1)[:-8]))
write("long", (0, pack([NOP] * 4097)))
write("many", (0, pack([NOP, FIN])), (TRIANGLES, scene(512)))
write("shader", (0, pack([NOP, FIN])), (TRIANGLES, scene(3, lambda i: i % 2)))
write("endless", (0, pack([NOP, FIN])), (TRIANGLES, scene(1)[:32]))
write("entry", (0, pack([NOP, FIN])), entry=4)
E2
python3 elf.py

# The picture, with time and without.
"$sim" --quiet pixels --pixels 100 --width 10 --raw timed.raw --image timed.ppm >/dev/null 2>&1
"$sim" --quiet --functional pixels --pixels 100 --width 10 --raw now.raw --image now.ppm >/dev/null 2>&1
cmp timed.raw now.raw && cmp timed.ppm now.ppm || fail "functional and timed pictures differ"
python3 - <<'E2' || fail "the raw file is not what the program stores"
import struct
v = struct.unpack("<400f", open("timed.raw", "rb").read())
assert [v[4 * i] for i in range(100)] == list(range(100))
image = open("timed.ppm", "rb").read()
assert image.startswith(b"P6\n10 10\n255\n") and image[13:19] == b"\0\0\0\xff\0\0", image[:20]
E2

"$sim" --quiet --functional pixels --pixels 100 --width 10 --image now.png >/dev/null 2>&1
"$sim" --quiet --functional pixels --pixels 30000 --image wide.ppm >/dev/null 2>&1
"$sim" --quiet --functional pixels --pixels 30000 --image wide.png >/dev/null 2>&1
python3 - <<'E2' || fail "the PNG is another picture than the PPM"
import struct, zlib
def lines_of(name):
    data, at, pixels = open(name, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body, crc = data[at + 8:at + 8 + size], data[at + 8 + size:at + 12 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", crc)[0]
        pixels += body if kind == b"IDAT" else b""
        at += 12 + size
    return zlib.decompress(pixels)
lines = lines_of("now.png")
rgb = b"".join(lines[31 * y + 1:31 * y + 31] for y in range(10))
assert rgb == open("now.ppm", "rb").read()[13:]
assert lines_of("wide.png")[1:] == open("wide.ppm", "rb").read()[-90000:]
E2

# Whether subnormals are zeros is each kind of core's own, with time and without.
for setting in intersector.ftz=0,80 intersector.ftz=1,00 core.ftz=1,80; do
    for how in "" --functional; do
        "$sim" --quiet $how -s ${setting%,*} subnormal --pixels 1 --raw subnormal.raw >/dev/null 2>&1
        [ "$(od -An -tx1 -j7 -N1 subnormal.raw | tr -d ' ')" = ${setting#*,} ] ||
            fail "$how ${setting%,*}: $(od -An -tx4 subnormal.raw)"
    done
done

# The host changes nothing; more intersection cores do.
run() { "$sim" --quiet "$@" rays --pixels 70 --raw rays.raw 2>&1 | tail -n 1; }
hash=$(run -a rtp-4x4)
for way in "-j 2" "--no-skip" "--reverse-units" "--epoch 1" "--epoch 3 --reverse-units"; do
    [ "$(run -a rtp-4x4 $way)" = "$hash" ] || fail "$way changes the results"
done
[ "$(run -a rtp-4x8)" != "$hash" ] || fail "the number of intersection cores changes nothing"

# The hash covers what a program leaves in memory, and its results, where all cycles are equal.
for how in "" --functional; do
    for program in pixels other beside beyond first5 first7; do
        "$sim" --quiet $how $program --pixels 64 2>&1 | tail -n 1
    done >hashes
    [ "$(sort -u hashes | wc -l)" -eq 6 ] || { cat hashes; fail "$how: results have no part in the hash"; }
done

# Each core's cycles are in exactly one bucket each.
"$sim" --quiet -o out --interval 500 rays --pixels 70 >/dev/null 2>&1
python3 - <<'E2' || fail "buckets do not add up to the cycles"
import json
stats = json.load(open("out/stats.json"))
kept = [u for u in stats["units"] if u["buckets"]]
names = [u["name"] for u in kept]
assert names == (["patcher", "controller", "dispatcher"] + [f"core{i}" for i in range(4)]
                 + [f"intersector{i}" for i in range(4)]), names
for u in kept:
    total, cycles = sum(u["buckets"].values()), stats["cycles"] * u["accounts"]
    assert total == cycles, (u["name"], total, cycles)
E2

# Each cycle of a thread is in one place, and there it is a cycle of that core or queue.
for chip in "chip.n_rt=4" "chip.n_rt=8 -s chip.n_ic=32" "chip.n_rt=32 -s chip.n_ic=1"; do
    "$sim" --quiet -s $chip -o threads rays --pixels 70 >/dev/null 2>&1
    "$sim" --quiet -s $chip -o one rays --pixels 1 >/dev/null 2>&1
    python3 - <<'E2' || fail "$chip: cycles of threads do not add up"
import json
def read(path):
    groups = json.load(open(path))["groups"]
    return {name: {**g["counters"], **g["buckets"]} for name, g in groups.items()}, groups
kinds, groups = read("threads/stats.json")
d, cores = kinds["dispatcher"], groups["core"]["buckets"]
ways = "starting", "running", "tracing_wait", "tracing", "resuming"
assert d["threads"] == 70 and all(d[w] for w in ways), d
assert d["starting"] + d["resuming"] == d["job_wait"], d
assert d["tracing_wait"] == d["ray_wait"] + d["request_wait"], d
assert d["running"] == sum(cores.values()) - cores["idle"], (d, cores)
# 2 cycles until the ray has arrived; an answer may wait for others.
arrived = d["tracing"] - kinds["intersector"]["busy"] - 2 * d["rays"]
assert 0 <= arrived <= d["rays"] * 31, arrived
for w in ways:
    assert groups["dispatcher"]["derived"][w + "_per_thread"] == d[w] / 70, w
# One thread is somewhere from its loading to its end, the cycle before its patch is done.
d = read("one/stats.json")[0]
assert sum(d["dispatcher"][w] for w in ways) == d["patcher"]["run"] - 2, d
E2
done

# The shortest program of one pixel: 14 cycles to the end of its patch, 55 until it is written.
"$sim" --quiet -o short shortest --pixels 1 >/dev/null 2>&1
python3 - <<'E2' || fail "the shortest program takes other cycles"
import json
units = {u["name"]: u for u in json.load(open("short/stats.json"))["units"]}
patcher = units["patcher"]["buckets"]
assert (patcher["run"], patcher["write"]) == (14, 55), patcher
E2

# Quirk ghost_first: R2 of pixel n is what its core has added up before and in n / 4 + 1 threads;
# a first instruction of one cycle costs no more than without.
"$sim" --quiet -s core.rtl_quirks=ghost_first ghosts --pixels 8 --raw ghosts.raw >/dev/null 2>&1
"$sim" --quiet -o short -s core.rtl_quirks=ghost_first shortest --pixels 1 >/dev/null 2>&1
python3 - <<'E2' || fail "quirk ghost_first"
import json, struct
v = struct.unpack("<32f", open("ghosts.raw", "rb").read())[::4]
assert all(x > 10 for x in v), v
assert all(v[i + 4] == v[i] + 1 for i in range(4)), v
units = {u["name"]: u for u in json.load(open("short/stats.json"))["units"]}
assert units["patcher"]["buckets"]["run"] == 14, units["patcher"]
E2

# The log: each instruction once, in order, with what it wrote; its end is the run's.
"$sim" --quiet --log-commits --log log pixels --pixels 40 >/dev/null 2>&1
[ "$(wc -l <log)" -eq $((7 * 40)) ] || fail "$(wc -l <log) lines of the log"
grep -qE '^core +[0-3]: thread 7 cycle [0-9]+ 0x00000004 \(0x88410000\) R2 0x421c0000$' log ||
    fail "no line for s_itof of pixel 39"
grep -qE '0x00000014 \(0xfc230000\) mem 0x8007fff0 0x421c0000( 0x[0-9a-f]{8}){3}$' log ||
    fail "no line for the store of pixel 39"
awk '{ if ($6 + 0 < last) exit 1; last = $6 + 0 }' log || fail "the log is not in order"

# refused STATUS TEXT PROGRAM OPTION...: how a bad input ends
refused() {
    local expected=$1 text=$2 status=0
    shift 2
    "$sim" --quiet "$@" >said 2>&1 || status=$?
    [ $status -eq "$expected" ] || { cat said; fail "$*: status $status, not $expected"; }
    grep -qF -- "$text" said || { cat said; fail "$*: '$text' expected"; }
}
refused 202 "pc 0x4: illegal instruction 0x10000000 in thread 0, pixel 0" illegal --pixels 3
refused 202 "pc 0x4: illegal instruction 0x10000000 in thread 0, pixel 0" --functional illegal --pixels 3
for how in "" --functional; do
    refused 202 "pc 0x8: the program, of 2 instructions, is left without fin in thread 0, pixel 0" $how finless --pixels 1
    refused 202 "is gone to at address 0x00000006" $how -s core.strict=1 odd --pixels 1
    refused 202 "ii_add R2,R5,R0 reads R5, which is undefined" $how -s core.strict=1 undefined --pixels 1
    refused 202 "address 0x80090000 is of thread 9" $how -s core.strict=1 foreign --pixels 1
    refused 202 "expected a multiple of 4" $how -s core.strict=1 between --pixels 1
    refused 202 "flags that no comparison" $how -s core.strict=1 flags --pixels 1
    "$sim" --quiet $how -s core.strict=1 tidy --pixels 40 >said 2>&1 || { cat said; fail "strict mode"; }
done
"$sim" --quiet undefined --pixels 1 >said 2>&1 || fail "undefined registers without strict mode"
refused 204 "core1: thread 1 at PC 0x" --max-cycles 5000 forever --pixels 2
refused 204 "the limit of 5000 instructions" --functional --max-cycles 5000 forever --pixels 2
mkdir folder
for option in image raw; do
    refused 205 "folder: cannot write the file of --$option: Is a directory" \
        pixels --pixels 1 --$option folder
    refused 200 "--$option pixels: that is the program, expected another file" \
        pixels --pixels 1 --$option pixels
    refused 200 "same: that is an argument of the program, expected another file" \
        --host-profile same pixels --pixels 1 --$option ./same
done
refused 200 "--raw ./same: that is the file of another option" pixels --pixels 1 --image same --raw ./same
refused 200 "--log-commits: rtp has no log" --functional --log-commits pixels --pixels 1
refused 201 "for machine 99, expected RISC-V" -a rtp-4x4 machine --pixels 1
refused 201 "a segment at 0x50000000: expected .text, .const and .triangles" elsewhere --pixels 1
refused 201 "8 bytes at 0x2: expected, in .text, a multiple of 4 bytes" unaligned --pixels 1
refused 201 "expected, in .triangles, a multiple of 16 bytes" halves --pixels 1
refused 201 "16388 bytes at 0x0: expected, in .text" long --pixels 1
refused 201 ".triangles: 512 triangles: expected 511 at most" many --pixels 1
refused 201 "the list ends with shader word 0 at triangle 0" shader --pixels 1
refused 201 "the list of vertices has no end" endless --pixels 1
refused 201 "an entry at 0" entry --pixels 1
refused 200 "--pixels: expected the number of pixels" pixels
refused 200 "--width 7: 100 pixels are no whole lines" pixels --pixels 100 --width 7
refused 201 "no quirk is called 'ghost'" -s core.rtl_quirks=ghost pixels --pixels 1
echo "equal with and without timing; bad input refused"
