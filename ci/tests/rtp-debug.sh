#!/bin/bash
# What helps to find faults in programs of the processor rtp: source lines and symbols
# in faults, with timing and without, for programs assembled with -g; who waits for what
# in deadlocks and at --max-cycles; intervals that add up to the totals.
# ci: area rtp
# ci: needs bin/sim-run sdk-commands
. ci/tests/head

[ -x "$bin/corbel-rtp-as" ] && "$bin/corbel-rtp-as" --version >/dev/null 2>&1 || {
    skip "no corbel-rtp-as (make toolchain)"
}
cd "$dir"

program() { # NAME: assembled with -g from standard input
    cat >"$1.s"
    "$bin/corbel-rtp-as" -g "$1.s" -o "$1.o"
    "$bin/corbel-rtp-ld" "$1.o" -o "$1"
}
# ends STATUS TEXT OPTION...: and says the text
ends() {
    local expected=$1 text=$2 status=0
    shift 2
    "$sim" --quiet "$@" >said 2>&1 || status=$?
    [ $status -eq "$expected" ] || { cat said; fail "$*: status $status, not $expected"; }
    grep -qF -- "$text" said || { cat said; fail "$*: '$text' expected"; }
}

program store <<'S'
start:  and             R0,R0,R0
        s_mov           R3,R29
        jmp_link        place
        fin

place:  ii_addi         R3,R3,#2
        s_store_4byte   R1,R3,#0
        ret
S
program unknown <<'S'
start:  and             R0,R0,R0
        .macro  unknown
        .word   0x10000000
        .endm
behind: unknown
        fin
S
program stuck <<'S'
start:  and             R0,R0,R0
        cmp_i           R1,R0
        be              last
        fin
last:   ret             R0
S
program forever <<'S'
start:  and             R0,R0,R0
        cmp_i           R1,R0
        be              loop
        fin
loop:   jmp             loop
S
program work <<'S'
start:  and             R0,R0,R0
        s_mov           R3,R29
        ii_modi         R2,R1,#7
loop:   s_store_4byte   R2,R3,#0
        s_load_4byte    R4,R3,#0
        ii_subi         R2,R4,#1
        cmp_i           R2,R0
        bg              loop
        trace
        fin
S

where='pc 0x18 <place+0x4> (store.s:7): s_store_4byte R1,R3,#0 address 0x80000002'
ends 202 "fault: $where" --functional -s core.strict=1 store --pixels 3
ends 202 "fault: hart 0, cycle " -s core.strict=1 store --pixels 3
grep -qF "$where" said || { cat said; fail "no source line with timing"; }
where='pc 0x4 <behind>'
ends 202 "fault: $where" --functional unknown --pixels 1
ends 202 ", $where" unknown --pixels 1
grep -qF 'illegal instruction 0x10000000 in thread 0, pixel 0' said || fail "which instruction"

# Deadlock: pixels 0 to 2, of which only the first hangs.
ends 203 'deadlock at cycle ' stuck --pixels 3
grep -qF 'at 0x10 <last> (stuck.s:5)' said || { cat said; fail "no place of the hart"; }
grep -qF 'core0: thread 0 at PC 0x10, ret by R0, which is never written' said || fail "no reason"
grep -qF 'dispatcher: 2 of 3 threads have ended; 0 wait' said || { cat said; fail "dispatcher"; }
[ "$(grep -c 'core[1-3]: thread' said)" = 0 ] || { cat said; fail "cores that do not wait"; }
# The work that the status line shows, and how much of it is done.
"$sim" stuck --pixels 3 >said 2>&1 || true
grep -qF '2 of 3 announced work items are finished' said || { cat said; fail "work"; }
# Without timing one core runs all threads: the other cores are not listed.
one_hart() {
    [ "$(grep -c 'hart.* running, at' said)" = 1 ] || { cat said; fail "$1: harts not one"; }
}
ends 203 'deadlock: pc 0x10 <last> (stuck.s:5): ret by R0' --functional stuck --pixels 3
one_hart deadlock

ends 204 'core0: thread 0 at PC 0x10' --max-cycles 4000 forever --pixels 3
grep -qF 'at 0x10 <loop> (forever.s:5)' said || { cat said; fail "no place in the loop"; }
ends 204 'at 0x10 <loop> (forever.s:5)' --functional --max-cycles 4000 forever --pixels 3
one_hart limit

# Intervals: a border every 112 cycles (7 epochs), and the sums are those of the whole run.
"$sim" --quiet --interval 112 --epoch 16 -o out work --pixels 40 >/dev/null 2>&1
python3 - <<'E2' || fail "intervals"
import csv, json
stats = json.load(open("out/stats.json"))
sums, borders = {}, []
for row in csv.DictReader(open("out/intervals.csv")):
    key = row["group"], row["stat"]
    sums[key] = sums.get(key, 0) + int(row["value"])
    borders += [int(row["cycle"])] if int(row["cycle"]) not in borders else []
cycles = stats["cycles"]
assert borders == [*range(112, cycles, 112), cycles], (borders, cycles)
for name, group in stats["groups"].items():
    for stat, value in {**group["counters"], **group["buckets"]}.items():
        assert sums.get((name, stat), 0) == value, (name, stat, value)
assert sums["dispatcher", "threads"] == 40 and sums["core", "loads"] > 40, sums
E2
echo "rtp-debug: places, reasons and intervals"
