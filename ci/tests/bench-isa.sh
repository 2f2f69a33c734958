#!/bin/bash
# The programs of the benchmark give the same checksums natively, on rv64 and
# rv32, with and without timing, on 1, 4 and 64 harts of the chip core, in each
# rounding mode; they refuse bad usage; a bare program runs on that chip;
# ci/bench-isa works and writes JSON.
# ci: area speed isa
# ci: needs bin/sim-run bin/corbel-scene sample-records sample-kernels sample-floats sample-path
. ci/tests/head

samples=$B/samples
compared=0

# same OPTIONS PROGRAM ARGUMENT...: prints what it does natively
same() {
    local options=$1 program=$2 got
    shift 2
    # shellcheck disable=SC2086
    got=$("$sim" --quiet -a core $options "$samples/$program" "$@" 2>"$dir/log") ||
        fail "$options $program $*"
    [ "$got" = "$expected" ] || fail "$options $program $*: $got, natively $expected"
    compared=$((compared + 1))
}

# everywhere NAME ROUNDS [ARGUMENT...]
everywhere() {
    local name=$1 harts
    shift
    expected=$(CORBEL_THREADS=1 "$samples/native/$name" "$@")
    [[ $expected == *checksum* ]] || fail "$name: $expected"
    [ "$(CORBEL_THREADS=3 "$samples/native/$name" "$@")" = "$expected" ] ||
        fail "$name differs with 3 threads"
    for harts in 1 4; do
        same "--functional -s chip.harts=$harts" "rv64/$name" "$@"
        same "--functional -s chip.harts=$harts" "rv32/$name" "$@"
        same "-s chip.harts=$harts" "rv64/$name" "$@"
    done
}

everywhere records 8
everywhere kernels 8
same "-s chip.harts=64" rv64/kernels 8
same "-s chip.harts=4" rv32/kernels 8
checksums=
for rounding in near zero down up; do
    for flags in keep clear set; do
        everywhere floats 10 $rounding $flags
    done
    checksums+=${expected##* }$'\n'
done
[ "$(sort -u <<<"${checksums%?}" | wc -l)" = 4 ] ||
    fail "rounding modes make no difference: $checksums"

# Known ones, so that a change of the programs is noticed.
[[ $("$samples/native/records" 1) == *"checksum c8619d59" ]] || fail "records changed"
[[ $("$samples/native/kernels" 1) == *"checksum 0a3adb29" ]] || fail "kernels changed"

# A bare program on core: every hart adds its number to a sum by lr and sc, takes
# an illegal instruction's trap and adds 100 in its handler; hart 0 waits for all.
cat >"$dir/bare.S" <<'END'
    .macro add_to symbol, amount
1:  la t0, \symbol
    lr.w t1, (t0)
    add t1, t1, \amount
    sc.w t2, t1, (t0)
    bnez t2, 1b
    .endm
    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    csrr s0, mhartid
    add_to sum, s0
    unimp
    li t3, 1
    add_to done, t3
    bnez s0, stop
2:  fence
    lw t0, done
    li t1, HARTS
    bne t0, t1, 2b
    lw t0, sum
    li t1, HARTS * (HARTS - 1) / 2 + 100 * HARTS
    sub t0, t0, t1
    slli t0, t0, 1
    ori t0, t0, 1
    la t1, tohost
    sw t0, 0(t1)
stop:
    j stop
    .balign 4
handler:
    csrr t3, mcause
    addi t3, t3, -2
    bnez t3, stop
    li t3, 100
    add_to sum, t3
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
    .data
sum: .word 0
done: .word 0
    .balign 64
    .globl tohost, fromhost
tohost: .dword 0
fromhost: .dword 0
END
for harts in 1 4 64; do
    for xlen in 64 32; do
        abi=lp64
        [ $xlen = 64 ] || abi=ilp32
        riscv64-unknown-elf-gcc -march=rv${xlen}ima_zicsr -mabi=$abi -nostdlib \
            -static -DHARTS=$harts -Wl,-Ttext=0x80000000,--no-relax -o "$dir/bare" "$dir/bare.S"
        for mode in "" --functional; do
            # shellcheck disable=SC2086
            "$sim" --quiet -a core -s chip.harts=$harts $mode --max-cycles 1000000 \
                "$dir/bare" >/dev/null 2>"$dir/log" ||
                fail "bare program, $harts harts, rv$xlen $mode"
            compared=$((compared + 1))
        done
    done
done

# refused MESSAGE COMMAND...
refused() {
    local status=0
    "${@:2}" >"$dir/out" 2>"$dir/log" || status=$?
    [ $status = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/log")" = 1 ] &&
        grep -q -- "$1" "$dir/log" ||
        { cat "$dir/log"; fail "status $status, expected 2 and '$1': ${*:2}"; }
}
for count in 0 x 1x '' 1000000001 99999999999999999999; do
    refused "records: $count: expected records \[ROUNDS\]" "$samples/native/records" "$count"
done
refused 'floats: side: expected near' "$samples/native/floats" 1 side
refused 'floats: hide: expected near' "$samples/native/floats" 1 near hide

cp docs/studies/isa-speed.md "$dir/page.md"
ci/bench-isa --quick --runs 1 --out "$dir/isa.json" --renew "$dir/page.md" >"$dir/table"
sed '/^<!-- speed -->/,/^<!-- end -->/d' docs/studies/isa-speed.md >"$dir/words"
sed '/^<!-- speed -->/,/^<!-- end -->/d' "$dir/page.md" | diff "$dir/words" - || fail "--renew: words changed"
rows() { sed -n '/^<!-- speed -->/,/^<!-- end -->/s/^| \([a-z ]* | rv.. | [a-z]*\) |.*/\1/p' "$1"; }
[ "$(rows "$dir/page.md" | wc -l)" = 14 ] || fail "--renew: no table"
diff <(rows docs/studies/isa-speed.md) <(rows "$dir/page.md") || fail "docs/studies/isa-speed.md: other rows"
! ci/bench-isa --quick --runs 1 --renew "$dir/words" 2>"$dir/log" ||
    fail "--renew: no marks, no error"
grep -q 'words: expected lines' "$dir/log" || fail "--renew: the error does not name the page"
python3 - "$dir/isa.json" <<'END'
import json, sys
bench = json.load(open(sys.argv[1]))
assert bench["quick"] and bench["machine"]["cpu"] and bench["machine"]["host_compiler"]
rows = bench["results"]
names = {(r["program"], r["mode"]) for r in rows}
for program in "records", "kernels", "path":
    for mode in "functional", "timed":
        assert (program, mode) in names, (program, mode)
for r in rows:
    assert len(r["cpu_seconds"]) == 1 and r["mips"]["median"] > 0, r
    assert r["instructions"] > 100000 and r["output"], r
    assert (r["mode"] == "timed") == ("cycles" in r), r
END
[ "$(grep -c -E '\| (functional|timed) ' "$dir/table")" -ge 14 ] || { cat "$dir/table"; fail "table"; }

# A program that computes something else natively ends the benchmark.
mkdir -p "$dir/B/bin" "$dir/B/samples/native"
ln -s "$PWD/$B/bin/corbel-scene" "$PWD/$B/bin/sim-run" "$dir/B/bin"
ln -s "$PWD/$samples/rv64" "$dir/B/samples"
printf '#!/bin/sh\necho nonsense\n' >"$dir/B/samples/native/records"
chmod +x "$dir/B/samples/native/records"
if B=$dir/B ci/bench-isa --quick --out "$dir/none.json" 'records functional rv64' 2>"$dir/log"; then
    fail "a wrong checksum was accepted"
fi
grep -q 'natively nonsense' "$dir/log" || fail "no reason given"
[ ! -e "$dir/none.json" ] || fail "results in spite of a wrong checksum"

echo "$compared runs compared"
