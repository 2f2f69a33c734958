#!/bin/bash
# C and C++ programs link for the three targets and work: qemu-user executes
# them, a RISC-V that none of ours had a part in. What does not work is said at
# the link or before.
# ci: area toolchain
# ci: quick
# ci: needs toolchain
. ci/tests/head

tools qemu-riscv64
src=ci/tests/toolchain-link

# run STATUS QEMU PROGRAM ARGUMENTS...: its output in $dir/said
run() {
    local expected=$1 status=0
    shift
    "$@" >"$dir/said" 2>&1 || status=$?
    [ "$status" = "$expected" ] || fail "$*: status $status, expected $expected: $(cat "$dir/said")"
}
said() { # WHAT: standard input is what was expected
    diff - "$dir/said" >&2 || fail "$1: other output than expected"
}

for target in 64/rv64imafc/lp64f 64/rv64imafdc/lp64d 32/rv32imafc/ilp32f; do
    IFS=/ read -r xlen arch abi <<<"$target"
    flags=(-march="$arch" -mabi="$abi" -O2 -Wall -Wl,-e,machine_start)
    qemu=qemu-riscv$xlen
    build/bin/corbel-gcc "${flags[@]}" -I. -c "$src/machine.S" -o "$dir/machine.o"

    build/bin/corbel-gcc "${flags[@]}" "$src/c.c" "$dir/machine.o" -o "$dir/c"
    run 5 "$qemu" "$dir/c" "$dir/file" last
    said "C on $abi" <<EOF
constructed 42, 3 arguments, the last last
1.414214 1099511627776
kernel: sum 1, hart 0 of 1, its own stack
huge none, errno Not enough space
stat 0, 13 bytes
second
remove 0, open No such file or directory
cycles pass
destructor
EOF

    build/bin/corbel-g++ "${flags[@]}" "$src/cpp.cpp" "$dir/machine.o" -o "$dir/cpp"
    run 3 "$qemu" "$dir/cpp"
    said "C++ on $abi" <<EOF
construct global
construct local
destroy local
caught thrown
out of range
a1 10 3 2.500000 1.25 7
destroy global
EOF

    build/bin/corbel-gcc "${flags[@]}" --corbel-bare "$src/bare.c" "$dir/machine.o" -o "$dir/bare"
    run 4 "$qemu" "$dir/bare"
    said "bare on $abi" <<<bare

    # A hart's own variables: first values and zeros.
    build/bin/corbel-gcc "${flags[@]}" "$src/thread.c" "$dir/machine.o" -o "$dir/thread"
    run 0 "$qemu" "$dir/thread"

    # Code is not writable, data not executable, each on pages of its own.
    segments=$(build/bin/corbel-readelf -lW "$dir/c" | awk '$1 == "LOAD" { print $7, $8, $NF }')
    [ "$segments" = $'R E 0x1000\nR 0x1000 0x1000\nRW 0x1000 0x1000' ] ||
        fail "$abi: unexpected segments: $segments"
done

# -march or -mabi alone is enough, in whatever way it is said.
for flag in -march=rv32imafc -mabi=ilp32f -march=rv32imafc_xtrav1p0; do
    build/bin/corbel-gcc $flag -c "$src/bare.c" -o "$dir/x.o"
    build/bin/corbel-readelf -h "$dir/x.o" | grep ELF32 >/dev/null || fail "$flag gave no ELF32"
done

refused() { # PATTERN COMMAND...: fails and says PATTERN
    local pattern=$1
    shift
    ! "$@" >"$dir/said" 2>&1 || fail "$* succeeded"
    grep -q -- "$pattern" "$dir/said" || fail "$*: says $(cat "$dir/said"), not: $pattern"
}
refused 'no libraries for -march=rv32imac: expected' build/bin/corbel-gcc -march=rv32imac "$src/bare.c"
# 4096 bytes are the most that a page can promise.
echo '_Thread_local _Alignas(8192) int t; int main(void) { return t; }' >"$dir/thread.c"
refused 'thread-local variables are aligned to 4096 bytes at most' build/bin/corbel-gcc "$dir/thread.c" -o "$dir/x"
refused '-fopenmp: there are no OpenMP threads: .*corbel_launch' build/bin/corbel-gcc -fopenmp "$src/bare.c"

# More extensions than the base: the libraries are the base's, the code is not.
echo 'unsigned long main(unsigned long a) { return 8 * a + a; }' >"$dir/add.c"
echo >"$dir/none.c"
for arch in rv64imafc_zba_zbb rv64gc_zba rv32imafc_zicsr_zifencei_zba rv64imafc_zba_xtrav1p0; do
    build/bin/corbel-gcc -w -O2 -march=$arch "$dir/add.c" "$dir/none.c" -o "$dir/x"
    build/bin/corbel-objdump -d --disassemble=main "$dir/x" | grep sh3add >/dev/null ||
        fail "no sh3add with -march=$arch"
done

# A linker script replaces the built-in one, an address does not.
cp runtime/target/corbel.ld "$dir/my.ld"
echo '.mine : { BYTE(1) }' >"$dir/line"
sed -i '/^    _edata/r '"$dir/line" "$dir/my.ld"
for option in "-T $dir/my.ld" "-T$dir/my.ld" "-Wl,-T,$dir/my.ld" "-Wl,-T$dir/my.ld" \
    "-Wl,--script=$dir/my.ld" "-Wl,--script,$dir/my.ld" "-Xlinker -T -Xlinker $dir/my.ld" \
    "-Wl,-Ttext-segment=0x0,-T,$dir/my.ld"; do
    # shellcheck disable=SC2086
    build/bin/corbel-gcc $option "$src/bare.c" -o "$dir/x"
    [ "$(build/bin/corbel-readelf -SW "$dir/x" | grep -c ' \.mine ')" = 1 ] ||
        fail "$option: not the script that was given"
done
for option in -Ttext=0x20000 -Wl,-Ttext=0x20000; do
    build/bin/corbel-gcc $option "$src/bare.c" -o "$dir/x"
    build/bin/corbel-readelf -SW "$dir/x" | grep -E ' \.text +PROGBITS +0*20000 ' >/dev/null ||
        fail "$option: not at its address"
    build/bin/corbel-readelf -lW "$dir/x" | grep -E 'LOAD .* R E ' >/dev/null ||
        fail "$option: no longer Corbel's script"
done

# What there is not.
echo 'int popen(); int main(void) { return popen(); }' >"$dir/popen.c"
echo 'int socket(); int connect(); int main(void) { return socket() + connect(); }' >"$dir/socket.c"
refused 'popen.c.*popen cannot be used: Corbel_has_no_processes' build/bin/corbel-gcc -g -w "$dir/popen.c" -o "$dir/x"
refused 'undefined reference to .Corbel_has_no_network' build/bin/corbel-gcc -w "$dir/socket.c" -o "$dir/x"
[ "$(grep -c 'undefined reference' "$dir/said")" = 1 ] || fail "the network is missing more than once"
echo "toolchain-link: ok"
