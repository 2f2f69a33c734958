#!/bin/bash
# What corbel-gcc takes of gcc's options: link-time optimization, with its
# libraries; response files, split as gcc splits them, whatever is in them; the
# libraries of Linux's link lines. What the target has not is refused by name.
# ci: area toolchain
# ci: needs toolchain bin/sim-run
. ci/tests/head

cd "$dir"

prints() { # TEXT PROGRAM WHAT
    local said
    said=$("$bin/sim-run" -a tiny --functional --quiet "$2" 2>err) || fail "$3: $(cat err)"
    [ "$said" = "$1" ] || fail "$3: printed '$said', expected '$1'"
}

cat >main.cpp <<'EOF'
#include <corbel/corbel.h>
#include <cstdio>
#include <stdexcept>
#include <vector>
extern "C" int twice(int);
static unsigned n;
static void kernel(void *)
{
    while (corbel_next() < 10)
        __atomic_fetch_add(&n, (unsigned)twice(1), __ATOMIC_RELAXED);
}
int main()
{
    std::vector<double> v(3, twice(2) / 8.0);
    corbel_launch(kernel, nullptr);
    try {
        v.at(5) = 1;
    } catch (std::out_of_range &) {
        std::printf("%.2f %u %g\n", v[2], n, 1e6);
    }
}
EOF
echo 'int twice(int x) { return 2 * x; }' >twice.c
for flags in "-march=rv64imafdc -O3" "-mabi=ilp32f" "-march=rv64imafc_zba_zbb -mabi=lp64f"; do
    read -ra flags <<<"$flags -O2 -flto"
    rm -f ./*.o ./*.a
    "$bin/corbel-gcc" "${flags[@]}" -c twice.c
    "$bin/corbel-g++" "${flags[@]}" main.cpp twice.o -o a.elf
    prints '0.50 20 1e+06' a.elf "${flags[*]}"
    # Of an archive with an index, and of one that gets it later.
    "$bin/corbel-ar" rcs libone.a twice.o
    "$bin/corbel-ar" rcS libtwo.a twice.o
    "$bin/corbel-ranlib" libtwo.a
    "$bin/corbel-nm" libone.a | grep 'T twice' >/dev/null || fail "corbel-nm does not see twice"
    "$bin/corbel-g++" "${flags[@]}" -c main.cpp
    for library in -lone -ltwo; do
        "$bin/corbel-g++" "${flags[@]}" main.o -L. $library -o a.elf
        prints '0.50 20 1e+06' a.elf "${flags[*]} $library"
        ! "$bin/corbel-nm" a.elf | grep ' twice' >/dev/null || fail "${flags[*]}: twice was not inlined"
    done
done

# Response files.
class() { # CLASS ARGUMENT...
    local class=$1
    shift
    "$bin/corbel-gcc" "$@" -c twice.c -o x.o
    "$bin/corbel-readelf" -h x.o | grep "Class: *$class" >/dev/null || fail "$*: no $class"
}
echo '-march=rv32imafc' >march.rsp
echo '@march.rsp' >nested.rsp
printf '%s\r\n' "'-mabi=ilp32f'" >quoted.rsp
class ELF64
class ELF32 @march.rsp
class ELF32 @nested.rsp
class ELF32 @quoted.rsp
class ELF64 @march.rsp -march=rv64imafc
echo 'int f(unsigned long a) { return __builtin_popcountl(a); }' >count.c
echo '-march=rv64imafc_zbb -O2' >zbb.rsp
"$bin/corbel-gcc" @zbb.rsp -c count.c -o x.o
"$bin/corbel-objdump" -d x.o | grep -w cpop >/dev/null || fail "no cpop with -march=rv64imafc_zbb in a file"
# As gcc reads them: of the same files both make the same.
cat >odd.rsp <<'EOF'
-DONE='a b' "-DTWO=c\"d" -DTHREE=e\ f\\g ''-DFOUR='1"2'
	-DFIVE="x
y"z  -DSIX\
=6 @more.rsp ''
EOF
tr -d '\n' <<<"-DSEVEN=7 -DEIGHT='it''s'" >more.rsp
echo 'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT' >words.c
for files in @odd.rsp "@more.rsp -DONE=@none.rsp" "@none.rsp @more.rsp"; do
    read -ra files <<<"$files"
    gcc "${files[@]}" -E -P words.c >gcc.out 2>gcc.err || true
    "$bin/corbel-gcc" "${files[@]}" -E -P words.c >our.out 2>our.err || true
    diff gcc.out our.out || fail "${files[*]}: other words than gcc's"
    diff <(sed 's/^[^:]*: //' gcc.err) <(sed 's/^[^:]*: //' our.err) || fail "${files[*]}: other errors than gcc's"
done
# More files than a command can have.
printf -v far './%.0s' {1..120}
echo '@march.rsp none.c' >many.rsp
for ((i = 0; i < 10000; i++)); do
    echo "${far}libone.a"
done >>many.rsp
class ELF32 @march.rsp
echo 'int main(void) { return 0; }' >none.c
"$bin/corbel-gcc" @many.rsp -o a.elf
prints '' a.elf 'an executable of many files'
cp ../../../runtime/target/corbel.ld my.ld
echo '-T my.ld' >script.rsp
sed -i 's/_edata = /_edata_mine = . ; &/' my.ld
for option in @script.rsp -Wl,@script.rsp; do
    "$bin/corbel-gcc" $option none.c -o a.elf
    "$bin/corbel-nm" a.elf | grep '_edata_mine' >/dev/null || fail "$option: not the script that was given"
done

refused() { # PATTERN ARGUMENT...: in one line
    local pattern=$1
    shift
    ! "$bin/corbel-gcc" "$@" none.c -o a.elf >said 2>&1 || fail "$* is accepted"
    [ "$(wc -l <said)" = 1 ] && grep -q -- "^corbel-gcc: $pattern" said || fail "$*: says $(cat said)"
}
echo @self.rsp >self.rsp
refused '@self.rsp: more than 2000 response files' @self.rsp
for option in -pg -p --coverage -fprofile-arcs -fprofile-generate; do
    refused "$option: programs write no profile: sim-run --profile" $option
done
for option in -fsanitize=address -fsanitize=thread -fsanitize=undefined -fsanitize-coverage=trace-pc \
    "-fsanitize=undefined,address -fsanitize-undefined-trap-on-error"; do
    read -ra option <<<"$option"
    refused "${option[0]}: there are no sanitizers: .*sim-run --check-memory" "${option[@]}"
done
echo -pg >pg.rsp
refused '-pg: ' @pg.rsp
"$bin/corbel-gcc" -fsanitize=undefined -fsanitize-undefined-trap-on-error none.c -o a.elf
prints '' a.elf 'checks that trap'
for flags in -march=rv64imafc -march=rv32imafc -march=rv64imafdc; do
    "$bin/corbel-gcc" $flags -pthread -finstrument-functions none.c -o a.elf -lpthread -ldl -lrt -lutil -latomic -lm
    prints '' a.elf "$flags, libraries of Linux"
done
echo "toolchain-options: ok"
