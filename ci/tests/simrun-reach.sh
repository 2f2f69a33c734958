#!/bin/bash
# A program stays in its folder, whatever it renames: links that lead out, the run's own
# files, results, checkpoints. COUNT random programs (reach/) from the seed FIRST on.
# ci: area host
# ci: needs bin/corbel-scene
. ci/tests/guest

program words < ci/tests/reach/words.c
program random < ci/tests/reach/program.c
words=$dir/words-64

# A tree of files that the program has a right to, beside one that it has not.
tree() {
    rm -rf "$dir/files" "$dir/out"
    mkdir -p "$dir/files/sub" "$dir/files/keep" "$dir/files/run" "$dir/out"
    echo inside > "$dir/files/in.txt"
    echo given > "$dir/out/given.txt"
    local name
    for name in secret stats.json pic.ppm; do
        echo "SECRET $name" > "$dir/out/$name"
    done
    ln -s ../out/secret "$dir/files/link"
    ln -s ../out "$dir/files/up"
    ln -s keep/run.ck "$dir/files/ck"
    ln -s keep "$dir/files/by"
    ln -s none.txt "$dir/files/later"
    echo 'include "tiny"' > "$dir/files/chip.lua"
    echo 'l1.latency=9' > "$dir/files/set.txt"
    ln "$dir/files/chip.lua" "$dir/files/hard"
    cp "$words" "$dir/files/prog.elf"
}

# does EXPECTED OPTION... -- WORD...: in files, with and without timing. EXPECTED are the
# lines of stdout, parted by commas.
does() {
    local expected=$1 options=() mode status
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    for mode in --functional "-j 1"; do
        tree
        status=0
        # shellcheck disable=SC2086
        (cd "$dir/files" && ${PRELOAD:+env LD_PRELOAD=$PRELOAD} "$sim" $mode --quiet \
            "${options[@]}" prog.elf "$@") > "$dir/got" 2> "$dir/err" < /dev/null || status=$?
        tr , '\n' <<< "$expected" > "$dir/expected"
        case "$mode ${options[*]}" in # it comes to no kernel, at which it would be saved
            --functional*--checkpoint*) [ $status -ne 205 ] || status=0 ;;
        esac
        if [ $status -ne 0 ] || ! cmp -s "$dir/got" "$dir/expected"; then
            complain "$mode ${options[*]} -- $*: status $status"
            diff "$dir/expected" "$dir/got" | sed 's/^/  /' || true
            sed 's/^/  /' "$dir/err"
        fi
        [ "$(cat "$dir/out/"*)" = "$(printf '%s\n' given 'SECRET pic.ppm' 'SECRET secret' \
            'SECRET stats.json')" ] || complain "$mode ${options[*]} -- $*: changed outside"
    done
}

# ---- arguments ----

given() {
    does 'rlink -13,Rlink:pic.ppm 0,rpic.ppm -13,fpic.ppm -13' \
        -- rlink Rlink:pic.ppm rpic.ppm fpic.ppm -- pic.ppm
    does 'Rsub:old 0,Rup:sub 0,rsub/secret -13,ssub/secret -13,wsub/secret -13' \
        -- Rsub:old Rup:sub rsub/secret ssub/secret wsub/secret -- sub/secret
    does 'given,r../out/given.txt 0,w../out/given.txt -13,u../out/given.txt -13' \
        -- r../out/given.txt w../out/given.txt u../out/given.txt -- ../out/given.txt
    does 'given,rup/given.txt 0,Rup:else 0,rup/given.txt -2,Rsub:up 0,rup/given.txt -2' \
        -- rup/given.txt Rup:else rup/given.txt Rsub:up rup/given.txt -- up/given.txt
}
given
cat > "$dir/old.c" << 'END'
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
/* A kernel without openat2. */
long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == 437) {
        errno = ENOSYS;
        return -1;
    }
    long (*next)(long, ...) = (long (*)(long, ...))dlsym((void *)-1l, "syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
END
"${CC:-cc}" -shared -fPIC -w -o "$dir/old.so" "$dir/old.c" -ldl

# ---- what the run reads and writes ----

own=(-a chip.lua -s @set.txt -o run --checkpoint keep/run.ck --signature sig.txt)
kept() {
    does 'rchip.lua -13,wchip.lua -13,tset.txt -13,rhard -13,whard -13,uchip.lua -13,uhard -13,schip.lua -13,Tchip.lua -13,fset.txt -13' \
        "${own[@]}" -- rchip.lua wchip.lua tset.txt rhard whard uchip.lua uhard schip.lua \
        Tchip.lua fset.txt
    does 'include "tiny",rchip.lua 0,wchip.lua -13,Tchip.lua -13,r./set.txt -13' \
        "${own[@]}" -- rchip.lua wchip.lua Tchip.lua r./set.txt -- chip.lua
    does 'wprog.elf -13,uprog.elf -13,Rin.txt:prog.elf -13,Rprog.elf:p -13' \
        "${own[@]}" -- wprog.elf uprog.elf Rin.txt:prog.elf Rprog.elf:p
    does 'Rkeep:x -13,dkeep -13,drun -13,Rrun:x -13,Rsub:run -13,Rup:run -13,mrun -17' \
        "${own[@]}" -- Rkeep:x dkeep drun Rrun:x Rsub:run Rup:run mrun
    does 'wrun/stats.json -13,mrun/log.txt -13,Rin.txt:run/log.txt -13,Rup:run/links.csv -13,xrun/stats.json.5.part -13,wrun/mine.txt 0,Rrun/mine.txt:run/other 0' \
        "${own[@]}" -- wrun/stats.json mrun/log.txt Rin.txt:run/log.txt Rup:run/links.csv \
        xrun/stats.json.5.part wrun/mine.txt Rrun/mine.txt:run/other
    does 'wkeep/run.ck -13,w./sub/../keep//run.ck -13,w/fs/keep/run.ck -13,mkeep/run.ck -13,Rin.txt:keep/run.ck -13,tkeep/run.ck.old -13,wkeep/run.cks 0' \
        "${own[@]}" -- wkeep/run.ck w./sub/../keep//run.ck w/fs/keep/run.ck mkeep/run.ck \
        Rin.txt:keep/run.ck tkeep/run.ck.old wkeep/run.cks
    does 'wsig.txt -13,Rlink:sig.txt -13,xsig.txt.77.part -13,wsig.txt.77 0' \
        "${own[@]}" -- wsig.txt Rlink:sig.txt xsig.txt.77.part wsig.txt.77
}
kept
# Links are followed to what they lead to; the one by which a file was named stays.
does 'wck -13,xck -17,wby/run.ck -13,Rby:x 0,wlater 0,inside,rin.txt 0' \
    "${own[@]}" -- wck xck wby/run.ck Rby:x wlater rin.txt
does 'Rby:x -13,uby -13,Rup:by -13,Rkeep:x -13' \
    --checkpoint by/run.ck -- Rby:x uby Rup:by Rkeep:x
PRELOAD=$dir/old.so
does 'rlink -13,rin.txt/x -20,rup/secret -20,wsub/../in.txt -13,inside,rin.txt 0,wlater -13' \
    -- rlink rin.txt/x rup/secret wsub/../in.txt rin.txt wlater
does 'wkeep/run.ck -13,Rkeep:x -13,Rup:run -13,xrun/log.txt.1.part -13' \
    "${own[@]}" -- wkeep/run.ck Rkeep:x Rup:run xrun/log.txt.1.part
PRELOAD=

# The executable is a file that is read, and a process's memory is no file.
does 'r/proc/self/mem -13,r/proc/self/maps -13,w/proc/self/comm -13,r/proc/cpuinfo -13' \
    --fs / -- r/proc/self/mem r/proc/self/maps w/proc/self/comm r/proc/cpuinfo
mkdir "$dir/bin" # a copy, which it may destroy
cp "$sim" "$dir/bin/sim-run"
cp -r "$(dirname "$sim")/../share" "$dir/"
built=$sim sim=$dir/bin/sim-run
does "w$sim -13,R$sim:$dir/mine -13,u$sim -13,R$dir/bin:$dir/other -13" \
    --fs / -- "w$sim" "R$sim:$dir/mine" "u$sim" "R$dir/bin:$dir/other"
sim=$built

# Its standard streams, where they are files.
tree
(cd "$dir/files" && "$sim" --functional --quiet prog.elf ro.txt we.txt Ro.txt:x ui.txt ri.txt \
    -- i.txt < in.txt > o.txt 2> e.txt)
printf '%s\n' 'ro.txt -13' 'we.txt -13' 'Ro.txt:x -13' 'ui.txt -2' 'ri.txt -2' |
    cmp - "$dir/files/o.txt" || complain "the standard streams"

# ---- what is read at the end ----

# The picture that the program wrote is elsewhere by then, one outside has its path.
does 'mx 0,wx/pic.ppm 0,Rx:y 0,Rup:x 0' -o run -- mx wx/pic.ppm Rx:y Rup:x
grep -q '"images":[[:space:]]*\[\]' "$dir/files/run/manifest.json" ||
    complain "a picture outside: $(grep -A4 images "$dir/files/run/manifest.json")"

# The source is another file by then.
tree
cp ci/tests/reach/words.c "$dir/start.S" "$dir/files/"
echo '#include "guest.h"' | cat - ci/tests/reach/words.c > "$dir/files/source.c"
seq 200 | sed 's/^/SECRET /' > "$dir/out/secret"
(cd "$dir/files" && riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -mcmodel=medany -O1 \
    -g -w -ffreestanding -nostdlib -static -I"$OLDPWD" -I"$dir" -Wl,-Ttext=0x10000 \
    -Wl,--no-relax -Wl,--no-warn-rwx-segments -o prog.elf start.S source.c
"$sim" --quiet -j 1 -o run --profile prog.elf l rin.txt -- > "$dir/got" 2>&1
grep -q 'volatile int i' run/profile.txt || { echo "no source" >&2; exit 1; }
"$sim" --quiet -j 1 -o run --profile prog.elf l Rlink:source.c > "$dir/got" 2>&1
! grep -q SECRET run/*) || complain "no source, or one read through a link that leads out"

# ---- results stay in the folder that they were meant for ----

# The other run moves the first one's folder away while it spins, and takes its name.
tree
(cd "$dir/files" && mkdir by2 && "$sim" --quiet -j 1 -o by2/out prog.elf l l l l l l l l l \
    > "$dir/got" 2> "$dir/err") &
first=$!
until [ -d "$dir/files/by2/out" ]; do sleep 0.02; done
until flock -n "$dir/files/by2/out" true 2> "$dir/err2"; [ $? -eq 1 ]; do sleep 0.02; done
mv "$dir/files/by2/out" "$dir/files/by2/first"
ln -s ../../out "$dir/files/by2/out"
wait $first || complain "a run whose folder was renamed: $(cat "$dir/err")"
[[ -s $dir/files/by2/first/stats.json && -s $dir/files/by2/first/manifest.json ]] ||
    complain "results did not stay in the folder that was moved"
[ "$(cat "$dir/out/stats.json")" = 'SECRET stats.json' ] || complain "results went elsewhere"

# ---- what a checkpoint alone does not allow ----

# begins OPTION... -- WORD...: a run that is saved, in files, while it does what lead says.
lead=(l)
begins() {
    tree
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    (cd "$dir/files" && "$sim" --quiet -j 1 --checkpoint x.ck --max-cycles 30000 \
        "${options[@]}" prog.elf "${lead[@]}" "$@" > /dev/null 2> "$dir/err") && complain "it was not saved"
    [ -s "$dir/files/x.ck" ] || complain "no checkpoint: $(cat "$dir/err")"
}
# goes_on STATUS WORDS OPTION...: WORDS are those that it wants to be repeated.
goes_on() {
    local expected=$1 words=$2 status=0
    shift 2
    (cd "$dir/files" && "$sim" --quiet -j 1 --resume x.ck "$@") > "$dir/got" 2> "$dir/err" \
        < /dev/null || status=$?
    [ $status -eq "$expected" ] || complain "$*: status $status: $(cat "$dir/err")"
    [ -z "$words" ] || { [ "$(wc -l < "$dir/err")" -eq 1 ] &&
        grep -qF -- "to go on as it was begun, repeat $words" "$dir/err"; } ||
        complain "$*: $(cat "$dir/err"), expected: repeat $words"
}
begins -- rlink -- in.txt
goes_on 0 ""
begins --fs / -- rin.txt
goes_on 201 "--fs /"
goes_on 0 "" --fs .
goes_on 0 "" --fs /
begins --fs "$dir/files" -- rin.txt # it is the current one
goes_on 0 ""
begins -o run --signature 'a sig.txt' --save-caches "it's.sav" --max-fs 17G -- rin.txt
goes_on 201 "--max-fs 18253611008 --outdir run --save-caches 'it'\\''s.sav' --signature 'a sig.txt'"
goes_on 201 "--signature 'a sig.txt'" -o other --save-caches c --max-fs 1M
goes_on 0 "" -o other --save-caches c --max-fs 1M --signature s
begins -- rin.txt -- ../out/given.txt
goes_on 201 "prog.elf l rin.txt -- ../out/given.txt"
goes_on 0 "" prog.elf l rin.txt -- ../out/given.txt
# The program has put a link in the place of what was an argument, and is repeated.
lead=()
begins -- Rin.txt:x Rlink:in.txt l rin.txt -- in.txt
lead=(l)
goes_on 201 "prog.elf Rin.txt:x Rlink:in.txt l rin.txt -- in.txt"
grep -qF "(in.txt is $dir/out/secret)" "$dir/err" || complain "not told: $(cat "$dir/err")"
goes_on 0 "" prog.elf Rin.txt:x Rlink:in.txt l rin.txt -- in.txt
grep -q 'rin.txt -13' "$dir/got" || complain "an argument leads elsewhere: $(cat "$dir/got")"
begins --max-fs 1M -- rin.txt # less than without it
goes_on 0 ""

# Words that no sim-run would have written so. forged OPTIONS WORD...: the first OPTIONS of
# them are of options.
FORMAT=$(format_of CHECKPOINT)
export FORMAT
cat > "$dir/forge.py" << 'END'
import os
import struct
import sys
words = [w.encode() for w in sys.argv[3:]]
data = b"\0" + struct.pack("<II", len(words), int(sys.argv[2]))
data += b"".join(struct.pack("<I", len(w)) + w for w in words)
block = struct.pack("<I", len(data) << 3 | 1)[:3] + data    # the last one, not packed
with open(sys.argv[1], "wb") as f:
    f.write(f"corbel checkpoint {os.environ['FORMAT']}\n".encode() + b"\x28\xb5\x2f\xfd\0\x58" + block)
END
forged() { python3 "$dir/forge.py" "$dir/files/x.ck" "$@"; }
tree
forged 1 --fs=/ prog.elf
goes_on 201 "--fs /"
forged 3 --out=a -ob --max-f=1000G prog.elf
goes_on 201 "--max-fs 1073741824000 --outdir b"
forged 2 --program other.elf,image=/x prog.elf
goes_on 201 "--program other.elf,image=/x"
forged 2 -o run prog.elf ../out/given.txt
goes_on 201 "--outdir run prog.elf ../out/given.txt"
# What one process alone is about is not taken from a file at all.
forged 4 --checkpoint y.ck --host-profile tiles.csv prog.elf
goes_on 201 ""
[ ! -e "$dir/files/tiles.csv" ] || complain "--host-profile of a file is heeded"

# ---- random programs ----

"${B:-build}/bin/corbel-scene" generate cornell "$dir/c.scene" > /dev/null 2>&1
mkdir "$dir/random"
first=${FIRST:-0} count=${COUNT:-150}
ci/tests/reach/campaign.py "$sim" "$dir/random-64" "$dir/c.scene" "$dir/random" "$first" \
    $((first + count)) || complain "a random program"
LD_PRELOAD=$dir/old.so ci/tests/reach/campaign.py "$sim" "$dir/random-64" "$dir/c.scene" \
    "$dir/random" "$first" $((first + count / 10)) || complain "without openat2: a random program"

[ $failures -eq 0 ] && echo "programs stay in their folders"
