#!/bin/bash
# --functional --checkpoint saves a program where a region of interest, or a kernel, begins,
# and a timed run on any chip with as many harts goes on from there: what it gives is what a
# whole run gives, a region that starts cold has the same statistics, all of them, others
# those of --timing roi; for any -j. What does not fit is refused in one line.
# ci: area checkpoints
# ci: needs samples-rtp
. ci/tests/regions

# save ARGUMENT...: to x.ck; what is printed is in saved.out
save() {
    rm -f x.ck
    "$sim" --quiet --functional --checkpoint x.ck "$@" >saved.out 2>err </dev/null ||
        fail "--functional $*: status $?"
    [ -s x.ck ] || fail "--functional $*: nothing is saved"
}

# same A B: regions begin and end in the same cycles, or with a third word take as long, and
# have the same statistics
same() {
    regions "a, b = roi('$1'), roi('$2')
if '${3:-}':
    a['regions'], b['regions'] = lengths('$1'), lengths('$2')
assert a['regions'] and a == b"
}

# ---- a region that starts cold: nothing has touched memory before
cold 1 1
for chip in "-a core" "-a trax -s chip.tms=1" "-a trax -s chip.tms=2"; do
    what="cold, $chip"
    # shellcheck disable=SC2086
    run full $chip marked
    # shellcheck disable=SC2086
    save $chip marked
    run one -j 1 --resume x.ck
    expected=$hash
    run two -j 2 --no-skip --reverse-units --resume x.ck
    [ "$hash" = "$expected" ] || fail "$what: $hash with -j 2, expected $expected"
    same full one cycles
    same one two
done
echo "cold regions: ok"

# ---- programs on chips: picture, hits, digests and output are those of the whole run, the
# region is that of --timing roi, and all with that option. `on` is another chip than that on which it was saved.
while read -r chip; do
    read -r on
    read -r program
    what="$program, saved on $chip, resumed on $on"
    rm -f x x.png
    # shellcheck disable=SC2086
    run full $on "$rv64/"$program
    given full full.out
    # shellcheck disable=SC2086
    run roi --timing roi $on "$rv64/"$program
    whole=$hash
    rm -f x x.png
    # shellcheck disable=SC2086
    save $chip "$rv64/"$program
    run one -j 1 --resume x.ck $on
    expected=$hash
    cat saved.out one.out >both.out
    given one both.out
    cmp full.x one.x || fail "$what: not what the whole run gives"
    cmp both.out full.out || fail "$what: another output"
    same roi one
    run two -j 2 --epoch 1 --resume x.ck $on
    [ "$hash" = "$expected" ] || fail "$what: $hash with -j 2, expected $expected"
    run two --timing roi --resume x.ck $on
    # its managed memory has been synchronised before, which a chip counts
    [[ "$hash" = "$whole" || $program = uvm* ]] || fail "$what: $hash with --timing roi, expected $whole"
done <<'END'
-a rtx2080 -s chip.tms=2
-a rtx2080 -s chip.tms=2
primary a.scene --size 32 --out x.png
-a trax-rt-compressed -s chip.tms=2
-a rtx2080 -s chip.tms=1 -s l2.size=64k
primary a.scene --size 16 --out x.png
-a rtx2080 -s chip.tms=1 --harts 1000
-a rtx2080 -s chip.tms=4 --harts 1000
primary a.scene --size 16 --out x.png
-a tiny
-a tiny -s l1.size=8192 -s dram.row_policy=closed
replay a.scene a.rays --hits x
-a trax -s chip.tms=2
-a trax -s chip.tms=2
primary a.scene --size 16 --traversal software --out x.png
-a dual-streaming -s chip.tms=2 -s chip.tps=4
-a dual-streaming -s chip.tms=2 -s chip.tps=4 -s l1.size=16k
streams t.scene t.rays --mode software --hits x
-a uvm-v100 -s chip.tms=2
-a uvm-v100 -s chip.tms=2 -s gmmu.page_fault_latency=1000
uvm hotspot --size 64,2,1
-a rtx2080 -s chip.tms=2 --managed scene
-a rtx2080 -s chip.tms=2 -s chip.uvm=on --managed scene
primary a.scene --size 16 --out x.png
END
echo "other chips: ok"

# ---- what the program has on the way: scratch memory, registers, rounding, an open file
cat >kept.c <<'END'
#include <corbel/corbel.h>
#include <stdio.h>
static volatile float one = 1, three = 3;
int main(void)
{
    volatile long *scratch = (volatile long *)-64;
    FILE *file = fopen("kept.txt", "w");
    register float third __asm__("fs3") = one / three;
    *scratch = 42;
    fprintf(file, "before\n");
    fflush(file);
    __asm__ volatile("fsrmi 2" : "+f"(third)); /* down */
    corbel_roi_begin();
    __asm__ volatile("" : "+f"(third));
    float less = one / three;
    __asm__ volatile("fsrmi 0" : "+f"(less));
    fprintf(file, "%ld %.9g %.9g\n", *scratch, third, less);
    corbel_roi_end();
    return fclose(file);
}
END
"$bin/corbel-gcc" -O2 kept.c -o kept
save -a tiny kept
echo spoilt >kept.txt
run one --resume x.ck
[ "$(<kept.txt)" = "before
42 0.333333343 0.333333313" ] || fail "what the program has: $(<kept.txt)"

# ---- a word with an end of line is another command line than two words
goes_on_as() { # STATUS WORD...
    local status=0
    "$sim" --quiet --resume x.ck "${@:2}" >out 2>err </dev/null || status=$?
    [ $status = "$1" ] && [ "$(grep -vc '^results hash' err)" = $((status > 0)) ] ||
        fail "$(printf '%q ' "${@:2}"): status $status, expected $1: $(<err)"
}
save -a tiny --env $'A=b\n--env C=d' kept 'z\n' $'x\nargument 3: y'
goes_on_as 0 -a tiny --env $'A=b\n--env C=d' kept 'z\n' $'x\nargument 3: y'
goes_on_as 201 -a tiny --env $'A=b\n--env C=d' kept 'z\n' x y
goes_on_as 201 -a tiny --env $'A=b\n--env C=d' kept $'z\n' $'x\nargument 3: y'
goes_on_as 201 -a tiny --env A=b --env C=d kept 'z\n' $'x\nargument 3: y'

# ---- it goes on in pieces, too: a timed run's own checkpoints, before its region and in it
program=("$rv64/primary" a.scene --size 16 --out x.png)
what="in pieces"
save -a tiny -s l1.size=8192 "${program[@]}"
run one --resume x.ck
expected=$hash
begin=$(python3 -c 'import json
print(json.load(open("one/stats.json"))["region_of_interest"]["regions"][0]["begin"])')
for at in 500 $((begin + 1000)); do
    "$sim" --quiet -o two -j 2 --resume x.ck --checkpoint y.ck --checkpoint-every $at \
        --max-cycles $((begin + 1500)) >two.out 2>err && fail "no limit" || [ $? = 204 ]
    run two -j 1 --resume y.ck
    [ "$hash" = "$expected" ] || fail "$what, every $at cycles: $hash, expected $expected"
    same one two
done
# another chip has settings of its own, the same one those of the file, and what is set now
for way in "8192:" "8192:-s l2.size=64k" "16384:-a tiny"; do
    # shellcheck disable=SC2086
    run two --resume x.ck ${way#*:}
    python3 - "${way%%:*}" <<'END' || fail "$way: $(grep l1 two/manifest.json)"
import json, sys
settings = json.load(open("two/manifest.json"))["settings"]
assert ("l1.size=8192" in settings) == (sys.argv[1] == "8192"), settings
END
done
[ "$hash" != "$expected" ] || fail "-a tiny: the size of the L1 is still that of the file"

# ---- what is refused, in one line
refused() {
    local status=0
    "$sim" --quiet "${@:3}" >out 2>err </dev/null || status=$?
    [[ $status = "$1" && $(grep -vc '^results hash' err) = 1 && $(<err) =~ ^sim-run:\ $2 ]] ||
        fail "${*:3}: status $status, expected $1, $2"
}
refused 201 "x.ck: made with '--harts 8', here it is '--harts 1024'" --resume x.ck \
    -a rtx2080 -s chip.tms=1
refused 201 "x.ck: made with '--harts 8', here it is '--harts 7'" --resume x.ck --harts 7
refused 201 "x.ck: made with 'scratch memory of a hart: 4096 bytes', here it is '.*: 1024 bytes'" \
    --resume x.ck -a rtx2080 --harts 8
refused 201 "x.ck: made with 'argument 3: 16', here it is 'argument 3: 9'" --resume x.ck \
    "$rv64/primary" a.scene --size 9 --out x.png
refused 201 "x.ck: made with '--memory 4278190080', here it is '--memory 67108864'" --resume x.ck \
    --memory 64M
refused 200 '--resume: not with --functional' --functional --resume x.ck "${program[@]}"
refused 200 '--max-cycles 900: expected more than the cycle of x.ck, ' --resume x.ck --max-cycles 900
save -a trax-rt-compressed -s chip.tms=2 "${program[@]}"
refused 201 'x.ck: scene a.scene has nodes cwbvh6, the RT cores of this chip read bvh6' --resume x.ck \
    -a trax-rt -s chip.tms=2
refused 200 '--checkpoint-every: not with --functional' --functional --checkpoint y.ck \
    --checkpoint-every 5 "${program[@]}"
refused 200 '--functional --checkpoint: expected one program, and for RISC-V cores' --functional \
    --checkpoint y.ck "$root/$B/samples/rtp/mirror" --pixels 64
refused 200 '--functional --checkpoint: bare may write to its code' --functional --checkpoint y.ck bare
refused 205 'none/y.ck: cannot write a checkpoint: No such file' --functional \
    --checkpoint none/y.ck "${program[@]}"
cat >rays.c <<'END'
#include <corbel/corbel.h>
#include <corbel/streams.h>
int main(int argc, char **argv)
{
    if (argc > 2 && corbel_scene_open("t.scene"))
        corbel_ray_store(&(struct corbel_stored_ray){.hit.t = 1});
    if (argc > 1)
        corbel_roi_begin();
    return 7;
}
END
"$bin/corbel-gcc" -O2 rays.c -o rays
strata=(-a strata -s chip.tms=2)
refused 205 'y.ck: no checkpoint: rays has come to no region of interest' --functional \
    --checkpoint y.ck "${strata[@]}" rays
[ ! -e y.ck ] || rm y.ck
refused 205 'y.ck: rays are in a ray store that no kernel has emptied' --functional \
    --checkpoint y.ck "${strata[@]}" rays region stored
[ ! -e y.ck ] || fail "what cannot be saved is"
save "${strata[@]}" rays region
"$sim" --quiet --resume x.ck >out 2>err && fail "rays: no status" || [ $? = 7 ]
status=0
"$sim" --quiet --functional --checkpoint y.ck --max-cycles 100 "${program[@]}" >out 2>err || status=$?
[ $status = 204 ] && grep -q 'the limit of 100 cycles was reached' err && [ ! -e y.ck ] ||
    fail "--max-cycles: status $status"

# ---- damaged
size=$(stat -c %s x.ck)
RANDOM=${SEED:-1}
for ((i = 0; i < 10; i++)); do
    head -c $((RANDOM * 32768 % size)) x.ck >bad.ck
    refused 201 'bad.ck: (it is cut short|this is no checkpoint)' --resume bad.ck
    python3 -c 'import sys
at, bits = int(sys.argv[1]), bytearray(open("x.ck", "rb").read())
bits[at] ^= 1 << at % 8
open("bad.ck", "wb").write(bits)' $((24 + (RANDOM * 32768 + RANDOM) % (size - 24)))
    refused 201 'bad.ck: (it is damaged|it is cut short|there is something behind its end)' \
        --resume bad.ck
done
[ -z "$(compgen -G '*.ck.[0-9]*')" ] || fail "half a file is left"
echo "refused: ok"
