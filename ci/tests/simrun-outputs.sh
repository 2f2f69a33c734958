#!/bin/bash
# The files of --outdir: there, well formed, and consistent: buckets sum to the
# cycles, intervals and units to the totals.
# ci: area host report
# ci: needs bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc python3

# Two launches of a kernel that takes indices and adds them up; the first is
# the region of interest.
cat > "$dir/program.S" << 'END'
    .globl _start
    .macro call number, a, b
    li a0, \a
    la a1, \b
    li a7, \number
    ecall
    .endm
    .macro launch
    la a0, kernel
    la a1, sum
    mv s1, a1
    li a7, 0x1000
    ecall
    mv a1, s1
    jal s0, kernel_body
    li a7, 0x1002
    ecall
    .endm
_start:
    bnez a0, park
    call 0x1006, 500, sum
    call 0x1005, 1, sum
    launch
    call 0x1005, 0, sum
    launch
    li a0, 0
    li a7, 93
    ecall
park:
    li a7, 0x1001
    ecall
kernel:
    jal s0, kernel_body
    j park
kernel_body:
    li t1, 500
1:  .word 0x0000028b   /* trav.fchthrd t0 */
    bgeu t0, t1, 2f
    amoadd.w x0, t0, (a1)
    j 1b
2:  fence
    jr s0
    .data
    .balign 4
sum: .word 0
END
riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -mcmodel=medany -nostdlib \
    -static -Wl,-Ttext=0x10000 -Wl,--no-relax -Wl,--no-warn-rwx-segments \
    -o "$dir/program" "$dir/program.S"

"$sim" -s chip.tms=3 -o "$dir/new/run" --interval 300 "$dir/program" 'an "arg"' \
    > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; exit 1; }
[ ! -s "$dir/out" ] || fail "sim-run wrote to stdout"
tail -n 1 "$dir/err" | grep -qE '^results hash: [0-9a-f]{16}$' ||
    { echo "FAIL: no results hash"; cat "$dir/err"; exit 1; }
[ "$(ls -A "$dir/new/run" | tr '\n' ' ')" = \
    "intervals.csv log.txt manifest.json stats.json stats.txt " ] ||
    { echo "FAIL: files: $(ls -A "$dir/new/run")"; exit 1; }

python3 - "$dir/new/run" "$(tail -n 1 "$dir/err")" << 'END'
import collections, csv, json, re, sys
run, last = sys.argv[1:]
stats = json.load(open(run + "/stats.json"))
manifest = json.load(open(run + "/manifest.json"))
log = open(run + "/log.txt").read()
cycles = stats["cycles"]

def values(entry):
    return {**entry["counters"], **entry["buckets"]}

assert last == "results hash: " + manifest["results_hash"]
assert manifest["exit_status"] == 0 and manifest["ending"] == "exit"
assert manifest["command_line"][-1] == 'an "arg"'
assert manifest["settings"] == ["chip.tms=3"]
assert len(manifest["program"]["xxh64"]) == 16
assert stats["groups"]["workcounter"]["counters"]["handed"] >= 1000
assert stats["groups"]["tp"]["units"] == 12
regions = stats["region_of_interest"]["regions"]
assert len(regions) == 1
length = regions[0]["end"] - regions[0]["begin"]
assert 0 < length < cycles

by_interval = collections.Counter()
for row in csv.DictReader(open(run + "/intervals.csv")):
    assert 0 < int(row["cycle"]) <= cycles
    by_interval[row["group"], row["stat"]] += int(row["value"])
by_unit = collections.Counter()
for unit in stats["units"]:
    assert sum(unit["buckets"].values()) == cycles * unit["accounts"], unit
    for name, value in values(unit).items():
        by_unit[unit["group"], name] += value
for name, group in stats["groups"].items():
    assert sum(group["buckets"].values()) == cycles * group["accounts"], name
    schema = stats["schema"][group["kind"]]
    for stat, value in values(group).items():
        assert by_interval[name, stat] == value, (name, stat)
        assert by_unit[name, stat] == value, (name, stat)
        assert stat in schema["counters"] or stat in schema["buckets"], stat
for name, group in stats["region_of_interest"]["groups"].items():
    assert sum(group["buckets"].values()) == length * group["accounts"], name

# Figures derived from them: over the whole run, and over its region.
for groups, took in (stats["groups"], cycles), \
        (stats["region_of_interest"]["groups"], length):
    dram = groups["dram"]["counters"]
    speed = groups["dram"]["derived"]["gb_per_second"]
    moved = dram["bytes_read"] + dram["bytes_written"]
    expected = moved / (took / stats["clock_mhz"] * 1e3)
    assert abs(speed - expected) <= 1e-9 * expected, speed
assert stats["groups"]["dram"]["derived"]["gb_per_second"] > 0
# Kernels as the log tells of them.
begun = [int(at) for at in re.findall(r"^ *(\d+)  launch of kernel", log, re.M)]
ended = [int(at) for at in re.findall(r"^ *(\d+)  all harts are parked", log, re.M)]
names = re.findall(r"launch of kernel \S+ <(\w+)", log)
assert begun and [(k["name"], k["begin"], k["end"]) for k in stats["kernels"]] == \
    list(zip(names, begun, ended, strict=True)), stats["kernels"]
assert "launch of kernel" in log and "region of interest begins" in log
END

# A pipe is written to, and stays one.
mkfifo "$dir/pipe"
timeout 20 cat "$dir/pipe" > "$dir/piped" &
"$sim" --quiet --save-caches "$dir/pipe" "$dir/program" 2> /dev/null
wait
"$sim" --quiet --save-caches "$dir/saved" "$dir/program" 2> /dev/null
[ -p "$dir/pipe" ] && [ -s "$dir/saved" ] && cmp "$dir/piped" "$dir/saved" ||
    fail "caches are not saved to a pipe"

# Neither intervals nor files nor a second run change the results.
"$sim" -s chip.tms=3 --quiet "$dir/program" 'an "arg"' 2> "$dir/again"
[ "$(cat "$dir/again")" = "$(tail -n 1 "$dir/err")" ] ||
    fail "the results differ without --outdir"

# A run that ends badly tells its results, too.
"$sim" --quiet --max-cycles 300 -o "$dir/limit" "$dir/program" 2> "$dir/err" &&
    fail "the limit was not kept"
grep -q '"limit"' "$dir/limit/manifest.json" ||
    fail "the limit is not in the manifest"

# Threads that run: on one processor those of --schedule static are not more
# than that, and never more than the chip has tiles.
while read -r threads options; do
    taskset -c 0 "$sim" --quiet $options -o "$dir/threads" "$dir/program" \
        2> /dev/null
    grep -qP "\"threads\":\t$threads," "$dir/threads/manifest.json" ||
        fail "$options: not $threads threads"
done << 'END'
1 -j 2
1 -j 2 --schedule static
1 --schedule static -j 2
2 -j 2 --schedule fixed
2 --schedule dynamic -j 2
3 -j 8 --schedule fixed
1 -j 2 --schedule fixed --functional
END
echo "the output files are consistent"
