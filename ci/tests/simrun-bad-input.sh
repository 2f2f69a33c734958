#!/bin/bash
# sim-run turns bad input down: one line on stderr, the documented status, no
# file left behind.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc

# refused STATUS PATTERN ARGUMENTS: sim-run ends with STATUS and one line that
# matches PATTERN.
refused() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$sim" "$@" > "$dir/out" 2> "$dir/err" < /dev/null || got=$?
    if [ $got -ne "$status" ] || [ "$(wc -l < "$dir/err")" -ne 1 ] ||
        [ -s "$dir/out" ] || ! grep -qE -e "$pattern" "$dir/err"; then
        echo "FAIL: sim-run $*"
        echo "  status $got, expected $status and one line like: $pattern"
        sed 's/^/  /' "$dir/err"
        failures=$((failures + 1))
    fi
}

# patched OFFSET BYTES FILE: a copy of the good program with bytes replaced.
patched() {
    cp "$dir/good" "$3"
    printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none
}

as_program() {
    riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -nostdlib -static \
        -Wl,-Ttext=0x10000 -Wl,--no-warn-rwx-segments -o "$@"
}

cat > "$dir/good.s" << 'END'
    .globl _start
_start:
    li a7, 93
    li a0, 0
    ecall
    .data
    .word 1
END
as_program "$dir/good" "$dir/good.s"
"$sim" --functional --quiet "$dir/good" 2> /dev/null ||
    fail "the good program does not run"

# ---- ELF files
refused 201 'No such file' "$dir/missing"
refused 201 'not a file' "$dir"
mkfifo "$dir/pipe"
refused 201 'not a file' "$dir/pipe"
refused 201 'not a file' --program "$dir/pipe" "$dir/good"
refused 201 'not an ELF file' "$dir/good.s"
: > "$dir/empty"
refused 201 'not an ELF file' "$dir/empty"
head -c 40 "$dir/good" > "$dir/short"
refused 201 'truncated in the ELF header' "$dir/short"
head -c 100 "$dir/good" > "$dir/short"
refused 201 'truncated in the program headers' "$dir/short"
# without section headers, so that the segment is what is missing
cp "$dir/good" "$dir/short"
for at in 40:8 58:6; do
    dd if=/dev/zero of="$dir/short" bs=1 seek=${at%:*} count=${at#*:} \
        conv=notrunc status=none
done
truncate -s 4098 "$dir/short"
refused 201 'truncated: segment at 0x' "$dir/short"
refused 201 'for machine 62, expected RISC-V' "$sim"
patched 18 '\x03\x00' "$dir/i386"
refused 201 'for machine 3, expected RISC-V' "$dir/i386"
patched 4 '\x01' "$dir/class32"
refused 201 'class32: ' "$dir/class32"
patched 4 '\x07' "$dir/class7"
refused 201 'ELF class 7' "$dir/class7"
patched 5 '\x02' "$dir/big"
refused 201 'not little-endian' "$dir/big"
patched 16 '\x03\x00' "$dir/shared"
refused 201 'ELF type 3' "$dir/shared"
patched 24 '\x00\x00\x09' "$dir/entry"
refused 201 'entry 0x90000 lies in no executable segment' "$dir/entry"
riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -c -o "$dir/object.o" \
    "$dir/good.s"
refused 201 'ELF type 1' "$dir/object.o"

cat > "$dir/overlap.ld" << 'END'
PHDRS { a PT_LOAD FLAGS(5); b PT_LOAD FLAGS(6); }
SECTIONS {
    .text 0x10000 : AT(0x10000) { *(.text) } :a
    .data 0x20000 : AT(0x10004) { *(.data) } :b
}
END
riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -nostdlib -static \
    -Wl,-T,"$dir/overlap.ld" -Wl,--no-check-sections -o "$dir/overlap" \
    "$dir/good.s"
refused 201 'segments at 0x10000 and 0x10004 overlap' "$dir/overlap"
as_program "$dir/high" "$dir/good.s" -Wl,-Ttext=0x200000000
refused 201 'lies outside of memory' "$dir/high"
as_program "$dir/low" "$dir/good.s" -Wl,-Ttext=0x800 -Wl,-N
refused 201 'lies outside of memory' "$dir/low"

# ---- the command line
refused 200 'no program given'
refused 200 'unknown option --functoinal, did you mean --functional' \
    --functoinal "$dir/good"
refused 200 'unknown option -x' -x "$dir/good"
refused 200 '--max-cycles needs a value' --max-cycles
refused 200 '--threads 0: expected a number 1' -j 0 "$dir/good"
refused 200 '--threads x: expected a number' -j x "$dir/good"
refused 200 '--epoch 100: expected a number 1..64' --epoch 100 "$dir/good"
refused 200 '--epoch 50: this chip allows 1' --epoch 50 "$dir/good"
refused 200 '--interval needs --outdir' --interval 100 "$dir/good"
refused 200 '--host-profile: not with --functional' --functional \
    --host-profile "$dir/profile" "$dir/good"
refused 205 'cannot write the profile: No such file' \
    --host-profile "$dir/missing/profile" "$dir/good"
refused 200 '--memory 1k: expected' --memory 1k "$dir/good"
refused 200 '--schedule never: expected static, fixed or dynamic' --schedule never \
    "$dir/good"
refused 200 "did you mean 'tiny'" -a tiney "$dir/good"
refused 200 "did you mean 'tiny'" -a tiney --describe
refused 200 "did you mean 'rtx2080', 'rtx2080-simt' or 'rtx2080-paper'\?" -a 2080 --describe
refused 200 'unknown option --functoinal=3, did you mean --functional\?' --functoinal=3
refused 200 'did you mean --checkpoint, --check-memory or --checkpoint-every\?' --check

# ---- parameters
refused 200 'expected PATH.PARAMETER=VALUE' -s rtcore.max_rays "$dir/good"
refused 200 "did you mean 'max_rays'" -s rtcore.maxrays=8 "$dir/good"
refused 200 "did you mean 'rtcore'" -s rtcoer.max_rays=8 "$dir/good"
refused 200 '^sim-run: --set @/dev/zero: has more than 536870912 bytes' -s @/dev/zero "$dir/good"
refused 200 'max_rays.*1\.\.1024' -s rtcore.max_rays=100000 "$dir/good"
refused 200 'max_rays.*number' -s rtcore.max_rays=many "$dir/good"
refused 200 "no option 'tmss'" -s chip.tmss=8 "$dir/good"
refused 200 'tms.*1\.\.' -s chip.tms=0 "$dir/good"

# ---- chip descriptions: script TEXT, then refused with its file and line
script() {
    printf '%s\n' "$1" > "$dir/chip.lua"
}
refused 201 'No such file' -a "$dir/none.lua" "$dir/good"
script 'local x = = 1'
refused 201 "chip.lua:1: unexpected symbol near '='" -a "$dir/chip.lua" \
    "$dir/good"
script 'local t = tile("t")
unit{tile = t, kind = "tpp", name = "tp0"}'
refused 201 "chip.lua:2: .*called 'tpp', did you mean 'tp'" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
unit{tile = t, kind = "tp", name = "tp0", hart = 2}'
refused 201 "chip.lua:2: .*no parameter 'hart', did you mean 'harts'" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
unit{tile = t, kind = "tp", name = "tp0", harts = 1000}'
refused 201 "chip.lua:2: tp0.harts.*1\.\.64" -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
unit{tile = t, kind = "tp", name = "tp0", harts = 1.5}'
refused 201 "chip.lua:2: .*1.5 is no whole number" -a "$dir/chip.lua" \
    "$dir/good"
script 'local t = tile("t")
unit({tile = t, kind = "tp", name = "tp0"}, {hart = 2})'
refused 201 "chip.lua:2: .*no parameter 'hart', did you mean 'harts'" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
unit({kind = "tp", tile = t, name = "tp0"}, {tile = t})'
refused 201 "chip.lua:2: unit 'tp0': tile belongs in the first table" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t, settings = tile("t"), {harts = 2}
unit({tile = t, kind = "tp", name = "tp0"}, setings)'
refused 201 "chip.lua:2: .*#2 to 'unit' .table expected, got nil" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
unit({tile = t, kind = "tp", name = "tp0"}, {}, {harts = 2})'
refused 201 "chip.lua:2: unit: 3 arguments, expected at most 2" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
local a = unit{tile = t, kind = "tp", name = "tp0"}
link{from = a, out = "memo", to = a, inp = "data"}'
refused 201 "chip.lua:3: .*output port 'memo', did you mean 'mem'" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
local a = unit{tile = t, kind = "tp", name = "tp0"}
link{from = a, out = "mem", to = a, inp = "data", latency = -1}'
refused 201 "chip.lua:3: .*latency -1 is outside 1..63" -a "$dir/chip.lua" \
    "$dir/good"
script 'local t = tile("t")
local a = unit{tile = t, kind = "tp", name = "tp0"}
both(a, "mem", a, "dta", "reply", "data", 1, 1)'
refused 201 "chip.lua:3: .*input port 'dta', did you mean 'data'" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
local a = unit{tile = t, kind = "tp", name = "tp0"}
both(a, "mem", a, "data", "reply", "data", 1, 1, 8)'
refused 201 "chip.lua:3: both: 9 arguments, expected at most 8" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
local a = unit{tile = t, kind = "tp", name = "tp0"}
link({from = a, out = "mem", to = a, inp = "data"}, {depth = 2})'
refused 201 "chip.lua:3: link: 2 arguments, expected at most 1" \
    -a "$dir/chip.lua" "$dir/good"
script 'local t = tile("t")
both(t, "mem", t, "cpu", "reply", "data", 1, 1)'
refused 201 "chip.lua:2: .*'both' .unit expected" -a "$dir/chip.lua" \
    "$dir/good"
script 'tile("t")'
refused 201 'no thread processor' -a "$dir/chip.lua" "$dir/good"
script 'while true do end'
refused 201 'chip.lua:1: .*does it loop' -a "$dir/chip.lua" "$dir/good"
script 'local s = "x" while true do s = s .. s end'
refused 201 'not enough memory|too large' -a "$dir/chip.lua" "$dir/good"
script 'error({})'
refused 201 'chip.lua: the script raised no message$' -a "$dir/chip.lua" "$dir/good"
script "local x = $(printf '%300s' | tr ' ' '(')"
refused 201 "chip.lua(:1)?: .*C stack overflow" -a "$dir/chip.lua" "$dir/good"
script "$(printf '\033Lua')"
refused 201 "chip.lua: attempt to load a binary chunk" -a "$dir/chip.lua" "$dir/good"
script 'include(string.rep("a/", 1000))'
refused 201 "chip.lua:1: include: there is no '(a/){49}a'\.\.\., neither" -a "$dir/chip.lua" "$dir/good"
script 'include "chip.lua"'
refused 201 'include each other' -a "$dir/chip.lua" "$dir/good"
for name in io os package require dofile loadfile load debug pcall; do
    script "if $name ~= nil then error('$name is there') end error('not there')"
    refused 201 'not there' -a "$dir/chip.lua" "$dir/good"
done

# ---- output
: > "$dir/file"
refused 205 'not a directory|Not a directory' -o "$dir/file" "$dir/good"
refused 205 'Not a directory' -o "$dir/file/below" "$dir/good"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$dir/locked"
    chmod a-w "$dir/locked"
    refused 205 'Permission denied' -o "$dir/locked" "$dir/good"
else
    refused 205 'cannot write|Permission|Read-only|No such file' -o /proc/none \
        "$dir/good"
    # where no directory can be made, the line tells the reason, not that there is none
    [ "$(stat -f -c %T /sys)" != sysfs ] ||
        refused 205 'not permitted|Permission denied|Read-only' -o /sys/none "$dir/good"
fi

# ---- files that are not what they would replace; what there was stays
"$sim" --quiet -a tiny --max-cycles 1 --checkpoint "$dir/run.ck" "$dir/good" > /dev/null 2>&1 || :
"$sim" --quiet -a tiny --save-caches "$dir/caches" "$dir/good" 2> /dev/null
echo 'include "tiny"' > "$dir/chip.lua"
echo 'include "tiny"' > "$dir/base.lua"
echo 'include "base.lua"' > "$dir/derived.lua"
echo 'l1.ways=4' > "$dir/some.set"
echo scene > "$dir/scene"
ln -s good "$dir/link"
before=$(cat "$dir"/{run.ck,caches,{chip,base,derived}.lua,some.set,scene,good} | cksum)
replaces() { refused 200 "^sim-run: --$1: that is $2, expected another file\$" "${@:3}"; }
for option in checkpoint save-caches signature host-profile log; do
    with=() && [ $option != log ] || with=(--log-commits)
    for file in good link; do
        replaces "$option $dir/$file" "the program" "${with[@]}" --$option "$dir/$file" "$dir/good"
    done
    replaces "$option $dir/scene" "an argument of the program" "${with[@]}" \
        --$option "$dir/scene" "$dir/good" --in "$dir/scene"
done
replaces "log $dir/chip.lua" "the chip" -a "$dir/chip.lua" --log-commits --log "$dir/chip.lua" \
    "$dir/good"
replaces "log $dir/base.lua" "a script of the chip" -a "$dir/derived.lua" --log-commits \
    --log "$dir/base.lua" "$dir/good"
# below --fs, behind an =, and where there is nothing yet
for argument in scene /fs/scene ../$(basename "$dir")/scene --in=scene; do
    replaces "signature $dir/scene" "an argument of the program" --fs "$dir" \
        --signature "$dir/scene" "$dir/good" "$argument"
done
replaces "host-profile $dir/none" "an argument of the program" --host-profile "$dir/none" \
    "$dir/good" --out "$dir/./none"
replaces "checkpoint $dir/none" "an argument of the program" --fs "$dir" --checkpoint "$dir/none" \
    "$dir/good" none
replaces "signature $dir/some.set" "a file of settings" -s "@$dir/some.set" \
    --signature "$dir/some.set" "$dir/good"
replaces "checkpoint $dir/good" "a program" --checkpoint "$dir/good" --program "$dir/good,a=1" \
    "$dir/scene"
replaces "checkpoint $dir/caches" "that of --warm-caches" -a tiny --warm-caches "$dir/caches" \
    --checkpoint "$dir/caches" "$dir/good"
replaces "signature $dir/run.ck" "the file of --resume" --resume "$dir/run.ck" \
    --signature "$dir/run.ck"
replaces "signature $dir/new" "the file of another option" --save-caches "$dir/new" \
    --signature "$dir/new" "$dir/good"
replaces "checkpoint $dir/results/stats.json" "a file of --outdir" -o "$dir/results/" \
    --checkpoint "$dir/results/stats.json" "$dir/good"
# A run removes its files of --outdir before it begins: those that it reads are no such files.
mkdir "$dir/folder" "$dir/earlier"
cp "$dir/good" "$dir/earlier/log.txt"
touch "$dir/earlier/stats.json.123"
removes() {
    refused 200 "^sim-run: --outdir $dir/earlier/?: its $1 is $2, expected another directory\$" "${@:3}"
}
removes log.txt "the program" -o "$dir/earlier/" "$dir/earlier/log.txt"
removes stats.json.123 "an argument of the program" -o "$dir/earlier" "$dir/good" \
    "$dir/folder/../earlier/stats.json.123"
removes stats.json.123 "an argument of the program" --fs "$dir/earlier" -o "$dir/earlier" \
    "$dir/good" stats.json.123
[ "$(cd "$dir/earlier" && echo *)" = "log.txt stats.json.123" ] ||
    fail "what was read is removed"
printf '.globl begin_signature, end_signature\nbegin_signature: .word 1\nend_signature:\n' |
    cat "$dir/good.s" - > "$dir/signed.s"
as_program "$dir/signed" "$dir/signed.s"
for option in checkpoint save-caches signature host-profile log; do
    with=() && [ $option != log ] || with=(--log-commits)
    refused 205 "^sim-run: $dir/folder: .*: Is a directory" "${with[@]}" -a tiny \
        --$option "$dir/folder" "$dir/signed"
done
[ "$(cat "$dir"/{run.ck,caches,{chip,base,derived}.lua,some.set,scene,good} | cksum)" = "$before" ] ||
    fail "a file that was read was replaced"
# A run may go on in the file of its checkpoint, or of its caches; any run may write a device.
"$sim" --quiet --resume "$dir/run.ck" --checkpoint "$dir/run.ck" 2> "$dir/err" &&
    "$sim" --quiet -a tiny --warm-caches "$dir/caches" --save-caches "$dir/caches" \
        --signature /dev/null --host-profile /dev/null "$dir/signed" 2> "$dir/err" ||
    { echo "FAIL: refused: $(cat "$dir/err")"; exit 1; }

# ---- small files that are a great deal when they are unpacked
cat > "$dir/bombs.py" << 'END'
import struct, sys
folder = sys.argv[1]
FORMAT = sys.argv[2].encode()
def checkpoint(name, blocks):  # of 128 KiB of zeros
    block = lambda last: struct.pack("<I", 131072 << 3 | 1 << 1 | last)[:3] + b"\0"
    open(f"{folder}/{name}", "wb").write(
        b"corbel checkpoint " + FORMAT + b"\n\x28\xb5\x2f\xfd\0\x38" + block(0) * (blocks - 1) + block(1))
checkpoint("zeros.ck", 8192)
checkpoint("endless.ck", 1 << 20 | 1)
elf = bytearray(open(f"{folder}/packed", "rb").read())
sections, = struct.unpack_from("<Q", elf, 40)
count, = struct.unpack_from("<H", elf, 60)
for at in range(sections, sections + 64 * count, 64):
    flags, _, offset = struct.unpack_from("<QQQ", elf, at + 8)
    if flags & 0x800:  # compressed
        struct.pack_into("<Q", elf, offset + 8, 1 << 30)
open(f"{folder}/packed.elf", "wb").write(elf)
elf = bytearray(open(f"{folder}/packed-gnu", "rb").read())
at = elf.index(b"ZLIB\0\0\0\0")
struct.pack_into(">Q", elf, at + 4, 1 << 30)
open(f"{folder}/packed-gnu.elf", "wb").write(elf)
END
printf '.section .debug_info,"",@progbits\n.zero 100000\n' | cat "$dir/good.s" - > "$dir/packed.s"
as_program "$dir/unpacked" "$dir/packed.s"
riscv64-unknown-elf-objcopy --compress-debug-sections=zlib-gabi "$dir/unpacked" "$dir/packed"
riscv64-unknown-elf-objcopy --compress-debug-sections=zlib-gnu "$dir/unpacked" "$dir/packed-gnu"
python3 "$dir/bombs.py" "$dir" "$(format_of CHECKPOINT)"
for packed in packed packed-gnu; do
    "$sim" --functional --quiet "$dir/$packed" 2> /dev/null ||
        fail "DWARF: $packed"
    refused 201 "$packed.elf: unpacks to more than [0-9]* bytes" "$dir/$packed.elf"
done
refused 201 'zeros.ck: it names no program' --resume "$dir/zeros.ck"
refused 201 '/dev/zero: has more than 536870912 bytes' --warm-caches /dev/zero "$dir/good"
refused 201 'endless.ck: it has more than 137438953472 bytes' --resume "$dir/endless.ck"

# ---- chips that make no sense
refused 201 'part0.l2.0: owner: no cache is below' -a tiny -s l2.owner=copy "$dir/good"
refused 201 'tm0.l1: owner: there is another cache' -a tiny -s l1.owner=owner "$dir/good"
printf 'tile("a\\nb")\n' > "$dir/name.lua"
refused 201 'tile: a name has' -a "$dir/name.lua" "$dir/good"
printf 'error(string.format("%%p", {}))\n' > "$dir/address.lua"
refused 201 'differ from run to run' -a "$dir/address.lua" "$dir/good"
printf 'error("saw " .. tostring({}) .. " and " .. string.format("%%s", print))\n' > "$dir/text.lua"
refused 201 'saw table and function$' -a "$dir/text.lua" "$dir/good"
printf 'for i = 1, 1e7 do tile("t" .. i) end\n' > "$dir/many.lua"
refused 201 'more than 200000 units and tiles' -a "$dir/many.lua" "$dir/good"
mkdir "$dir/results"
refused 201 'No such file' -o "$dir/results" "$dir/missing"
[ -z "$(ls -A "$dir/results")" ] ||
    { echo "FAIL: a refused run left $(ls -A "$dir/results")"; exit 1; }
refused 200 '--fs .*No such file' --fs "$dir/nowhere" "$dir/good"
[ $failures -eq 0 ] && echo "all bad input was turned down"
