#!/bin/bash
# What cannot be written is told, with the documented status: all that is
# printed for its own sake; and at the end of a run each file by itself, while
# the others are written, and the summary and the hash are there. So it is with
# checkpoints, pipes without a reader, and a folder that is gone. Files of an
# earlier run do not stay beside new ones.
# ci: area host tools
# ci: needs bin/sim-run bin/corbel-scene bin/corbel-rays bin/dram-run bin/page-run bin/rtp-run
# ci: needs report runtime
. ci/tests/head

[ -c /dev/full ] || skip "no /dev/full"
tools riscv64-unknown-elf-gcc

# ---- the standard output
# full STATUS COMMAND...: that status and one line when it cannot print
full() {
    local status=$1 got=0
    shift
    "$@" >/dev/full 2>"$dir/err" || got=$?
    [ $got = "$status" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -q 'No space left' "$dir/err" || complain "$*: status $got, expected $status"
}
for option in --describe --list-archs --list-units --list-options --help --version; do
    full 205 "$sim" $option
done
full 205 "$sim" -a rtx2080 --describe
scene=$dir/cornell.scene
build/bin/corbel-scene generate cornell "$scene" >/dev/null
build/bin/corbel-rays "$scene" "$dir/c.rays" --kind primary --size 4 >/dev/null
for arguments in --help --version "info $scene" "info $scene --json" "check $scene" \
    "trace $scene --size 4" "generate cornell $dir/again.scene"; do
    full 4 build/bin/corbel-scene $arguments
done
for arguments in --help --version "info $dir/c.rays" \
    "$scene $dir/again.rays --kind primary --size 4"; do
    full 4 build/bin/corbel-rays $arguments
done
for arguments in --help --list --version; do
    full 4 build/bin/dram-run $arguments
done
for arguments in --help --version; do
    full 4 build/bin/page-run $arguments
    full 4 build/bin/rtp-run $arguments
    full 4 build/bin/sim-report $arguments
    full 4 build/bin/sim-diff $arguments
done

# ---- the files at the end of a run
cat >"$dir/program.S" <<'END'
    .globl _start
_start:
    bnez a0, park
    li t0, 2000
    la t1, word
1:  addi t0, t0, -1
    lw t2, 0(t1)
    addi t1, t1, 32
    bnez t0, 1b
    li a0, 7
    li a7, 93
    ecall
park:
    li a7, 0x1001
    ecall
    .data
    .globl begin_signature, end_signature
begin_signature:
word: .word 0
    .zero 65536
end_signature:
END
riscv64-unknown-elf-gcc -march=rv64imafc -mabi=lp64f -mcmodel=medany -nostdlib \
    -static -Wl,-Ttext=0x10000 -Wl,--no-relax -Wl,--no-warn-rwx-segments \
    -o "$dir/program" "$dir/program.S"

# run BLOCKS OPTIONS: files have at most BLOCKS KiB; sim-run's status
run() {
    local blocks=$1
    shift
    ( ulimit -f "$blocks"; "$sim" "$@" "$dir/program" 2> >(cat >"$dir/err"); ) && got=0 || got=$?
    for _ in {1..50}; do
        ! grep -q '^results hash' "$dir/err" || break
        sleep 0.1
    done
}
lines() { # PATTERN COUNT
    [ "$(grep -cE -e "$1" "$dir/err")" = "$2" ] || complain "not $2 lines like: $1"
}
all=(-o "$dir/run" --interval 100 --save-caches "$dir/caches"
    --signature "$dir/signature" --host-profile "$dir/profile")

run unlimited "${all[@]}"
[ $got = 7 ] || complain "status $got, expected 7"
hash=$(grep '^results hash' "$dir/err")
for file in run/stats.json run/manifest.json run/log.txt run/intervals.csv caches \
    signature profile; do
    [ -e "$dir/$file" ] || complain "$file is missing"
    rm -f "$dir/$file"
done

# Those of more than 2 KiB fail: all but the log and the manifest.
run 2 "${all[@]}"
[ $got = 205 ] || complain "status $got, expected 205"
for what in 'cannot save the caches: File too large' '--signature .*: File too large' \
    'cannot write intervals.csv: File too large' 'cannot write stats.json: File too large' \
    'cannot write stats.txt: File too large'; do
    lines "$what" 1
done
lines "^$hash\$" 1
lines '^instructions ' 1
[ "$(ls "$dir/run" | tr '\n' ' ')" = "log.txt manifest.json " ] ||
    complain "files: $(ls "$dir/run")"
[ ! -e "$dir/caches" ] && [ ! -e "$dir/signature" ] || complain "a file is half there"

# A device keeps its place; only it fails.
run unlimited -o "$dir/run" --save-caches /dev/full
[ $got = 205 ] || complain "status $got, expected 205"
lines 'No space left' 1
[ "$(ls "$dir/run" | tr '\n' ' ')" = "log.txt manifest.json stats.json stats.txt " ] ||
    complain "files: $(ls "$dir/run")"

# ---- checkpoints: the run goes on, the one before stays, nothing is half there
ck=$dir/x.ck
run unlimited -a tiny --checkpoint "$ck" --max-cycles 3000
[ $got = 204 ] && [ -s "$ck" ] || complain "status $got, expected 204 and a checkpoint"
before=$(cksum "$ck")
run 2 -a tiny --checkpoint "$ck" --checkpoint-every 20000
[ $got = 205 ] || complain "checkpoints that do not fit: status $got, expected 205"
told=$(grep -c "^sim-run: $ck: File too large\$" "$dir/err")
[ "$told" -ge 1 ] && [ "$(grep -c '^sim-run: ' "$dir/err")" = "$told" ] ||
    complain "checkpoints that do not fit: $told lines"
lines "^$hash\$" 1
[ "$(cksum "$ck")" = "$before" ] || complain "the checkpoint before is another"
run unlimited -a tiny --checkpoint /dev/full --max-cycles 3000
[ $got = 205 ] || complain "a checkpoint to /dev/full: status $got, expected 205"
lines '^sim-run: /dev/full: No space left' 1
mkfifo "$dir/pipe"
run unlimited -a tiny --checkpoint "$dir/pipe" --checkpoint-every 20000
[ $got = 205 ] || complain "a checkpoint to a pipe: status $got, expected 205"
lines "^sim-run: $dir/pipe: cannot write a checkpoint: it is a pipe" 1
[ -z "$(compgen -G "$dir/*.[0-9]*")" ] || complain "half a file: $(ls "$dir")"

# ---- the folder is removed during the run: a line for each file, and none there
cat >"$dir/spin.c" <<'END'
int main(void)
{
    for (volatile long i = 0; i < 400000000; i++)
        ;
}
END
"build/bin/corbel-gcc" -O2 "$dir/spin.c" -o "$dir/spin"
mkdir "$dir/gone"
"$sim" --quiet -a tiny -o "$dir/gone/run" --interval 100000 "$dir/spin" 2>"$dir/err" >/dev/null &
pid=$!
for _ in {1..100}; do
    [ ! -d "$dir/gone/run" ] || break
    sleep 0.1
done
sleep 1
rm -r "$dir/gone"
kill -TERM $pid
wait $pid && got=0 || got=$?
[ $got = 205 ] || complain "the folder is gone: status $got, expected 205"
for file in intervals.csv stats.json stats.txt log.txt manifest.json; do
    lines "^sim-run: .*$file.*No such file or directory\$" 1
done
lines '^results hash' 1
[ ! -e "$dir/gone" ] || complain "the folder is there again"

# ---- earlier files
run unlimited -o "$dir/run" --interval 100
touch "$dir/run/mine"
run unlimited -o "$dir/run"
[ "$(ls "$dir/run" | tr '\n' ' ')" = "log.txt manifest.json mine stats.json stats.txt " ] ||
    complain "files beside those of an earlier run: $(ls "$dir/run")"
"$sim" -o "$dir/run" "$dir/nothing" 2>"$dir/err" && complain "it ran"
[ "$(ls "$dir/run" | tr '\n' ' ')" = "log.txt manifest.json mine stats.json stats.txt " ] ||
    complain "a refused run took files of the one before: $(ls "$dir/run")"
rm "$dir/run/stats.json"
mkdir "$dir/run/stats.json"
run unlimited -o "$dir/run" && [ $got = 205 ] && grep -q 'cannot remove stats.json' "$dir/err" ||
    complain "a folder in the place of a file: status $got"

[ $failures = 0 ] && echo "nothing is lost in silence"
