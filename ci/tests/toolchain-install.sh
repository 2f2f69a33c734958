#!/bin/bash
# An installed SDK works wherever it is moved, without the source tree: target
# programs with corbel-gcc and CMake, native ones with pkg-config.
set -euo pipefail

dir=$PWD/build/tests/toolchain-install
rm -rf "$dir"
mkdir -p "$dir/work"
make -s install DESTDIR="$dir/staged" PREFIX=/opt/corbel >/dev/null
mv "$dir/staged/opt/corbel" "$dir/moved"

fail() {
    echo "toolchain-install: $1" >&2
    exit 1
}
if grep -rlF "$PWD/" "$dir/moved/bin" "$dir/moved/lib/cmake" "$dir/moved/lib/pkgconfig"; then
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
"$dir/moved/bin/sim-run" --list-archs | grep -q '^ *rtx2080' || fail "sim-run does not find its chips"
"$dir/moved/bin/corbel-scene" --help >/dev/null || fail "corbel-scene does not run"

# By a link in the user's PATH, too.
mkdir path
ln -s "$dir/moved/bin/corbel-gcc" "$dir/moved/bin/corbel-g++" path
for compiler in "$dir/moved/bin/corbel-gcc" path/corbel-gcc; do
    "$compiler" -O2 program.c -o program
    "$dir/moved/bin/corbel-objdump" -d program | grep 'trav\.fchthrd' >/dev/null || fail "no trav.fchthrd in the program"
done
path/corbel-g++ -O2 -mabi=ilp32f program.cpp -o program
"$dir/moved/bin/corbel-readelf" -h program | grep ELF32 >/dev/null || fail "no RV32 program"

if command -v pkg-config >/dev/null; then
    read -ra flags < <(PKG_CONFIG_PATH=$dir/moved/lib/pkgconfig \
        pkg-config --define-variable=prefix="$dir/moved" --cflags --libs corbel)
    gcc -O2 program.c "${flags[@]}" -o native
    [ "$(./native)" = 10 ] || fail "the native program is wrong"
fi
if command -v cmake >/dev/null; then
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(p C CXX)\nadd_executable(p program.c)\n' >CMakeLists.txt
    for target in rv64 rv32 rv64d; do
        cmake -S . -B "$target" -DCMAKE_TOOLCHAIN_FILE="$dir/moved/lib/cmake/corbel/corbel-$target.cmake" >cmake.log 2>&1 &&
            cmake --build "$target" >>cmake.log 2>&1 || { cat cmake.log >&2; fail "cmake for $target"; }
    done
fi
rm -rf "$dir"
echo "toolchain-install: ok"
