#!/bin/bash
# The target's C library answers like the host's: the same programs print the
# same natively and on the three targets.
# ci: area toolchain
# ci: needs toolchain bin/sim-run
. ci/tests/head

tools riscv64-unknown-elf-gcc
src=$PWD/ci/tests/toolchain-libc
cd "$dir"

# Nothing is computed by the compiler.
flags=(-O1 -w -fno-builtin -ffp-contract=off)
compile() { # COMPILER C++COMPILER SOURCE PROGRAM FLAGS...
    local compiler=$1 source=$3 program=$4
    [ "${source##*.}" = c ] || compiler=$2
    shift 4
    case $source in
    *.c) "$compiler" -std=gnu17 "${flags[@]}" "$@" "$src/$source" -o "$program" -lm ;;
    *) "$compiler" "${flags[@]}" "$@" "$src/$source" -o "$program" -lm ;;
    esac
}
# runs NAME WHERE COMMAND...: in a folder of its own, its output in WHERE/NAME.out
runs() {
    local name=$1 where=$2
    shift 2
    mkdir -p "$where/$name.fs"
    (cd "$where/$name.fs" && "$@") >"$where/$name.out" 2>"$where/$name.err" </dev/null ||
        fail "$where: $name failed: $(tail -n 3 "$where/$name.err")"
    [ -z "$(ls -A "$where/$name.fs")" ] || fail "$where: $name left $(ls "$where/$name.fs")"
}
# On few pages: --memory says how much there is, not how much is used.
simulate=("$bin/sim-run" --functional --quiet --env CORBEL_TEST=set --env EMPTY=)

for source in print.c scan.c texts.c mathematics.c library.c posix.c names.cpp exceptions.cpp large.c; do
    name=${source%.*}
    mkdir -p native
    compile gcc g++ "$source" "native/$name" 2>/dev/null
    runs "$name" native env CORBEL_TEST=set EMPTY= "$PWD/native/$name"
    for target in rv64imafc/lp64f rv64imafdc/lp64d rv32imafc/ilp32f; do
        abi=${target#*/}
        memory=()
        if [ "$name" = large ]; then
            [ "$abi" != ilp32f ] || continue
            memory=(--memory 16G)
        fi
        mkdir -p "$abi"
        compile "$bin/corbel-gcc" "$bin/corbel-g++" "$source" "$abi/$name" \
            -march="${target%/*}" -mabi="$abi"
        runs "$name" "$abi" "${simulate[@]}" "${memory[@]}" "$PWD/$abi/$name"
        diff "native/$name.out" "$abi/$name.out" >"$abi/$name.diff" ||
            fail "$name on $abi prints something else than natively (<): $(head -n 8 "$abi/$name.diff")"
    done
done
[ "$(wc -l <native/mathematics.out)" -gt 80000 ] || fail "few values were compared"

# With timing, too.
runs posix lp64f "$bin/sim-run" -a tiny --quiet --env CORBEL_TEST=set --env EMPTY= "$PWD/lp64f/posix"
diff native/posix.out lp64f/posix.out >&2 || fail "posix with timing"
echo "toolchain-libc: ok"
