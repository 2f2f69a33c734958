#!/bin/bash
# --timing roi: pictures, hits and digests are those of --timing full on several chips, and
# a region that starts cold has the same statistics, all of them; without corbel_roi_begin
# kernels are timed; results do not depend on how they are computed; the program's clock
# never goes back; caches are warm or cold; what does not go together is refused in a line.
# ci: area host
. ci/tests/regions

# ---- a region that starts cold: nothing has touched memory before
while read -r launches chip; do
    cold 1 "$launches"
    for timing in full roi; do
        # shellcheck disable=SC2086
        run $timing --timing $timing $chip marked
    done
    what="cold, $chip"
    # A region may begin within a clock of the DRAM, whose states are counted by clocks.
    regions 'def differs(k, v):
    return abs(v - values("roi")[k]) > (k[2] in ("rank_open", "rank_closed"))
full = values("full")
wrong = [(k, v, values("roi")[k]) for k, v in full.items() if differs(k, v)]
assert full.keys() == values("roi").keys() and lengths("full") == lengths("roi"), full.keys()
assert not wrong, wrong
assert values("roi")["dram", "buckets", "idle"] >= 0'
done <<'END'
0 -a core
0 -a tiny
0 -a trax -s chip.tms=2
1 -a core
1 -a trax -s chip.tms=2
END

# ---- a second region finds what the first has left, or nothing
cold 2 0
for caches in warm cold; do
    run $caches --timing roi --roi-caches $caches -a core marked
done
run full --roi-caches cold -a core marked
what="two regions"
regions 'warm, cold, full = map(lengths, ("warm", "cold", "full"))
near = lambda a, b: abs(a - b) < b / 50
assert warm[0] == cold[0] and near(*cold) and warm[1] < cold[1] / 2, (warm, cold)
assert near(full[0], cold[0]) and near(full[1], cold[1]), (full, cold)'

# ---- frames on chips: what they give is that of full timing; with work enough that a region's
# length does not hang on where its last ray finds its lines
while read -r chip; do
    read -r program
    what="$chip $program"
    for timing in full roi; do
        # shellcheck disable=SC2086
        run $timing --timing $timing $chip $rv64/$program
        given $timing $timing.out
    done
    cmp full.x roi.x || fail "$what: not what full timing gives"
    regions 'a, b = sum(lengths("full")), sum(lengths("roi"))
assert a and abs(a - b) < a / 3, (a, b)
cycles = [json.load(open(f"{d}/stats.json"))["cycles"] for d in ("full", "roi")]
assert cycles[1] < cycles[0], cycles
stats = json.load(open("roi/stats.json"))
timed = stats["instructions"] - json.load(open("roi/manifest.json"))["untimed_instructions"]
region = values("roi")["tp", "counters", "instructions"] # with calls at the end of a kernel
assert abs(timed - region) < stats["harts"] + 50, (timed, region)'
done <<'END'
-a rtx2080 -s chip.tms=2
primary a.scene --size 64 --out x.png
-a rtx2080 -s chip.tms=2
replay a.scene a.rays --hits x
-a trax -s chip.tms=2
primary a.scene --size 16 --traversal software --out x.png
-a dual-streaming -s chip.tms=2 -s chip.tps=4
streams t.scene t.rays --mode software --hits x
-a dual-streaming-rt -s chip.tms=2 -s chip.tps=4
streams t.scene t.rays --mode rt --hits x
-a uvm-v100 -s chip.tms=2
uvm hotspot --size 64,2,1
END

# ---- results do not depend on how they are computed, nor on what is written of them
frame=("$rv64/replay" a.scene a.rays --hits x)
run roi --timing roi -a rtx2080 -s chip.tms=2 -j 1 "${frame[@]}"
expected=$hash
for how in "-j 2" "-j 2 --schedule dynamic" "--epoch 1" "--no-skip" "--reverse-units" \
    "--interval 1000" "--profile" "--link-stats" "--stats-range 100:5k" "--max-stall 600"; do
    # shellcheck disable=SC2086
    run roi --timing roi -a rtx2080 -s chip.tms=2 $how "${frame[@]}"
    [ "$hash" = "$expected" ] || fail "$how: results hash $hash, expected $expected"
done

# ---- without corbel_roi_begin kernels are timed; the clock goes on all the time
cat >clock.c <<'END'
#include <corbel/corbel.h>
#include <stdio.h>
#include <time.h>
static uint64_t last;
static volatile uint64_t of_another;
static void look(const char *where)
{
    uint64_t now = corbel_cycles();
    printf("%s", now <= last ? where : "");
    last = now;
}
static void kernel(void *marks)
{
    if (corbel_hart()) {
        of_another = corbel_cycles();
        return;
    }
    look("kernel\n");
#ifdef MARKS
    corbel_roi_begin();
#endif
    struct timespec nap = {0, 3000};
    nanosleep(&nap, NULL);
    look("after a nap\n");
#ifdef MARKS
    corbel_roi_end();
#endif
}
int main(void)
{
    for (int i = 0; i < 3; i++) {
        look("before\n");
        corbel_launch(kernel, NULL);
        printf("%s", of_another + 10000 < last ? "another hart\n" : "");
        look("behind\n");
    }
    struct timespec nap = {0, 5000};
    nanosleep(&nap, NULL);
    look("main\n");
    volatile int *managed = corbel_managed_alloc(4096);
    for (int i = 0; i < 3000; i++)
        *managed += i;
    look("managed memory\n");
    corbel_managed_sync();
    look("behind its way back\n");
    return 0;
}
END
"$bin/corbel-gcc" -O2 clock.c -o kernels
"$bin/corbel-gcc" -O2 -DMARKS clock.c -o marks
run paging -a tiny -s chip.uvm=on --timing roi kernels
run cold -a tiny --timing roi --roi-caches cold kernels
run one -a core --timing roi kernels
run roi -a tiny --timing roi kernels
[ ! -s paging.out ] && [ ! -s roi.out ] || fail "the clock goes back: $(cat paging.out roi.out)"
[ "$(grep -c 'launch of kernel' roi/log.txt)" = 3 ] || fail "kernels: $(cat roi/log.txt)"
python3 -c 'import json
one, cold, warm = (json.load(open(f"{d}/stats.json"))["groups"] for d in ("one", "cold", "roi"))
assert 100 < warm["tp"]["counters"]["instructions"] < 10000, warm["tp"]
assert one["tp"]["buckets"]["parked"] == 0 < one["tp"]["buckets"]["service"], one["tp"]
assert warm["l2"]["counters"]["misses_read"] < cold["l2"]["counters"]["misses_read"]' ||
    fail "kernels without regions"
"$sim" -a tiny --timing roi -o roi marks >roi.out 2>err || fail "marks: status $?"
[ "$(grep -c 'corbel_roi_begin within a kernel that is executed without timing' err)" = 1 ] ||
    fail "marks in a kernel"
grep -q 'nothing was timed: marks' err || fail "nothing timed"
[ ! -s roi.out ] || fail "the clock goes back: $(cat roi.out)"

# ---- limits
status=0
"$sim" --quiet -a tiny --timing roi --max-cycles 1000 kernels >log 2>err || status=$?
[ $status = 204 ] && grep -q 'the limit of 1000 cycles was reached' err ||
    fail "--max-cycles: status $status"

# refused STATUS PATTERN ARGUMENT...
refused() {
    local status=0
    "$sim" "${@:3}" >out 2>err || status=$?
    [[ $status = "$1" && $(wc -l <err) = 1 && $(cat err) =~ ^sim-run:\ $2 ]] ||
        fail "${*:3}: status $status, expected $1, $2"
}
python3 -c 'import struct
open("rtp.elf", "wb").write(b"\x7fELF\1\1\1" + bytes(9) + struct.pack(
    "<2H5I6H", 2, 0x5254, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0) +
    struct.pack("<8I", 1, 84, 0, 0, 4, 4, 5, 4) + bytes(4))'
refused 200 '--timing half: expected full or roi' --timing half kernels
refused 200 '--roi-caches hot: expected warm or cold' --roi-caches hot kernels
refused 200 '--timing roi: not with --functional' --functional --timing roi kernels
refused 200 '--timing roi: not with --check-memory' --check-memory --timing roi kernels
refused 200 '--timing roi: not with --log-commits' --log-commits --timing roi kernels
refused 200 '--roi-caches: not with --functional' --functional --roi-caches cold kernels
refused 200 '--timing roi: expected one program' --timing roi rtp.elf
refused 200 '--timing roi: bare may write to its code' --timing roi bare
echo "OK"
