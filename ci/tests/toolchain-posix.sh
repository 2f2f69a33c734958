#!/bin/bash
# Functions of Linux that newlib lacks answer as the host's do, on the three
# targets; threads of ISO C are harts. What the target has not is told when a
# program is compiled or linked, in one line.
# ci: area toolchain
# ci: needs toolchain bin/sim-run lib/libcorbel-native.a
. ci/tests/head

src=$PWD/ci/tests/toolchain-posix
include=$PWD/runtime/include native=$root/$B/lib/libcorbel-native.a
cd "$dir"

run() { # NAME COMMAND...: in an empty folder, its output in NAME.out
    local name=$1
    shift
    mkdir fs
    (cd fs && "$@") >"$name.out" 2>err || fail "$name: status $?: $(cat "$name.out" err)"
    rmdir fs || fail "$name left files"
}
for program in calls threads; do
    gcc -O1 -w -I"$include" "$src/$program.c" "$native" -pthread -lm -o "$program.native"
    CORBEL_THREADS=8 run native "$PWD/$program.native"
    for target in rv64imafc rv64imafdc rv32imafc; do
        "$bin/corbel-gcc" -march=$target -O1 -w "$src/$program.c" -o "$program.elf"
        for mode in "--functional" "-s chip.tms=2 -s chip.tps=2"; do
            read -ra options <<<"$mode -s tp.scratch=4096 --max-fs 3M"
            run target "$bin/sim-run" -a tiny -j 1 --quiet "${options[@]}" "$dir/$program.elf"
            diff native.out target.out >&2 || fail "$program of $target, $mode: other output than natively (<)"
        done
    done
done

# What there is not of locales answers as docs/guides/porting.md says.
for target in rv64imafc rv32imafc; do
    "$bin/corbel-g++" -march=$target -O1 "$src/characters.cpp" -o characters.elf
    "$bin/sim-run" -a tiny --functional --quiet characters.elf >characters.out 2>err ||
        fail "characters of $target: $(cat characters.out)"
done
[ "$(<characters.out)" = "Grüße € 10" ] || fail "bytes of UTF-8: $(cat characters.out)"

# Each header alone, also for programs that want the standard's names only.
headers=$OLDPWD/runtime/target/include
for header in "$headers"/*.h "$headers"/*/*.h; do
    echo "#include <${header#"$headers/"}>"
done >all.h
while read -r line; do
    echo "$line"$'\n'"$line" >one.c
    for standard in c99 c17 gnu17 c++11 gnu++20; do
        compiler=corbel-gcc language=c
        [[ $standard != *++* ]] || compiler=corbel-g++ language=c++
        "$bin/$compiler" -std=$standard -Wall -Werror -fsyntax-only -x $language one.c || fail "$line, $standard"
    done
done <all.h

# Open in a checkpoint.
cat >null.c <<'EOF'
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("/dev/null", "r+");
    for (int i = 0; i < 100000; i++)
        __asm__ volatile("");
    fputs("gone", f);
    rewind(f);
    printf("%d %d\n", getc(f), ferror(f));
    return 0;
}
EOF
"$bin/corbel-gcc" null.c -o null.elf
mkdir fs
"$bin/sim-run" -a tiny --quiet --fs fs --max-cycles 100000 --checkpoint ck null.elf >out 2>err || true
"$bin/sim-run" --quiet --resume ck --fs fs >>out 2>>err || fail "resumed: $(cat err)"
[ "$(cat out)" = '-1 0' ] || fail "/dev/null in a checkpoint: $(cat out err)"

# What there is not: one line of the compiler or of the linker.
refused() { # PATTERN COMPILER ARGUMENT...
    local pattern=$1 compiler=$2
    shift 2
    ! "$bin/$compiler" "$@" -o x.elf >said 2>&1 || fail "$* is accepted"
    [ "$(grep -c "$pattern" said)" = 1 ] ||
        fail "$*: says $(cat said), expected one line $pattern"
}
cat >nested.c <<'EOF'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int v[2] = {2, 1};
    int compare(const void *a, const void *b) { return argc * (*(int *)a - *(int *)b); }
    qsort(v, 2, sizeof *v, compare);
    return v[0];
}
EOF
refused "trampoline generated for nested function 'compare'" corbel-gcc -O2 nested.c
for name in pthread_create pthread_join thrd_create thrd_join thrd_exit; do
    echo "int $name(); int main(void) { return $name(); }" >absent.c
    refused 'undefined reference to .Corbel_harts_are_neither_made_nor_ended' corbel-gcc -w absent.c -pthread
done
echo 'int dlopen(); int dlsym(); int main(void) { return dlopen() + dlsym(); }' >absent.c
refused 'undefined reference to .Corbel_has_no_shared_libraries' corbel-gcc -w absent.c -ldl
echo "toolchain-posix: ok"
