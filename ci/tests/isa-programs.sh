#!/bin/bash
# The self-checking programs of sim/isa/tests/programs pass on RV32 and RV64,
# functional and timed, on one hart and on four, and leave the same signature
# in all of these; between them they have every instruction and every
# compressed form that sim/isa knows. PROGRAMS="csr traps" runs only those.
# ci: area isa
# ci: needs bin/sim-run
. ci/tests/head

gcc=riscv64-unknown-elf-gcc
objdump=riscv64-unknown-elf-objdump
tools $gcc $objdump python3
sources=sim/isa/tests/programs
all=$(cd $sources && ls -- *.S | sed 's/\.S$//')

# XLEN NAME HARTS
build_program() {
    local abi=ilp32
    [ "$1" = 32 ] || abi=lp64
    $gcc -march="rv$1gc_zicbom_zba_zbb" -mabi=$abi -nostdlib -static -DHARTS="$3" \
        -Wl,--no-warn-rwx-segments -T $sources/link.ld -o "$dir/rv$1-$2-$3" \
        "$sources/$2.S"
}

# Says what a signature of a failed program tells: line, got, expected.
explain() {
    local words
    mapfile -t words <"$1"
    [ ${#words[@]} -ge 6 ] && [ "${words[0]}" != 00000000 ] || return 0
    echo "    $sources/$2.S:$((16#${words[0]})): got ${words[3]}${words[2]}," \
        "expected ${words[5]}${words[4]}"
}

# ELF, options: status and signature, which has to be that of the first run
run_program() {
    local elf=$1 name status=0
    shift
    name=$(basename "$elf")
    name=${name#*-}
    rm -f "$elf.sig"
    timeout 60 "$sim" "$@" --quiet --max-cycles 20000000 \
        --signature "$elf.sig" "$elf" >"$elf.log" 2>&1 || status=$?
    [ -e "$elf.first" ] || cp "$elf.sig" "$elf.first" 2>/dev/null || true
    if [ $status != 0 ]; then
        echo "FAIL: $(basename "$elf"), $*: status $status"
        sed 's/^/    /' "$elf.log" | head -n 4
        [ ! -e "$elf.sig" ] || explain "$elf.sig" "${name%-*}"
    elif ! cmp "$elf.first" "$elf.sig"; then
        echo "FAIL: $(basename "$elf"), $*: another signature"
    else
        return 0
    fi
    failures=$((failures + 1))
}

chip() { # HARTS
    echo "-a tiny -s chip.tps=$1 -s tp.harts=1"
}

for name in ${PROGRAMS:-$all}; do
    for xlen in 32 64; do
        build_program $xlen "$name" 1
        elf=$dir/rv$xlen-$name-1
        # Only hart 0 runs the program; the others must not matter.
        # shellcheck disable=SC2046
        for harts in 1 4; do
            run_program "$elf" $(chip $harts) --functional
            run_program "$elf" $(chip $harts)
        done
    done
done

# All four take part, also two by two on a thread processor.
if [[ " ${PROGRAMS:-$all} " == *harts* ]]; then
    for xlen in 32 64; do
        build_program $xlen harts 4
        elf=$dir/rv$xlen-harts-4
        # shellcheck disable=SC2046
        for mode in --functional --no-skip --reverse-units "-s tp.harts=2 -s chip.tps=2"; do
            run_program "$elf" $(chip 4) $mode
        done
    done
fi

[ -n "${PROGRAMS:-}" ] || python3 $sources/coverage.py $objdump \
    "$dir"/rv32-*-1 "$dir"/rv64-*-1 || failures=$((failures + 1))
[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
