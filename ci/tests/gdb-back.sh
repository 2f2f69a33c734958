#!/bin/bash
# sim-run --gdb goes backwards: to where the run was, with the registers and memory that it had,
# over launches and calls that read and write files, and without a trace in its results.
# ci: area host
. ci/tests/sessions

back=$root/ci/tests/gdb/back.py
"$bin/corbel-gcc" -Og -g -o files "$root/ci/tests/gdb/files.c"
hash_of() { sed -n 's/^results hash: //p' "$1"; }

# ---- in gdb's words: over a launch, the last writer, steps, to the begin and on to the end
elf=$S/hello
"$sim" -a tiny "$elf" >/dev/null 2>plain
session "$elf" -a tiny "$elf" -- -ex 'break main' -ex c -ex next -ex 'watch -l sum' -ex c -ex c \
    -ex reverse-continue -ex reverse-continue -ex 'delete 2' -ex reverse-continue \
    -ex 'tbreak add_numbers' -ex c -ex 'p $at = $hart_cycle' -ex stepi -ex stepi -ex reverse-stepi \
    -ex reverse-stepi -ex 'p $hart_cycle - $at' -ex 'set var $a0 = 7' -ex reverse-continue \
    -ex reverse-continue -ex c -ex next -ex reverse-next -ex 'monitor history' -ex delete -ex c
expect 'hit Hardware watchpoint 2: -location sum'
expect '^New value = 0$'
expect '^\$2 = 0$'
expect '^back to cycle 0, by [0-9]+ copies, which take [0-9]+ MB; the run has come to cycle [0-9]+$'
expect 'what is past cannot be changed'
expect '^No more reverse-execution history\.'
[ "$(grep -c 'hit Breakpoint 1, main' log)" -ge 3 ] || fail 'main is not come to again'
expect 'Inferior 1 \(Remote target\) exited normally'
[ "$(hash_of err)" = "$(hash_of plain)" ] || fail 'results are others'

# ---- files and output are those of the run, and calls give what they gave
elf=$dir/files
printf '1\n20\n300\n' >in.txt
"$sim" -a tiny "$elf" in.txt out.txt >plain.out 2>plain
mv out.txt plain.txt
printf '1\n20\n300\n' >in.txt
session "$elf" -a tiny "$elf" in.txt out.txt -- -ex 'break add' -ex c -ex c -ex c -ex 'p value' -ex finish \
    -ex reverse-continue -ex reverse-continue -ex 'p value' -ex reverse-continue -ex 'p value' -ex 'p total' \
    -ex reverse-finish -ex delete -ex 'break remove' -ex c -ex reverse-step -ex 'break add' -ex reverse-continue -ex 'p value' \
    -ex delete -ex c
expect '^\$1 = 300$'
expect '^\$2 = 20$'
expect '^\$3 = 1$'
expect '^\$4 = 0$'
expect '^0x[0-9a-f]+ in main .*files.c:18$'
expect '^\$5 = 300$'
[ "$(grep -c '^added' err)" = 3 ] || fail 'what is executed again prints again'
cmp -s out.txt plain.txt || fail 'the file that was written is another'
[ ! -e in.txt ] || fail 'the file that was removed is there'
[ "$(hash_of err)" = "$(hash_of plain)" ] || fail 'results are others'

# ---- from a fault to what led to it
printf '1\n20\n300\n' >in.txt
session "$elf" -a tiny "$elf" in.txt out.txt fault -- -ex c -ex 'break add' -ex reverse-continue -ex 'p value' \
    -ex c -ex reverse-stepi -ex stepi -ex c
expect '^\$1 = 300$'
[ "$(grep -c 'received signal SIGSEGV' log)" -ge 2 ] || fail 'the fault does not come again'

# ---- who has written a pixel last: the hart that also is found forwards
elf=$S/primary
"$bin/corbel-scene" generate cornell c.scene >/dev/null
program=("$elf" c.scene --size 16 --out i.png)
"$sim" -a tiny "${program[@]}" >/dev/null 2>plain
session "$elf" -a tiny "${program[@]}" -- -ex 'break frame_finish' -ex c -ex 'watch -l frame->pixels[100]' \
    -ex 'p $pixel = &frame->pixels[100]' -ex reverse-continue -ex 'p/d $writer = $hart_id' -ex 'p/d $when = $hart_instret' \
    -ex 'delete 2' -ex 'delete 1' -ex reverse-continue -ex 'watch *(unsigned *)$pixel' -ex c -ex 'p $hart_id == $writer' \
    -ex 'p $hart_instret == $when + 2' -ex delete -ex c
expect '^New value = 0$'
expect 'frame_set \('
expect '^No more reverse-execution history\.'
expect '^\$4 = 1$'
expect '^\$5 = 1$'
[ "$(hash_of err)" = "$(hash_of plain)" ] || fail 'results are others'

# ---- no way back
elf=$S/hello
session "$elf" --gdb-history 0 -a tiny "$S/hello" -- -ex 'break main' -ex c -ex reverse-stepi -ex kill
expect 'does not support this command'

# ---- random walks
for run in "12 1 -a tiny" "6 2 -a tiny -j2 --checkpoint ck --checkpoint-every 3000" "6 3 -a tiny-simt"; do
    read -ra options <<<"$run"
    timeout 200 "$back" "$sim" "$bin/corbel-nm" "$S/hello" add_numbers+ "${options[@]}" "$S/hello" >log 2>&1 ||
        fail "random walk: $run: $(tail -n 1 log)"
done
timeout 200 "$back" "$sim" "$bin/corbel-nm" "$S/primary" kernel 8 4 -a rtx2080 -s chip.tms=2 -j2 \
    "${program[@]}" >log 2>&1 || fail "random walk: primary: $(tail -n 1 log)"
cat log
