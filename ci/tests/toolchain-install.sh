#!/bin/bash
# An installed SDK works wherever it is moved, without the source tree, letters beyond ASCII
# in the path: target programs with corbel-gcc, native ones with pkg-config, and a CMake project
# with both, whose tests ctest runs.
# ci: area toolchain
# ci: needs toolchain lib/libcorbel-native.a
# ci: makes install
. ci/tests/head

source=$PWD
moved=gerückt-ñ
mkdir -p "$dir/work"
make -s install DESTDIR="$dir/staged" PREFIX=/opt/corbel >/dev/null
mv "$dir/staged/opt/corbel" "$dir/$moved"

if grep -rlF "$PWD/" "$dir/$moved/bin" "$dir/$moved/lib/cmake" "$dir/$moved/lib/pkgconfig"; then
    fail "these installed files name the build tree"
fi

cd "$dir/work"
cat >program.c <<'EOF'
#include <corbel/corbel.h>
#include <stdio.h>
static void kernel(void *arg)
{
    while (corbel_next() < 10)
        __atomic_fetch_add((unsigned *)arg, 1, __ATOMIC_RELAXED);
}
int main(void)
{
    unsigned n = 0;
    corbel_launch(kernel, &n);
    printf("%u\n", n);
    return n != 10;
}
EOF
cp program.c program.cpp

# The simulator finds its chips beside it.
"$dir/$moved/bin/sim-run" --list-archs | grep -q '^ *rtx2080' || fail "sim-run does not find its chips"
"$dir/$moved/bin/corbel-scene" --help >/dev/null || fail "corbel-scene does not run"

# By a link in the user's PATH, too.
mkdir path
ln -s "$dir/$moved/bin/corbel-gcc" "$dir/$moved/bin/corbel-g++" path
for compiler in "$dir/$moved/bin/corbel-gcc" path/corbel-gcc; do
    "$compiler" -O2 program.c -o program
    "$dir/$moved/bin/corbel-objdump" -d program | grep 'trav\.fchthrd' >/dev/null || fail "no trav.fchthrd in the program"
done
# A sweep of it, and its page, whose frame is installed beside it.
printf '%s\n' '[programs.p]' 'file = "program"' '[chips.t]' 'arch = "tiny"' >sweep.toml
"$dir/$moved/bin/corbel-sweep" plan sweep.toml sweep
"$dir/$moved/bin/corbel-sweep" run sweep
"$dir/$moved/bin/corbel-sweep" collect sweep --page sweep.html
grep -q '"versions"' sweep.html || fail "the page of a sweep is empty"
path/corbel-g++ -O2 -mabi=ilp32f program.cpp -o program
"$dir/$moved/bin/corbel-readelf" -h program | grep ELF32 >/dev/null || fail "no RV32 program"

echo 'start: fin' | "$dir/$moved/bin/corbel-rtp-as" -o fin.o -
"$dir/$moved/bin/corbel-rtp-ld" fin.o -o fin
"$dir/$moved/bin/corbel-rtp-objdump" -d fin | grep -q 'ec000000.*fin' || fail "no fin in the program of rtp"
"$dir/$moved/bin/corbel-rtp-readelf" -h fin | grep -q 'Corbel rtp' || fail "no program of rtp"

if command -v pkg-config >/dev/null; then
    # pkg-config writes for a shell to read: a backslash before each byte beyond ASCII
    flags=()
    eval "flags=($(PKG_CONFIG_PATH=$dir/$moved/lib/pkgconfig \
        pkg-config --define-variable=prefix="$dir/$moved" --cflags --libs corbel))"
    gcc -O2 program.c "${flags[@]}" -o program
    [ "$(./program)" = 10 ] || fail "the native program is wrong"
fi
tools cmake
# example NAME OPTION...: the same project, natively and for each target.
example() {
    local name=$1
    shift
    cp -r "$source/sdk/cmake/example" "$name.source"
    cmake -S "$name.source" -B "$name" "$@" >cmake.log 2>&1 &&
        cmake --build "$name" >>cmake.log 2>&1 &&
        ctest --test-dir "$name" >>cmake.log 2>&1 || { cat cmake.log >&2; fail "cmake, $name"; }
    grep -q '^100% tests passed, 0 tests failed out of 1' cmake.log || fail "ctest, $name: $(cat cmake.log)"
    grep -q '^CMAKE_BUILD_TYPE' "$name/CMakeCache.txt" || fail "$name has no build type"
    cmp "$name/rings.ppm" native/rings.ppm || fail "$name: another image than natively"
}
example native -DCMAKE_PREFIX_PATH="$dir/$moved"
for target in rv64 rv32 rv64d; do
    example $target -DCMAKE_TOOLCHAIN_FILE="$dir/$moved/lib/cmake/corbel/corbel-$target.cmake"
done
[ "$(od -An -tx1 -j18 -N1 rv64/rings)" = " f3" ] || fail "CMake made no RISC-V program"
echo "toolchain-install: ok"
