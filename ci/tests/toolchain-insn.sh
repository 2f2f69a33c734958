#!/bin/bash
# Every intrinsic gives the same bytes in three ways: through corbel-gcc, which
# uses the instruction's name; with CORBEL_INSN and Debian's assembler, which
# does not know it; and with Debian's compiler driver and our assembler, which
# enables the extension around it.
# ci: area toolchain isa
# ci: needs toolchain
. ci/tests/head

toolchain=build/toolchain

cat >"$dir/all.c" <<'EOF'
#include <corbel/xtrav.h>
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    extern corbel_shape_##shape *const use_##id;                               \
    corbel_shape_##shape *const use_##id = corbel_##id;
#include <corbel/isa/xtrav.def>
EOF
cp "$dir/all.c" "$dir/all.cpp"

text() { # OBJECT: its code
    build/bin/corbel-objcopy -O binary -j .text "$1" "$1.text"
    [ -s "$1.text" ] || { echo "toolchain-insn: $1 holds no code" >&2; exit 1; }
}
same() { # WHAT A B
    cmp -s "$2.text" "$3.text" || {
        echo "toolchain-insn: $1: other bytes by name than by .insn" >&2
        diff <(build/bin/corbel-objdump -d "$2") <(build/bin/corbel-objdump -d "$3") | head -n 20 >&2
        exit 1
    }
}

compared=0
for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
    flags=(-march="${target%/*}" -mabi="${target#*/}")
    debian=("${flags[@]}" -mcmodel=medany -ffp-contract=off -fno-math-errno
        -Iruntime/include -isystem "$toolchain/riscv/newlib")
    for optimisation in -O0 -O2; do
        for language in c c++; do
            case $language in
            c) source=$dir/all.c driver=gcc ;;
            c++) source=$dir/all.cpp driver=g++ ;;
            esac
            build/bin/corbel-$driver "${flags[@]}" $optimisation -c "$source" -o "$dir/name.o"
            riscv64-unknown-elf-$driver "${debian[@]}" $optimisation -DCORBEL_INSN \
                -c "$source" -o "$dir/insn.o"
            riscv64-unknown-elf-$driver "${debian[@]}" $optimisation \
                -B "$toolchain/tools/riscv64-unknown-elf/bin/" -c "$source" -o "$dir/option.o"
            for way in name insn option; do
                text "$dir/$way.o"
            done
            same "$target $optimisation $language" "$dir/name.o" "$dir/insn.o"
            same "$target $optimisation $language" "$dir/name.o" "$dir/option.o"
            compared=$((compared + 1))
        done
    done
done

# What was compared are the instructions: each is in there by name, and
# Debian's assembler does not know them.
build/bin/corbel-objdump -d "$dir/name.o" >"$dir/name.dis"
for mnemonic in $(sed -n 's/^XTRAV([^"]*"\([^"]*\)".*/\1/p' sdk/isa/xtrav.def); do
    grep -qw -- "$mnemonic" "$dir/name.dis" || {
        echo "toolchain-insn: $mnemonic is not in the code of its intrinsic" >&2
        exit 1
    }
done
if riscv64-unknown-elf-gcc "${debian[@]}" -c "$dir/all.c" -o "$dir/x.o" 2>/dev/null; then
    echo "toolchain-insn: the assembler that should not know xtrav does" >&2
    exit 1
fi
echo "toolchain-insn: $compared objects the same in three ways"
