#!/bin/bash
# A bare-metal program runs code from any of its segments, also when the one
# with its entry is not marked executable; without a symbol tohost that is
# refused. Then the programs of $CORBEL_SHARED/cases/elf, where those are.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

gcc=riscv64-unknown-elf-gcc
tools $gcc

# build XLEN OUT SOURCE SCRIPT
build() {
    local abi=lp64
    [ "$1" = 64 ] || abi=ilp32
    $gcc -march="rv$1imac_zicsr" -mabi=$abi -nostdlib -static -Wl,--no-warn-rwx-segments \
        -T "$4" -o "$2" "$3"
}

# ends STATUS WHAT PATTERN ARGUMENTS: sim-run's status, and a line of stderr
ends() {
    local status=$1 what=$2 pattern=$3 got=0
    shift 3
    "$sim" --max-cycles 100k "$@" >"$dir/out" 2>"$dir/err" || got=$?
    [ $got = "$status" ] && grep -qE "$pattern" "$dir/err" && return
    echo "FAIL: $what: status $got, expected $status and: $pattern"
    sed 's/^/  /' "$dir/err"
    failures=$((failures + 1))
}

# Its code begins in one segment and goes on in another, which a third lies far
# behind of. None is executable.
cat >"$dir/bare.S" <<'END'
    .text
    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, _start
    la t1, more
    jr t1
    .data
more:
    la t1, tohost
    li t0, STATUS * 2 + 1
    sw t0, 0(t1)
1:  j 1b
    .balign 64
    .globl tohost
tohost:
    .dword 0
END
script() { # DATA FAR
    cat <<END
ENTRY(_start)
PHDRS { first PT_LOAD FLAGS(4); second PT_LOAD FLAGS(6); far PT_LOAD FLAGS(6); }
SECTIONS {
    .text 0x80000000 : { *(.text) } :first
    .data $1 : { *(.data) } :second
    .far $2 : { LONG(1) } :far
}
END
}
script 0x80002000 0x80004000 >"$dir/near.ld"
script . 0xa0000000 >"$dir/wide.ld"
sed -i 's/:second/:first/' "$dir/wide.ld"
sed 's/tohost/elsewhere/' "$dir/bare.S" >"$dir/hosted.S"
for xlen in 64 32; do
    for layout in near wide; do
        sed s/STATUS/5/ "$dir/bare.S" >"$dir/five.S"
        build $xlen "$dir/$layout" "$dir/five.S" "$dir/$layout.ld"
        for mode in "" --functional; do
            ends 5 "rv$xlen, $layout $mode" 'results hash' $mode "$dir/$layout"
        done
    done
    sed s/STATUS/5/ "$dir/hosted.S" >"$dir/five.S"
    build $xlen "$dir/hosted" "$dir/five.S" "$dir/near.ld"
    ends 201 "rv$xlen, no tohost" 'lies in no executable segment .*tohost' "$dir/hosted"
done

# ---- the shared cases: what is right for each
cases=$shared/cases/elf
for file in "$cases"/*; do
    name=$(basename "$file")
    case $name in
    entry-rw.S)
        for xlen in 64 32; do
            build $xlen "$dir/case" "$file" "$cases/entry-rw.ld"
            for mode in "" --functional; do
                ends 0 "$name, rv$xlen $mode" 'results hash' $mode "$dir/case"
            done
        done
        ;;
    entry-rw.ld | '*') ;;
    *) echo "FAIL: $file: nothing is said of it here"; failures=$((failures + 1)) ;;
    esac
done
[ $failures = 0 ] && echo "bare-metal programs run from any segment"
