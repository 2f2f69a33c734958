#!/bin/bash
# A run that is saved, ends and goes on in another process is the run that was not: results
# hash, image, statistics, intervals, log, the program's files and output, for any number of
# threads on both sides and wherever it was saved. SIGUSR1 saves and goes on. A checkpoint
# that is damaged, cut, of another format, program or chip is refused in one line.
# CYCLES=N tries each program and chip at N cycles, and more of them: every preset, every
# sample (docs/guides/checkpoints.md has the result of 200).
# ci: area checkpoints
# ci: makes samples
# ci: needs bin/sim-run bin/sim-run-stalls bin/corbel-scene bin/corbel-rays runtime
# ci: needs samples/rv64/primary samples/rv64/replay samples/rv64/streams samples-rtp sample-uvm
. ci/tests/head

samples=$(realpath -m "$B/samples/rv64")
[ -z "${CYCLES-}" ] || make -s samples >/dev/null
"$B/bin/corbel-gcc" -O2 ci/tests/checkpoints/files.c -o "$dir/files.elf"
cd "$dir"
RANDOM=${SEED:-1}

# fresh: an empty place for the program's files, with those that it reads
fresh() {
    rm -rf fs && mkdir -p fs/folder
    touch fs/folder/{a,b,c,d,e}
    printf '%s\n' one two three four five six >fs/in.txt
    cp ./*.scene ./*.rays fs
}

# run DIR ARGUMENT...: what is printed goes on behind out, the hash is in $hash
run() {
    status=0
    (cd fs && timeout 120 "$sim" --quiet -o "../$1" --interval 7000 "${@:2}" >>../out 2>../err \
        </dev/null) || status=$?
    hash=$(sed -n 's/^results hash: //p' err)
}

# same WHAT: all of the run in got/ is that of want/
same() {
    [ "$hash $status" = "$want" ] || fail "$1: hash and status $hash $status, expected $want"
    for file in want/*; do # manifest.json has the command line
        [ $file = want/manifest.json ] || cmp got/${file#want/} $file || fail "$1: ${file#want/}"
    done
    diff -r fs want-fs >/dev/null || fail "$1: the program's files: $(diff -r fs want-fs)"
}

# try TIMES ARGUMENT...: saves at that many cycles, some of them on the way of a run that
# goes on, and goes on from there
tried=0 places=0 on_the_way=0
try() {
    local times=${CYCLES:-$1} cycles at j
    shift
    [ "$times" -gt 0 ] || return 0
    tried=$((tried + 1)) places=$((places + times))
    fresh
    rm -rf want got
    : >out
    run want "$@"
    [ $status = 0 ] || fail "$*: it does not run"
    want="$hash $status"
    mv out want-out
    rm -rf want-fs && mv fs want-fs
    cycles=$(sed -n 's/^\t"cycles":\t\([0-9]*\),$/\1/p' want/stats.json)
    for ((i = 0; i < times; i++)); do
        at=$((1 + (RANDOM * 32768 + RANDOM) % (cycles - 100)))
        j=$((1 + RANDOM % 2))
        fresh
        : >out
        rm -f x.ck
        ended=$((i % 2 == 0 && !on_the_way))
        if [ $ended = 1 ]; then
            run got -j $j --max-cycles $at --checkpoint ../x.ck "$@"
            [ $status = 204 ] || fail "$*: status $status at cycle $at"
        else
            run got -j $j --checkpoint-every $at --checkpoint ../x.ck "$@"
            same "$*, saved at cycle $at"
            : >out
        fi
        [ -s x.ck ] || fail "$*: no checkpoint at cycle $at"
        # what it is run with need not be said again, but what names files that are written
        if [ $((RANDOM % 2)) = 0 ] || [[ " $* " = *" --image "* ]]; then
            run got -j $((3 - j)) --resume ../x.ck "$@"
        else
            run got -j $((3 - j)) --resume ../x.ck
        fi
        same "$*, resumed at cycle $at"
        [ $ended = 0 ] || cmp out want-out || fail "$*, at cycle $at: another output"
    done
    [ -z "${CYCLES:-}" ] || echo "$times of $cycles cycles: ${*//*\//}"
}

"$root/$B/bin/corbel-scene" generate cornell c.scene >/dev/null 2>&1
"$root/$B/bin/corbel-scene" generate cornell arches.scene --nodes cwbvh7 --leaves block128 \
    >/dev/null 2>&1
"$root/$B/bin/corbel-scene" generate cornell bvh6.scene --nodes bvh6 >/dev/null 2>&1
"$root/$B/bin/corbel-scene" generate arcade a.scene --triangles 10000 >/dev/null 2>&1
"$root/$B/bin/corbel-scene" generate arcade t.scene --triangles 10000 --nodes cwbvh5t \
    --treelets 8192 >/dev/null 2>&1
"$root/$B/bin/corbel-rays" a.scene a.rays --kind secondary --size 12 >/dev/null 2>&1
primary=("$samples/primary" c.scene --size 8 --out i.ppm)

# ---- programs and chips
try 6 -a tiny ../files.elf in.txt
try 6 -a tiny -s chip.tms=2 "${primary[@]}"
try 2 -a tiny -s l1.classify=on -s l1.write=back -s l1.replacement=plru "${primary[@]}"
try 4 -a rtx2080 -s chip.tms=2 "${primary[@]}"
try 2 -a rtx2080-arches -s chip.tms=3 "$samples/primary" arches.scene --size 8 --out i.ppm
try 2 -a rtx2080 -s chip.tms=2 -s chip.uvm=on --managed scene "${primary[@]}"
try 2 -a trax -s chip.tms=2 "${primary[@]}" --traversal software
try 2 -a trax-rt -s chip.tms=2 "$samples/primary" bvh6.scene --size 8 --out i.ppm
try 2 -a dual-streaming -s chip.tms=2 "$samples/streams" t.scene a.rays
try 2 -a dual-streaming-rt -s chip.tms=2 "$samples/streams" t.scene a.rays --mode rt
try 2 -a strata -s chip.tms=2 "$samples/streams" t.scene a.rays --machine strata
try 2 -a strata-rt -s chip.tms=2 "$samples/streams" t.scene a.rays --machine strata --mode rt
try 2 -a tiny -s chip.clock=1481 -s chip.uvm=on --transfers -s gmmu.gddr_size=2M \
    -s gmmu.eviction_policy=random "$samples/uvm" P2
try 2 -a rtx2080 -s chip.tms=2 -s chip.uvm=on -s chip.charge_dram=on --transfers \
    --managed scene "${primary[@]}"
observed=(--profile --link-stats --trace 'harts:*,9000:90000' --trace 'pipeline:*,9000:90000')
try 2 -a tiny "${observed[@]}" --max-stall 50000 "${primary[@]}"
try 2 -a rtx2080 -s chip.tms=2 --stalls "${observed[@]}" "${primary[@]}"
try 2 -a tiny -s chip.tms=2 --stalls "${primary[@]}"
try 2 -a rtp-4x4 "$root/$B/samples/rtp/mirror" --pixels 256 --width 16 --image i.ppm
on_the_way=1 # no limit: where nothing is timed it leaves no checkpoint
try 2 -a tiny --timing roi "${primary[@]}"
try 2 -a rtx2080 -s chip.tms=2 --timing roi --roi-caches cold "$samples/replay" a.scene a.rays
on_the_way=0
# nearly all of it is a kernel that is launched and has not begun
try 2 -a rtx2080 -s chip.tms=2 -s chip.uvm=on -s gmmu.gpgpu_kernel_launch_latency=3000000 \
    "${primary[@]}"
# these if CYCLES is given: the other presets, the other samples
"$root/$B/bin/corbel-scene" generate layers l.scene --triangles 100 >/dev/null 2>&1
for preset in rtx2060 rtx2080-paper rtx3070 rtx4090; do
    try 0 -a $preset -s chip.tms=2 "${primary[@]}"
done
try 0 -a trax-rt-compressed -s chip.tms=2 "${primary[@]}"
try 0 -a trax-software -s chip.tms=2 "${primary[@]}" --traversal software
try 0 -a uvm-v100 -s chip.tms=2 "$samples/uvm" hotspot --size 64,2,2
try 0 -a core "$samples/hello"
for intersection in 8 16; do
    try 0 -a rtp-4x$intersection "$root/$B/samples/rtp/lambert" --pixels 64 --width 8 --image i.ppm
done
try 0 -a rtp-4x4 "$root/$B/samples/rtp/normals" --pixels 64 --width 8 --image i.ppm
rtx2080=(-a rtx2080 -s chip.tms=2)
for sample in ao path; do
    try 0 "${rtx2080[@]}" "$samples/$sample" a.scene --size 12 --spp 2 --out i.png
done
try 0 "${rtx2080[@]}" "$samples/replay" a.scene a.rays --colours
try 0 "${rtx2080[@]}" "$samples/rtbench" l.scene --rays all --count 20
try 0 "${rtx2080[@]}" "$samples/microbench" copy --bytes 64k --count 2k
try 0 "${rtx2080[@]}" "$samples/mandelbrot" --size 16 --out i.ppm
try 0 -a trax -s chip.tms=2 "$samples/path" c.scene --size 8 --spp 2 --traversal software --out i.ppm
for sample in floats kernels records; do
    try 0 -a tiny "$samples/$sample" 5
done
try 0 -a tiny "$samples/hello-cpp"
echo "runs go on: ok, $tried programs on chips, $places cycles"

# ---- how it is saved and goes on does not matter
fresh
run want -a tiny "${primary[@]}"
want="$hash $status"
rm -rf want-fs && mv fs want-fs
fresh
run got -a tiny -j 1 --no-skip --reverse-units --max-cycles 21234 --checkpoint ../x.ck "${primary[@]}"
for how in "--reverse-units --epoch 1" "--no-skip -j 2 --schedule dynamic" "-j 1"; do
    # shellcheck disable=SC2086
    run got -a tiny $how --resume ../x.ck "${primary[@]}"
    same "$how"
done

# refused STATUS PATTERN ARGUMENT...: by one line
refused() {
    local expected=$1 pattern=$2
    status=0
    "$sim" --quiet "${@:3}" >out 2>err </dev/null || status=$?
    [ $status = "$expected" ] && [[ $(wc -l <err) = 1 && $(<err) =~ ^sim-run:\ $pattern ]] ||
        fail "${*:3}: status $status, expected $expected, $pattern"
}

# ---- parameters that are PARAM_SAFE may be others from the checkpoint on
# other SETTING VALUE ANOTHER CYCLE ARGUMENT...: the run's value changes nothing, another one the
# run, which does not depend on -j; and a checkpoint on its way has it
other() {
    local setting=$1 value=$2 another=$3 at=$4
    shift 4
    fresh
    rm -rf want got
    run want "$@"
    [ $status = 0 ] || fail "$*: it does not run"
    want="$hash $status"
    rm -rf want-fs && mv fs want-fs
    fresh
    run got --max-cycles $at --checkpoint ../x.ck "$@"
    [ $status = 204 ] || fail "$*: status $status at cycle $at"
    run got --resume ../x.ck -s $setting=$value "$@"
    same "$setting as it was"
    fresh
    run got -j 1 --resume ../x.ck -s $setting=$another "$@"
    [ "$status" = 0 ] && [ "$hash 0" != "$want" ] || fail "$setting=$another: $status, $hash"
    other="$hash 0"
    fresh
    run got -j 2 --resume ../x.ck -s $setting=$another --max-cycles $((at + 3000)) \
        --checkpoint ../y.ck "$@"
    [ $status = 204 ] || fail "$setting=$another: status $status at cycle $((at + 3000))"
    run got -j 2 --resume ../y.ck "$@"
    [ "$hash $status" = "$other" ] || fail "$setting=$another: $hash $status, expected $other"
}
traced=(-a rtx2080 -s chip.tms=2 "$samples/primary" c.scene --size 32 --out i.ppm)
other rtcore.ops 2 1 80000 "${traced[@]}"
other rtcore.drain 0 1 80000 "${traced[@]}"
paged=(-a rtx2080 -s chip.tms=2 -s chip.uvm=on -s gmmu.fault_mode=overlap --managed scene
    "${primary[@]}")
other gmmu.page_fault_latency 66645 1000 9000 "${paged[@]}"
other gmmu.gpgpu_kernel_launch_latency 0 5000 60000 "${paged[@]}"
other controller.dma_write 5 50 2000 -a rtp-4x4 "$root/$B/samples/rtp/mirror" --pixels 256 \
    --width 16 --image i.ppm
echo "other values: ok"

# ---- SIGUSR1: a checkpoint and the statistics so far, and the run goes on
printf 'int main(void)\n{\n    for (volatile long i = 0; i < 400000000; i++)\n        ;\n}\n' >spin.c
"$root/$B/bin/corbel-gcc" -O2 spin.c -o spin.elf
rm -rf asked x.ck
"$sim" --quiet -a tiny -o asked --checkpoint x.ck spin.elf >out 2>err &
pid=$!
for ((i = 0; i < 100; i++)); do
    [ -e asked ] && kill -USR1 $pid
    sleep 0.2
    [ ! -s x.ck ] || [ ! -s asked/stats.json ] || break
done
kill -0 $pid || fail "SIGUSR1 has ended the run"
[ -s x.ck ] && grep -q '"cycles"' asked/stats.json || fail "SIGUSR1: nothing is written"
kill -TERM $pid
wait $pid && status=0 || status=$?
[ $status = 143 ] || fail "SIGUSR1, then SIGTERM: status $status"
mv x.ck asked.ck
echo "SIGUSR1: ok"

# ---- every second of host time, and killed: the latest one goes on
status=0
"$sim" --quiet -a tiny --checkpoint x.ck --checkpoint-every 1s --max-time 5 spin.elf >out 2>err ||
    status=$?
[ $status = 204 ] && [ -s x.ck ] || fail "--checkpoint-every 1s: status $status"
refused 200 '--max-cycles 9: expected more than the cycle of x.ck' --resume x.ck --max-cycles 9
"$sim" --quiet -a tiny --checkpoint x.ck --checkpoint-every 1s spin.elf >out 2>err &
pid=$!
for ((i = 0; i < 100; i++)); do
    [ x.ck -nt err ] && break
    sleep 0.2
done
kill -KILL $pid
wait $pid 2>/dev/null || true
[ x.ck -nt err ] || fail "killed: nothing is written"
status=0
"$sim" --quiet --resume x.ck --max-time 1 >out 2>err || status=$?
[ $status = 204 ] || fail "killed, resumed: status $status"
echo "seconds: ok"

# ---- what is refused
program=("$samples/primary" c.scene --size 8)
chip=(-a tiny -s chip.tms=2)
"$sim" --quiet "${chip[@]}" --max-cycles 30000 --checkpoint x.ck "${program[@]}" >out 2>&1 || true
size=$(stat -c %s x.ck)
for ((i = 0; i < 12; i++)); do
    head -c $((RANDOM * 32768 % size)) x.ck >bad.ck
    refused 201 'bad.ck: (it is cut short|this is no checkpoint)' "${chip[@]}" --resume bad.ck \
        "${program[@]}"
    python3 - "$((20 + (RANDOM * 32768 + RANDOM) % (size - 20)))" <<'END'
import sys
bytes = bytearray(open("x.ck", "rb").read())
bytes[int(sys.argv[1])] ^= 1 << int(sys.argv[1]) % 8
open("bad.ck", "wb").write(bytes)
END
    refused 201 'bad.ck: (it is damaged|it is cut short|there is something behind its end)' \
        "${chip[@]}" --resume bad.ck "${program[@]}"
done
{ cat x.ck; echo more; } >bad.ck
refused 201 'bad.ck: there is something behind its end' "${chip[@]}" --resume bad.ck "${program[@]}"
format=$(format_of CHECKPOINT)
sed "1s/ $format\$/ $((format + 1))/" x.ck >bad.ck
refused 201 "bad.ck: a checkpoint of format $((format + 1)), this sim-run reads $format$" \
    "${chip[@]}" --resume bad.ck "${program[@]}"
refused 201 'c.scene: this is no checkpoint of sim-run$' --resume c.scene "${program[@]}"
refused 201 '.*: this is a pipe, expected a file' --resume <(cat x.ck) "${program[@]}"
head -c 19 x.ck >cut.ck
refused 201 'cut.ck: it is cut short$' --resume cut.ck "${program[@]}"
refused 201 'none: No such file' --resume none "${program[@]}"
refused 201 '.*: Is a directory' --resume . "${program[@]}"
refused 201 "x.ck: made with '--harts 16', here it is '--harts 24'\$" -a tiny -s chip.tms=3 \
    --resume x.ck "${program[@]}"
refused 201 "x.ck: made with '    size  *16384.*', here it is '    size  *8192" "${chip[@]}" \
    -s l1.size=8192 --resume x.ck "${program[@]}"
refused 201 "x.ck: made with '    max_rays  *[0-9]* .*', here it is '    max_rays  *7 " "${chip[@]}" \
    -s rtcore.max_rays=7 --resume x.ck "${program[@]}"
refused 201 "x.ck: made with 'argument 3: 8', here it is 'argument 3: 16'\$" "${chip[@]}" \
    --resume x.ck "$samples/primary" c.scene --size 16
refused 201 "x.ck: made with 'program 0: xxh64 [0-9a-f]*'" "${chip[@]}" --resume x.ck spin.elf
status=0
"$sim" --quiet -a tiny --timing roi --max-cycles 500 --checkpoint z.ck "${program[@]}" >out 2>err ||
    status=$?
[ $status = 205 ] && [ ! -e z.ck ] && grep -q '^sim-run: z.ck: not saved at cycle 500, which is' err ||
    fail "a limit where nothing is timed: status $status"
refused 201 "x.ck: made with '--timing full', here it is '--timing roi'" "${chip[@]}" \
    --timing roi --resume x.ck "${program[@]}"
refused 201 "x.ck: made with '--interval 0', here it is '--interval 500'" "${chip[@]}" -o got \
    --interval 500 --resume x.ck "${program[@]}"
refused 200 '--max-cycles 29999: expected more than the cycle of x.ck, 30000$' "${chip[@]}" \
    --max-cycles 29999 --resume x.ck "${program[@]}"
refused 205 'none/x.ck: cannot write a checkpoint: No such file' --checkpoint none/x.ck "${program[@]}"
refused 201 "x.ck: made with 'argument 3: 8', here it is 'argument 3: 9'\$" --resume x.ck \
    "$samples/primary" c.scene --size 9
refused 200 '--checkpoint-every 1m: expected a number' --checkpoint x.ck --checkpoint-every 1m \
    "${program[@]}"
refused 200 '--checkpoint-every 0s: expected .*, seconds$' --checkpoint x.ck --checkpoint-every 0s \
    "${program[@]}"
refused 205 '\.: cannot write a checkpoint: Is a directory' --checkpoint . "${program[@]}"
refused 201 "x.ck: made with 'windows of --stats-range: 0', here it is '.*: 1'\$" "${chip[@]}" \
    -o got --stats-range 1:5 --resume x.ck "${program[@]}"
refused 200 '--checkpoint-every needs --checkpoint' --checkpoint-every 5 "${program[@]}"
for with in check-memory log-commits 'cost-images 8x8' 'trace requests'; do
    read -ra option <<<"--$with -o got"
    refused 200 "--checkpoint: not with --${with% 8x8}" --checkpoint x.ck "${option[@]}" \
        "${program[@]}"
    refused 200 "--resume: not with --${with% 8x8}" --resume x.ck "${option[@]}" "${program[@]}"
done
[ -z "$(compgen -G '*.ck.[0-9]*')" ] || fail "half a file is left"
echo "refused: ok"
