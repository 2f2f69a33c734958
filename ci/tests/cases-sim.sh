#!/bin/bash
# Chips that once broke the simulator: each file of ../shared/cases/sim, and
# inputs of our own of the same kinds. A file that this test does not know fails.
# ci: area arch host
# ci: needs bin/sim-run bin/corbel-scene samples/rv64/mandelbrot samples/native/mandelbrot
. ci/tests/head

cases=$shared/cases/sim

# Ways to run that must all give one hash.
ways=("-j 1" "-j 2" "-j 1 --epoch 1" "-j 2 --epoch 1 --schedule dynamic"
    "-j 1 --no-skip" "-j 2 --reverse-units")

"$B/samples/native/mandelbrot" --size 6 --out "$dir/native.ppm" >/dev/null

# runs CHIP: the program ends, with the native image and one hash
runs() {
    local way hash first=
    for way in "${ways[@]}"; do
        rm -f "$dir/image.ppm"
        # shellcheck disable=SC2086
        hash=$("$sim" -a "$1" $way --quiet "$B/samples/rv64/mandelbrot" --size 6 \
            --out "$dir/image.ppm" 2>&1 >/dev/null) ||
            { complain "$1 $way: status $?: $(tail -n 1 <<<"$hash")"; return; }
        first=${first:-$hash}
        [ "$hash" = "$first" ] || complain "$1 $way: $hash, not $first"
        cmp "$dir/native.ppm" "$dir/image.ppm" || complain "$1 $way: another image"
    done
    echo "runs: ${1##*/}: $first"
}

# refused STATUS PATTERN COMMAND...: one line, no file
refused() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$@" >"$dir/out" 2>"$dir/err" || got=$?
    if [ $got -ne "$status" ] || [ "$(wc -l <"$dir/err")" -ne 1 ] ||
        ! grep -qE -e "$pattern" "$dir/err"; then
        complain "$*: status $got, expected $status and one line like: $pattern"
        head -n 3 "$dir/err"
    fi
}

# Answers that share a link of depth 1, from a unit that has several at once.
cat >"$dir/answers.lua" <<'END'
local t = {tile("t0"), tile("t1"), tile("t2")}
local tp = unit{tile = t[1], kind = "tp", name = "tp", harts = 4, imul_unit = 1}
local l1 = unit{tile = t[1], kind = "cache", name = "l1", size = 4096}
local l2 = unit{tile = t[2], kind = "cache", name = "l2", owner = 1, size = 4096}
local memory = unit{tile = t[3], kind = "memory", name = "memory"}
local sfu = unit{tile = t[2], kind = "sfu", name = "sfu"}
local scheduler = unit{tile = t[3], kind = "scheduler", name = "scheduler"}
local counter = unit{tile = t[1], kind = "workcounter", name = "counter"}
local function narrow(a, request, b, input, reply, answer)
  link{from = a, out = request, to = b, inp = input, latency = 1, depth = 64}
  link{from = b, out = reply, to = a, inp = answer, latency = 63, depth = 1}
end
narrow(tp, "mem", l1, "cpu", "reply", "data")
narrow(tp, "next", scheduler, "next", "index", "index")
narrow(tp, "op", sfu, "op", "done", "done")
narrow(l1, "mem", l2, "cpu", "reply", "fill")
narrow(l2, "mem", memory, "cpu", "reply", "fill")
narrow(scheduler, "ask", counter, "ask", "block", "block")
END
runs "$dir/answers.lua"

# ---- no memory: one line and status 205, whatever part asks for it
program=("$B/samples/rv64/mandelbrot" --size 4 --out "$dir/image.ppm")

# within KIB COMMAND...: in KIB of address space
within() { (ulimit -v "$1" && exec "${@:2}"); }

huge=8000000
refused 205 'out of memory: [0-9]+ bytes for scratch memory of 47104 harts' \
    within $huge "$sim" -a rtx2080 -s tp.scratch=1M "${program[@]}"
refused 205 "out of memory: [0-9]+ bytes for the program's memory" \
    within $huge "$sim" -a tiny --memory 16G "${program[@]}"
refused 205 'out of memory: [0-9]+ bytes for memory \(memory\)' \
    within $huge "$sim" -a "$dir/answers.lua" -s memory.latency=99999 \
    -s memory.bandwidth=900000000 "${program[@]}"
# a stack that does not fit
refused 205 'cannot start host thread 2 of 2: ' within $huge bash -c \
    'ulimit -s 16000000 && exec "$@"' - "$sim" -a tiny -j 2 "${program[@]}"

# Too little at any point of a run: it ends well, or in one line.
ended=0 lacked=0
for ((kib = 20000; kib <= 140000; kib += 4000)); do
    got=0
    within $kib "$sim" -a tiny --memory 32M -j 2 --quiet --checkpoint "$dir/x.ck" \
        --checkpoint-every 20000 "${program[@]}" \
        >"$dir/out" 2>"$dir/err" || got=$?
    lines=$(wc -l <"$dir/err")
    case $got:$lines in
    0:1) ended=$((ended + 1)) ;;
    205:1) lacked=$((lacked + 1)) ;;
    205:*) # there was enough for the run, but not for each checkpoint
        [ "$(grep -cvE "^(sim-run: $dir/x.ck|results hash): " "$dir/err")" = 0 ] &&
            grep -q '^results hash: ' "$dir/err" || complain "with $kib KiB: $(head -n 3 "$dir/err")"
        ended=$((ended + 1))
        ;;
    127:*) ;; # the system does not even load it
    *) complain "with $kib KiB: status $got, $lines lines" && head -n 3 "$dir/err" ;;
    esac
done
[ -s "$dir/x.ck" ] && [ -z "$(compgen -G "$dir/x.ck.*.part")" ] || complain "no checkpoint, or half of one"
[ $ended -gt 0 ] && [ $lacked -gt 0 ] || complain "memory was never scarce, or always"
echo "with little memory: $lacked runs ended in one line, $ended went on"

# ---- clocks so far apart that the host would count for ever
refused 201 'dram: core_clock: 1 kHz with a DRAM of .* 4096 times the other' \
    "$sim" -a rtx2080 -s dram.core_clock=1 "${program[@]}"
refused 201 'dram: core_clock: 31 kHz' "$sim" -a rtx2080 -s dram.core_clock=31 \
    "${program[@]}"
refused 201 'dram: core_clock: .* with a DRAM of 1 kHz' \
    "$sim" -a rtx2080 -s dram.clock=1 "${program[@]}"
status=0
"$sim" -a core -s chip.clock=1 --quiet --max-cycles 20000 "${program[@]}" \
    >"$dir/out" 2>"$dir/err" || status=$?
[ $status -eq 204 ] || complain "chip.clock=1: status $status"

# ---- what programs say of memory that is not theirs
assemble() { # FILE XLEN ASSEMBLY OPTION...
    printf '.globl _start, tohost\n_start:\n%s\n' "$3" >"$dir/program.S"
    riscv64-unknown-elf-gcc -march="rv$2ima" -mabi="$([ "$2" = 32 ] && echo i || echo)lp$2" \
        -nostdlib -static -Wl,-Ttext=0x100000 "${@:4}" "$dir/program.S" -o "$1"
}
if command -v riscv64-unknown-elf-gcc >/dev/null; then
    for at in 0x10 0x200000000 0xfffffffffffffff8; do
        assemble "$dir/tohost" 64 'j .' -Wl,--defsym=tohost=$at
        for mode in --functional '-a tiny'; do
            # shellcheck disable=SC2086
            refused 201 "symbol tohost, $at, lies outside of memory" \
                timeout 60 "$sim" $mode "$dir/tohost"
        done
    done
    # A path whose first letter is the last byte of RAM, and whose end the first
    # one of scratch memory: EFAULT (14), not what lies there on the host.
    assemble "$dir/across" 32 'li a1, 0xffefffff
li t0, 97
sb t0, 0(a1)
sb zero, 1(a1)
li a0, -100
li a2, 0
li a7, 56
ecall
neg a0, a0
li a7, 93
ecall'
    for mode in "--functional -a core" "-a core"; do
        status=0
        # shellcheck disable=SC2086
        "$sim" $mode --memory 4G -s tp.scratch=1M --quiet "$dir/across" \
            >"$dir/out" 2>"$dir/err" || status=$?
        [ $status -eq 14 ] || { complain "across $mode: status $status"; head -n 3 "$dir/err"; }
    done
else
    echo "no riscv64-unknown-elf-gcc: programs of our own are left out"
fi

if [ ! -d "$cases" ]; then
    [ $failures -eq 0 ] || exit 1
    skip "no $cases; inputs of our own passed"
fi
for file in "$cases"/*; do
    case ${file##*/} in
    credits.lua | credits2.lua) runs "$file" ;;
    out-of-memory.lua)
        refused 205 'out of memory: [0-9]+ bytes for m \(memory\)' \
            within $huge "$sim" -a "$file" "${program[@]}"
        ;;
    *) complain "$file: this test does not know it" ;;
    esac
done
